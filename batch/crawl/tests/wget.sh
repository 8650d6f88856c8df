# Slow: A real crawl, from end to end: the demo site behind our own server, crawled by wget, and every command
# that reads crawls on what it left.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh
if ! command -v wget >/dev/null || ! wget --help | grep -q -e --warc-file; then
  skip "a crawl by wget" "there is no wget that writes WARC files"
  done_testing
  exit
fi

# --- the site: the pages of the demo's first crawl, as files, with a list of links ---
mkdir "$TMP/demo"
scripts/make-demo-crawl "$TMP/demo" >/dev/null
python3 - "$TMP/demo/crawl-1.warc.gz" "$TMP/site" <<'X'
import gzip, os, re, sys
data = gzip.open(sys.argv[1]).read()
links = []
for m in re.finditer(rb"WARC-Type: response\r\n.*?WARC-Target-URI: https?://[^/]+(/[^\r]*)\r\n.*?Content-Length: (\d+)\r\n\r\n", data, re.S):
    block = data[m.end():m.end() + int(m.group(2))]
    head, _, body = block.partition(b"\r\n\r\n")
    path = m.group(1).decode()
    if not head.startswith(b"HTTP/1.1 200") or b"text/html" not in head or b"encoding" in head.lower() or not path.endswith("/"):
        continue
    os.makedirs(sys.argv[2] + path, exist_ok=True)
    open(sys.argv[2] + path + "index.html", "wb").write(body)
    links.append(path)
os.makedirs(sys.argv[2] + "/all")
open(sys.argv[2] + "/all/index.html", "w").write("<title>All</title><main><h1>All pages</h1><p>Every page of this site is listed here, for crawlers above all, which then need not guess.</p><ul>" + "".join(f'<li><a href="{l}">{l}</a></li>' for l in links) + "</ul></main>")
X
pages=$(find "$TMP/site" -name index.html | wc -l | tr -d ' ')
ok "$([ "$pages" -gt 5 ]; echo $?)" "a site of $pages pages"

# --- the crawl ---
start "$TMP/site"
(cd "$TMP" && timeout 120 wget --quiet --recursive --level=5 --no-directories --delete-after --execute robots=off \
  --warc-file=crawl --warc-cdx --tries=1 --timeout=10 "$url/all/" "$url/not-there/")
stop
ok "$([ -s "$TMP/crawl.warc.gz" ]; echo $?)" "wget has made a crawl"
C="$TMP/crawl.warc.gz"

# --- ls and check ---
run "$ADIT" check "$C"
is_status 0 "check: what wget writes keeps to the standard"
out_has "digests verified" "its digests are right"
run "$ADIT" ls --json "$C"
is_status 0 "ls"
# wget's own CDX has an offset a response: ours are the same.
is "$(jq -r 'select(.type=="response")|.offset' "$TMP/out" | sort -n | tr '\n' ' ')" \
  "$(sed 1d "$TMP/crawl.cdx" | awk '{print $(NF-2)}' | sort -n | tr '\n' ' ')" "offsets are those of wget's index"
mkdir "$TMP/i" && cp "$C" "$TMP/i/"
"$ADIT" ls --cdxj "$TMP/i/crawl.warc.gz" >"$TMP/i/crawl.cdxj"

# --- pack ---
run "$ADIT" pack --jobs 2 --compress none "$C" -o "$TMP/pub" --generated 2036-01-05
is_status 0 "pack"
run "$ADIT" pack --jobs 2 --compress none "$TMP/i/crawl.cdxj" -o "$TMP/pub2" --generated 2036-01-05
same "$TMP/pub/all-snapshot-20360105T000000Z.scp" "$TMP/pub2/all-snapshot-20360105T000000Z.scp" "the same by its index"
run "$ADIT" pack --jobs 1 --compress none "$TMP/site" --base-url https://127.0.0.1/ -o "$TMP/tree" --generated 2036-01-05
what() { sed -n '2,$p' "$1"/all-snapshot-*.scp | jq -cS '[.url,.title,.content]'; }
what "$TMP/pub" >"$TMP/a"
what "$TMP/tree" >"$TMP/b"
same "$TMP/a" "$TMP/b" "the pages are those of the files"
is "$(jq -r .skips.gone "$TMP/pub/report.json")" "$("$ADIT" ls --json "$C" | jq -s '[.[]|select(.status==404).url]|unique|length')" "what is not there is counted"
run "$ADIT" check "$TMP/pub"
is_status 0 "check of the publication"

# --- archive, extract ---
run "$ADIT" archive "$C" -o "$TMP/arch" --json
is_status 0 "archive"
is "$(jq .artifacts "$TMP/out")" "$(wc -l <"$TMP/a" | tr -d ' ')" "a version of every page"
run "$ADIT" extract "$C" -o "$TMP/x.jsonl" --text md
is_status 0 "extract"
jq -cS '[.url,.title]' "$TMP/x.jsonl" | sed 's,http://127.0.0.1:[0-9]*/,https://127.0.0.1/,' | LC_ALL=C sort -u >"$TMP/c"
jq -cS '.[0:2]' "$TMP/a" | LC_ALL=C sort -u | cmp -s - "$TMP/c"
ok $? "the same pages as pack's"
is "$(jq -r .offset "$TMP/x.jsonl" | sort -n | uniq -d)" "" "a record a capture"
done_testing
