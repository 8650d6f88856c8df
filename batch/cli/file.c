/* Folders, and whole small files. */
#include "batch/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool cli_is_folder(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool cli_read(const char *path, struct adit_buf *buf)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    if (!f) {
        cli_say(path, "cannot open: %s", strerror(errno));
        return false;
    }
    char part[16384];
    size_t got;
    while (!buf->err && (got = fread(part, 1, sizeof part, f)) > 0)
        adit_buf_add(buf, adit_str_of(part, got));
    bool read_error = ferror(f) != 0;
    int why = errno;
    if (!is_stdin) fclose(f);
    if (read_error)
        cli_say(path, "cannot read: %s", strerror(why));
    else if (buf->err == ADIT_ELIMIT)
        cli_say(path, "larger than the limit of %zu bytes", buf->max);
    else if (buf->err)
        cli_say(path, "%s", adit_code_name(buf->err));
    return !read_error && !buf->err;
}

size_t cli_html_stem(struct adit_str name)
{
    static const struct adit_str endings[] = {ADIT_STR_INIT(".html"), ADIT_STR_INIT(".htm"),
                                              ADIT_STR_INIT(".xhtml"), ADIT_STR_INIT(".shtml")};
    for (size_t i = 0; i < ADIT_COUNT(endings); i++) {
        size_t n = endings[i].len;
        if (name.len > n && adit_str_ieq(adit_str_sub(name, name.len - n, name.len), endings[i]))
            return name.len - n;
    }
    return name.len;
}
