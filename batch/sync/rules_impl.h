/* The rules of TCT and SCP that a site can break, as an agent sees them. */
#ifndef ADIT_SYNC_RULES_IMPL_H
#define ADIT_SYNC_RULES_IMPL_H

enum sync_level { SYNC_MUST, SYNC_SHOULD };

/* Stable name, level, what is wrong, what to do. */
#define SYNC_RULES(X)                                                                            \
    X(SITEMAP, "tct-sitemap", MUST, "the JSON sitemap cannot be read",                           \
      "publish one JSON object with version, profile and items")                                 \
    X(ENTRY, "tct-sitemap-entry", MUST, "an entry of the JSON sitemap is malformed",             \
      "give every item cUrl, mUrl and contentHash")                                              \
    X(EMPTY, "tct-sitemap-empty", SHOULD, "the JSON sitemap lists nothing",                      \
      "list the content pages; what is held is kept")                                            \
    X(TWICE, "tct-sitemap-twice", SHOULD, "the JSON sitemap lists a page twice", "list it once") \
    X(FOREIGN, "tct-origin", MUST, "an entry is of another origin than the site",                \
      "list only pages of the site itself")                                                      \
    X(CANONICAL, "tct-canonical", MUST, "the machine URL names no canonical page",               \
      "send Link: <page>; rel=\"canonical\"")                                                    \
    X(CANONICAL_OTHER, "tct-canonical-other", MUST, "the machine URL is that of another page",   \
      "name the page that the sitemap or the link names")                                        \
    X(PAYLOAD, "tct-payload", MUST, "the payload is not what TCT asks for",                      \
      "send one JSON object with canonical_url, title, content and hash")                        \
    X(TYPE, "tct-content-type", MUST, "the payload is not sent as application/json",             \
      "send Content-Type: application/json")                                                     \
    X(ETAG, "tct-etag", MUST, "there is no ETag", "send the fingerprint as ETag")                \
    X(ETAG_FORM, "tct-etag-form", MUST, "the ETag is not strong, or no fingerprint",             \
      "send \"sha256-<64 lower-case hex>\" without W/")                                          \
    X(PARITY, "tct-parity", MUST, "hash and ETag differ", "send the payload's hash as ETag")     \
    X(PARITY_LIST, "tct-parity-sitemap", MUST, "contentHash and ETag differ",                    \
      "publish the sitemap together with the pages")                                             \
    X(FINGERPRINT, "tct-fingerprint", MUST, "the hash is that of no known method",               \
      "hash the canonical JSON without its hash member")                                         \
    X(MISSING, "tct-status", SHOULD, "a page that is listed has no machine view",                \
      "list only pages that there are")                                                          \
    X(NOT_304, "tct-304", MUST, "If-None-Match with the current ETag does not give 304",         \
      "honour If-None-Match")                                                                    \
    X(ETAG_304, "tct-304-etag", MUST, "a 304 comes without the ETag", "send it with 304, too")   \
    X(PRECEDENCE, "tct-precedence", MUST,                                                        \
      "If-Modified-Since is looked at although there is If-None-Match",                          \
      "give If-None-Match precedence (RFC 9110, 13.2.2)")                                        \
    X(HEAD, "tct-head", SHOULD, "HEAD is not answered", "answer HEAD on machine URLs")           \
    X(HEAD_FIELDS, "tct-head-fields", MUST, "HEAD gives other validators than GET",              \
      "send the same header fields")                                                             \
    X(ALTERNATE, "tct-alternate", MUST, "the page does not link to its machine URL",             \
      "add <link rel=\"alternate\" type=\"application/json\" href=…> to its head")               \
    X(CACHE, "tct-cache-control", SHOULD,                                                        \
      "Cache-Control is missing or does not ask to revalidate",                                  \
      "send max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400")        \
    X(VARY, "tct-vary", SHOULD, "Vary is not Accept-Encoding", "send Vary: Accept-Encoding")     \
    X(JSON, "tct-json", MUST, "the payload's bytes are not canonical JSON",                      \
      "write RFC 8785: sorted members, no white space, nothing behind the object")               \
    X(MARKUP, "tct-markup", MUST, "the content seems to contain HTML tags", "write plain text")  \
    X(PROFILE, "tct-profile", SHOULD, "the profile is missing or not tct-1",                     \
      "write \"profile\":\"tct-1\"")                                                             \
    X(HOME, "tct-sitemap-home", SHOULD, "the homepage is not the sitemap's first item",          \
      "list it first")                                                                           \
    X(MANY, "tct-sitemap-many", SHOULD, "the sitemap has more than 50000 items",                 \
      "split it and publish an index")                                                           \
    X(POLICY, "tct-policy", SHOULD, "the policy descriptor cannot be read",                      \
      "publish one JSON object")                                                                 \
    X(XML, "scp-sitemap", MUST, "the XML sitemap cannot be read", "publish well-formed XML")     \
    X(ELEMENT, "scp-element", MUST, "an SCP element of the sitemap is malformed",                \
      "give every collection its section, url, generated, pages and size")                       \
    X(COLLECTION, "scp-collection", MUST, "the collection is rejected",                          \
      "see adit check; its pages were not used")                                                 \
    X(PAGES, "scp-page", MUST, "pages or blocks of the collection are not as they must be",      \
      "see adit check")                                                                          \
    X(DIFFERS, "scp-differs", MUST, "the collection is another one than the sitemap says",       \
      "publish sitemap and collections together")                                                \
    X(REPLAY, "scp-replay", MUST, "the collection is older than the one that is held",           \
      "publish newer ones only; it was not used")                                                \
    X(FUTURE, "scp-future", MUST, "the collection's time lies in the future",                    \
      "check the clock of the machine that made it; it was not used")                            \
    X(GAP, "scp-gap", SHOULD, "the deltas do not reach back to what is held",                    \
      "keep deltas for as long as snapshots; the snapshot was taken")                            \
    X(SCP_TYPE, "scp-content-type", MUST, "the collection is not sent as application/scp",       \
      "send Content-Type: application/scp")                                                      \
    X(SCP_ETAG, "scp-validator", SHOULD, "the collection has no ETag and no Last-Modified",      \
      "send its checksum as ETag, its time as Last-Modified")                                    \
    X(SCP_304, "scp-304", MUST, "If-None-Match with the current ETag does not give 304",         \
      "answer conditional requests")                                                             \
    X(SCP_ORIGIN, "scp-origin", SHOULD, "the collection lies on an origin that was not allowed", \
      "keep it on the site, or name the origin with --allow-origin")                             \
    X(SCP_FOREIGN, "scp-page-origin", MUST, "the collection has pages of another origin",        \
      "list only pages of the site itself")                                                      \
    X(MARKDOWN, "agent-markdown", SHOULD,                                                        \
      "Accept: text/markdown on the page does not give Markdown",                                \
      "answer it with the page's Markdown (markdown.negotiate)")                                 \
    X(MARKDOWN_BODY, "agent-body", MUST, "HTML is sent under the type of Markdown",              \
      "send the HTML as text/html where a page cannot be converted")                             \
    X(MARKDOWN_WILD, "agent-wildcard", MUST, "Accept: */* gives Markdown",                       \
      "send HTML unless text/markdown is named: browsers and search engines send wildcards")     \
    X(MARKDOWN_VARY, "agent-vary", MUST, "Vary lacks Accept, although the answer depends on it", \
      "send Vary: Accept with both answers, or caches mix them")                                 \
    X(MARKDOWN_HEAD, "agent-head", SHOULD, "HEAD with Accept: text/markdown differs from GET",   \
      "send the same header fields")                                                             \
    X(MARKDOWN_304, "agent-304", SHOULD, "Markdown has no ETag, or If-None-Match gives no 304",  \
      "send a validator: agents that ask again then need no body")                               \
    X(TWIN_LINK, "agent-alternate", SHOULD, "the page names no Markdown alternate",              \
      "add <link rel=\"alternate\" type=\"text/markdown\" href=…> to its head")                  \
    X(TWIN_MISSING, "agent-alternate-status", MUST,                                              \
      "the Markdown alternate that the page names is not there", "name only what answers 200")   \
    X(TWIN_CANONICAL, "agent-canonical", SHOULD,                                                 \
      "the Markdown alternate names no canonical page, nor noindex",                             \
      "send Link: <page>; rel=\"canonical\", or search engines list it as a duplicate")          \
    X(SIGNALS, "agent-signals", SHOULD, "nothing says what the pages may be used for",           \
      "send Content-Signal or Content-Usage, or write them into robots.txt (signals, robots)")   \
    X(ROBOTS, "agent-robots", SHOULD, "robots.txt is missing, or is an HTML page",               \
      "publish one: robots: true makes it")                                                      \
    X(LLMS, "agent-llms", SHOULD, "llms.txt is missing, or does not begin with a title",         \
      "publish one (llmstxt.org); adit serve and adit pack make it")                             \
    X(FALLTHROUGH, "agent-fallthrough", MUST, "a path that cannot be there answers 200",         \
      "answer 404: agents take such pages for what they asked for")                              \
    X(FAILED, "fetch", SHOULD, "something that is listed could not be fetched", "see the message")

#endif
