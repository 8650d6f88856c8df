# Slow: One way in: folders of archives, lists, shards, WACZ, CDXJ, URLs, S3; what cannot be read is named, and
# a run over many inputs goes on after a bad one and lists every loss.
. batch/tests/lib.sh
page() { page_of "$1" "$1."; }
row() { printf '{"url":"%s%s","date":"2026-01-01T00:00:00Z","body":"%s"%s}\n' $E "$1" "$(page "$1")" "${2:+,$2}"; }
E=https://example.com
P="$ADIT pack --jobs 1 --dry-run"
urls() { grep '^+' "$TMP/out" | sed "s,^+ $E,," | tr '\n' ' '; }
mkdir -p "$TMP/crawl/b/archive" "$TMP/crawl/a"
row /one | gen members >"$TMP/crawl/b/archive/1.warc.gz"
row /two | gen plain >"$TMP/crawl/a/2.warc"
row /three | gen members >"$TMP/crawl/3.warc.gz"
row /open | gen members >"$TMP/crawl/4.warc.gz.open"
echo "nothing" >"$TMP/crawl/3.warc.gz.cdxj"

# --- folders, lists, shards ---
run $P "$TMP/crawl"
is_status 0 "a folder of archives"
is "$(urls)" "/one /three /two " "all of them, whatever their depth"
run $P "$TMP/crawl" --shard 0/2
is "$(urls)" "/one /three " "--shard 0/2"
run $P "$TMP/crawl" --shard 1/2
is "$(urls)" "/two " "--shard 1/2"
run $P "$TMP/crawl" --shard 7/9
is_status 1 "a shard without an input"
err_has "shard 7 of 9: there is no input for it" "says so"
for bad in 2/2 1 x/2 1/0 -1/2; do
  run $P "$TMP/crawl" --shard $bad
  is_status 2 "refused: --shard $bad"
done
printf '# two of them\n\n%s\n%s\n' "$TMP/crawl/a" "$TMP/crawl/3.warc.gz" >"$TMP/list"
run $P --paths-file "$TMP/list"
is "$(urls)" "/three /two " "--paths-file"
printf 'a\n3.warc.gz\n' | gzip >"$TMP/list.gz"
run $P --paths-file "$TMP/list.gz" --warc-prefix "$TMP/crawl"
is "$(urls)" "/three /two " "with --warc-prefix, and compressed"
run sh -c "cat $TMP/list | $P --paths-file -"
is "$(urls)" "/three /two " "from standard input"
run $P --paths-file "$TMP/not-there"
is_status 1 "a list that is not there"
mkdir "$TMP/nothing"
run $P "$TMP/nothing"
is_status 2 "a folder without archives"
err_has "is a folder without WARC files: if it is HTML, say with --base-url" "says what to do"
run "$ADIT" archive "$TMP/crawl" -o "$TMP/arch" --json
is "$(jq .artifacts "$TMP/out")" 3 "archive takes folders, too"

# --- what cannot be read ---
printf '\004\042\115\030xxxx' >"$TMP/x.warc.lz4"
printf '%%PDF-1.4 x' >"$TMP/x.pdf"
printf '<!doctype html><p>x' >"$TMP/x.html"
printf 'BZh91AY' >"$TMP/x.bz2"
printf 'PK\003\004 is no ZIP file' >"$TMP/x.zip"
for f in "x.warc.lz4:lz4 -dc FILE | adit" "x.pdf:is a PDF" "x.html:adit page FILE --url URL" "x.bz2:bzip2 -dc" "x.zip:the end of the ZIP file is missing"; do
  run $P "$TMP/${f%%:*}"
  is_status 1 "${f%%:*} is not read"
  err_has "${f#*:}" "and the way out is said"
done
head -c 100 "$TMP/crawl/b/archive/1.warc.gz" >"$TMP/cut.warc.gz"
run "$ADIT" pack --jobs 1 "$TMP/x.pdf" "$TMP/crawl" "$TMP/not-there.warc" "$TMP/cut.warc.gz" -o "$TMP/lossy"
is_status 1 "a run with bad inputs goes on, and says so"
is "$(jq .pages "$TMP/lossy/report.json")" 3 "the good ones are published"
is "$(jq -r '.losses[]|(.file|split("/")[-1])+" "+(.offset|tostring)+" "+.reason' "$TMP/lossy/report.json" | tr '\n' ';')" \
  "x.pdf null is a PDF, not an archive of a crawl;not-there.warc null cannot be opened;cut.warc.gz 0 Content-Length missing or not a number;cut.warc.gz 0 damaged compressed data;" "every loss is in the report"

