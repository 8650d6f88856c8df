/* adit extract. */
#include "batch/crawl/crawl.h"
#include "batch/extract/extract.h"

static const struct cli_option options[] = {
    CLI_GROUP("Input"),
    CRAWL_CLI_FOLDER,
    CRAWL_CLI_INPUTS,
    CLI_GROUP("Which pages"),
    {"host", "HOST", CLI_MANY, "take these hosts only"},
    CRAWL_CLI_PATHS,
    {"min-words", "N", CLI_VALUE, "leave out pages with fewer words"},
    {"dedup", "exact", CLI_CHOICE, "leave out a text that a capture before had (within --memory)"},
    CRAWL_CLI_PRIVACY,
    CLI_GROUP("Output"),
    {"o", "FILE|DIR", CLI_VALUE,
     "one file (NAME.jsonl, .jsonl.zst, .jsonl.gz; - is stdout), else a folder of parts"},
    {"format", EXTRACT_FORMATS, CLI_CHOICE, "how records are written (default jsonl)"},
    {"text", "text|md", CLI_CHOICE, "the text inside a record: plain, or Markdown"},
    {"fields", "NAME,...", CLI_MANY, "only these members, e.g. url,record_id,text"},
    {"part", "SIZE", CLI_VALUE, "folders: bytes of a part before compression (default 256M)"},
    {"source", "NAME", CLI_VALUE, "dolma: the member source (default adit)"},
    OUTPUT_CLI_OPTIONS,
    {"generated", "TIME", CLI_VALUE, "dolma, wet: the time of the run (default: now)"},
    CLI_QUIET,
    CLI_GROUP("Resources"),
    CRAWL_CLI_JOBS,
    {"memory", "SIZE", CLI_VALUE, "for --dedup, e.g. 1G (default 256M)"},
    CLI_GROUP("Network"),
    FETCH_CLI_FILES,
    {0},
};

const struct cli_command cmd_extract = {
    .name = "extract",
    .usage = "INPUT... -o FILE|DIR [options]",
    .summary = "captures of crawls to text, one record each: jsonl, dolma, wet, md",
    .details =
        "INPUT is all that pack reads: WARC, ARC, WACZ, CDXJ, folders of them, http, https and s3\n"
        "URLs, folders of HTML (with --base-url). Each capture that is a page becomes a record, in\n"
        "the order of the input, the same bytes for any number of --jobs, in constant memory. Which\n"
        "captures are pages, and which are left out (noindex, for one person ...), is as in pack; but\n"
        "every capture of a URL counts, not the newest only.\n"
        "\n"
        "Members of a record: url, record_id, file, offset and length (of the record as stored, as in\n"
        "an index), date, status, mime, charset and charset_found (bom, http, meta, bytes,\n"
        "detected, default), language, title, author, published, modified, text, fingerprint (of\n"
        "the page's machine view: its ETag at the edge), digest (of the payload), words, optout,\n"
        "kind (article, documentation, product, forum, recipe, listing, service, other),\n"
        "confidence (the F1 that the text may be expected to have, 0 to 1), needs_script (true: a\n"
        "script brings the page's text). What is not known is not there.\n"
        "\n"
        "In a folder every input has parts of its own, named after it; they appear when the input has\n"
        "been read, and then DIR/.adit/done says that it is finished: a run that is started again\n"
        "skips what is done and has not changed, and redoes the rest. Several machines may write to\n"
        "one folder (--shard). report.json has counts, and every loss by file, offset and reason.\n"
        "\n"
        "Exit status: 0 fine; 1 damaged input (what could be read is extracted) or no page at all;\n"
        "2 wrong usage; 3 nothing could be written.\n"
        "\n"
        "examples:\n"
        "  adit extract crawl.warc.gz -o crawl.jsonl.zst\n"
        "  adit extract crawl.wacz -o - --fields url,text --min-words 50 | jq -r .url\n"
        "  adit extract --paths-file warc.paths.gz --warc-prefix https://data.example/ --shard 3/64 \\\n"
        "    -o corpus --format dolma --dedup exact",
    .options = options,
    .run = extract_command,
};
