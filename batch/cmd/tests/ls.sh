# Slow: adit ls: records as they are stored, indexes that lead back to them; check of WARC files.
. batch/tests/lib.sh
E=https://example.com
page='<title>A page</title><main><h1>A page</h1><p>Every page here has a paragraph that is long enough to count as content.</p></main>'
row() { printf '{"url":"%s%s","date":"2026-01-0%s","body":"%s"%s}\n' $E "$1" "$2T00:00:00Z" "$page" "${3:+,$3}"; }
{
  row /b 2
  row /a 1
  row /a 1 '"record":"request","headers":{"Accept":"*/*"}'
  row /gone 1 '"status":404'
  row /doc 1 '"record":"resource","type":"application/pdf"'
  row '/q?b=2&a=1' 1
} >"$TMP/rows"
for how in plain members one; do gen $how <"$TMP/rows" >"$TMP/$how.warc"; done

# --- lists ---
run "$ADIT" ls "$TMP/members.warc"
is_status 0 "lists"
is "$(awk '{print $3, $4, $5, $6}' "$TMP/out" | tr '\n' ';')" \
  "response 200 text/html $E/b;response 200 text/html $E/a;request - - $E/a;response 404 text/html $E/gone;resource - application/pdf $E/doc;response 200 text/html $E/q?b=2&a=1;" "type, status, media type, URL"
for how in plain members; do
  run "$ADIT" ls --json "$TMP/$how.warc"
  is "$(python3 - "$TMP/$how.warc" "$TMP/out" <<'X'
import json, sys, zlib
data, good, at = open(sys.argv[1], "rb").read(), 0, 0
for line in open(sys.argv[2]):
    r = json.loads(line)
    part = data[r["offset"]:r["offset"] + r["length"]]
    if part[:2] == b"\x1f\x8b":
        d = zlib.decompressobj(31)
        part = d.decompress(part)
        assert d.eof and not d.unused_data
    good += part.startswith(b"WARC/1.0\r\n") and ("WARC-Target-URI: " + r["url"] + "\r\n").encode() in part and part.endswith(b"\r\n\r\n") and r["offset"] == at
    at = r["offset"] + r["length"]
print(good, at == len(data))
X
)" "6 True" "offsets and lengths are those of the records ($how)"
done
run sh -c "cat $TMP/members.warc | $ADIT ls -"
is_status 0 "from a pipe"

# --- indexes ---
mkdir "$TMP/i"
for how in plain members; do
  cp "$TMP/$how.warc" "$TMP/i/$how.warc"
  "$ADIT" ls --cdxj "$TMP/i/$how.warc" >"$TMP/i/$how.cdxj"
  is "$(cut -d' ' -f1,2 "$TMP/i/$how.cdxj" | tr '\n' ';')" \
    "com,example)/a 20260101000000;com,example)/b 20260102000000;com,example)/doc 20260101000000;com,example)/gone 20260101000000;com,example)/q?a=1&b=2 20260101000000;" "an index by key ($how)"
  run "$ADIT" pack --jobs 1 --compress none "$TMP/i/$how.cdxj" -o "$TMP/p1" --generated 2026-01-05
  is_status 0 "pack reads the captures of the index"
  run "$ADIT" pack --jobs 1 --compress none "$TMP/i/$how.warc" -o "$TMP/p2" --generated 2026-01-05
  same "$TMP/p1/all-snapshot-20260105T000000Z.scp" "$TMP/p2/all-snapshot-20260105T000000Z.scp" "as those of the file"
done
is "$(sed -n 1p "$TMP/i/plain.cdxj" | cut -d' ' -f3- | jq -r '.digest,.mime,.status,.filename' | tr '\n' ' ')" \
  "sha1:$(printf '%s' "$page" | openssl sha1 -binary | base32) text/html 200 plain.warc " "digest, type, status, file"
run "$ADIT" ls --cdxj "$TMP/one.warc"
is_status 1 "a file of one gzip member cannot be indexed"
err_has "share a gzip member with others" "says so"
{ for i in $(seq 3000); do row /p$((i % 1000))/$i 1; done; } | gen members >"$TMP/big.warc.gz"
"$ADIT" ls --cdxj "$TMP/big.warc.gz" >"$TMP/big.cdxj"
is "$(wc -l <"$TMP/big.cdxj" | tr -d ' ')" 3000 "a larger index"
ok "$(LC_ALL=C sort -c "$TMP/big.cdxj"; echo $?)" "is sorted"

