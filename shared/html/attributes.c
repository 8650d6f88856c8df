/* Attributes of tags (13.2.5.32 to 13.2.5.40). Only attributes
 * that somebody reads are kept; the others are passed over. */
#include "html/parse_impl.h"

struct attr_slice {
    const uint8_t *at, *end, *value, *value_end; /* the name stands in [at, end) */
    uint64_t word;                               /* its name */
};

/* Reads one attribute from the first byte of its name on; where it ends, NULL if the page does. */
static inline const uint8_t *read_attribute(const uint8_t *s, const uint8_t *end,
                                            struct attr_slice *a)
{
    a->at = s;
    s = scan_name(s, end, SCAN_ATTR_END, &a->word);
    /* The first byte is part of it whatever it is, even =. No known name begins so. */
    if (s == a->at) s = scan_name(s + 1, end, SCAN_ATTR_END, &a->word), a->word = 0;
    a->end = a->value = a->value_end = s;
    while (s < end && scan_is(*s, SCAN_SPACE)) s++;
    if (s == end || *s != '=') return s;
    s++;
    while (s < end && scan_is(*s, SCAN_SPACE)) s++;
    if (s == end) return NULL;
    if (*s == '"' || *s == '\'') {
        a->value = s + 1;
        a->value_end = scan_for(a->value, end, *s);
        return a->value_end == end ? NULL : a->value_end + 1;
    }
    a->value = s;
    while (s < end && !scan_is(*s, SCAN_VALUE_END)) s++;
    a->value_end = s;
    return s;
}

/* Passes over what stands between attributes: where the next one, or '>', is; NULL: nowhere. */
static const uint8_t *next_attribute(const uint8_t *s, const uint8_t *end, bool *self_closing)
{
    *self_closing = false;
    for (; s < end; s++) {
        if (*s == '/')
            *self_closing = s + 1 < end && s[1] == '>';
        else if (!scan_is(*s, SCAN_SPACE))
            return s;
    }
    return NULL;
}

/* Puts an attribute into the array if it is one of those that are kept and the first of its name. */
static void keep_attribute(struct adit_html *p, const struct attr_slice *a, uint64_t seen[2])
{
    uint16_t id = adit_names_attr(&p->names, a->at, (size_t)(a->end - a->at), a->word);
    if (id == PARSE_ATTR_COUNT || (seen[id / 64] >> (id % 64) & 1)) return;
    if (p->dom.n_attrs == p->attrs_cap && !adit_parse_grow_attrs(p)) return;
    seen[id / 64] |= UINT64_C(1) << (id % 64);
    struct adit_attribute *made = &p->dom.attrs[p->dom.n_attrs++];
    if (p->tag.n_attrs++) made[-1].more = VALUE_MORE;
    *made = (struct adit_attribute){
        .at = (uint32_t)(a->value - p->in), .len = (uint32_t)(a->value_end - a->value), .name = id};
}

const uint8_t *adit_tag_attributes(struct adit_html *p, const uint8_t *s, const uint8_t *end,
                                   bool keep)
{
    uint64_t seen[2] = {0};
    for (size_t n = 0;; n++) {
        s = next_attribute(s, end, &p->tag.self_closing);
        if (!s || *s == '>') return s;
        struct attr_slice a;
        s = read_attribute(s, end, &a);
        if (!s) return NULL;
        if (!keep) continue;
        if (n < ADIT_LIMIT_tag_attributes)
            keep_attribute(p, &a, seen);
        else
            p->dom.cut = true;
    }
}

uint32_t adit_tag_attr(const struct adit_html *p, uint16_t name)
{
    for (uint32_t i = 0; i < p->tag.n_attrs; i++)
        if (p->dom.attrs[p->tag.attrs + i].name == name) return p->tag.attrs + i;
    return 0;
}

/* Names of attributes that adit_tag_hash looks at: more than that count by their order. */
enum { HASHED_MAX = 32 };

static bool seen_before(const struct attr_slice *all, size_t n, const struct attr_slice *a)
{
    size_t len = (size_t)(a->end - a->at);
    for (size_t i = 0; i < n; i++) {
        if (all[i].word != a->word || (size_t)(all[i].end - all[i].at) != len) continue;
        size_t k = 0;
        while (k < len && adit_scan_lower[all[i].at[k]] == adit_scan_lower[a->at[k]]) k++;
        if (k == len) return true;
    }
    return false;
}

uint64_t adit_tag_hash(struct adit_html *p, uint32_t at, uint32_t len)
{
    const uint8_t *s = p->in + at, *end = s + len + 1; /* with its '>' */
    while (!scan_is(*s, SCAN_TAG_END)) s++;
    struct attr_slice all[HASHED_MAX];
    size_t n = 0;
    uint64_t sum = ADIT_TAG_HASH_BARE;
    bool self_closing;
    while ((s = next_attribute(s, end, &self_closing)) && *s != '>') {
        struct attr_slice a;
        s = read_attribute(s, end, &a);
        if (!s) break;
        if (seen_before(all, n, &a)) continue;
        uint64_t value = adit_parse_value_hash(p, (uint32_t)(a.value - p->in),
                                               (uint32_t)(a.value_end - a.value));
        sum += adit_mix(adit_names_hash(a.at, (size_t)(a.end - a.at)), value);
        if (n < HASHED_MAX) all[n++] = a;
    }
    return sum;
}
