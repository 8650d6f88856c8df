/* What `adit serve` says about itself (inspect.c: to whom): counters for Prometheus, the list
 * of pages, and a page that shows HTML and machine view side by side. */
#include "batch/serve/serve.h"
#include "json/json.h"

#include <string.h>

static const char html[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>adit: both views</title>\n"
    "<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:0;display:grid;height:100vh;"
    "grid:auto 1fr/17rem 1fr;color:#222;background:#fff}\n"
    "header{grid-column:1/3;padding:.6rem 1rem;border-bottom:1px solid #ccc;display:flex;gap:1rem;"
    "align-items:center;flex-wrap:wrap}\nh1{font-size:1rem;margin:0}\n"
    "nav{overflow:auto;border-right:1px solid #ccc;padding:.5rem}\n"
    "nav button{display:block;width:100%;text-align:left;border:0;background:none;font:inherit;"
    "padding:.15rem .4rem;cursor:pointer;overflow-wrap:anywhere}\n"
    "nav button:hover,nav button[aria-current]{background:#e7eef7}\n"
    "main{display:grid;grid:auto 1fr/1fr 1fr;min-height:0;min-width:0}\n"
    "table{grid-column:1/3;border-collapse:collapse;margin:.5rem 1rem}\n"
    "th,td{padding:.1rem .8rem .1rem 0;text-align:right}th:first-child{text-align:left}\n"
    "pre{margin:0;padding:.6rem 1rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font:12px/1.4 ui-monospace,monospace;border-top:1px solid #ccc}\n"
    "pre+pre{border-left:1px solid #ccc}small{color:#666}\n"
    "@media(max-width:50rem){body{grid:auto 12rem 1fr/1fr}header{grid-column:1}main{grid:auto/1fr}"
    "table{grid-column:1}}\n</style>\n"
    "<header><h1>adit</h1><form id=\"f\"><label>Path <input id=\"p\" value=\"/\" size=\"30\">"
    "</label> <button>Show</button></form><span id=\"s\" role=\"status\"></span></header>\n"
    "<nav id=\"n\" aria-label=\"Pages\"></nav>\n"
    "<main><table><tr><th></th><th>bytes</th><th>tokens</th><th>saving</th></tr>"
    "<tr><th>HTML</th><td id=\"hb\"></td><td id=\"ht\"></td><td></td></tr>"
    "<tr><th>machine view</th><td id=\"mb\"></td><td id=\"mt\"></td><td id=\"sv\"></td></tr>"
    "<tr><td colspan=\"4\"><small>tokens are estimated as bytes / 4</small></td></tr></table>"
    "<pre id=\"h\" aria-label=\"HTML\"></pre><pre id=\"m\" aria-label=\"machine "
    "view\"></pre></main>\n"
    "<script>\n"
    "'use strict';\nconst $=i=>document.getElementById(i),size=t=>new "
    "TextEncoder().encode(t).length,"
    "num=n=>n.toLocaleString('en');\n"
    "const machine=r=>{const m=/<([^>]*)>;\\s*rel=\"alternate\";\\s*type=\"application\\/json\"/"
    ".exec(r.headers.get('link')||'');return m&&new URL(m[1],location).pathname+new "
    "URL(m[1],location)"
    ".search};\n"
    "async function show(path){\n  $('p').value=path;$('s').textContent='…';\n"
    "  for(const b of $('n').children)b.toggleAttribute('aria-current',b.textContent===path);\n"
    "  for(const i of ['hb','ht','mb','mt','sv','h','m'])$(i).textContent='';\n"
    "  try{\n    const page=await fetch('raw'+path),text=await page.text();\n"
    "    const hb=size(text),url=machine(page);\n"
    "    $('h').textContent=text;$('hb').textContent=num(hb);"
    "$('ht').textContent=num(Math.round(hb/4));\n"
    "    if(!url){$('s').textContent='HTTP '+page.status+': this page has no machine "
    "view';return}\n"
    "    const view=await fetch('raw'+url),body=await view.text(),mb=size(body);\n"
    "    let shown=body;try{shown=JSON.stringify(JSON.parse(body),null,2)}catch{}\n"
    "    $('m').textContent=shown;$('mb').textContent=num(mb);"
    "$('mt').textContent=num(Math.round(mb/4));\n"
    "    if(view.ok)$('sv').textContent=(100*(1-mb/hb)).toFixed(1)+' %';\n"
    "    $('s').textContent=url+' · HTTP '+view.status+' · '+(view.headers.get('etag')||'');\n"
    "  }catch(e){$('s').textContent=String(e)}\n}\n"
    "$('f').onsubmit=e=>{e.preventDefault();show($('p').value)};\n"
    "fetch('pages.json').then(r=>r.json()).then(l=>{for(const p of l){const b="
    "document.createElement('button');b.textContent=p;b.onclick=()=>show(p);$('n').append(b)}"
    "const at=()=>decodeURI(location.hash.slice(1));window.onhashchange=()=>show(at());"
    "if(at()||l.length)show(at()||l[0])});\n</script>\n";

static void add_sum(struct adit_buf *b, const struct server *s, size_t offset)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->n_shards; i++)
        sum += *(const uint64_t *)((const char *)&s->shards[i].edge + offset);
    adit_buf_u64(b, sum);
    adit_buf_byte(b, '\n');
}

