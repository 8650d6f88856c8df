/* The names of a publication: what pack and changes make in a folder. */
#include "batch/changes/changes.h"

/* '*' stands for a part of one component. */
static const char *const files[] = {
    "*-snapshot-*.scp",
    "*-snapshot-*.scp.gz",
    "*-snapshot-*.scp.zst",
    "*-delta-*.scp",
    "*-delta-*.scp.gz",
    "*-delta-*.scp.zst",
    "sitemap.xml",
    "sitemap-*.xml",
    "llms.txt",
    "llms-full.txt",
    "*.json", /* JSON sitemaps have the configured name */
    ".well-known/resourcesync",
    "resourcesync/*/capabilitylist.xml",
    "resourcesync/*/changelist.xml",
    "resourcesync/*/changelist-*.xml",
    "resourcesync/*/resourcelist.xml",
    "resourcesync/*/resourcelist-*.xml",
    NULL,
};
static const char *const folders[] = {".well-known", "resourcesync", "resourcesync/*",
                                      "*" /* a host's */, NULL};

const struct publish_names publication_names = {files, folders};
