/* The WARC reader: header, framing, and finding the next record when the framing is wrong. */
#include "batch/arc.h"
#include "batch/http_message.h"

#include <string.h>

enum {
    HEADER_STEP = 4096,
    /* Bytes looked at behind a block: line ends and the next record's first line. */
    FOLLOW = 64,
    FOLLOW_ARC = 8192
};

#define FAULT_NAME(name, text) #name,
const char *const warc_fault_names[WARC_FAULT_COUNT] = {WARC_FAULTS(FAULT_NAME)};
#define FAULT_TEXT(name, text) text,
const char *const warc_fault_texts[WARC_FAULT_COUNT] = {WARC_FAULTS(FAULT_TEXT)};

static const struct {
    struct adit_str name;
    enum warc_type type;
} types[] = {
    {ADIT_STR_INIT("warcinfo"), WARC_INFO},
    {ADIT_STR_INIT("response"), WARC_RESPONSE},
    {ADIT_STR_INIT("resource"), WARC_RESOURCE},
    {ADIT_STR_INIT("request"), WARC_REQUEST},
    {ADIT_STR_INIT("metadata"), WARC_METADATA},
    {ADIT_STR_INIT("revisit"), WARC_REVISIT},
    {ADIT_STR_INIT("conversion"), WARC_CONVERSION},
    {ADIT_STR_INIT("continuation"), WARC_CONTINUATION},
};

void warc_init(struct warc_reader *w, struct input *in)
{
    *w = (struct warc_reader){.in = in, .block_max = WARC_BLOCK_MAX, .arc_fields = 5};
}

/* --- where records begin ------------------------------------------------------------------------
 */

static bool is_line_end(char c) { return c == '\r' || c == '\n'; }

/* "WARC/1.0" in any case and a line end; also when the text stops inside it. */
static bool starts_warc(struct adit_str s)
{
    static const struct adit_str magic = ADIT_STR_INIT("WARC/");
    size_t i = magic.len;
    if (!adit_str_istarts(s, magic) || i == s.len || !adit_is_digit(s.p[i])) return false;
    while (i < s.len && (adit_is_digit(s.p[i]) || s.p[i] == '.')) i++;
    while (i < s.len && s.p[i] == ' ') i++;
    return i == s.len || is_line_end(s.p[i]);
}

static bool starts_record(const struct warc_reader *w, struct adit_str s)
{
    if (!w->arc) return starts_warc(s);
    struct warc_record ignored;
    return arc_header(adit_str_sub(s, 0, adit_str_chr(s, '\n', 0)), w->arc_fields, &ignored);
}

/* Offset of the first record that begins on a line of its own at or after from (> 0); s.len if
 * there is none. */
static size_t find_record(const struct warc_reader *w, struct adit_str s, size_t from)
{
    for (size_t i = from ? from - 1 : 0; (i = adit_str_chr(s, '\n', i)) < s.len; i++)
        if (starts_record(w, adit_str_sub(s, i + 1, s.len))) return i + 1;
    return s.len;
}

/* Whether s, what stands behind a block, is as it should be: line ends, then a record or nothing.
 */
static bool follows(const struct warc_reader *w, struct adit_str s)
{
    size_t i = 0;
    while (i < s.len && is_line_end(s.p[i])) i++;
    return i == s.len || starts_record(w, adit_str_sub(s, i, s.len));
}

/* --- header -------------------------------------------------------------------------------------
 */

struct adit_str warc_field(const struct warc_record *r, struct adit_str name)
{
    struct adit_str rest = r->header, line;
    while (adit_str_split(&rest, '\n', &line)) {
        if (!adit_str_istarts(line, name) || line.len == name.len || line.p[name.len] != ':')
            continue;
        while (rest.len && (rest.p[0] == ' ' || rest.p[0] == '\t')) {
            struct adit_str more;
            adit_str_split(&rest, '\n', &more);
            line.len = (size_t)(more.p + more.len - line.p);
        }
        return adit_str_trim(adit_str_sub(line, name.len + 1, line.len));
    }
    return (struct adit_str){0};
}

/* Length of the header with its blank line; 0: its end is not in s. A block that follows without a
 * blank line shows by its HTTP status line, a missing block by the next record. */
