/* Signatures of our own answers (RFC 9421), where the configuration has a key: by the list below, or
 * by the one that the request asks for in Accept-Signature; and the directory of that key. */
#include "exchange/exchange_impl.h"

#include "tct/tct.h"

/* What an answer's signature covers, as far as it is there. */
static const struct {
    const char *field; /* NULL: always */
    const char *text;
} parts[] = {
    {NULL, "\"@status\" \"@authority\";req \"@path\";req \"@query\";req"},
    {"content-type", " \"content-type\""},
    {"content-digest", " \"content-digest\""},
    {"content-location", " \"content-location\""},
    {"etag", " \"etag\""},
    {"last-modified", " \"last-modified\""},
};

static void add_list(const struct adit_headers *h, struct adit_buf *out)
{
    adit_buf_byte(out, '(');
    for (size_t i = 0; i < ADIT_COUNT(parts); i++)
        if (!parts[i].field || adit_header_has(h->v, h->n, adit_str_z(parts[i].field)))
            adit_buf_lit(out, parts[i].text);
    adit_buf_byte(out, ')');
}

/* Whether text may stand between quotes (RFC 9651, 3.3.3) as it is. */
static bool is_quotable(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] < 32 || s.p[i] > 126 || s.p[i] == '"' || s.p[i] == '\\') return false;
    return s.len <= 256;
}

/* A key of a dictionary (RFC 9651, 3.2): what the request calls the signature, our answer repeats. */
static bool is_label(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && s.p[i] != '*' && s.p[i] != '_' &&
            (i == 0 || !(adit_is_digit(s.p[i]) || s.p[i] == '-' || s.p[i] == '.')))
            return false;
    return s.len > 0 && s.len <= 64;
}

/* What the request asks for: a label, a list without its parameters, a nonce and a tag. False: it asks
 * for nothing that we can give. */
struct wish {
    struct adit_str label, list;
    struct adit_signature_params params;
};

static bool read_wish(const struct adit_exchange_impl *x, struct wish *w)
{
    const struct adit_config *c = x->edge->config;
    struct adit_str rest = x->accept_signature, inner;
    while (adit_signature_next(&rest, &w->label, &inner)) {
        struct adit_str keyid = adit_signature_param(inner, "keyid");
        struct adit_str alg = adit_signature_param(inner, "alg");
        w->params.nonce = adit_signature_param(inner, "nonce");
        w->params.tag = adit_signature_param(inner, "tag");
        w->list = adit_str_sub(inner, 0, adit_str_chr(inner, ')', 0) + 1);
        if ((!keyid.len || adit_str_eq(keyid, c->signature_keyid)) &&
            (!alg.len || adit_str_eq(alg, ADIT_STR("ecdsa-p256-sha256"))) &&
            is_quotable(w->params.nonce) && is_quotable(w->params.tag) && is_label(w->label))
            return true;
    }
    return false;
}

/* Signs by that list; false: it names what the answer has not. */
static bool sign_by(struct adit_exchange_impl *x, const struct wish *w, struct adit_str list)
{
    struct adit_headers *h = &x->pub.answer.headers;
    struct adit_mem mem = x->edge->mem;
    const struct adit_signed m = {
        .status = x->pub.answer.status,
        .method = x->head ? ADIT_STR("HEAD") : ADIT_STR("GET"),
        .authority = x->authority,
        .path = x->path,
        .query = x->query,
        .headers = h->v,
        .n = h->n,
    };
    struct adit_buf input, signature;
    adit_buf_init(&input, mem, ADIT_LIMIT_header_value);
    adit_buf_init(&signature, mem, 1024);
    adit_buf_add(&input, w->label);
    adit_buf_byte(&input, '=');
    adit_buf_add(&input, list);
    adit_signature_params(&input, &w->params);
    struct adit_str inner = adit_str_sub(adit_buf_str(&input), w->label.len + 1, input.len);
    enum adit_code code = input.err
                              ? input.err
                              : adit_signature_sign(&m, w->label, inner,
                                                    x->edge->config->signing_key, mem, &signature);
    if (!code) {
        adit_headers_add(h, "signature-input", adit_buf_str(&input));
        adit_headers_add(h, "signature", adit_buf_str(&signature));
    }
    if (code == ADIT_ENOMEM) h->err = code;
    adit_buf_free(&input);
    adit_buf_free(&signature);
    return !code;
}

void adit_sign_answer(struct adit_exchange_impl *x)
{
    const struct adit_config *c = x->edge->config;
    struct wish w = {0};
    struct adit_buf list;
    if (!c->signs || (x->pub.answer.status != 200 && x->pub.answer.status != 304)) return;
    bool asked = read_wish(x, &w);
    if (!asked) w = (struct wish){.label = ADIT_STR("adit")};
    w.params.keyid = c->signature_keyid;
    w.params.created = x->now;
    if (asked && w.list.len > 2 && sign_by(x, &w, w.list)) return;
    adit_buf_init(&list, x->edge->mem, 1024);
    add_list(&x->pub.answer.headers, &list);
    sign_by(x, &w, adit_buf_str(&list));
    adit_buf_free(&list);
}

/* --- the directory ---------------------------------------------------------------------------- */

bool adit_sign_takes(struct adit_exchange_impl *x)
{
    return x->edge->config->signs && adit_str_eq(x->path, ADIT_STR(ADIT_KEY_DIRECTORY));
}

enum adit_action adit_sign_start(struct adit_exchange_impl *x, const struct adit_request *r)
{
    const struct adit_config *c = x->edge->config;
    (void)r;
    if (adit_route_wants_https(x)) return adit_route_to_https(x);
    if (!x->get && !x->head) return adit_answer_problem(x, ADIT_REASON_METHOD);
    x->view = adit_view_new(x->edge->mem, 4096);
    if (!x->view) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    adit_key_directory(&x->view->body, c->public_key, c->signature_keyid);
    x->view->content_type = ADIT_STR(ADIT_KEY_DIRECTORY_TYPE);
    if (!adit_view_hash(x->view)) return adit_answer_problem(x, ADIT_REASON_NO_MEMORY);
    return adit_answer_view(x, x->view);
}
