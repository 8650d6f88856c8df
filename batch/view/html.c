/* What all HTML files of this folder begin and end with, and how text, numbers and sizes stand in them.
 *
 * Their policy names the hashes of the one style sheet and the one script: nothing else is loaded or
 * run, whatever a page's title says. So no element has a style of its own. */
#include "batch/view/view_impl.h"
#include "crypto/crypto.h"

CLI_ASSET(view_css, "batch/view/view.css");
CLI_ASSET(view_script, "batch/view/filter.js");

static void put_hash(struct adit_buf *out, struct adit_str of)
{
    uint8_t hash[ADIT_SHA256_LEN];
    adit_sha256_of(of, hash);
    adit_buf_lit(out, " 'sha256-");
    adit_base64(out, hash, sizeof hash);
    adit_buf_byte(out, '\'');
}

void view_html_begin(struct adit_buf *out, struct adit_str title, bool script)
{
    adit_buf_lit(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "base-uri 'none'; form-action 'none'; style-src");
    put_hash(out, CLI_ASSET_STR(view_css));
    if (script) {
        adit_buf_lit(out, "; script-src");
        put_hash(out, CLI_ASSET_STR(view_script));
    }
    adit_buf_lit(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
                      "initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n"
                      "<meta name=\"generator\" content=\"adit/" ADIT_VERSION "\">\n");
    view_text_put(out, "<title>", title, "</title>\n<style>");
    adit_buf_add(out, CLI_ASSET_STR(view_css));
    view_text_put(out, "</style>\n</head>\n<body>\n<main>\n<h1>", title, "</h1>\n");
}

void view_html_end(struct adit_buf *out, bool script)
{
    adit_buf_lit(out, "</main>\n<footer>made by adit " ADIT_VERSION "; no script is needed, "
                      "nothing is loaded</footer>\n");
    if (script) {
        adit_buf_lit(out, "<script>");
        adit_buf_add(out, CLI_ASSET_STR(view_script));
        adit_buf_lit(out, "</script>\n");
    }
    adit_buf_lit(out, "</body>\n</html>\n");
}

void view_text_put(struct adit_buf *out, const char *before, struct adit_str text,
                   const char *after)
{
    adit_buf_lit(out, before);
    adit_xml(out, text);
    adit_buf_lit(out, after);
}

void view_number(struct adit_buf *out, uint64_t n)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) adit_buf_byte(out, ',');
        adit_buf_byte(out, digits[i]);
    }
}

void view_size(struct adit_buf *out, uint64_t bytes) { adit_buf_lit(out, cli_size(bytes).p); }

void view_page_link(struct adit_buf *out, struct adit_str url, struct adit_str title)
{
    if (!title.len) title = url;
    if (!adit_scp_is_url(url)) {
        adit_xml(out, title);
        return;
    }
    view_text_put(out, "<a rel=\"noreferrer nofollow\" href=\"", url, "\">");
    view_text_put(out, "", title, "</a>");
}
