/* Run files of strangers: whole files; and files whose hashes fit, around records and a head of any
 * kind (a fuzzer finds no hash by itself). What is accepted can be looked at to its last byte. */
#include "batch/pack/steps_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);

static uint64_t sum(struct adit_str s)
{
    uint64_t h = 0;
    for (size_t i = 0; i < s.len; i++) h += (unsigned char)s.p[i];
    return h;
}

static void look_at_records(struct runfile *file, size_t segment, runfile_fault *fault)
{
    struct pack_options o = {.partitions = 1};
    struct pack_taking taking = {.o = &o};
    struct adit_str record;
    volatile uint64_t seen = 0;
    adit_buf_init(&taking.scratch, cli_mem, 1 << 20);
    struct sorter_source *s = runfile_segment(file, segment, fault, &taking);
    while (s && s->next(s, &record) == 1) {
        if (fault == pack_capture_fault) {
            struct pack_capture_view v = pack_capture_view(record);
            seen += sum(v.url) + sum(v.modified) + sum(v.line);
        } else {
            struct pack_entry e = pack_entry_view(record);
            seen += sum(e.url) + sum(e.modified) + sum(e.hash) + sum(e.line[0]);
        }
    }
    if (s) s->close(s);
    adit_buf_free(&taking.scratch);
}

static void look_at_head(const struct runfile *file)
{
    struct adit_arena arena;
    struct pack_head h;
    struct pack_crawl crawl = {0};
    adit_arena_init(&arena, cli_mem, 16 << 20);
    adit_arena_init(&crawl.texts, cli_mem, 16 << 20);
    if (pack_head_read(&h, file, &arena)) {
        pack_head_fits(&h, "x", &h, "y");
        pack_head_add_crawl(&h, "x", &crawl);
    }
    pack_crawl_free(&crawl);
    adit_arena_free(&arena);
}

static void look_at(struct adit_str bytes)
{
    static runfile_fault *const faults[] = {pack_capture_fault, pack_entry_fault};
    for (size_t i = 0; i < ADIT_COUNT(faults); i++) {
        struct runfile *file = runfile_open_source(source_bytes(bytes), "x");
        if (!file) return;
        if (i == 0) look_at_head(file);
        look_at_records(file, 0, faults[i]);
    }
}

/* A file around text and records, as runfile_write.c makes it, but for the compression. */
static void make_file(struct adit_buf *b, struct adit_str text, struct adit_str records)
{
    const uint64_t table[3] = {8, records.len, 1 + records.len / 200};
    const uint64_t tail[2] = {1, text.len};
    struct adit_sha256 h;
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_init(&h);
    adit_sha256_update(&h, table, sizeof table);
    adit_sha256_update(&h, text.p, text.len);
    adit_sha256_final(&h, sha);
    adit_buf_lit(b, "ADITRUN1");
    adit_buf_add(b, records);
    adit_buf_add(b, adit_str_of((const char *)table, sizeof table));
    adit_buf_add(b, text);
    adit_buf_add(b, adit_str_of((const char *)tail, sizeof tail));
    adit_buf_add(b, adit_str_of((const char *)sha, sizeof sha));
    adit_buf_lit(b, "ADITRUN1");
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    struct adit_str data = adit_str_of((const char *)p, len);
    struct adit_buf b;
    look_at(data);
    size_t text = adit_str_chr(data, '\0', 0);
    adit_buf_init(&b, cli_mem, len + 4096);
    make_file(&b, adit_str_sub(data, 0, text), adit_str_sub(data, text + 1, len));
    if (!b.err) look_at(adit_buf_str(&b));
    adit_buf_free(&b);
    return 0;
}
