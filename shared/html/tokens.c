/* The tokenizer (13.2.5): texts, tags, comments, DOCTYPEs and CDATA sections, found by direct code
 * over the whole page and handed to the tree construction. */
#include "html/modes_impl.h"

static uint32_t offset(const struct adit_html *p, const uint8_t *s)
{
    return (uint32_t)(s - p->in);
}

static struct text slice(const struct adit_html *p, const uint8_t *s, const uint8_t *end,
                         unsigned flags)
{
    return (struct text){.at = offset(p, s), .len = (uint32_t)(end - s), .flags = (uint8_t)flags};
}

/* --- text ------------------------------------------------------------------------------------- */

/* Where markup begins: < and a letter, !, ? or /. A < before other characters is text; so is </ at
 * the end of the page; </> is nothing, and its text goes on. */
static const uint8_t *find_markup(const uint8_t *s, const uint8_t *end, unsigned *flags)
{
    for (;; s++) {
        if (s == end || *s != '<') s = scan_for(s, end, '<');
        if (end - s < 2) return end;
        uint8_t c = s[1];
        if (scan_is(c, SCAN_LETTER) || c == '!' || c == '?') return s;
        if (c != '/' || end - s < 3) continue;
        if (s[2] != '>') return s;
        *flags |= TEXT_GAPS;
    }
}

static void pass_text(struct adit_html *p, struct text t)
{
    if (p->skip_newline) {
        struct text rest = t; /* so that t itself stays in registers */
        p->skip_newline = false;
        adit_text_skip_newline(p, &rest);
        t = rest;
    }
    if (!t.len) return;
    bool body = p->mode == MODE_IN_BODY || p->mode == MODE_IN_CELL;
    if (body && current(p)->ns == ADIT_NS_HTML)
        adit_body_text(p, t);
    else
        adit_mode_text(p, t);
}

static const uint8_t *read_text(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    unsigned flags = TEXT_REFERENCES;
    const uint8_t *stop = find_markup(s, end, &flags);
    if (stop > s) pass_text(p, slice(p, s, stop, flags));
    return stop;
}

/* --- comments, DOCTYPE, CDATA ----------------------------------------------------------------- */

static const uint8_t *pass_comment(struct adit_html *p, const uint8_t *s, const uint8_t *end,
                                   const uint8_t *after)
{
    p->skip_newline = false;
    if (adit_limit_admits_comment(p)) adit_mode_comment(p, slice(p, s, end, TEXT_NUL));
    return after;
}

/* "Bogus comment state": up to the next >. */
static const uint8_t *read_bogus(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    const uint8_t *stop = scan_for(s, end, '>');
    return pass_comment(p, s, stop, stop < end ? stop + 1 : end);
}

/* Behind <!--. Ends with --> or --!>; <!--> and <!---> are whole comments. */
static const uint8_t *read_comment(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    if (s < end && s[0] == '>') return pass_comment(p, s, s, s + 1);
    if (end - s > 1 && s[0] == '-' && s[1] == '>') return pass_comment(p, s, s, s + 2);
    for (const uint8_t *q = s;; q++) {
        q = scan_for(q, end, '>');
        bool over = q == end;
        ptrdiff_t n = q - s;
        if (n >= 2 && q[-1] == '-' && q[-2] == '-')
            return pass_comment(p, s, q - 2, over ? end : q + 1);
        if (n >= 3 && q[-1] == '!' && q[-2] == '-' && q[-3] == '-')
            return pass_comment(p, s, q - 3, over ? end : q + 1);
        if (over) return pass_comment(p, s, n >= 1 && q[-1] == '-' ? q - 1 : q, end);
    }
}

static const uint8_t *read_doctype(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    const uint8_t *stop = scan_for(s, end, '>');
    p->skip_newline = false;
    adit_mode_doctype(p, slice(p, s, stop, 0), stop < end);
    return stop < end ? stop + 1 : end;
}

/* Behind <![CDATA[ in foreign content: text up to ]]>. */
static const uint8_t *read_cdata(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    const uint8_t *q = s;
    for (;; q++) {
        q = scan_for(q, end, '>');
        if (q == end || (q - s >= 2 && q[-1] == ']' && q[-2] == ']')) break;
    }
    const uint8_t *stop = q < end ? q - 2 : end;
    if (stop > s) pass_text(p, slice(p, s, stop, 0));
    return q < end ? q + 1 : end;
}

/* "Markup declaration open state": behind <!. */
static const uint8_t *read_declaration(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    struct adit_str rest = adit_str_of((const char *)s, (size_t)(end - s));
    if (adit_str_starts(rest, ADIT_STR("--"))) return read_comment(p, s + 2, end);
    if (adit_str_istarts(rest, ADIT_STR("doctype"))) return read_doctype(p, s + 7, end);
    bool foreign = p->n_open && current(p)->ns != ADIT_NS_HTML;
    if (foreign && adit_str_starts(rest, ADIT_STR("[CDATA["))) return read_cdata(p, s + 7, end);
    return read_bogus(p, s, end);
}

