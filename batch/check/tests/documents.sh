# adit check: documents that are not collections: TCT payloads and sitemaps, manifests, XML.
. batch/tests/lib.sh

f=$TMP/f
# checks WHAT STATUS KIND RULE…
checks() {
  what=$1 want=$2 kind=$3
  shift 3
  run "$ADIT" check --json "$f"
  rules=$(sed 's/.*"rules":{//; s/}.*//' "$TMP/out" | tr ',' '\n' | sed 's/^"//; s/":.*//' | sort | tr '\n' ' ' | sed 's/ $//')
  if [ "$status" -eq "$want" ] && [ "$rules" = "$*" ] && grep -q "\"kind\":\"$kind\"" "$TMP/out"; then
    ok 0 "$what"
  else
    ok 1 "$what"
    echo "# exit code $status (expected $want), rules '$rules' (expected '$*')"
    show
  fi
}
sum() { printf '%s' "$1" | sha256sum | cut -c1-64; }

# --- TCT payloads ---
body='"canonical_url":"https://example.com/p/","content":"Hello World"'
tail='"profile":"tct-1","title":"Hello"'
hash=$(sum "{$body,$tail}")
printf '{%s,"hash":"sha256-%s",%s}' "$body" "$hash" "$tail" >"$f"
checks "a payload" 0 "TCT payload"
out_has '"hash_rule":"Method A"' "its hash is found right"
printf '{%s,"hash":"sha256-%s",%s}\n' "$body" "$hash" "$tail" >"$f"
checks "with a newline behind it" 0 "TCT payload" tct-canonical
printf '{%s, "hash":"sha256-%s",%s}' "$tail" "$hash" "$body" >"$f"
checks "not canonical, but the same hash" 0 "TCT payload" tct-canonical
printf '{%s,"hash":"sha256-%s",%s}' "$body" "$(sum x)" "$tail" >"$f"
checks "another hash" 1 "TCT payload" tct-hash
printf '{%s,"hash":"sha256-%s",%s}' "$body" "$(sum 'hello world')" "$tail" >"$f"
checks "Method B" 0 "TCT payload" tct-hash-content
printf '{%s,"hash":"sha256-%s",%s}' "$body" ABC "$tail" >"$f"
checks "a short hash" 1 "TCT payload" tct-hash-form
printf '{"hash":"sha256-%s"}' "$(sum '{}')" >"$f"
checks "nothing but a hash" 1 "TCT payload" tct-missing tct-profile
b='"canonical_url":"/p/","content":"<p>x</p>"' t='"modified":"now","title":1'
printf '{%s,"hash":"sha256-%s",%s}' "$b" "$(sum "{$b,$t}")" "$t" >"$f"
checks "relative URL, markup, bad time, title a number" 1 "TCT payload" tct-markup tct-profile tct-string tct-time tct-url

# --- TCT sitemaps ---
item() { printf '{"cUrl":"%s","contentHash":"sha256-%s","mUrl":"%sllm/","modified":"2000-01-01T00:00:00Z"}' "$1" "$hash" "$1"; }
printf '{"items":[%s,%s],"profile":"tct-1","version":1}' "$(item https://example.com/)" "$(item https://example.com/a/)" >"$f"
checks "a sitemap" 0 "TCT sitemap"
printf '{"items":[%s,%s],"profile":"tct-1","version":1}' "$(item https://example.com/a/)" "$(item https://example.com/)" >"$f"
checks "the homepage is not the first" 0 "TCT sitemap" sitemap-home
printf '{"items":[{"cUrl":"https://example.com/","mUrl":"https://example.com/","contentHash":"sha256-1"},7],"version":2}' >"$f"
checks "wrong in many ways" 1 "TCT sitemap" sitemap-item sitemap-items sitemap-same sitemap-version tct-profile
printf '{"version":1,"profile":"tct-1","sitemaps":[{"url":"https://example.com/1.json","modified":"2000-01-01T00:00:00Z","items":5,"contentHash":"sha256-%s"}]}' "$hash" >"$f"
checks "a sitemap index" 0 "TCT sitemap index"
gzip -c "$f" >"$f.gz" && mv "$f.gz" "$f"
checks "compressed" 0 "TCT sitemap index"