static void metric(struct adit_buf *b, const char *name, const char *kind, const char *help)
{
    const char *const parts[] = {"# HELP adit_", name, " ",  help, "\n# TYPE adit_",
                                 name,           " ",  kind, "\n"};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) adit_buf_lit(b, parts[i]);
}

/* Counters are read while others count: each is a word that is whole. */
static void write_metrics(struct server *s, struct adit_buf *b)
{
    char name[64];
    for (size_t i = 0; i < s->n_shards; i++) pthread_mutex_lock(&s->shards[i].lock);
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++) {
        snprintf(name, sizeof name, "%s_total", adit_counters[i].name);
        metric(b, name, "counter", adit_counters[i].help);
        adit_buf_lit(b, "adit_");
        adit_buf_lit(b, name);
        adit_buf_byte(b, ' ');
        add_sum(b, s, offsetof(struct adit_edge, counters) + i * sizeof(uint64_t));
    }
    metric(b, "failures_total", "counter", "machine views refused, by reason");
    for (size_t i = ADIT_REASON_NONE + 1; i < ADIT_REASONS; i++) {
        adit_buf_lit(b, "adit_failures_total{reason=\"");
        adit_buf_lit(b, adit_reasons[i].name);
        adit_buf_lit(b, "\"} ");
        add_sum(b, s, offsetof(struct adit_edge, failures) + i * sizeof(uint64_t));
    }
    metric(b, "passes_total", "counter", "pages sent as the origin has them, by reason");
    for (size_t i = ADIT_REASON_NONE + 1; i < ADIT_REASONS; i++) {
        adit_buf_lit(b, "adit_passes_total{reason=\"");
        adit_buf_lit(b, adit_reasons[i].name);
        adit_buf_lit(b, "\"} ");
        add_sum(b, s, offsetof(struct adit_edge, passes) + i * sizeof(uint64_t));
    }
    for (size_t i = 0; i < s->n_shards; i++) pthread_mutex_unlock(&s->shards[i].lock);
    metric(b, "http_requests_total", "counter", "requests answered, all kinds");
    adit_buf_lit(b, "adit_http_requests_total ");
    adit_buf_u64(b, atomic_load(&s->requests));
    adit_buf_byte(b, '\n');
    metric(b, "http_sent_bytes_total", "counter", "bytes of bodies sent");
    adit_buf_lit(b, "adit_http_sent_bytes_total ");
    adit_buf_u64(b, atomic_load(&s->bytes));
    adit_buf_byte(b, '\n');
    metric(b, "http_active", "gauge", "requests under way");
    adit_buf_lit(b, "adit_http_active ");
    adit_buf_u64(b, atomic_load(&s->active));
    adit_buf_byte(b, '\n');
}

static void write_pages(struct server *s, struct adit_buf *b)
{
    struct adit_buf lines;
    adit_buf_init(&lines, cli_mem, 16u << 20);
    s->origin->list(s->origin, s->config, &lines);
    struct adit_str rest = adit_buf_str(&lines), path;
    struct adit_json_writer w = {.out = b};
    adit_json_open(&w, '[');
    while (rest.len && adit_str_split(&rest, '\n', &path))
        if (path.len) adit_json_string(&w, path);
    adit_json_close(&w, ']');
    adit_buf_free(&lines);
}

void own_page(struct server *s, struct adit_str name, struct own_page *out)
{
    out->status = 200;
    if (name.len == 0) {
        out->type = "text/html; charset=utf-8";
        adit_buf_lit(&out->body, html);
    } else if (adit_str_eq(name, ADIT_STR("metrics"))) {
        out->type = "text/plain; version=0.0.4; charset=utf-8";
        write_metrics(s, &out->body);
    } else if (adit_str_eq(name, ADIT_STR("pages.json"))) {
        out->type = "application/json";
        write_pages(s, &out->body);
    } else {
        out->status = 404;
        adit_buf_lit(&out->body, "Not found.\n");
    }
}
