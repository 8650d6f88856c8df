/* The version of the conversion rules: raised, with its date, whenever any golden fingerprint
 * changes, be it by our rules or by another version of lexbor, utf8proc or Unicode. It stands in
 * manifests, in `adit version --json`, in the key of the validator memory and in llm-sitemap.json.
 */
#ifndef ADIT_RULES_H
#define ADIT_RULES_H

#define ADIT_RULES_VERSION "7"
#define ADIT_RULES_DATE    "2026-11-17T00:00:00Z"
#define ADIT_RULES_UNIX    1794873600 /* the same instant in seconds */
#define ADIT_VERSION       "0.1.0"

#endif
