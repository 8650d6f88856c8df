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
    *ill = (params.len && !c->of_request) || adit_str_chr(c->name, '\\', 0) < c->name.len;
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

/* The end of a bare item (RFC 8941, 3.3) at the beginning of s: a string, or a run of what numbers,
 * tokens, bytes and booleans are made of. 0: there is none. */
static size_t item_end(struct adit_str s)
{
    size_t end = 0;
    if (s.len && s.p[0] == '"') {
        for (end = 1; end < s.len && s.p[end] != '"'; end++) {
            if (s.p[end] < ' ' || s.p[end] > '~') return 0;
            if (s.p[end] == '\\') end++;
        }
        return end < s.len ? end + 1 : 0;
    }
    while (end < s.len && s.p[end] > ' ' && s.p[end] <= '~' && s.p[end] != '"' && s.p[end] != ';' &&
           s.p[end] != ',' && s.p[end] != '(' && s.p[end] != ')')
        end++;
    return end;
}

/* Takes ";name=item" or ";name" off *rest. False: there is none; what is left then must be nothing. */
static bool next_param(struct adit_str *rest, struct adit_str *name, struct adit_str *value)
{
    size_t end = 1;
    if (!rest->len || rest->p[0] != ';') return false;
    while (end < rest->len &&
           (adit_is_alnum(rest->p[end]) || adit_str_chr(ADIT_STR("-_.*"), rest->p[end], 0) < 4))
        end++;
    *name = adit_str_sub(*rest, 1, end);
    *value = (struct adit_str){0};
    if (!name->len) return false;
    if (end < rest->len && rest->p[end] == '=') {
        size_t len = item_end(adit_str_sub(*rest, end + 1, rest->len));
        if (!len) return false;
        *value = adit_str_sub(*rest, end + 1, end + 1 + len);
        end += 1 + len;
    }
    *rest = adit_str_sub(*rest, end, rest->len);
    return true;
}

/* Whether behind the components there are parameters and nothing else. */
static bool has_params(struct adit_str rest)
{
    struct adit_str name, value;
    if (!rest.len || rest.p[0] != ')') return false;
    rest = adit_str_sub(rest, 1, rest.len);
    while (next_param(&rest, &name, &value)) {}
    return !rest.len;
}

struct adit_str adit_signature_param(struct adit_str inner, const char *wanted)
{
    struct adit_str rest = adit_str_sub(inner, 1, inner.len), name, value;
    struct component c;
    bool ill = false;
    while (next_component(&rest, &c, &ill)) {}
    rest = adit_str_sub(rest, 1, rest.len);
    while (!ill && next_param(&rest, &name, &value)) {
        if (!adit_str_eq(name, adit_str_z(wanted))) continue;
        bool quoted = value.len >= 2 && value.p[0] == '"';
        return quoted ? adit_str_sub(value, 1, value.len - 1) : value;
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

/* RFC 9421, 2.5: a component stands in a list once. Lists of strangers are bounded: comparing all with
 * all is then cheap. */
enum { COMPONENTS_MAX = 64 };

static bool is_repeated(struct adit_str inner, struct adit_str raw, size_t *n)
{
    struct adit_str rest = adit_str_sub(inner, 1, inner.len);
    struct component c;
    bool ill = false;
    for (size_t i = 0; i < *n && next_component(&rest, &c, &ill); i++)
        if (adit_str_eq(c.raw, raw)) return true;
    return ++*n > COMPONENTS_MAX;
}

enum adit_code adit_signature_base(const struct adit_signed *m, struct adit_str inner,
                                   struct adit_buf *out)
{
    struct adit_str rest = adit_str_sub(inner, 1, inner.len);
    struct component c;
    size_t n = 0;
    bool ill = inner.len == 0 || inner.p[0] != '(';
    while (!ill && next_component(&rest, &c, &ill)) {
        if (is_repeated(inner, c.raw, &n)) return ADIT_EBAD;
        adit_buf_add(out, c.raw);
        adit_buf_lit(out, ": ");
        if (!add_value(m, &c, out)) return ADIT_EBAD;
        adit_buf_byte(out, '\n');
    }
    if (ill || !has_params(rest)) return ADIT_EBAD;
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
