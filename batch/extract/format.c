/* The formats that records are written in, a row each; those that are JSON stand here. */
#include "batch/extract/extract_impl.h"
#include "text/text.h"

static void write_jsonl(const struct extract_record *r, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    extract_put_fields(r, 0, &w);
    adit_json_close(&w, '}');
    adit_buf_byte(out, '\n');
}

/* What pipelines of the Dolma toolkit read: id, text, source, dates; all else is metadata. */
static void write_dolma(const struct extract_record *r, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    struct adit_str id = extract_record_id(r), created = r->page->published;
    const struct warc_record *record = &r->item->record;
    adit_json_open(&w, '{');
    adit_buf_clear(r->scratch);
    if (id.len) {
        adit_utf8_repair(id, r->scratch);
    } else { /* archives without record ids: file and offset are as good */
        adit_utf8_repair(adit_str_z(r->item->path ? r->item->path : r->item->file), r->scratch);
        if (!r->item->path && r->item->file && record->offset != UINT64_MAX) {
            adit_buf_byte(r->scratch, ':');
            adit_buf_u64(r->scratch, record->offset);
        }
        if (!r->scratch->len) adit_utf8_repair(record->uri, r->scratch);
    }
    adit_json_member(&w, "id", adit_buf_str(r->scratch));
    adit_json_member(&w, "text", r->text);
    adit_json_member(&w, "source", adit_str_z(r->o->source));
    adit_buf_clear(r->scratch);
    adit_time_write(r->scratch, r->o->generated);
    adit_json_member(&w, "added", adit_buf_str(r->scratch));
    adit_json_member(&w, "created", created.len ? created : r->capture->source.date);
    adit_json_member_open(&w, "metadata", '{');
    extract_put_fields(r, extract_field(ADIT_STR("text")), &w);
    adit_json_close(&w, '}');
    adit_json_close(&w, '}');
    adit_buf_byte(out, '\n');
}

static const char *const wet_endings[] = {".wet", ".warc", NULL};
static const char *const jsonl_endings[] = {".jsonl", ".ndjson", ".json", NULL};

const struct extract_format extract_formats[] = {
    {
        .name = "jsonl",
        .endings = jsonl_endings,
        .ending = ".jsonl",
        .text = "text",
        .coding = OUTPUT_ZSTD,
        .write = write_jsonl,
    },
    {
        .name = "dolma",
        .endings = jsonl_endings,
        .ending = ".jsonl",
        .text = "text",
        .coding = OUTPUT_GZIP,
        .write = write_dolma,
    },
    {
        .name = "wet",
        .endings = wet_endings,
        .ending = ".warc.wet",
        .text = "text",
        .coding = OUTPUT_GZIP,
        .members = true,
        .head = extract_wet_head,
        .write = extract_wet_write,
    },
    {
        .name = "md",
        .text = "md",
        .mirror = true,
        .write = extract_mirror_write,
    },
    {.name = NULL},
};
