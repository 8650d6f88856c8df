# adit extract: a record a capture, in the order of input for any number of threads; files, folders of
# parts, markers; fields, words, duplicates; losses and exit codes.
. batch/tests/lib.sh
page() { page_of "$1" "$2." "$3"; }
# row PATH [MORE JSON] [TEXT] [HEAD]
row() { printf '{"url":"%s%s","date":"2026-01-01T00:00:00Z","body":"%s"%s}\n' $E "$1" "$(page "$1" "${3:-$1}" "$4")" "${2:+,$2}"; }
E=https://example.com
X="$ADIT extract"
urls() { jq -r .url "$1" | sed "s,$E,," | tr '\n' ' '; }
{
  row /b '"warc":{"WARC-Record-ID":"<urn:uuid:1>","WARC-Payload-Digest":"sha1:ABC"}' '' '<meta name=\"author\" content=\"Ann\"><meta name=\"robots\" content=\"noai\">'
  row /a
  row /gone '"status":404'
  row /a '' 'Another text'
  row /noindex '' '' '<meta name=\"robots\" content=\"noindex\">'
  row /login; row /login '"record":"request","headers":{"Authorization":"Basic eDp5"}'
  row /first '"record":"request","headers":{"Cookie":"a=b"}'; row /first
  row /visit; row /visit '"record":"request","headers":{"Accept":"text/html"}'
} | gen members >"$TMP/x.warc.gz"

# --- jsonl ---
run $X "$TMP/x.warc.gz" -o "$TMP/x.jsonl"
is_status 0 "extract to one file"
is "$(urls "$TMP/x.jsonl")" "/b /a /a /visit " "every capture that is a page and public, in the order of input"
out_has "8 captures: 4 pages extracted" "summary"
out_has "2  captured with Authorization or Cookie in the request" "a request before its response, and one behind it"
is "$(head -n 1 "$TMP/x.jsonl" | jq -r 'keys_unsorted|join(" ")')" \
  "url record_id file offset length date status mime charset charset_found language title author modified text fingerprint digest words optout kind confidence" "the members, in order"
is "$(head -n 1 "$TMP/x.jsonl" | jq -c '[.record_id,.file,.offset,.date,.status,.mime,.charset,.charset_found,.language,.title,.author,.digest,.optout]' | sed "s,$TMP/,,")" \
  '["<urn:uuid:1>","x.warc.gz",0,"2026-01-01T00:00:00Z",200,"text/html","UTF-8","bytes","en","/b","Ann","sha1:ABC",["noai"]]' "what they say"
"$ADIT" ls --json "$TMP/x.warc.gz" | jq -c 'select(.type=="response" and (.url|test("/[bav]")) and .status==200)|[.offset,.length]' >"$TMP/ls"
jq -c '[.offset,.length]' "$TMP/x.jsonl" >"$TMP/places"
same "$TMP/places" "$TMP/ls" "offset and length are those of ls"
python3 - "$TMP/x.warc.gz" "$TMP/x.jsonl" >"$TMP/read" <<'P'
import gzip, json, sys
data = open(sys.argv[1], "rb").read()
for line in open(sys.argv[2]):
    r = json.loads(line)
    record = gzip.decompress(data[r["offset"]:r["offset"] + r["length"]])
    print(record.count(b"WARC/1.0"), f"WARC-Target-URI: {r['url']}\r\n".encode() in record)
P
is "$(sort -u "$TMP/read")" "1 True" "and lead to the record"
is "$(sed -n 2p "$TMP/x.jsonl" | jq -r .digest)" "$(python3 -c "
import base64, gzip, hashlib
data = gzip.open('$TMP/x.warc.gz').read().split(b'WARC/1.0\r\n')[2]
print('sha1:' + base64.b32encode(hashlib.sha1(data.split(b'\r\n\r\n', 2)[2][:-4]).digest()).decode())")" "a digest that nobody stated"
jq -r .fingerprint "$TMP/x.jsonl" >"$TMP/fp"
"$ADIT" pack "$TMP/x.warc.gz" -o "$TMP/pub" --jobs 1 --keep-noindex >/dev/null
is "$(sed -n 1p "$TMP/fp")" "$(jq -r '.items[]|select(.cUrl|endswith("/b")).contentHash' "$TMP/pub/llm-sitemap.json")" "the fingerprint is that of the machine view"
is "$(jq -r .text "$TMP/x.jsonl" | sed -n 3p)" "/b. Every page here has a paragraph that is long enough to count as content, and this sentence is it." "the text"