# --- WACZ ---
{ row /a; printf '{"url":"%s/js","date":"2026-01-01T00:00:00Z","body":"<html><title>App</title><body><div id=app></div></body></html>"}\n' $E; } | gen members >"$TMP/data.warc.gz"
pages() {
  echo '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}'
  printf '{"id":"1","url":"%s/js","ts":"2026-01-01T00:00:00Z","title":"An app","text":"What a browser showed, line one.\\nAnd a second line of it."}\n' $E
  printf '{"id":"2","url":"%s/a","ts":"2026-01-01T00:00:00Z","title":"A","text":"not used: the HTML says more"}\n' $E
  printf '{"id":"3","url":"%s/never","ts":"2026-01-01T00:00:00Z","text":"no capture"}\n' $E
  echo 'no JSON'
}
wacz() { pages | python3 batch/crawl/tests/make_wacz.py "$TMP/$1.wacz" "$TMP/data.warc.gz" "$1"; }
for how in fine deflated; do
  wacz $how
  run "$ADIT" pack --jobs 1 --compress none "$TMP/$how.wacz" -o "$TMP/w-$how" --generated 2026-01-05
  is_status 0 "a WACZ file ($how)"
  is "$(sed -n '2,$p' "$TMP/w-$how/all-snapshot-20260105T000000Z.scp" | jq -c '[.url,.title,(.content|length)]' | tr '\n' ' ')" \
    '["https://example.com/a","/a",1] ["https://example.com/js","An app",2] ' "its pages; text where the HTML has none"
  out_has "1 page is listed by the text that a crawler made of it" "which is said"
done
ok "$([ ! -e /tmp/evil.warc ]; echo $?)" "no name of a member becomes a path"
run sh -c "cat $TMP/fine.wacz | $P -"
is_status 1 "a WACZ file in a pipe"
err_has "cannot be read from a pipe" "says so"
while read -r how says; do
  wacz "$how"
  run $P "$TMP/$how.wacz"
  is_status 1 "a WACZ file: $how"
  err_has "$says" "$says"
done <<X
hash has another hash than datapackage.json says
stats has another hash than datapackage.json says
size has another size than datapackage.json says
digest datapackage.json has another hash
nopackage has no datapackage.json
unlisted datapackage.json does not list it
encrypted is encrypted
lzma a method other than deflate
local its local ZIP header is not where
overlap the ZIP members overlap
cut the end of the ZIP file is missing
many the ZIP directory is too large
X
wacz odd
run $P "$TMP/odd.wacz"
is_status 0 "entries of datapackage.json that are none"
wacz hash
run $P "$TMP/hash.wacz"
is "$(urls)" "/a /js " "what is in it is read all the same"

# --- CDXJ ---
index() { # FILE OFFSET LENGTH
  printf 'com,example)/ 20260101000000 {"url":"x","filename":"%s","offset":"%s","length":%s}\n' "$1" "$2" "$3"
}
{ row /p1; row /p2; row /p3; } | gen members >"$TMP/crawl/many.warc.gz"
python3 - "$TMP/crawl/many.warc.gz" >"$TMP/places" <<'X'
import sys, zlib
data, at = open(sys.argv[1], "rb").read(), 0
while at < len(data):
    d = zlib.decompressobj(31)
    d.decompress(data[at:])
    n = len(data) - at - len(d.unused_data)
    print(at, n)
    at += n
