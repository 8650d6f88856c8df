/* HTTP Message Signatures (RFC 9421) of responses: the signature base (2.5) from a list of components,
 * and the two fields that carry label, list and signature. */
#include "http/http.h"
#include "crypto/crypto.h"

#include <string.h>

#define ALG "ecdsa-p256-sha256"

/* --- the list of components ------------------------------------------------------------------- */

struct component {
    struct adit_str raw;  /* with its quotes and parameters */
    struct adit_str name; /* between the quotes */
    bool of_request;      /* ;req */
};

/* Takes the next component off *rest, which began behind the parenthesis. False: at the closing one,
 * or (*ill) where there is no component that we know the form of. */
static bool next_component(struct adit_str *rest, struct component *c, bool *ill)
{
    while (rest->len && rest->p[0] == ' ') *rest = adit_str_sub(*rest, 1, rest->len);
    if (rest->len && rest->p[0] == ')') return false;
    size_t quote = rest->len && rest->p[0] == '"' ? adit_str_chr(*rest, '"', 1) : rest->len;
    size_t end = quote + 1;
    while (end < rest->len && rest->p[end] != ' ' && rest->p[end] != ')') end++;
    *ill = quote >= rest->len || end >= rest->len;
    if (*ill) return false;
    struct adit_str params = adit_str_sub(*rest, quote + 1, end);
    *c = (struct component){adit_str_sub(*rest, 0, end), adit_str_sub(*rest, 1, quote),
                            adit_str_eq(params, ADIT_STR(";req"))};
    *ill = params.len && !c->of_request;
    *rest = adit_str_sub(*rest, end, rest->len);
    return !*ill;
}

bool adit_signature_covers(struct adit_str inner, const char *name)
{
    struct adit_str rest = adit_str_sub(inner, 1, inner.len);
    struct component c;
    bool ill = false;
    while (next_component(&rest, &c, &ill))
        if (!c.of_request && adit_str_eq(c.name, adit_str_z(name))) return true;
    return false;
}

struct adit_str adit_signature_param(struct adit_str inner, const char *name)
{
    size_t at = adit_str_chr(inner, ')', 0);
    struct adit_str rest = adit_str_sub(inner, at + 1, inner.len);
    while (rest.len && rest.p[0] == ';') {
        size_t equals = adit_str_chr(rest, '=', 0), semi = adit_str_chr(rest, ';', 1), end = semi;
        if (equals > semi) equals = semi;
        if (equals + 1 < rest.len && rest.p[equals + 1] == '"')
            end = adit_str_chr(rest, '"', equals + 2) + 1;
        struct adit_str value = adit_str_sub(rest, equals + 1, end);
        if (value.len >= 2 && value.p[0] == '"') value = adit_str_sub(value, 1, value.len - 1);
        if (adit_str_eq(adit_str_sub(rest, 1, equals), adit_str_z(name))) return value;
        rest = adit_str_sub(rest, end, rest.len);
    }
    return (struct adit_str){0};
}

/* --- the signature base ----------------------------------------------------------------------- */

/* All fields of that name, joined (RFC 9421, 2.1). */
static bool add_field(const struct adit_signed *m, struct adit_str name, struct adit_buf *out)
{
    bool any = false;
    for (size_t i = 0; i < m->n; i++) {
        if (!adit_str_ieq(m->headers[i].name, name)) continue;
        if (any) adit_buf_lit(out, ", ");
        adit_buf_add(out, adit_str_trim(m->headers[i].value));
        any = true;
    }
    return any;
}

/* Host and port of the request, in the form that both sides see (2.2.3). */
static void add_authority(struct adit_str authority, struct adit_buf *out)
{
    static const struct adit_str ports[] = {ADIT_STR_INIT(":443"), ADIT_STR_INIT(":80")};
    for (size_t i = 0; i < ADIT_COUNT(ports); i++)
        if (adit_str_ends(authority, ports[i])) {
            authority.len -= ports[i].len;
            break;
        }
    for (size_t i = 0; i < authority.len; i++) adit_buf_byte(out, adit_lower(authority.p[i]));
}

static bool add_value(const struct adit_signed *m, const struct component *c, struct adit_buf *out)
{
    struct adit_str n = c->name;
    if (n.len == 0 || (n.p[0] != '@' && c->of_request)) return false;
    if (n.p[0] != '@') return add_field(m, n, out);
    if (!c->of_request) {
        if (!adit_str_eq(n, ADIT_STR("@status"))) return false;
        adit_buf_u64(out, m->status);
        return true;
    }
    if (adit_str_eq(n, ADIT_STR("@method")))
        adit_buf_add(out, m->method);
    else if (adit_str_eq(n, ADIT_STR("@authority")))
        add_authority(m->authority, out);
    else if (adit_str_eq(n, ADIT_STR("@path")))
        adit_buf_add(out, m->path);
    else if (adit_str_eq(n, ADIT_STR("@query")))
        adit_buf_add(out, m->query.len ? m->query : ADIT_STR("?"));
    else
        return false;
    return true;
}