static size_t header_len(struct adit_str s, size_t *fields)
{
    *fields = 0;
    for (size_t at = adit_str_chr(s, '\n', 0) + 1; at < s.len;) {
        size_t lf = adit_str_chr(s, '\n', at);
        struct adit_str line = adit_str_sub(s, at, lf);
        if (lf < s.len && (line.len == 0 || (line.len == 1 && line.p[0] == '\r'))) return lf + 1;
        if (adit_str_starts(line, ADIT_STR("HTTP/")) || starts_warc(line)) return at;
        if (adit_str_chr(line, ':', 0) < line.len) ++*fields;
        at = lf + 1;
    }
    return 0;
}

static void parse_header(struct warc_record *r)
{
    struct adit_str type = warc_field(r, ADIT_STR("WARC-Type"));
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_str_ieq(type, types[i].name)) r->type = types[i].type;
    r->uri = warc_field(r, ADIT_STR("WARC-Target-URI"));
    if (r->uri.len > 1 && r->uri.p[0] == '<' && r->uri.p[r->uri.len - 1] == '>')
        r->uri = adit_str_sub(r->uri, 1, r->uri.len - 1);
    r->date = warc_field(r, ADIT_STR("WARC-Date"));
    r->content_type = warc_field(r, ADIT_STR("Content-Type"));
    r->length_known = adit_str_u64(warc_field(r, ADIT_STR("Content-Length")), &r->length);
}

/* Reads a WARC header at the window's start. Returns its length; 0: there is none. */
static size_t read_warc_header(struct warc_reader *w, struct warc_record *r)
{
    size_t want = HEADER_STEP, len, fields;
    struct adit_str s;
    for (;; want *= 2) {
        s = input_peek(w->in, want);
        if (!starts_warc(s)) return 0;
        len = header_len(s, &fields);
        if (len || s.len < want || want >= WARC_HEADER_MAX) break;
    }
    if (!len && s.len < want) len = s.len; /* the file ends in the header */
    if (!fields || !len) {
        w->faults[WARC_FAULT_header]++;
        return 0;
    }
    *r = (struct warc_record){.header = adit_str_sub(s, 0, len)};
    parse_header(r);
    return len;
}

static size_t read_arc_header(struct warc_reader *w, struct warc_record *r)
{
    struct adit_str s = input_peek(w->in, WARC_HEADER_MAX);
    size_t lf = adit_str_chr(s, '\n', 0);
    return arc_header(adit_str_sub(s, 0, lf), w->arc_fields, r) ? lf + (lf < s.len) : 0;
}

/* --- framing ------------------------------------------------------------------------------------
 */

static struct adit_str trim_line_ends(struct adit_str s)
{
    for (int i = 0; i < 2; i++) {
        if (s.len && s.p[s.len - 1] == '\n') s.len--;
        if (s.len && s.p[s.len - 1] == '\r') s.len--;
    }
    return s;
}

/* Whether the input is damaged, and the window's first end bytes reach into the damaged member. */
static bool in_damaged_member(const struct warc_reader *w, size_t end)
{
    return input_code(w->in) != ADIT_OK && input_offset(w->in) + end > input_member_offset(w->in);
}

/* The stated length is missing or leads nowhere: the block ends where the next record begins. */
static void frame_by_search(struct warc_reader *w, struct warc_record *r, size_t head)
{
    size_t want = w->block_max + head + FOLLOW;
    struct adit_str s = input_peek(w->in, want);
    size_t next = find_record(w, s, head);
    bool cut = r->length_known && r->length > s.len - head;
    if (next == s.len && s.len < want) { /* the last record */
        if (r->length_known && !cut) next = head + (size_t)r->length;
        if (cut) w->faults[WARC_FAULT_cut_off]++;
        r->corrupt = in_damaged_member(w, next);
        r->damaged = cut || r->corrupt;
    } else {
        if (r->length_known) w->faults[WARC_FAULT_length_wrong]++;
        r->damaged = next == s.len;
    }
    if (!r->length_known) w->faults[WARC_FAULT_length_missing]++;
    r->whole = !r->damaged;
    r->block = adit_str_sub(s, head, next);
    bool stated = r->length_known && next == head + r->length;
    if (!stated && !r->damaged) r->block = trim_line_ends(r->block);
    r->length = r->block.len;
    w->skip = next;
}

/* Whether a length that is too large to look at the block's end is wrong: other records begin
 * inside the block, and HTTP's own Content-Length does not speak for it. (Archives do hold
 * archives.) */
static bool swallows(const struct warc_reader *w, const struct warc_record *r, struct adit_str s,
                     size_t head)
{
    struct http_message m;
    uint64_t body;
    s = adit_str_sub(s, 0, head + w->block_max);
    http_message_split(adit_str_sub(s, head, s.len), &m);
    if (adit_str_u64(http_field(&m, ADIT_STR("Content-Length")), &body) &&
        body == r->length - m.head.len)
        return false;
    return find_record(w, s, head) < s.len;
}

