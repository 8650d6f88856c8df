/* below: names that come from input, and files below a folder.
 *
 * Hosts, ids and keys of strangers become file names only through below_name_fault; files whose
 * names are not adit's own choice alone are opened only through below_open and below_parent, which
 * never leave the folder and never follow a link: not in the last component, not on the way there.
 *
 * Paths are relative, with '/' between components; an empty component, "." and ".." are refused
 * (EINVAL), a link gives ELOOP. */
#ifndef ADIT_BELOW_H
#define ADIT_BELOW_H

#include "base/base.h"

#include <sys/types.h>

enum { BELOW_NAME_MAX = 200 }; /* bytes: suffixes of temporary files must fit into 255 */

/* NULL if name may be a file or folder name as it stands; else what is wrong with it, to be put
 * behind it ("begins with a dot"). Allowed are 1 to BELOW_NAME_MAX bytes of A-Z a-z 0-9 - _ . ~ and
 * the signs of IPv6 hosts and ports ([ ] :), no leading dot, and none of reserved (ends with NULL;
 * may be NULL; compared without regard to case): names that adit makes in that folder itself. */
const char *below_name_fault(struct adit_str name, const char *const *reserved);

/* As openat; also makes the last component where flags say so (O_CREAT). */
int below_open(int folder, const char *path, int flags, mode_t mode);

/* Opens the folder that holds the last component of path; *last is that component. What renameat,
 * linkat and unlinkat then do with *last never follows a link. make: folders that lack are made. */
int below_parent(int folder, const char *path, bool make, const char **last);

/* What errno says, for people: that of a link is worded for those who do not know ELOOP. */
const char *below_why(int error);

/* Removes path if it is a link: for files whose names adit chooses, before they are written by
 * something that would follow it. False: see errno. */
bool below_drop_link(int folder, const char *path);

/* For tests: opens component by component, as on kernels without openat2. */
extern bool below_by_steps;

#endif