/* --- tags ------------------------------------------------------------------------------------- */

/* Reads a tag from its name on into p->tag; where it ends, NULL if the page ends within. */
static inline const uint8_t *read_tag(struct adit_html *p, const uint8_t *name, const uint8_t *end,
                                      bool keep)
{
    uint64_t word;
    const uint8_t *s = scan_name(name, end, SCAN_TAG_END, &word);
    uint32_t at = offset(p, name), len = (uint32_t)(s - name);
    p->tag = (struct tag){.at = at, .len = len, .attrs = p->dom.n_attrs};
    if (s == end) return NULL;
    if (*s == '>') {
        p->tag.bare = true;
    } else {
        s = adit_tag_attributes(p, s, end, keep);
        if (!s) return NULL;
        p->tag.len = (uint32_t)(s - name);
    }
    uint16_t id = names_short_tag(&p->names, len, word);
    p->tag.id = id ? id : adit_names_tag(&p->names, p->in, at, len, word);
    return s + 1;
}

const uint8_t *adit_tag_pass(struct adit_html *p, const uint8_t *name, const uint8_t *end)
{
    return read_tag(p, name, end, false);
}

/* The text of an element that holds nothing else, and its end. */
static const uint8_t *read_raw_element(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    uint16_t tag = p->raw;
    const uint8_t *after, *stop = adit_raw_read(p, tag, s, end, &after);
    bool references = tag == ADIT_TAG_TITLE || tag == ADIT_TAG_TEXTAREA;
    struct text t = slice(p, s, stop, TEXT_NUL | (references ? TEXT_REFERENCES : 0));
    if (p->skip_newline) adit_text_skip_newline(p, &t);
    p->skip_newline = false;
    p->raw = 0;
    adit_tree_insert_text(p, t);
    open_pop(p);
    return after;
}

static const uint8_t *read_start_tag(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    s = read_tag(p, s, end, !p->closed);
    if (!s) return end;
    uint16_t tag = p->tag.id;
    p->skip_newline = false;
    if (!limit_admits_start(p, tag)) {
        p->dom.n_attrs = p->tag.attrs;
        if (p->raw) { /* left out with its text */
            p->raw = 0;
            adit_raw_read(p, tag, s, end, &s);
        }
        return s;
    }
    if (p->mode == MODE_IN_BODY && current(p)->ns == ADIT_NS_HTML)
        adit_in_body_start(p, tag);
    else
        adit_mode_start(p, tag);
    if (!p->tag.used) p->dom.n_attrs = p->tag.attrs;
    return p->raw ? read_raw_element(p, s, end) : s;
}

static const uint8_t *read_end_tag(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    s = read_tag(p, s, end, false);
    if (!s) return end;
    uint16_t tag = p->tag.id;
    p->skip_newline = false;
    if (!adit_limit_admits_end(p, tag)) return s;
    uint32_t before = p->n_open;
    if (p->mode == MODE_IN_BODY && current_is(p, tag) && !(tag_flags(tag) & IS_CAREFUL_END))
        open_pop(p);
    else
        adit_mode_end(p, tag);
    if (p->n_dropped) adit_limit_ended(p, before);
    return s;
}

/* At a < that begins markup. */
static const uint8_t *read_markup(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    uint8_t c = s[1];
    if (scan_is(c, SCAN_LETTER)) return read_start_tag(p, s + 1, end);
    if (c == '!') return read_declaration(p, s + 2, end);
    if (c == '?') return read_bogus(p, s + 1, end);
    if (scan_is(s[2], SCAN_LETTER)) return read_end_tag(p, s + 2, end);
    return read_bogus(p, s + 2, end);
}

/* Whether a tag begins at s, surely: no text stands before it. */
static inline bool is_tag(const uint8_t *s, const uint8_t *end)
{
    if (*s != '<' || end - s < 4) return false;
    return scan_is(s[1], SCAN_LETTER) || (s[1] == '/' && scan_is(s[2], SCAN_LETTER));
}

void adit_tokens_run(struct adit_html *p)
{
    const uint8_t *s = p->in, *end = s + p->len;
    while (s < end) {
        if (!limit_begin_token(p)) return;
        if (!is_tag(s, end)) {
            s = read_text(p, s, end);
            if (s == end) break;
            if (!limit_begin_token(p)) return;
        }
        const uint8_t *gathered = p->closed ? adit_limit_gather(p, s, end) : s;
        if (gathered > s) {
            s = gathered;
            continue;
        }
        s = read_markup(p, s, end);
        if (p->plaintext && s < end) {
            if (!limit_begin_token(p)) return;
            pass_text(p, slice(p, s, end, TEXT_NUL));
            s = end;
        }
    }
    if (limit_begin_token(p)) adit_mode_finish(p);
}