# --- the order of input, for any number of threads ---
for i in $(seq 400); do row "/$i" '' "Page $i, said $((i % 7)) times"; done >"$TMP/rows"
gen members <"$TMP/rows" >"$TMP/many.warc.gz"
$X "$TMP/many.warc.gz" "$TMP/x.warc.gz" -o "$TMP/1.jsonl" --jobs 1 >/dev/null
$X "$TMP/many.warc.gz" "$TMP/x.warc.gz" -o "$TMP/7.jsonl" --jobs 7 >/dev/null
same "$TMP/1.jsonl" "$TMP/7.jsonl" "one job and seven write the same"
is "$(wc -l <"$TMP/1.jsonl" | tr -d ' ')" 404 "all of it"
$X "$TMP/many.warc.gz" "$TMP/x.warc.gz" -o "$TMP/7.jsonl.gz" --jobs 7 >/dev/null
$X "$TMP/many.warc.gz" "$TMP/x.warc.gz" -o "$TMP/7.jsonl.zst" --jobs 3 >/dev/null
gzip -dc "$TMP/7.jsonl.gz" | cmp -s - "$TMP/1.jsonl"
ok $? "compressed by gzip"
zstd -dcq "$TMP/7.jsonl.zst" | cmp -s - "$TMP/1.jsonl"
ok $? "compressed by zstd"
run $X "$TMP/many.warc.gz" "$TMP/x.warc.gz" -o - --jobs 3
same "$TMP/out" "$TMP/1.jsonl" "to standard output, and nothing else"
err_has "404 pages extracted" "the summary goes elsewhere"
run sh -c "$X '$TMP/many.warc.gz' -o - >/dev/full"
is_status 3 "a standard output that cannot be written"
run $X "$TMP/many.warc.gz" -o "$TMP/not/there/x.jsonl"
is_status 3 "a file that cannot be written"

# --- what is in a record ---
is "$(jq -s -c '[.[]|(.kind|type),(.confidence>=0 and .confidence<=1)]|unique' "$TMP/x.jsonl")" '[true,"string"]' "a kind and a confidence each"
run $X "$TMP/x.warc.gz" -o - --fields url,words --fields optout
is "$(head -n 1 "$TMP/out")" '{"url":"https://example.com/b","words":21,"optout":["noai"]}' "--fields"
run $X "$TMP/x.warc.gz" -o - --fields nothing
is_status 2 "a member that there is not"
run $X "$TMP/x.warc.gz" -o - --text md --fields text
out_has '# /b\n\n/b. Every' "--text md"
$X "$TMP/x.warc.gz" -o - --text md --fields fingerprint 2>/dev/null | jq -r .fingerprint | cmp -s - "$TMP/fp"
ok $? "the fingerprint is the same"
printf '{"url":"%s/l","date":"2026-01-01T00:00:00Z","body":"<html><title>T</title><main><p>A text with a <a href=/x>link</a> in it, which is long enough to be the content of a page.</p></main>"}\n' $E | gen plain >"$TMP/l.warc"
run $X "$TMP/l.warc" -o - --text md --fields text
out_has "a [link](https://example.com/x) in it" "with its links"
run $X "$TMP/x.warc.gz" -o - --min-words 21 --fields url
is "$(urls "$TMP/out")" "/b /a /a /visit " "--min-words: as many"
run $X "$TMP/x.warc.gz" -o - --min-words 22 --fields url
is "$(urls "$TMP/out")" "/a " "--min-words: fewer"
err_has "5  fewer words than --min-words" "counted"
printf '{"url":"%s/ja","date":"2026-01-01T00:00:00Z","body":"<html lang=ja><title>\u6771\u4eac\u90fd</title><main><p>\u6771\u4eac\u306f\u65e5\u672c\u306e\u9996\u90fd\u3067\u3059\u3002 Tokyo is\u00e9 it.</p></main>"}\n' $E | gen plain >"$TMP/ja.warc"
run $X "$TMP/ja.warc" -o - --fields words
is "$(cat "$TMP/out")" '{"words":16}' "words of scripts without spaces"
{ row /1 '' same; row /2 '' other; row /1 '' same; } >"$TMP/r1"
gen members <"$TMP/r1" >"$TMP/d1.warc.gz"
{ row /1 '' same; row /4 '' new; } | gen members >"$TMP/d2.warc.gz"
for jobs in 1 4; do
  run $X "$TMP/d1.warc.gz" "$TMP/d2.warc.gz" -o - --dedup exact --fields url --jobs $jobs
  is "$(urls "$TMP/out")" "/1 /2 /4 " "--dedup exact, $jobs jobs"