# --- later drafts
uri=https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html
printf '{"canonical_url":"https://example.com/","content":"Words.","profile":"%s#tct-m-url-profile","title":"T"}' "$uri" >"$f"
checks "03: a payload" 0 "TCT payload"
printf '{"canonical_url":"https://example.com/","content":"Words.","profile":"tct-1","title":"T"}' >"$f"
checks "00: a payload without hash" 1 "TCT payload" tct-missing
printf '{"version":2,"profile":"%s#tct-m-sitemap-profile","items":[{"cUrl":"https://example.com/","mUrl":"https://example.com/m","lastModified":"2026-01-01T00:00:00Z"}]}' "$uri" >"$f"
checks "03: a sitemap without hints" 0 "TCT sitemap"
printf '{"version":1,"profile":"%s#tct-m-sitemap-profile","items":[]}' "$uri" >"$f"
checks "03: its version" 1 "TCT sitemap" sitemap-version
printf '{"version":1,"profile":"tct-1","items":[{"cUrl":"https://example.com/","mUrl":"https://example.com/m","etag":"sha256-%s"}]}' "$hash" >"$f"
checks "01: etag" 0 "TCT sitemap"
printf '{"version":1,"profile":"tct-1","items":[{"cUrl":"https://example.com/","mUrl":"https://example.com/m","etag":"sha256-%s","contentHash":"sha256-%s"}]}' "$(printf x | sha256sum | cut -d' ' -f1)" "$hash" >"$f"
checks "two that differ" 1 "TCT sitemap" sitemap-item

# --- manifest ---
mkdir "$TMP/m"
printf 'content' >"$TMP/m/s-snapshot-1.scp"
manifest() { # manifest SIZE SHA256
  printf '{"collections":[{"checksum":"sha256:%s","content_encoding":"","expires":"2000-01-02T00:00:00Z","file":"s-snapshot-1.scp","generated":"2000-01-01T00:00:00Z","id":"s-snapshot-1","pages":1,"section":"s","sha256":"%s","size":%s,"type":"snapshot","update_freq":"daily"}],"version":1}' "$hash" "$2" "$1"
}
f=$TMP/m/scp-manifest.json
manifest 7 "$(sum content)" >"$f"
checks "a manifest and its file" 0 manifest
manifest 8 "$(sum content)" >"$f"
checks "another size" 1 manifest manifest-file
manifest 7 "$(sum other)" >"$f"
checks "other bytes" 1 manifest manifest-file
manifest 7 "$(sum content)" | sed 's/s-snapshot-1.scp/gone.scp/' >"$f"
checks "the file is elsewhere" 0 manifest manifest-absent
manifest 7 "$(sum content)" | sed 's/s-snapshot-1.scp/..\/x/' >"$f"
checks "a file name that leaves the folder" 1 manifest manifest-entry
manifest 7 "$(sum content)" | sed 's/daily/often/; s/"version":1/"version":2/' >"$f"
checks "unknown version and frequency" 1 manifest manifest-entry manifest-version