# --- large records: longer than the reader's window ---
python3 - "$TMP/large.warc" <<'X'
import base64, gzip, hashlib, sys
out = open(sys.argv[1], "wb")
outz = open(sys.argv[1] + ".gz", "wb")
for i, n in enumerate((100, 30_000_000, 100)):
    body = (b"%d" % i) * n
    http = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + body
    d = lambda b: b"sha1:" + base64.b32encode(hashlib.sha1(b).digest())
    r = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:0-%d>\r\nWARC-Target-URI: https://example.com/v%d\r\nWARC-Date: 2026-01-01T00:00:00.5Z\r\nWARC-Block-Digest: %s\r\nWARC-Payload-Digest: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % (i, i, d(http), d(body), len(http)) + http + b"\r\n\r\n"
    out.write(r)
    outz.write(gzip.compress(r, 1))
X
for f in large.warc large.warc.gz; do
  run "$ADIT" ls --json "$TMP/$f"
  is "$(jq -s 'length, (.[-1]|.offset+.length)' "$TMP/out" | tr '\n' ' ')" "3 $(wc -c <"$TMP/$f" | tr -d ' ') " "$f: lengths of large records"
  run "$ADIT" check "$TMP/$f"
  is_status 0 "$f is valid"
  out_has "3 records, 6 digests verified" "all digests were verified"
done

# --- pages of collections ---
run "$ADIT" ls "$TMP/p1"
is_status 0 "a publication"
out_has "$E/a  A page" "its pages"
run "$ADIT" ls --json "$TMP"/p1/all-snapshot-*.scp
is "$(jq -r .title "$TMP/out" | sort -u)" "A page" "a collection, in JSON"
echo "$TMP/missing.warc" >"$TMP/list"
run "$ADIT" ls "$TMP/p1" --paths-file "$TMP/list"
is_status 1 "a list beside a publication is read, too"
run "$ADIT" ls "$TMP/p1" --shard 2/2
is_status 2 "a publication, and a shard that is none"
err_has "--shard '2/2' is not I/N" "says so"
is "$(cat "$TMP/out")" "" "before anything is listed"
run "$ADIT" ls
is_status 2 "no input"
run "$ADIT" ls "$TMP/not-there"
is_status 1 "an input that is not there"

# --- check ---
good() { # a record with all that it needs, and one line more or changed
  python3 - "$1" "$2" <<'X'
import base64, hashlib, sys
how, n = sys.argv[1], sys.argv[2]
body = b"5\r\nhello\r\n0\r\n\r\n" if "chunked" in how else b"hello"
http = b"HTTP/1.1 200 OK\r\n" + (b"Transfer-Encoding: chunked\r\n" if "chunked" in how else b"") + b"Content-Type: text/html\r\n\r\n" + body
d = lambda b: "sha1:" + base64.b32encode(hashlib.sha1(b).digest()).decode()
f = {"WARC-Type": "response", "WARC-Record-ID": "<urn:uuid:%s>" % n, "WARC-Date": "2026-01-01T00:00:00Z", "WARC-Target-URI": "https://example.com/",
     "WARC-Block-Digest": d(http), "WARC-Payload-Digest": d(b"hello" if how == "chunked" else body), "Content-Type": "application/http; msgtype=response", "Content-Length": str(len(http))}
version, tail, end = "WARC/1.0", b"\r\n\r\n", "\r\n"
if how == "version": version = "WARC/0.18"
if how == "noid": del f["WARC-Record-ID"]
if how == "badid": f["WARC-Record-ID"] = "urn:uuid:1"
if how == "date": f["WARC-Date"] = "2026-01-01T00:00:00+01:00"
if how == "fraction": f["WARC-Date"] = "2026-01-01T00:00:00.123Z"
if how == "type": f["WARC-Type"] = "novelty"
if how == "nouri": del f["WARC-Target-URI"]
if how == "brackets": f["WARC-Target-URI"] = "<https://example.com/>"
if how == "revisit": f["WARC-Type"] = "revisit"
if how == "continuation": f["WARC-Type"] = "continuation"
if how == "notype": del f["Content-Type"]
if how == "block": f["WARC-Block-Digest"] = d(b"x")
if how == "payload": f["WARC-Payload-Digest"] = d(b"x")
if how == "md5": f["WARC-Block-Digest"] = "md5:x"
if how == "baddigest": f["WARC-Block-Digest"] = "sha1:abc"
if how == "end": tail = b"\r\n"
if how == "lf": end = "\n"
lines = [version] + ["%s: %s" % x for x in f.items()]
if how == "twice": lines.append("WARC-Date: 2026-01-01T00:00:00Z")
sys.stdout.buffer.write((end.join(lines) + end + end).encode() + http + tail)
X
}
while read -r how status_wanted rule; do
  { good "$how" 1; good fine 2; } >"$TMP/x.warc"
  run "$ADIT" check "$TMP/x.warc" --json
  rules=$(jq -r '.rules|keys|join(" ")' "$TMP/out")
  is "$status${rules:+ }$rules" "$status_wanted${rule:+ }$rule" "check: $how" || show
