/* adit pack. */
#include "batch/crawl/crawl.h"
#include "batch/pack/pack.h"
#include "scp/scp.h"

static const struct cli_option options[] = {
    CLI_GROUP("Input"),
    CRAWL_CLI_FOLDER,
    {"config", "FILE", CLI_VALUE, "adit.json: origin, other host names, sections, exclude ..."},
    CRAWL_CLI_INPUTS,
    CLI_GROUP("Which pages"),
    {"host", "HOST", CLI_MANY,
     "take this host only; further ones are other names of the same site"},
    {"by-host", NULL, CLI_FLAG, "one publication for each host, in DIR/HOST"},
    {"mixed", NULL, CLI_FLAG, "one collection over all hosts, without sitemaps"},
    CRAWL_CLI_PATHS,
    {"complete", NULL, CLI_FLAG, "the crawl covers the site: pages it did not meet are deleted"},
    CRAWL_CLI_PRIVACY,
    CLI_GROUP("Output"),
    {"o", "DIR", CLI_VALUE, "where the publication goes; made if it is not there"},
    {"section", "NAME=/PATH/", CLI_MANY,
     "also a section of the pages below a path, e.g. blog=/blog/"},
    {"previous", "DIR", CLI_VALUE,
     "the publication before (none yet: the first run): keeps dates, makes deltas"},
    {"keep", "N", CLI_VALUE,
     "snapshots a section that stay in DIR, this one included (default: all)"},
    {"links", "all|standalone", CLI_CHOICE,
     "links within texts are blocks behind them, too; default as the configuration says"},
    {"update-freq", "[NAME=]F", CLI_MANY,
     ADIT_SCP_FREQ_NAMES ", e.g. blog=hourly (" ADIT_SCP_FREQ_DEFAULT ")"},
    {"compress", "zstd|gzip|none", CLI_CHOICE,
     "collections are .scp.zst (default), .scp.gz or .scp"},
    {"level", "N", CLI_VALUE, "compression level: zstd 1-22 (default 3), gzip 1-9 (6)"},
    {"no-checksum", NULL, CLI_FLAG,
     "leave the checksum out of line 1, for readers that take its rule literally"},
    {"generated", "TIME", CLI_VALUE, "time of the publication, e.g. 2026-01-31 (default: now)"},
    {"dry-run", NULL, CLI_FLAG, "write nothing; say what would be listed and why not"},
    CLI_QUIET,
    CLI_GROUP("Resources"),
    CRAWL_CLI_JOBS,
    CRAWL_CLI_SORTING,
    CLI_GROUP("Many machines"),
    {"map", NULL, CLI_FLAG, "first step: captures of these inputs (--shard) to -o RUNS, sorted"},
    {"partitions", "P", CLI_VALUE, "with --map: into how many parts pages are divided, e.g. 64"},
    {"reduce", "RUNS", CLI_VALUE, "second step: one partition of all maps, for -o DIR"},
    {"partition", "I", CLI_VALUE, "with --reduce: which one; I counts from 0"},
    {"parts", NULL, CLI_FLAG,
     "with --mixed, in all steps: each partition stays a publication, DIR/part-I-of-P"},
    {"finish", "DIR", CLI_VALUE, "last step: all partitions become the publication in DIR"},
    CLI_GROUP("Network"),
    FETCH_CLI_FILES,
    {0},
};

const struct cli_command cmd_pack = {
    .name = "pack",
    .usage = "INPUT... -o DIR [options]",
    .summary =
        "crawls (WARC, WACZ, folders of HTML) to a publication: SCP collections, sitemaps, changes",
    .details =
        "INPUT is a WARC or ARC file (plain, .gz, .zst; - is standard input), a WACZ file, a CDXJ\n"
        "index, the http, https or s3 URL of one of these, a folder of archives (all of them, in the\n"
        "order of their names), or a folder of HTML files (with --base-url). A URL is read by ranges\n"
        "and resumed; s3:// is signed with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,\n"
        "AWS_REGION and AWS_ENDPOINT_URL of the environment. An input that cannot be read is listed in\n"
        "report.json (losses) and the run goes on, with exit status 1.\n"
        "\n"
        "Of all captures of a URL the newest decides: a page is listed if that is a 200 with\n"
        "HTML; a 404, 410, redirect or noindex removes it. Pages that an anonymous request got are\n"
        "public; captures made for one person (401, 403, Authorization or Cookie in the request, a\n"
        "Set-Cookie with private) are left out. Pages that say noai, tdm-reservation and the like\n"
        "have a member optout. Damaged records are counted and passed\n"
        "over. In DIR: SECTION-snapshot-TIME.scp.zst, with --previous also SECTION-delta-TIME,\n"
        "sitemap.xml, llm-sitemap.json, resourcesync/, report.json, and scp-manifest.json. They\n"
        "take their places together, the manifest last: a run that is killed or finds no space\n"
        "leaves the publication before as it was, or the next run finishes it. A second pack into\n"
        "DIR waits for the first.\n"
        "\n"
        "Snapshots and deltas of earlier runs stay in DIR, for those who are reading them, until --keep\n"
        "N says how many snapshots are enough; deltas that the manifest names always stay.\n"
        "\n"
        "With --dry-run every URL is a line: + new, ~ changed, = as before, - removed, ! not listed.\n"
        "\n"
        "On many machines pack is done in three steps, each with the same options and the same\n"
        "--generated: any number of --map tasks, which share the inputs by --shard I/N; a --reduce\n"
        "task for each partition, when all maps are done; one --finish. What they publish is what one\n"
        "pack would. Tasks may run in any order, twice, twice at once, and again after a kill: what is\n"
        "done is not done again, but for maps whose inputs could not be read. Temporary files go to\n"
        "TMPDIR, if that is set. With --parts the partitions are not merged: parts.json names them, and\n"
        "--previous joins each with the same part of before.\n"
        "scripts/slurm/ has the commands for Slurm, and other engines.\n"
        "\n"
        "Exit status: 0 fine; 1 damaged input (what could be read is published) or no page at all;\n"
        "2 wrong usage, or several hosts in the input; 3 nothing could be written.\n"
        "\n"
        "examples:\n"
        "  adit pack crawl/*.warc.gz -o public\n"
        "  adit pack new.warc.gz -o public --previous public --keep 7      (in cron, from the first run)\n"
        "  adit pack collections/x/archive/ crawl.wacz -o public\n"
        "  adit pack --paths-file warc.paths.gz --warc-prefix https://data.example/ --shard 3/64 ...\n"
        "  adit pack site/ --base-url https://example.com/ -o public\n"
        "  adit pack --map crawl/ --shard 3/64 --partitions 16 -o runs --generated 2026-01-31\n"
        "  adit pack --reduce runs --partition 5 -o public --generated 2026-01-31\n"
        "  adit pack --finish public --generated 2026-01-31\n"
        "  zcat crawl.warc.gz | adit pack - -o public --host example.com --host www.example.com",
    .options = options,
    .run = pack_command,
};