# --- XML ---
f=$TMP/sitemap.xml
open='<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0" xmlns:rs="http://www.openarchives.org/rs/terms/">'
url='<url><loc>https://example.com/</loc><lastmod>2000-01-01</lastmod></url>'
scp='<scp:version>0.1</scp:version><scp:compression>zstd,gzip</scp:compression><scp:section name="blog" updateFreq="daily" pages="~50"/>
<scp:collection section="blog" type="snapshot" url="https://example.com/b.scp.gz" generated="2000-01-15T00:00:00Z" expires="2000-01-16T00:00:00Z" pages="50" size="520"/>
<scp:delta section="blog" period="day15" url="https://example.com/d.scp.gz" generated="2000-01-15T23:00:00Z" expires="2000-01-17T00:00:00Z" pages="4" size="48" since="2000-01-14T00:00:00Z"/>'
xml() { printf '<?xml version="1.0" encoding="UTF-8"?>\n%s\n%s\n</urlset>\n' "$open" "$1" >"$f"; }
xml "$url"
checks "a sitemap" 0 sitemap
xml "$scp$url"
checks "with SCP elements" 0 sitemap
out_has '"entries":1,"collections":1,"deltas":1' "which are counted"
xml "$(echo "$scp" | sed 's/daily/yearly/; s/pages="50"/pages="many"/; s/b.scp.gz/b c.gz/; s/ since="[^"]*"//; s/0.1</1</; s/zstd,gzip/zstd, gzip/')"
checks "SCP elements that are wrong" 1 sitemap scp-attribute scp-compression scp-form scp-version
xml "$(echo "$scp" | sed 's/name="blog"/name="news"/; s/expires="2000-01-16/expires="2000-01-14/; s/<scp:version>0.1<.scp:version>//; s/scp:compression/scp:other/g')"
checks "more of them" 1 sitemap scp-element scp-expires scp-section scp-version
xml '<url><loc>/relative</loc></url><url><lastmod>then</lastmod></url>'
checks "entries without loc, odd dates" 1 sitemap xml-lastmod xml-loc
printf '<html/>' >"$f"
checks "another root" 1 sitemap xml-root
xml '<url>'
checks "not well-formed" 1 sitemap xml-malformed
printf '<?xml version="1.0"?>\n<!DOCTYPE urlset [<!ENTITY a "b">]>\n%s%s</urlset>' "$open" "$url" >"$f"
checks "a document type" 1 sitemap xml-doctype
printf '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>' >"$f"
checks "a sitemap index" 0 "sitemap index"
up='<rs:ln rel="up" href="https://example.com/u.xml"/>'
xml "$up"'<rs:md capability="changelist" from="2000-01-01"/><url><loc>https://example.com/</loc><rs:md change="updated" datetime="2000-01-02T03:04:05Z"/></url>'
checks "a change list" 0 "ResourceSync change list"
xml '<rs:md capability="changelist"/><url><loc>https://example.com/</loc><rs:md change="moved"/></url><url><loc>https://example.com/2</loc></url>'
checks "a change list that is wrong" 1 "ResourceSync change list" rs-change rs-datetime rs-from rs-link
xml "$up"'<rs:ln rel="describes" href="https://example.com/"/><rs:md capability="capabilitylist"/><url><loc>https://example.com/c.xml</loc><rs:md capability="changelist"/></url>'
checks "a capability list" 0 "ResourceSync capability list"
xml '<rs:md capability="capabilitylist"/>'
checks "an empty one" 0 "ResourceSync capability list" rs-link rs-list
xml "$up"'<rs:ln rel="describes" href="https://example.com/"/><rs:md capability="capabilitylist"/><url><loc>https://example.com/c.xml</loc><rs:md capability="changelist"/></url><url><loc>https://example.com/r.xml</loc><rs:md capability="resourcelist"/></url><url><loc>https://example.com/r2.xml</loc><rs:md capability="resourcelist"/></url>'
checks "a capability list with two resource lists" 0 "ResourceSync capability list" rs-twice
xml "$up"'<rs:md capability="resourcelist" at="2000-01-02T03:04:05Z"/><url><loc>https://example.com/</loc><lastmod>2000-01-01</lastmod></url>'
checks "a resource list" 0 "ResourceSync resource list"
xml '<rs:md capability="resourcelist"/><url><loc>https://example.com/</loc><rs:md change="updated"/></url>'
checks "a resource list that is wrong" 0 "ResourceSync resource list" rs-at rs-link rs-resource
xml '<rs:md capability="description"/><url><loc>https://example.com/c.xml</loc><rs:md capability="capabilitylist"/><rs:ln rel="describes" href="https://example.com/"/></url>'
checks "a description" 0 "ResourceSync description"
{ printf '<?xml version="1.0"?>\n%s\n' "$open"; i=0; while [ $i -lt 50001 ]; do echo '<url><loc>https://example.com/</loc></url>'; i=$((i + 1)); done; echo '</urlset>'; } >"$f"
checks "50001 entries" 1 sitemap xml-large

found=no
for file in "$ADIT_CORPUS"/resourcesync/*.xml; do
  [ -e "$file" ] || break
  found=yes
  case $file in *resourcesync_ex_*) ;; *) continue ;; esac
  run "$ADIT" check "$file"
  is_status 0 "corpus: $(basename "$file")"
done
[ $found = yes ] || skip "the specification's examples" "no corpus"
done_testing