/* Finds the block behind a header of `head` bytes. */
static void frame(struct warc_reader *w, struct warc_record *r, size_t head)
{
    if (!r->length_known) {
        frame_by_search(w, r, head);
        return;
    }
    if (r->length > w->block_max) {
        struct adit_str s = input_peek(w->in, head + w->block_max);
        if (s.len < head + w->block_max || swallows(w, r, s, head)) {
            frame_by_search(w, r, head);
            return;
        }
        r->block = adit_str_sub(s, head, head + w->block_max);
        w->skip = r->length > UINT64_MAX - head ? UINT64_MAX : r->length + head;
        return;
    }
    size_t end = head + (size_t)r->length;
    struct adit_str s = input_peek(w->in, end + (w->arc ? FOLLOW_ARC : FOLLOW));
    if (s.len < end || !follows(w, adit_str_sub(s, end, s.len))) {
        frame_by_search(w, r, head);
        return;
    }
    r->block = adit_str_sub(s, head, end);
    w->skip = end;
    /* Damage behind the last record of the same member is mostly a wrong checksum. */
    r->damaged = in_damaged_member(w, end) && trim_line_ends(adit_str_sub(s, end, s.len)).len == 0;
    r->corrupt = r->damaged;
    if (r->damaged) w->faults[WARC_FAULT_cut_off]++;
    r->whole = !r->damaged;
}

/* --- the sequence -------------------------------------------------------------------------------
 */

/* Moves to the next record start behind the current position. False: none before the end. */
static bool seek_record(struct warc_reader *w)
{
    for (;;) {
        struct adit_str s = input_peek(w->in, WARC_HEADER_MAX);
        size_t at = find_record(w, s, 1);
        bool last = s.len < WARC_HEADER_MAX;
        if (at == s.len && !last) { /* keep the last line: it may be the start of a record */
            size_t line = s.len;
            while (line > 1 && s.p[line - 1] != '\n') line--;
            at = line > 1 ? line - 1 : s.len;
        }
        bool found = at < s.len && starts_record(w, adit_str_sub(s, at, s.len));
        input_skip(w->in, at);
        if (found) return true;
        if (last) return false;
    }
}

/* True at a byte that may begin a record; false at the end. Damaged members are counted here. */
static bool to_content(struct warc_reader *w)
{
    for (;;) {
        struct adit_str s = input_peek(w->in, FOLLOW);
        size_t i = 0;
        while (i < s.len && is_line_end(s.p[i])) i++;
        input_skip(w->in, i);
        if (i < s.len) return true;
        if (i) continue;
        if (input_code(w->in) == ADIT_OK) return false;
        w->faults[WARC_FAULT_damaged]++;
        if (!input_recover(w->in)) return false;
    }
}

/* Reading the block may move the window: the header's slices move with it. */
static void read_block(struct warc_reader *w, struct warc_record *r, size_t head)
{
    struct adit_str *const slices[] = {&r->header, &r->uri, &r->date, &r->content_type};
    size_t offsets[ADIT_COUNT(slices)];
    const char *window = input_peek(w->in, 1).p;
    for (size_t i = 0; i < ADIT_COUNT(slices); i++)
        offsets[i] = slices[i]->len ? (size_t)(slices[i]->p - window) : 0;
    frame(w, r, head);
    window = input_peek(w->in, 1).p;
    for (size_t i = 0; i < ADIT_COUNT(slices); i++) slices[i]->p = window + offsets[i];
}

bool warc_next(struct warc_reader *w, struct warc_record *r)
{
    input_skip(w->in, w->skip);
    w->skip = 0;
    while (to_content(w)) {
        if (!w->started) {
            w->started = true;
            w->arc = adit_str_istarts(input_peek(w->in, FOLLOW), ADIT_STR("filedesc:"));
        }
        uint64_t bad_headers = w->faults[WARC_FAULT_header];
        size_t head = w->arc ? read_arc_header(w, r) : read_warc_header(w, r);
        if (head) {
            read_block(w, r, head);
            if (w->arc && r->type == WARC_INFO) w->arc_fields = arc_fields(r->block);
            w->records++;
            return true;
        }
        if (w->faults[WARC_FAULT_header] == bad_headers) w->faults[WARC_FAULT_garbage]++;
        seek_record(w);
    }
    return false;
}