done <<X
fine 0 
chunked 0 
rawchunked 0 
version 0 warc-version
noid 1 warc-missing
badid 1 warc-record-id
date 1 warc-date
fraction 1 warc-date
type 0 warc-type
nouri 1 warc-target-uri
brackets 0 warc-uri-brackets
revisit 1 warc-profile
continuation 1 warc-segment
notype 0 warc-content-type
block 1 warc-block-digest
payload 1 warc-payload-digest
md5 0 warc-digest-unknown
baddigest 1 warc-digest-form
end 1 warc-end
lf 0 warc-line-end
twice 0 warc-twice
X
gzip -c "$TMP/x.warc" >"$TMP/x.warc.gz"
run "$ADIT" check "$TMP/x.warc.gz"
out_has "[warc-member]" "two records in one gzip member"
{ good fine 1 | gzip; printf 'xx'; good fine 2 | gzip; } >"$TMP/x.warc.gz"
run "$ADIT" check "$TMP/x.warc.gz"
is_status 1 "damage between members"
out_has "[warc-damaged]" "is found"
printf 'hello' >"$TMP/x.warc"
run "$ADIT" check "$TMP/x.warc"
is_status 1 "no record at all"
python3 batch/crawl/tests/make_wacz.py "$TMP/x.wacz" "$TMP/large.warc.gz" hash </dev/null
run "$ADIT" check "$TMP/x.wacz"
is_status 1 "a WACZ file with another hash"
out_has "[warc-unreadable]" "is not valid"
mkdir "$TMP/folder" && cp "$TMP/large.warc.gz" "$TMP/folder/"
run "$ADIT" check "$TMP/folder"
is_status 0 "a folder of archives"

# --- binaries that are called HTML; what the crawler identified ---
{
  row /a 1
  printf '{"url":"%s/pdf","date":"2026-01-01T00:00:00Z","body":"%%PDF-1.4 x"}\n' $E
  row /identified 1 '"warc":{"WARC-Identified-Payload-Type":"application/pdf"}'
  row /unknown 1 '"type":"application/x-thing","warc":{"WARC-Identified-Payload-Type":"text/html"}'
} | gen plain >"$TMP/b.warc"
run "$ADIT" pack --jobs 1 "$TMP/b.warc" -o "$TMP/b"
is "$(jq -c '[.binaries,.skips]' "$TMP/b/report.json")" '[{"pdf":1},{"not_html":1,"binary":1}]' "binaries are named"
is "$("$ADIT" cat "$TMP/b" | jq -r .url | sed "s,$E,," | tr '\n' ' ')" "/a /unknown " "the identified type counts"

# --- real files, where they are at hand ---
W="$ADIT_CORPUS/warc"
if [ -d "$W" ]; then
  run "$ADIT" check "$W/iipc__warc-specifications/hello-world.warc" "$W/commoncrawl__whirlwind-python/whirlwind.warc.gz" "$W/openzim__warc2zim/kiwix-with-redirects.warc.gz"
  is_status 0 "valid files of others"
  run "$ADIT" check "$W/richardlehane__webarchive/invalid-warcrecorddigests-1.warc"
  is_status 1 "a file with a wrong digest"
  out_has "[warc-digest-form]" "which is named"
else
  skip "real files" "no corpus"
fi
done_testing