X
set -- $(sed -n 2p "$TMP/places")
P2="$1 $2"
echo '!meta 0 {"software":"x"}' >"$TMP/crawl/x.cdxj"
index many.warc.gz $P2 >>"$TMP/crawl/x.cdxj"
index 3.warc.gz 0 "$(wc -c <"$TMP/crawl/3.warc.gz" | tr -d ' ')" >>"$TMP/crawl/x.cdxj"
run $P "$TMP/crawl/x.cdxj"
is_status 0 "a CDXJ index"
is "$(urls)" "/p2 /three " "the captures that it names, and no other"
gzip -k "$TMP/crawl/x.cdxj" && mv "$TMP/crawl/x.cdxj.gz" "$TMP/x.cdxj.gz"
run $P "$TMP/x.cdxj.gz" --warc-prefix "$TMP/crawl"
is "$(urls)" "/p2 /three " "compressed, elsewhere, with --warc-prefix"
{ index many.warc.gz $P2; index ../data.warc.gz 0 100; index /etc/passwd 0 100; index gone.warc.gz 0 9; index many.warc.gz 3 50; echo 'com,x)/ 20260101 {"filename":1}'; index link.warc.gz 0 100; } >"$TMP/crawl/bad.cdxj"
ln -s ../data.warc.gz "$TMP/crawl/link.warc.gz"
run "$ADIT" pack --jobs 1 "$TMP/crawl/bad.cdxj" -o "$TMP/cdxbad"
rm "$TMP/crawl/link.warc.gz"
is_status 1 "an index with bad lines"
is "$(jq -r '.losses[]|.file+": "+.reason' "$TMP/cdxbad/report.json" | sed "s,$TMP/,," | sort | tr '\n' ';')" \
  "../data.warc.gz: is named by an index, and leads out of the folder (see --warc-prefix);/etc/passwd: is named by an index, and leads out of the folder (see --warc-prefix);crawl/bad.cdxj: a line of the index lacks filename, offset or length;gone.warc.gz: No such file or directory;link.warc.gz: is a link, or lies behind one; no link is followed here;many.warc.gz: bytes that belong to no record;many.warc.gz: holds no WARC or ARC record;" \
  "never leads out of its folder; every loss is listed"
is "$(jq .pages "$TMP/cdxbad/report.json")" 1 "the good one is published"

for i in $(seq 3000); do echo 'com,x)/ 20260101 {"filename":1}'; done >"$TMP/crawl/flood.cdxj"
run $P "$TMP/crawl/flood.cdxj"
is_status 1 "an index with nothing but bad lines"
is "$(grep -c lacks "$TMP/err")" 1000 "is not said three thousand times"

# --- URLs ---
mkfifo "$TMP/hold"
python3 batch/crawl/tests/inputs_server.py "$TMP" <"$TMP/hold" >"$TMP/port" &
server=$!
exec 9>"$TMP/hold"
wait_for test -s "$TMP/port"
U="http://127.0.0.1:$(cat "$TMP/port")"
for how in ranges plain moved cut; do
  run $P "$U/$how/crawl/many.warc.gz"
  is_status 0 "a URL ($how)"
  is "$(urls)" "/p1 /p2 /p3 " "its pages"
done
run $P "$U/gone/crawl/many.warc.gz"
is_status 1 "a URL that is not there"
err_has "the server answers 404" "says so"
run $P "$U/secret/crawl/many.warc.gz"
err_has "the server answers 401" "a URL that wants a key"
run $P "$U/secret/crawl/many.warc.gz" --header 'X-Key: abc'
is_status 0 "with --header"
run $P "$U/ranges/fine.wacz"
is "$(urls)" "/a /js " "a WACZ file by URL"
run $P "$U/ranges/crawl/x.cdxj"
is "$(urls)" "/p2 /three " "a CDXJ index by URL, its files beside it"
run $P "$TMP/crawl/x.cdxj" --warc-prefix "$U/ranges/crawl/"
is "$(urls)" "/p2 /three " "a local index of files by URL"
index "$U/ranges/crawl/many.warc.gz" $P2 >"$TMP/ssrf.cdxj"
run $P "$TMP/ssrf.cdxj"
is_status 1 "an index that names a server on this machine"
err_has "$U/ranges/crawl/many.warc.gz: " "is not followed"
run $P "http://127.0.0.1.nip.invalid/x.warc.gz"
err_has "is not https (--allow-http lets it pass)" "plain http to others needs a word"
python3 - "$TMP/big.warc" <<'X'
import sys
with open(sys.argv[1], "wb") as f:
    for i in range(1200):
        body = b"<title>Big</title><main><h1>Big page</h1><p>Every page here has a paragraph that is long enough to count.</p></main><!-- " + b"x" * 20000 + b"-->"
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        f.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.com/big/%d\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n" % (i, len(http)) + http + b"\r\n\r\n")
X
run $P "$U/cut/big.warc"
is "$(grep -c '^+' "$TMP/out")" 1200 "24 MB in several windows, each of which breaks off once"
run $P "$U/changing/big.warc"
is_status 1 "a file that changes while it is read"
err_has "the file changed on the server while it was read" "says so"