done
err_has "2  the same text as a capture before" "counted"
run $X "$TMP/d1.warc.gz" -o - --dedup fuzzy
is_status 2 "no other way"
run $X "$TMP/x.warc.gz" -o - --host other.example
is_status 1 "no page at all"
err_has "no page was found in the input" "says so"
run $X "$TMP/x.warc.gz" -o - --respect-optout --fields url
is "$(urls "$TMP/out")" "/a /a /visit " "--respect-optout"

# --- a folder of parts ---
run $X "$TMP/many.warc.gz" "$TMP/x.warc.gz" -o "$TMP/parts" --part 64K --compress none
is_status 0 "a folder of parts"
cat "$TMP"/parts/many-*.jsonl "$TMP"/parts/x-*.jsonl | cmp -s - "$TMP/1.jsonl"
ok $? "which together are the file"
ok "$([ "$(ls "$TMP"/parts/many-*-*.jsonl | wc -l)" -gt 2 ]; echo $?)" "in several parts"
ok "$(find "$TMP/parts" -name 'many-*.jsonl' -size +64k | grep -q . && echo 1 || echo 0)" "none is larger than asked for"
is "$(jq -r '[.pages,.parts,(.losses|length)]|@csv' "$TMP/parts/report.json")" "404,$(ls "$TMP"/parts/*.jsonl | wc -l | tr -d ' '),0" "report.json"
is "$(ls "$TMP/parts/.adit/done" | wc -l | tr -d ' ')" 2 "a marker an input"
touch -d 2020-01-01 "$TMP"/parts/many-*-0000.jsonl
run $X "$TMP/many.warc.gz" "$TMP/x.warc.gz" "$TMP/d1.warc.gz" -o "$TMP/parts" --part 64K --compress none
is_status 0 "a run again"
out_has "2 inputs were done before, with 404 pages" "skips what is done"
out_has "3 pages extracted" "and does what is new"
ok "$([ -n "$(find "$TMP/parts" -name 'many-*-0000.jsonl' -not -newermt 2021-01-01)" ]; echo $?)" "nothing is written again"
gen members <"$TMP/r1" >"$TMP/many.warc.gz"
run $X "$TMP/many.warc.gz" -o "$TMP/parts" --part 64K --compress none
out_has "3 pages extracted" "an input that has changed is done again"
is "$(cat "$TMP"/parts/many-*.jsonl | wc -l | tr -d ' ')" 3 "its old parts are gone"
run $X "$TMP/x.warc.gz" -o "$TMP/parts" --part 64K --compress none --min-words 22
out_has "1 page extracted" "other settings: done again"
run $X "$TMP/x.warc.gz" "$TMP/d1.warc.gz" "$TMP/d2.warc.gz" -o "$TMP/shards" --shard 1/3
run $X "$TMP/x.warc.gz" "$TMP/d1.warc.gz" "$TMP/d2.warc.gz" -o "$TMP/shards" --shard 2/3
is "$(cd "$TMP/shards" && ls report* | tr '\n' ' ')" "report-1-of-3.json report-2-of-3.json " "shards share a folder"
is "$(zstd -dcq "$TMP"/shards/*.zst | wc -l | tr -d ' ')" 5 "each does its own"
run $X "$TMP/x.warc.gz" -o "$TMP/shards" --shard 2/3
is_status 0 "a shard without an input"

