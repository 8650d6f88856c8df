/* Names of elements and attributes: from bytes of the input to numbers.
 *
 * Known names are put into the tables once a parser, unknown names of elements once a page, so that
 * an end tag finds its start tag by number. Attributes of unknown names are not kept at all.
 */
#include "html/parse_impl.h"

const struct adit_str adit_tag_names[ADIT_TAG_COUNT] = {
#define TAG_NAME(name, text) [ADIT_TAG_##name] = ADIT_STR_INIT(text),
    ADIT_TAGS(TAG_NAME)
#undef TAG_NAME
};

static const struct adit_str attr_names[PARSE_ATTR_COUNT] = {
#define ATTR_NAME(name, text) [ADIT_ATTR_##name] = ADIT_STR_INIT(text),
    ADIT_ATTRS(ATTR_NAME)
#undef ATTR_NAME
#define ATTR_NAME(name, text) [PARSE_ATTR_##name] = ADIT_STR_INIT(text),
        PARSE_ATTRS(ATTR_NAME)
#undef ATTR_NAME
};

static uint64_t word_of(struct adit_str text)
{
    uint64_t word = 0;
    for (size_t i = 0; i < text.len; i++) word = word << 8 | (uint8_t)text.p[i];
    return word;
}

uint32_t adit_names_hash(const uint8_t *at, size_t len)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < len; i++) hash = hash * 33 + adit_scan_lower[at[i]];
    return hash;
}

static uint32_t hash_of(struct adit_str text)
{
    return adit_names_hash((const uint8_t *)text.p, text.len);
}

/* The last bytes of a name count least in its sum: spread them. */
static uint32_t spread(uint32_t hash) { return hash ^ (hash >> 7) ^ (hash >> 15); }

/* Where an attribute's name is looked up, by its last bytes and its length: only known names are
 * there, so that no page can make them many. */
static size_t attr_slot(uint64_t word, size_t len) { return adit_mix(word, len) % ATTR_SLOTS; }

static void put_tag(struct names *n, uint16_t id, uint32_t hash)
{
    uint32_t slot = spread(hash) % NAMES_SLOTS;
    while (n->tags[slot]) slot = (slot + 1) % NAMES_SLOTS;
    n->tags[slot] = id;
}

static void put_tags(struct names *n)
{
    memset(n->tags, 0, sizeof n->tags);
    for (unsigned id = 1; id < ADIT_TAG_COUNT; id++)
        put_tag(n, (uint16_t)id, hash_of(adit_tag_names[id]));
    n->n_unknown = 0;
}

void adit_names_init(struct names *n)
{
    memset(n->attrs, 0, sizeof n->attrs);
    memset(n->short_tags, 0, sizeof n->short_tags);
    put_tags(n);
    for (unsigned id = 0; id < ADIT_TAG_COUNT; id++) {
        uint64_t word = word_of(adit_tag_names[id]);
        bool fits = id && adit_tag_names[id].len <= NAME_WORD;
        n->tag_words[id] = fits ? word : 0;
        size_t slot = names_short_slot(word);
        while (n->short_tags[slot]) slot = (slot + 1) % SHORT_SLOTS;
        if (fits) n->short_tags[slot] = (uint8_t)id;
    }
    for (unsigned id = 0; id < PARSE_ATTR_COUNT; id++) {
        uint64_t word = word_of(attr_names[id]);
        n->attr_words[id] = word;
        size_t slot = attr_slot(word, attr_names[id].len);
        while (n->attrs[slot]) slot = (slot + 1) % ATTR_SLOTS;
        n->attrs[slot] = (uint8_t)(id + 1);
    }
}

void adit_names_begin(struct names *n)
{
    if (n->n_unknown) put_tags(n);
}

static bool same_any_case(const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (adit_scan_lower[a[i]] != adit_scan_lower[b[i]]) return false;
    return true;
}

static bool is_tag(const struct names *n, uint16_t id, const uint8_t *in, uint32_t at, uint32_t len,
                   uint64_t word)
{
    if (id < ADIT_TAG_COUNT) {
        struct adit_str known = adit_tag_names[id];
        if (known.len != len) return false;
        return len <= NAME_WORD ? n->tag_words[id] == word
                                : same_any_case(in + at, (const uint8_t *)known.p, len);
    }
    uint32_t k = (uint32_t)id - ADIT_TAG_COUNT;
    return n->unknown[k].len == len && same_any_case(in + at, in + n->unknown[k].at, len);
}

uint16_t adit_names_tag(struct names *n, const uint8_t *in, uint32_t at, uint32_t len,
                        uint64_t word)
{
    uint32_t slot = spread(adit_names_hash(in + at, len)) % NAMES_SLOTS;
    for (; n->tags[slot]; slot = (slot + 1) % NAMES_SLOTS)
        if (is_tag(n, n->tags[slot], in, at, len, word)) return n->tags[slot];
    if (n->n_unknown == PARSE_NAMES_MAX) return NAMES_OVER;
    uint16_t id = (uint16_t)(ADIT_TAG_COUNT + n->n_unknown);
    n->unknown[n->n_unknown].at = at, n->unknown[n->n_unknown].built = 0;
    n->unknown[n->n_unknown++].len = len;
    n->tags[slot] = id;
    return id;
}

uint16_t adit_names_attr(const struct names *n, const uint8_t *at, size_t len, uint64_t word)
{
    for (size_t slot = attr_slot(word, len); n->attrs[slot]; slot = (slot + 1) % ATTR_SLOTS) {
        uint16_t id = (uint16_t)(n->attrs[slot] - 1);
        if (n->attr_words[id] != word || attr_names[id].len != len) continue;
        if (len <= NAME_WORD || same_any_case(at, (const uint8_t *)attr_names[id].p, len))
            return id;
    }
    return PARSE_ATTR_COUNT;
}
