/* A folder where a collection is expected: the publication that pack wrote there stands for its
 * snapshot of all pages, the copy that sync keeps there for the pages that it holds. */
#include "batch/collection/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *file_in(const char *dir, struct adit_str name)
{
    char *path;
    return asprintf(&path, "%s/%.*s", dir, (int)name.len, name.p) < 0 ? NULL : path;
}

static bool is_there(const char *path) { return path && access(path, F_OK) == 0; }

/* The path of the snapshot that the manifest names. NULL: said. */
static char *by_manifest(const char *dir, const char *manifest)
{
    struct adit_buf text;
    struct adit_arena arena;
    struct adit_str name = {0};
    adit_buf_init(&text, cli_mem, ADIT_MANIFEST_BYTES);
    adit_arena_init(&arena, cli_mem, ADIT_MANIFEST_MEMORY);
    bool read = cli_read(manifest, &text);
    if (read) name = adit_manifest_snapshot(adit_buf_str(&text), ADIT_STR("all"), &arena);
    char *path = name.len ? file_in(dir, name) : NULL;
    if (read && !path) cli_say(manifest, "names no snapshot of all pages");
    adit_arena_free(&arena);
    adit_buf_free(&text);
    return path;
}

char *collection_path(const char *path)
{
    if (!cli_is_folder(path)) {
        char *same = strdup(path);
        if (!same) cli_say(path, "out of memory");
        return same;
    }
    char *manifest = file_in(path, ADIT_STR(ADIT_SCP_MANIFEST));
    char *copy = file_in(path, adit_str_z(copy_collection_name)), *found = NULL;
    if (is_there(manifest))
        found = by_manifest(path, manifest);
    else if (is_there(copy))
        found = strdup(copy);
    else
        cli_say(path, "is a folder without a publication (%s): pack writes one", ADIT_SCP_MANIFEST);
    free(manifest);
    free(copy);
    return found;
}

bool collection_in(const char *folder)
{
    char *manifest = file_in(folder, ADIT_STR(ADIT_SCP_MANIFEST));
    char *copy = file_in(folder, adit_str_z(copy_collection_name));
    bool in = is_there(manifest) || is_there(copy);
    free(manifest);
    free(copy);
    return in;
}