# --- S3 ---
export AWS_ENDPOINT_URL_S3="$U/s3" AWS_REGION=eu-central-1 AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=secret
cp "$TMP/crawl/many.warc.gz" "$TMP/odd name+(1).warc.gz"
run $P "s3://bucket/crawl/many.warc.gz"
is_status 0 "s3://, signed"
is "$(urls)" "/p1 /p2 /p3 " "its pages"
run $P "s3://bucket/odd name+(1).warc.gz"
is_status 0 "a key with signs that must be escaped"
AWS_SESSION_TOKEN=token/with+signs== run $P "s3://bucket/crawl/many.warc.gz"
is_status 0 "with a session token"
AWS_SECRET_ACCESS_KEY=wrong run $P "s3://bucket/crawl/many.warc.gz"
is_status 1 "a wrong secret"
err_has "the server answers 403" "is refused"
run $P "s3://bucket"
err_has "is not s3://BUCKET/KEY" "a URL without a key"
unset AWS_SECRET_ACCESS_KEY
run $P "s3://bucket/x"
err_has "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" "without credentials"
exec 9>&-
wait $server

# --- TLS ---
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext 'subjectAltName=IP:127.0.0.1' -keyout "$TMP/key" -out "$TMP/cert" 2>/dev/null
: >"$TMP/port"
python3 batch/crawl/tests/inputs_server.py "$TMP" "$TMP/cert" "$TMP/key" <"$TMP/hold" >"$TMP/port" &
server=$!
exec 9>"$TMP/hold"
wait_for test -s "$TMP/port"
U="https://127.0.0.1:$(cat "$TMP/port")"
run $P "$U/ranges/crawl/many.warc.gz"
is_status 1 "a server that cannot prove who it is"
err_has "could not prove who it is" "says so"
run $P "$U/ranges/crawl/many.warc.gz" --cacert "$TMP/cert"
is_status 0 "with --cacert"
exec 9>&-
wait $server

# --- conversion records ---
{
  printf '{"url":"%s/wet","date":"2026-01-01T00:00:00Z","record":"conversion","type":"text/plain","body":"The title\\nA paragraph of text that somebody has made of the page.\\n\\nAnother one."}\n' $E
  printf '{"url":"%s/both","date":"2026-01-01T00:00:00Z","record":"conversion","type":"text/plain","body":"not used"}\n' $E
  row /both
} | gen plain >"$TMP/wet.warc"
run "$ADIT" pack --jobs 1 --compress none "$TMP/wet.warc" -o "$TMP/wet" --generated 2026-01-05
is_status 0 "conversion records"
is "$(sed -n '2,$p' "$TMP/wet/all-snapshot-20260105T000000Z.scp" | jq -c '[.url,.title,(.content|length)]' | tr '\n' ' ')" \
  '["https://example.com/both","/both",2] ["https://example.com/wet","The title",3] ' "are pages where there is no HTML"
is "$(jq '.captures, .pages + ([.skips[]]|add)' "$TMP/wet/report.json" | tr '\n' ' ')" "3 3 " "every capture is listed or counted"

# --- real files, where they are at hand ---
W="$ADIT_CORPUS/warc"
if [ -d "$W" ]; then
  run $P "$W/webrecorder__pywb/valid_example_1.wacz" --mixed
  is_status 0 "a real WACZ file"
  out_has "+ https://www.example.com/" "its page"
  run $P "$W/webrecorder__pywb/invalid_example_1.wacz" --mixed
  err_has "is a ZIP file, but no WACZ" "one that is none"
  run $P "$W/webrecorder__pywb" --mixed
  out_has "+ https://www.iana.org/" "a folder of real archives"
  run $P "$W/commoncrawl__whirlwind-python/whirlwind.warc.wet.gz" --mixed
  out_has "1 page would be listed" "a WET file of Common Crawl"
else
  skip "real files" "no corpus"
fi
done_testing