run $X "$TMP/d1.warc.gz" -o "$TMP/dedup" --dedup exact
run $X "$TMP/d1.warc.gz" "$TMP/d2.warc.gz" -o "$TMP/dedup" --dedup exact
out_has "1  the same text as a capture before" "--dedup knows the texts of what was done before"

# --- md: a folder that mirrors the URLs ---
long=$(printf 'x%.0s' $(seq 300))
{
  row /; row /a; row /a/; row /a/b.html; row '/q?x=1/2&y=a:b'; row "/$long/y"; row /.hidden/..%2fup; row /a.md/; row //x
} | gen members >"$TMP/m.warc.gz"
ln -s "$TMP" "$TMP/outside"
mkdir -p "$TMP/md" && ln -s "$TMP/outside" "$TMP/md/evil.example"
printf '{"url":"https://evil.example/pwned","date":"2026-01-01T00:00:00Z","body":"%s"}\n' "$(page x x)" | gen members >"$TMP/evil.warc.gz"
run $X "$TMP/m.warc.gz" -o "$TMP/md" --format md
is_status 0 "--format md"
is "$(cd "$TMP/md/example.com" && find . -name '*.md' -type f | sed 's/x\{100,\}-[0-9a-f]*/LONG/;s/clash.[0-9a-f]*/clash\/HASH/' | LC_ALL=C sort | tr '\n' ' ')" \
  "./%/x.md ./%2Ehidden/%2E.%2fup.md ./%clash/HASH.md ./LONG/y.md ./a.md ./a/b.html.md ./a/index.md ./index.md ./q%3Fx=1%2F2%26y=a%3Ab.md " "names are the URLs'"
is "$(sed -n 1p "$TMP/md/example.com/a/b.html.md")" "# /a/b.html" "the Markdown of the page"
run $X "$TMP/evil.warc.gz" -o "$TMP/md" --format md
is_status 3 "a link in the folder is not followed"
ok "$([ ! -e "$TMP/pwned.md" ]; echo $?)" "nothing is written behind it"

# --- wet, dolma ---
run $X "$TMP/x.warc.gz" -o "$TMP/x.warc.wet.gz" --format wet --generated 2026-01-01
is_status 0 "--format wet"
run "$ADIT" check "$TMP/x.warc.wet.gz"
is_status 0 "keeps to the standard"
out_has "5 records, 5 digests verified" "with digests"
run $X "$TMP/x.warc.wet.gz" -o - --fields url
is "$(urls "$TMP/out")" "/b /a /a /visit " "and is read again"
run $X "$TMP/x.warc.gz" -o "$TMP/7.wet.gz" --format wet --generated 2026-01-01 --jobs 7
same "$TMP/7.wet.gz" "$TMP/x.warc.wet.gz" "the same bytes, compressed as they are, for any number of threads"
run $X "$TMP/x.warc.gz" -o "$TMP/x.wet.zst" --format wet --generated 2026-01-01
zstd -dcq "$TMP/x.wet.zst" >"$TMP/a" && gzip -dc "$TMP/7.wet.gz" | cmp -s - "$TMP/a"
ok $? "compressed by zstd"
run $X "$TMP/x.warc.gz" -o "$TMP/wets" --format wet
is "$(cd "$TMP/wets" && ls | sed 's/-[0-9a-f]\{8\}-/-HASH-/' | tr '\n' ' ')" "report.json x-HASH-0000.warc.wet.gz " "parts"
run $X "$TMP/x.warc.gz" -o - --format dolma --generated 2026-02-01 --source mine --fields url,words,text
is "$(head -n 1 "$TMP/out" | jq -c '[.id,.source,.added,.created,.metadata,(.text|length)]')" \
  '["<urn:uuid:1>","mine","2026-02-01T00:00:00Z","2026-01-01T00:00:00Z",{"url":"https://example.com/b","words":21},105]' "--format dolma"
is "$(sed -n 2p "$TMP/out" | jq -r .id | sed "s,$TMP/,,")" "x.warc.gz:$(sed -n 2p "$TMP/x.jsonl" | jq .offset)" "an id where the archive has none"