enum adit_code adit_signature_base(const struct adit_signed *m, struct adit_str inner,
                                   struct adit_buf *out)
{
    struct adit_str rest = adit_str_sub(inner, 1, inner.len);
    struct component c;
    bool ill = inner.len == 0 || inner.p[0] != '(';
    while (!ill && next_component(&rest, &c, &ill)) {
        adit_buf_add(out, c.raw);
        adit_buf_lit(out, ": ");
        if (!add_value(m, &c, out)) return ADIT_EBAD;
        adit_buf_byte(out, '\n');
    }
    if (ill || rest.len == 0) return ADIT_EBAD;
    adit_buf_lit(out, "\"@signature-params\": ");
    adit_buf_add(out, inner);
    return out->err;
}

static enum adit_code hash_base(const struct adit_signed *m, struct adit_str inner,
                                struct adit_mem mem, uint8_t hash[ADIT_SHA256_LEN])
{
    struct adit_buf base;
    adit_buf_init(&base, mem, 64 << 10);
    enum adit_code code = adit_signature_base(m, inner, &base);
    if (!code) adit_sha256_of(adit_buf_str(&base), hash);
    adit_buf_free(&base);
    return code;
}

enum adit_code adit_signature_sign(const struct adit_signed *m, struct adit_str label,
                                   struct adit_str inner, const uint8_t *key, struct adit_mem mem,
                                   struct adit_buf *out)
{
    uint8_t hash[ADIT_SHA256_LEN], sig[ADIT_P256_SIG];
    ADIT_TRY(hash_base(m, inner, mem, hash));
    ADIT_TRY(adit_p256_sign(key, hash, sig));
    adit_buf_add(out, label);
    adit_buf_lit(out, "=:");
    adit_base64(out, sig, sizeof sig);
    adit_buf_byte(out, ':');
    return out->err;
}

/* --- the fields ------------------------------------------------------------------------------- */

bool adit_signature_next(struct adit_str *rest, struct adit_str *label, struct adit_str *inner)
{
    struct adit_str element;
    while (adit_list_next(rest, &element)) {
        size_t equals = adit_str_chr(element, '=', 0);
        *label = adit_str_sub(element, 0, equals);
        *inner = adit_str_sub(element, equals + 1, element.len);
        if (label->len && inner->len && inner->p[0] == '(') return true;
    }
    return false;
}

/* The bytes of the member with that label: 64, or it is none of ours. */
static bool find_bytes(struct adit_str field, struct adit_str label, uint8_t sig[ADIT_P256_SIG])
{
    struct adit_str element;
    while (adit_list_next(&field, &element)) {
        size_t equals = adit_str_chr(element, '=', 0);
        struct adit_str value = adit_str_sub(element, equals + 1, element.len);
        if (!adit_str_eq(adit_str_sub(element, 0, equals), label) || value.len < 2) continue;
        struct adit_buf b = {.p = (char *)sig, .cap = ADIT_P256_SIG, .max = ADIT_P256_SIG};
        return value.p[0] == ':' && value.p[value.len - 1] == ':' &&
               adit_base64_decode(adit_str_sub(value, 1, value.len - 1), &b) == ADIT_OK &&
               b.len == ADIT_P256_SIG;
    }
    return false;
}

bool adit_signature_verify(const struct adit_signed *m, struct adit_str input,
                           struct adit_str signature, const uint8_t *key, struct adit_mem mem,
                           struct adit_str *inner)
{
    uint8_t hash[ADIT_SHA256_LEN], sig[ADIT_P256_SIG];
    struct adit_str label;
    while (adit_signature_next(&input, &label, inner)) {
        struct adit_str alg = adit_signature_param(*inner, "alg");
        if (alg.len && !adit_str_eq(alg, ADIT_STR(ALG))) continue;
        if (find_bytes(signature, label, sig) && hash_base(m, *inner, mem, hash) == ADIT_OK &&
            adit_p256_verify(key, hash, sig))
            return true;
    }
    return false;
}

void adit_signature_params(struct adit_buf *out, const struct adit_signature_params *p)
{
    const struct {
        const char *name;
        struct adit_str value;
    } texts[] = {{"keyid", p->keyid}, {"alg", ADIT_STR(ALG)}, {"nonce", p->nonce}, {"tag", p->tag}};
    adit_buf_lit(out, ";created=");
    adit_buf_u64(out, p->created > 0 ? (uint64_t)p->created : 0);
    for (size_t i = 0; i < ADIT_COUNT(texts); i++) {
        if (texts[i].value.len == 0) continue;
        adit_buf_byte(out, ';');
        adit_buf_lit(out, texts[i].name);
        adit_buf_lit(out, "=\"");
        adit_buf_add(out, texts[i].value);
        adit_buf_byte(out, '"');
    }
}
