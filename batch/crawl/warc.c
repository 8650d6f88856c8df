/* The WARC reader: header, framing, and finding the next record when the framing is wrong. */
#include "batch/crawl/arc_impl.h"
#include "batch/crawl/crawl.h"

#include <string.h>

enum {
    HEADER_STEP = 4096,
    /* Bytes looked at behind a block: line ends and the next record's first line. In ARC that line
     * holds the URL: where the first look does not see its end, a longer one does. */
    FOLLOW = 64,
    FOLLOW_ARC = 4096,
    HTTP_HEAD_MAX = 64 << 10,
    /* So many records, each at the start of a member, make an archive with a member a record. */
    MEMBERS_PROVE = 3
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

const char *const warc_type_names[WARC_TYPES] = {
    [WARC_OTHER] = "other",
    [WARC_INFO] = "warcinfo",
    [WARC_RESPONSE] = "response",
    [WARC_RESOURCE] = "resource",
    [WARC_REQUEST] = "request",
    [WARC_METADATA] = "metadata",
    [WARC_REVISIT] = "revisit",
    [WARC_CONVERSION] = "conversion",
    [WARC_CONTINUATION] = "continuation",
};

void warc_init(struct warc_reader *w, struct input *in)
{
    *w = (struct warc_reader){.in = in, .block_max = WARC_BLOCK_MAX, .arc_fields = 5};
}

static void fault(struct warc_reader *w, enum warc_fault which)
{
    w->faults[which]++;
    if (w->on_fault) w->on_fault(w->ctx, which, input_stored(w->in, 0));
}

/* --- where records begin ---------------------------------------------------------------------- */

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

/* Whether every record so far began a gzip member or zstd frame, as the standard wants it. Bodies
 * cannot begin a member, so what begins none is no record then, even where the archive is damaged.
 */
static bool has_member_records(const struct warc_reader *w)
{
    return w->records >= MEMBERS_PROVE && w->at_start == w->records;
}

/* Offset of the first record that begins on a line of its own at or after from (> 0) in s, what the
 * window shows; s.len if there is none. */
static size_t find_record(struct warc_reader *w, struct adit_str s, size_t from)
{
    bool members = has_member_records(w);
    size_t i = from ? from - 1 : 0, first = i;
    for (; (i = adit_str_chr(s, '\n', i)) < s.len; i++)
        if ((!members || input_starts_member(w->in, i + 1)) &&
            starts_record(w, adit_str_sub(s, i + 1, s.len)))
            break;
    w->searched += i - first;
    return i < s.len ? i + 1 : s.len;
}

/* Whether v, what stands behind a block, is as it should be: line ends, then the end of the member
 * or of everything, or a record. */
static bool follows(const struct warc_reader *w, const struct input_view *v)
{
    struct adit_str s = v->bytes;
    size_t i = 0;
    while (i < s.len && is_line_end(s.p[i])) i++;
    return i == s.len || v->member <= i || starts_record(w, adit_str_sub(s, i, s.len));
}

/* --- header ----------------------------------------------------------------------------------- */

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
    for (;; want = want < w->block_max / 2 ? want * 2 : w->block_max) {
        s = input_peek(w->in, want);
        if (!starts_warc(s)) return 0;
        len = header_len(s, &fields);
        w->searched += len ? len : s.len;
        if (len || s.len < want || want >= w->block_max) break;
    }
    if (!len && s.len < want) len = s.len; /* the file ends in the header */
    if (!fields || !len) {
        fault(w, WARC_FAULT_header);
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

/* --- framing ---------------------------------------------------------------------------------- */

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

/* Offset of the last line end in s, so that a record's first line which s cuts in two is seen whole
 * by the next look; s.len if that line is too long for a record, or is all of s. */
static size_t before_last_line(struct adit_str s)
{
    for (size_t i = s.len; i > 1 && s.len - i < WARC_HEADER_MAX; i--)
        if (s.p[i - 1] == '\n') return i - 1;
    return s.len;
}

/* The stated length is missing or leads nowhere (lost: beyond what can be read): the block ends
 * where the next record begins. */
static void frame_by_search(struct warc_reader *w, struct warc_record *r, size_t head, bool lost)
{
    size_t want = w->block_max + head + FOLLOW;
    struct adit_str s = adit_str_sub(input_peek(w->in, want), 0, want);
    size_t next = find_record(w, s, head);
    bool cut = r->length_known && r->length > s.len - head;
    w->skip = next;
    if (next == s.len && s.len < want) { /* the last record */
        if (r->length_known && !cut) w->skip = next = head + (size_t)r->length;
        if (cut) fault(w, WARC_FAULT_cut_off);
        r->corrupt = in_damaged_member(w, next);
        r->damaged = cut || r->corrupt;
    } else if (next == s.len && lost) { /* cut off, unless there is a record later on */
        r->damaged = true;
        w->skip = before_last_line(s);
        w->end = WARC_OPEN;
    } else {
        if (r->length_known) fault(w, WARC_FAULT_length_wrong);
        r->damaged = next == s.len;
        if (r->damaged) w->skip = before_last_line(s);
    }
    if (!r->length_known) fault(w, WARC_FAULT_length_missing);
    r->whole = !r->damaged;
    r->block = adit_str_sub(s, head, next);
    bool stated = r->length_known && next == head + r->length;
    if (!stated && !r->damaged) r->block = trim_line_ends(r->block);
    r->length = r->block.len;
}

/* Whether HTTP's own Content-Length says the same as the record's. block: up to the next record, so
 * that a head without an end is searched once. */
static bool http_agrees(struct warc_reader *w, const struct warc_record *r, struct adit_str block)
{
    struct http_message m;
    uint64_t body;
    block = adit_str_sub(block, 0, HTTP_HEAD_MAX);
    w->searched += block.len;
    http_message_split(block, &m);
    return adit_str_u64(http_field(&m, ADIT_STR("Content-Length")), &body) &&
           body == r->length - m.head.len;
}

static struct input_view look_behind(struct warc_reader *w, uint64_t end)
{
    struct input_view v = input_ahead(w->in, end, w->arc ? FOLLOW_ARC : FOLLOW);
    if (w->arc && v.bytes.len == FOLLOW_ARC && adit_str_chr(v.bytes, '\n', 8) == v.bytes.len)
        v = input_ahead(w->in, end, WARC_HEADER_MAX);
    return v;
}

/* Whether the stated length, which ends the record after `end` bytes, is right. Of blocks that are
 * longer than the window a pipe does not show the end: only members can tell then. *lost: the end
 * cannot be read. */
static bool is_believed(struct warc_reader *w, const struct warc_record *r, size_t head,
                        uint64_t end, bool *lost)
{
    struct input_view v = look_behind(w, end);
    *lost = v.state == INPUT_BEYOND || v.state == INPUT_DAMAGED;
    if (v.state == INPUT_SHOWN && follows(w, &v)) return true;
    struct adit_str s = input_peek(w->in, head + w->block_max);
    if (r->length <= w->block_max || s.len < head + w->block_max) return false;
    s = adit_str_sub(s, 0, head + w->block_max);
    w->end = WARC_UNPROVEN;
    size_t next = find_record(w, s, head);
    if (v.state != INPUT_UNKNOWN) return http_agrees(w, r, adit_str_sub(s, head, next));
    return next == s.len || !has_member_records(w);
}

/* Finds the block behind a header of `head` bytes. */
static void frame(struct warc_reader *w, struct warc_record *r, size_t head)
{
    uint64_t end = r->length > UINT64_MAX - head ? UINT64_MAX : r->length + head;
    bool lost = false;
    if (!r->length_known || !is_believed(w, r, head, end, &lost)) {
        w->end = WARC_PROVEN;
        frame_by_search(w, r, head, lost);
        return;
    }
    w->skip = end;
    if (r->length > w->block_max) {
        r->block = adit_str_sub(input_peek(w->in, head + w->block_max), head, head + w->block_max);
        return;
    }
    struct adit_str s = input_peek(w->in, (size_t)end + FOLLOW);
    r->block = adit_str_sub(s, head, (size_t)end);
    /* Damage behind the last record of the same member is mostly a wrong checksum. */
    r->damaged = in_damaged_member(w, (size_t)end) &&
                 trim_line_ends(adit_str_sub(s, (size_t)end, s.len)).len == 0;
    r->corrupt = r->damaged;
    if (r->damaged) fault(w, WARC_FAULT_cut_off);
    r->whole = !r->damaged;
}

/* --- the sequence ----------------------------------------------------------------------------- */

/* Moves to the next record start behind the current position. False: none before the end. */
static bool seek_record(struct warc_reader *w)
{
    for (;;) {
        struct adit_str s = input_peek(w->in, WARC_HEADER_MAX);
        size_t at = find_record(w, s, 1);
        bool found = at < s.len, last = s.len < WARC_HEADER_MAX;
        if (!found && !last) at = before_last_line(s);
        input_skip(w->in, at);
        if (found) return true;
        if (last) return false;
    }
}

/* Leaves the current record. Where its end was not seen before, it shows now what was wrong. */
static void leave(struct warc_reader *w)
{
    w->part = 0;
    w->in_rest = false;
    bool there = input_skip(w->in, w->skip);
    if (w->end == WARC_OPEN) there = seek_record(w);
    if (w->end != WARC_PROVEN && !there) fault(w, WARC_FAULT_cut_off);
    if (w->end == WARC_OPEN && there) fault(w, WARC_FAULT_length_wrong);
    w->skip = 0;
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
        fault(w, WARC_FAULT_damaged);
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

/* Where the record is stored. How long it is there shows when its end has been decoded; of blocks that
 * are longer than the window, only at the next record (last_end). */
static void note_place(struct warc_reader *w, struct warc_record *r)
{
    bool plain = input_coding(w->in) == INPUT_PLAIN;
    r->offset = input_stored(w->in, 0);
    r->own_member = plain || input_starts_member(w->in, 0);
    if (!r->whole) return;
    if (!plain) {
        uint64_t end = r->own_member ? input_stored_end(w->in) : 0;
        r->stored = end > r->offset ? end - r->offset : 0;
        return;
    }
    size_t end = (size_t)w->skip, lines = 0;
    struct adit_str s = input_peek(w->in, 1); /* all that is at hand: nothing moves */
    for (; lines < 4 && end < s.len && is_line_end(s.p[end]); lines++) end++;
    r->stored = end;
}

/* A header that is too long to be delivered: its length still tells where the record ends. */
static void pass_over(struct warc_reader *w, const struct warc_record *r, size_t head)
{
    fault(w, WARC_FAULT_header);
    uint64_t end = r->length > UINT64_MAX - head ? UINT64_MAX : r->length + head;
    struct input_view v = look_behind(w, end);
    if (r->length_known && v.state == INPUT_SHOWN && follows(w, &v))
        input_skip(w->in, end);
    else
        seek_record(w);
}

bool warc_next(struct warc_reader *w, struct warc_record *r)
{
    leave(w);
    bool first = true;
    for (; to_content(w); first = false) {
        if (first) w->last_end = input_stored(w->in, 0);
        if (!w->started) {
            w->started = true;
            w->arc = adit_str_istarts(input_peek(w->in, FOLLOW), ADIT_STR("filedesc:"));
        }
        uint64_t bad_headers = w->faults[WARC_FAULT_header];
        size_t head = w->arc ? read_arc_header(w, r) : read_warc_header(w, r);
        bool unproven = w->end == WARC_UNPROVEN;
        w->end = WARC_PROVEN;
        if (head > WARC_HEADER_MAX) {
            pass_over(w, r, head);
        } else if (head) {
            w->records++;
            w->at_start += input_starts_member(w->in, 0);
            read_block(w, r, head);
            note_place(w, r);
            if (w->arc && r->type == WARC_INFO) w->arc_fields = arc_fields(r->block);
            return true;
        } else {
            if (w->faults[WARC_FAULT_header] == bad_headers) fault(w, WARC_FAULT_garbage);
            if (unproven) fault(w, WARC_FAULT_length_wrong);
            seek_record(w);
        }
    }
    if (first) w->last_end = input_consumed(w->in);
    return false;
}

bool warc_rest(struct warc_reader *w, const struct warc_record *r, struct adit_str *part)
{
    if (r->whole) return false;
    if (!w->in_rest) w->part = r->header.len + r->block.len;
    w->in_rest = true;
    if (w->part > w->skip) w->part = w->skip;
    bool there = input_skip(w->in, w->part);
    w->skip -= w->part;
    w->part = 0;
    if (!there || !w->skip) return false;
    struct adit_str s = input_peek(w->in, 1);
    *part = adit_str_sub(s, 0, w->skip < s.len ? (size_t)w->skip : s.len);
    w->part = part->len;
    return part->len > 0;
}

struct adit_str warc_tail(struct warc_reader *w)
{
    enum { TAIL = 4 };
    struct adit_str none = {0};
    if (w->skip > w->block_max + WARC_HEADER_MAX) return none;
    struct adit_str s = input_peek(w->in, (size_t)w->skip + TAIL);
    return adit_str_sub(s, (size_t)w->skip, (size_t)w->skip + TAIL);
}