# --- losses ---
head -c 300 "$TMP/d1.warc.gz" >"$TMP/cut.warc.gz"
printf '%%PDF-1.4 x' >"$TMP/x.pdf"
run $X "$TMP/x.pdf" "$TMP/d2.warc.gz" "$TMP/not-there.warc" "$TMP/cut.warc.gz" -o "$TMP/lossy"
is_status 1 "a run with bad inputs goes on, and says so"
is "$(jq -r '.losses[]|(.file|split("/")[-1])+" "+.reason' "$TMP/lossy/report.json" | tr '\n' ';')" \
  "x.pdf is a PDF, not an archive of a crawl;not-there.warc cannot be opened;cut.warc.gz record cut off;cut.warc.gz damaged compressed data;" "every loss is in the report"
is "$(cd "$TMP/lossy/.adit/done" && ls | sed 's/-[0-9a-f]*\.json//' | tr '\n' ' ')" "cut d2 " "what could not be read is not done"
run $X "$TMP/d2.warc.gz" "$TMP/cut.warc.gz" -o "$TMP/lossy"
is_status 1 "damaged inputs are not read again, and still lack something"
out_has "2 inputs were done before, with 2 pages and 2 damaged places" "which is said"
run $X "$TMP/d2.warc.gz" -o "$TMP/no" --format xml
is_status 2 "a format that there is not"
run $X "$TMP/d2.warc.gz"
is_status 2 "no output"
run $X "$TMP/d2.warc.gz" -o "$TMP/y.jsonl" --part 1M
is_status 2 "parts of one file"
ok "$([ ! -e "$TMP/no" ]; echo $?)" "nothing is left behind"

# --- other ways in ---
printf '{"url":"%s/t","date":"2026-01-01T00:00:00Z","record":"conversion","type":"text/plain","body":"Plain text that somebody made of a page.\\nSecond line."}\n' $E | gen members >"$TMP/wet.gz"
run $X "$TMP/wet.gz" -o - --fields url,mime,text,charset
is "$(cat "$TMP/out")" '{"url":"https://example.com/t","mime":"text/plain","text":"Plain text that somebody made of a page.\n\nPlain text that somebody made of a page.\n\nSecond line."}' "conversion records"
mkdir "$TMP/site" && printf '<html lang=en><title>T</title><main><p>A file of a folder, which is long enough to be a text of a page by itself.</p></main>' >"$TMP/site/a.html"
run $X "$TMP/site" -o - --base-url https://example.org/ --fields url,file,digest,offset
is "$(jq -r '.url,(.file|split("/")[-1])' "$TMP/out" | tr '\n' ' ')" "https://example.org/a.html a.html " "folders of HTML"
{ row /a; printf '{"url":"%s/js","date":"2026-01-01T00:00:00Z","body":"<html><title>App</title><body><div id=app></div></body></html>"}\n' $E; } | gen members >"$TMP/data.warc.gz"
{
  echo '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}'
  printf '{"id":"1","url":"%s/js","ts":"2026-01-01T00:00:00Z","title":"An app","text":"What a browser showed."}\n' $E
  printf '{"id":"2","url":"%s/a","ts":"2026-01-01T00:00:00Z","title":"A","text":"not used: the HTML says more"}\n' $E
} | python3 batch/crawl/tests/make_wacz.py "$TMP/x.wacz" "$TMP/data.warc.gz" fine
run $X "$TMP/x.wacz" -o - --fields url,title
is "$(cat "$TMP/out" | tr '\n' ' ')" '{"url":"https://example.com/a","title":"/a"} {"url":"https://example.com/js","title":"An app"} ' "WACZ: the text that the crawler saw, where the HTML has none"
"$ADIT" ls --cdxj "$TMP/x.warc.gz" | sed -n 3p >"$TMP/x.cdxj"
run $X "$TMP/x.cdxj" -o - --fields url,offset
is "$(jq .offset "$TMP/out")" "$(sed 's/.*"offset":"\([0-9]*\)".*/\1/' "$TMP/x.cdxj")" "CDXJ: offsets are those of the file"
done_testing
