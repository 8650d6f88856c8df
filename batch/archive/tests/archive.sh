# Slow: adit archive: the versioning rules, reading, stages, tombstones, signatures, and what kills leave.
. batch/tests/lib.sh
# page TITLE TEXT [HEAD]: a small HTML page
page() {
  printf '<!doctype html><html lang=\\"en\\"><head><title>%s</title>%s</head><body><main><h1>%s</h1><p>Every page here has a paragraph that is long enough to count as content, and this sentence is it.</p><p>%s</p></main></body></html>' "$1" "$3" "$1" "$2"
}
# row URL DATE TEXT [MORE JSON MEMBERS]
row() { printf '{"url":"%s","date":"%s","body":"%s"%s}\n' "$1" "$2" "$(page Title "$3")" "${4:+,$4}"; }
tree_of() { (cd "$1" && find . -path ./.adit -prune -o -type f -print | LC_ALL=C sort | xargs sha256sum); }
same_store() { # same_store DIR DIR WHAT
  tree_of "$1" >"$TMP/t1"
  tree_of "$2" >"$TMP/t2"
  same "$TMP/t1" "$TMP/t2" "$3"
}
E=https://example.com
D1=2026-01-01T00:00:00Z D2=2026-01-02T00:00:00Z D3=2026-01-03T00:00:00Z D4=2026-01-04T00:00:00Z D5=2026-01-05T00:00:00Z
A="$ADIT archive"
S="$TMP/s"
m() { $A show "$S" "$@"; } # m URL [N]: a manifest

# --- first version -------------------------------------------------------------------------------
row $E/a $D1 "First text." '"headers":{"ETag":"\"e1\"","Last-Modified":"Thu, 01 Jan 2026 00:00:00 GMT"}' >"$TMP/r1"
{
  cat "$TMP/r1"
  row $E/b $D1 "Another page."
} | gen members >"$TMP/1.warc.gz"
run $A "$TMP/1.warc.gz" -o "$S" --json --crawler Test/1.0
is_status 0 "ingests"
is "$(jq -c '[.artifacts,.versions]' "$TMP/out")" "[2,2]" "two pages, two versions"
m $E/a >"$TMP/m"
jq -r .body "$TMP/r1" | tr -d '\n' >"$TMP/raw"
is "$(jq -r .content.raw.sha256 "$TMP/m")" "sha256:$(sha256sum <"$TMP/raw" | cut -d' ' -f1)" "hash of the raw bytes"
is "$(jq -r .id "$TMP/m")" "urn:spp:artifact:$(python3 -c "import uuid;print(uuid.uuid5(uuid.NAMESPACE_URL,'$E/a'))")" "id"
is "$(jq -c '[.version.number,.version.previous,.version.createdAt]' "$TMP/m")" "[1,null,\"$D1\"]" "version"
is "$(jq -cS .provenance "$TMP/m")" "$(jq -cnS --arg d $D1 --arg h "$(jq -r .content.raw.sha256 "$TMP/m")" --arg u $E/a \
  '{crawler:"Test/1.0",etag:"\"e1\"",firstSeen:$d,lastModified:"Thu, 01 Jan 2026 00:00:00 GMT",lastSeen:$d,rawHash:$h,url:$u}')" "provenance"
is "$(jq -cS .metadata "$TMP/m")" '{"contentType":"text/html","description":"Every page here has a paragraph that is long enough to count as content, and this sentence is it.","language":"en","title":"Title"}' "metadata"
file=$(find "$S" -name semantic.json | grep "$(jq -r '.id|ltrimstr("urn:spp:artifact:")' "$TMP/m")")
href=$(jq -r .content.raw.storage.href "$TMP/m")
zcat "$(dirname "$file")/$href" >"$TMP/got"
same "$TMP/got" "$TMP/raw" "the reference leads from the manifest to the raw bytes"
is "$(jq -r .content.raw.storage.bytes "$TMP/m")" "$(wc -c <"$(dirname "$file")/$href" | tr -d ' ')" "with its size"
run $A get "$S" $E/a
same "$TMP/out" "$TMP/raw" "get"
run $A get "$S" $E/a --what clean
is "$(sha256sum <"$TMP/out" | cut -d' ' -f1)" "$(jq -r '.content.clean.sha256|ltrimstr("sha256:")' "$TMP/m")" "get --what clean"
is "$(jq -r '.content.chunks|length' "$TMP/m")" 1 "one chunk"
is "$(jq -r '.content.chunks[0].tokenCount' "$TMP/m")" "$(($(wc -c <"$TMP/out") / 4 + 1))" "its tokens"

# --- the rules -----------------------------------------------------------------------------------
cp -a "$S" "$TMP/before"
run $A "$TMP/1.warc.gz" -o "$S" --json --crawler Test/1.0
is "$(jq -c '[.versions,.known]' "$TMP/out")" "[0,2]" "the same again: nothing new"
same_store "$S" "$TMP/before" "and not a byte is another"
row $E/a $D2 "First text." '"headers":{"ETag":"\"e2\""}' | gen >"$TMP/2.warc"
run $A "$TMP/2.warc" -o "$S" --json
is "$(jq -c '[.versions,.unchanged,.patched]' "$TMP/out")" "[0,1,0]" "same bytes: no version"
is "$(m $E/a | jq -c '[.version.number,.provenance.firstSeen,.provenance.lastSeen,.provenance.etag,.provenance.crawler]')" \
  "[1,\"$D1\",\"$D2\",\"\\\"e2\\\"\",\"Test/1.0\"]" "lastSeen, and the header fields of last time"
row $E/a $D3 "Second text." | gen >"$TMP/3.warc"
run $A "$TMP/3.warc" -o "$S" --json
is "$(jq -c '[.versions,.artifacts]' "$TMP/out")" "[1,0]" "other bytes: a version"
is "$(m $E/a | jq -c '[.version.number,.version.previous,.version.diff.format,.version.diff.changeStats,.adit.cleanChanged]')" \
  '[2,1,"unified",{"deleted":1,"inserted":1,"pct":20},true]' "version 2, with a diff"
is "$(m $E/a 1 | jq -c '[.version.number,.provenance.lastSeen]')" "[1,\"$D2\"]" "version 1 stays as it was seen last"
$A get "$S" $E/a 1 --what clean >"$TMP/old"
$A get "$S" $E/a 2 --what clean >"$TMP/new"
$A get "$S" $E/a 2 --what diff >"$TMP/d"
if command -v patch >/dev/null; then
  patch -s -o "$TMP/patched" "$TMP/old" "$TMP/d"
  same "$TMP/patched" "$TMP/new" "patch(1) applies the diff"
else
  skip "patch(1) applies the diff" "no patch"
fi
row $E/a $D4 "First text." | gen >"$TMP/4.warc"
before=$(find "$S/objects" -type f | wc -l)
run $A "$TMP/4.warc" -o "$S" --json
is "$(m $E/a | jq .version.number)" 3 "back to the first bytes: a version, too"
is "$(find "$S/objects" -type f | wc -l)" "$((before + 1))" "whose only new object is the diff"
row $E/a $D5 "First text." '"headers":{"Content-Language":"de"},"type":"text/html; charset=utf-8"' | gen >"$TMP/5.warc"
run $A "$TMP/5.warc" -o "$S" --json
is "$(jq -c '[.versions,.patched,.unchanged]' "$TMP/out")" "[0,1,0]" "metadata only: a patch"
is "$(m $E/a | jq -c '[.version.number,.adit.patches[0].at,.adit.patches[0].was.contentType,.provenance.lastSeen]')" \
  "[3,\"$D5\",\"text/html\",\"$D5\"]" "without a new number"
row $E/a 2026-01-02T12:00:00Z "Too late." | gen >"$TMP/late.warc"
run $A "$TMP/late.warc" -o "$S" --json
is "$(jq -c '[.versions,.late]' "$TMP/out")" "[0,1]" "a capture from before is passed over"
row $E/a 2026-01-06T00:00:00Z "" '"record":"revisit","warc":{"WARC-Refers-To-Target-URI":"https://example.com/a"}' | gen >"$TMP/6.warc"
run $A "$TMP/6.warc" -o "$S" --json
is "$(m $E/a | jq -r .provenance.lastSeen)" 2026-01-06T00:00:00Z "a revisit is seeing it"
row $E/a 2026-01-07T00:00:00Z "Gone." '"status":404' | gen >"$TMP/7.warc"
run $A "$TMP/7.warc" -o "$S" --json
is "$(jq -c '[.versions,.skips.gone]' "$TMP/out")" "[0,1]" "a 404 changes nothing"
run $A verify "$S"
is_status 0 "all of it is sound"

# --- order of the input, threads -----------------------------------------------------------------
{
  row $E/a $D1 "One."
  row $E/a $D1 "One." '"headers":{"ETag":"\"b\""}'
  row $E/a $D1 "One." '"headers":{"ETag":"\"a\""}'
  row $E/a $D2 "Two."
  row $E/a $D3 "Two."
  row $E/a $D4 "One."
  row $E/a $D4 "At the same instant."
  for i in 1 2 3 4 5 6 7 8 9; do row http://host$i.example/p $D1 "Page $i."; done
} >"$TMP/rows"
gen members <"$TMP/rows" >"$TMP/x.warc.gz"
gen one shuffle 7 <"$TMP/rows" >"$TMP/y.warc.gz"
run $A "$TMP/x.warc.gz" -o "$TMP/x" --jobs 1
is_status 0 "a longer history"
run $A "$TMP/y.warc.gz" -o "$TMP/y" --jobs 8 --memory 8M
same_store "$TMP/x" "$TMP/y" "neither order nor threads matter"
is "$(jq 'length' "$(find "$TMP/x" -name versions.json | xargs grep -l '"version":4')")" 4 "two at one instant are two versions"
run $A "$TMP/y.warc.gz" "$TMP/x.warc.gz" -o "$TMP/y"
same_store "$TMP/x" "$TMP/y" "nor doing it again, twice"
# Stored: A. In one run: B, then A again.
row $E/a $D1 "One." | gen >"$TMP/a.warc"
{ row $E/a $D2 "Two."; row $E/a $D3 "One."; } | gen >"$TMP/ba.warc"
$A "$TMP/a.warc" -o "$TMP/z" >"$TMP/out"
run $A "$TMP/ba.warc" -o "$TMP/z" --json
is "$(jq -c .versions "$TMP/out")" 2 "known bytes behind new ones are a version"
run $A verify "$TMP/z"
is_status 0 "a sound one"

# --- a folder ------------------------------------------------------------------------------------
mkdir -p "$TMP/tree/sub"
page Home "The homepage." | tr -d '\\' >"$TMP/tree/index.html"
page Sub "A page below." | tr -d '\\' >"$TMP/tree/sub/p.html"
touch -d 2026-02-01T00:00:00Z "$TMP/tree/index.html" "$TMP/tree/sub/p.html"
run $A "$TMP/tree" --base-url $E/ -o "$TMP/ts" --json
is "$(jq .versions "$TMP/out")" 2 "a folder"
page Home "The homepage, changed." | tr -d '\\' >"$TMP/tree/index.html"
touch -d 2025-12-01T00:00:00Z "$TMP/tree/index.html"
run $A "$TMP/tree" --base-url $E/ -o "$TMP/ts" --json
is "$(jq -c '[.versions,.known]' "$TMP/out")" "[1,1]" "a file is the state of now, even with an older date"
run $A "$TMP/tree" --base-url $E/ -o "$TMP/ts" --json
is "$(jq -c '[.versions,.known]' "$TMP/out")" "[0,2]" "once"
gen plain <"$TMP/rows" >"$TMP/plain.warc"
run $A - -o "$TMP/in" <"$TMP/plain.warc"
is_status 0 "from standard input"
same_store "$TMP/in" "$TMP/x" "the same"

# --- what must not be archived -------------------------------------------------------------------
{
  row $E/ok $D1 "Fine."
  printf '{"url":"%s","date":"%s","body":"%s"}\n' $E/meta $D1 "$(page T x '<meta name=robots content=noarchive>')"
  row $E/tag $D1 "x" '"headers":{"X-Robots-Tag":"noarchive"}'
  row $E/cache $D1 "x" '"headers":{"Cache-Control":"max-age=60, no-archive"}'
  row $E/private $D1 "x" '"headers":{"Cache-Control":"private","Set-Cookie":"a=b"}'
  row $E/auth $D1 "x"
  row $E/auth $D1 "x" '"record":"request","headers":{"Authorization":"Basic eA=="}'
} | gen members >"$TMP/no.warc.gz"
run $A "$TMP/no.warc.gz" -o "$TMP/no" --json
is "$(jq -c '[.versions,.skips.noarchive,.skips.private,.skips.authenticated]' "$TMP/out")" "[1,3,1,1]" "noarchive, private and authenticated pages stay out"
is "$(find "$TMP/no/objects" -type f | wc -l)" 2 "without a trace"
{
  row $E/yes $D1 "Fine."
  row $E/no/a $D1 "Not for robots."
  printf '{"url":"%s/robots.txt","date":"%s","type":"text/plain","body":"User-agent: *\\nDisallow: /no/\\n\\nUser-agent: special\\nDisallow: /yes\\n"}\n' $E $D1
  printf '{"url":"%s/robots.txt","date":"2025-01-01T00:00:00Z","type":"text/plain","body":"User-agent: *\\nDisallow: /\\n"}\n' $E
  row https://other.example/no/a $D1 "Another host."
} | gen members >"$TMP/robots.warc.gz"
run $A "$TMP/robots.warc.gz" -o "$TMP/rob" --json
is "$(jq -c '[.versions,.disallowed]' "$TMP/out")" "[2,1]" "the newest robots.txt of the input counts"
run $A get "$TMP/rob" $E/no/a
is_status 1 "for its own host"
run $A "$TMP/robots.warc.gz" -o "$TMP/rob2" --json --robots special
is "$(jq -c '[.versions,.disallowed]' "$TMP/out")" "[2,1]" "rules for one robot"
run $A get "$TMP/rob2" $E/yes
is_status 1 "which disallow something else"
run $A "$TMP/robots.warc.gz" -o "$TMP/rob3" --json --ignore-robots
is "$(jq -c '[.versions,.disallowed]' "$TMP/out")" "[3,0]" "--ignore-robots"
run $A "$TMP/no.warc.gz" -o "$TMP/no2" --json --keep-noarchive
is "$(jq -c .versions "$TMP/out")" 4 "--keep-noarchive"

# --- reading -------------------------------------------------------------------------------------
run $A ls "$S"
is "$(wc -l <"$TMP/out" | tr -d ' ')" 3 "ls: a line a page"
is "$(head -n 1 "$TMP/out" | tr -s ' ')" "ID VERSIONS LAST SEEN URL" "under a header"
is "$(sed 1d "$TMP/out" | awk '{print $4}')" "$(sed 1d "$TMP/out" | awk '{print $4}' | LC_ALL=C sort)" "sorted by URL"
run $A ls "$S" --json
is "$(jq -r .url "$TMP/out")" "$(jq -r .url "$TMP/out" | LC_ALL=C sort)" "as JSON, too"
run $A ls "$S" $E/a
is "$(wc -l <"$TMP/out" | tr -d ' ')" 3 "ls URL: a line a version"
run $A ls "$S" $E/a --json
is "$(jq -c '[.[]|.version]' "$TMP/out")" "[1,2,3]" "the same in JSON"
run $A diff "$S" $E/a 1 2
out_has "+Second text." "diff"
if grep -q "$(printf '\033')" "$TMP/out"; then ok 1 "no colour without a terminal"; else ok 0 "no colour without a terminal"; fi
if command -v script >/dev/null; then
  # While stdin is open: at its end script(1) may leave before all was written.
  sleep 3 | script -qec "$A diff '$S' $E/a 1 2" /dev/null >"$TMP/out"
  out_has "$(printf '\033[32m+Second text.')" "colour on a terminal"
else
  skip "colour on a terminal" "no script(1)"
fi
(cd "$S" && $A show "$(jq -r .id "$TMP/m")" 1) | jq -e .id >/dev/null
ok $? "an id for a URL, the current folder for DIR"
run $A show -o "$S" $E/a 9
is_status 1 "a version that is not there"
err_has "has 3 versions only" "says so"
run $A get "$S" $E/nowhere
is_status 1 "a page that is not there"
run $A ls "$TMP"
err_has "is not an archive" "a folder that is none"
mkdir "$TMP/full" && touch "$TMP/full/file"
run $A "$TMP/1.warc.gz" -o "$TMP/full"
is_status 3 "somebody's folder is left alone"
run $A verify "$S" x
is_status 2 "usage"

# --- stages --------------------------------------------------------------------------------------
run $A "$TMP/x.warc.gz" -o "$TMP/st" --stage ingest
is_status 0 "stage ingest"
cp "$TMP/out" "$TMP/events"
is "$(wc -l <"$TMP/events" | tr -d ' ')" 13 "an event a version"
is "$(head -n 1 "$TMP/events" | jq -c 'keys')" '["artifactId","event","jobId","rawSha256","s3RawKey","version"]' "with its members"
zcat "$TMP/st/$(head -n 1 "$TMP/events" | jq -r .s3RawKey)" | sha256sum | cut -d' ' -f1 >"$TMP/got"
is "sha256:$(cat "$TMP/got")" "$(head -n 1 "$TMP/events" | jq -r .rawSha256)" "s3RawKey leads to the bytes"
run $A verify "$TMP/st"
is_status 0 "a sound archive"
head -n 5 "$TMP/events" >"$TMP/some"
run $A "$TMP/some" -o "$TMP/st" --stage enrich
is "$(jq -r .event "$TMP/out" | sort | uniq -c | tr -s ' ')" " 5 version-enriched" "stage enrich, of the artifacts named"
run $A -o "$TMP/st" --stage enrich
is "$(wc -l <"$TMP/out" | tr -d ' ')" 8 "and of all others"
same_store "$TMP/st" "$TMP/x" "the stages apart give what they give together"
run $A -o "$TMP/st" --stage enrich
is "$(wc -l <"$TMP/out" | tr -d ' ')" 0 "once"
$A "$TMP/x.warc.gz" -o "$TMP/st2" --stage ingest 2>"$TMP/err" | $A - -o "$TMP/st2" --stage enrich >"$TMP/out" 2>>"$TMP/err"
same_store "$TMP/st2" "$TMP/x" "one stage into the next"
cat >"$TMP/vector" <<'END'
#!/bin/sh
n=$(wc -c)
echo x >>"$0.calls"
echo "[0.5, -1, $n]"
END
chmod +x "$TMP/vector"
run $A -o "$TMP/st" --stage embed --embed "$TMP/vector" --model test-3
is "$(jq -r .event "$TMP/out" | sort -u)" version-embedded "stage embed"
is "$(wc -l <"$TMP/vector.calls" | tr -d ' ')" 13 "asks once a chunk"
f=$(find "$TMP/st" -path '*/1/semantic.json' | head -n 1)
is "$(jq -c '.content.chunks[0].embedding|[.model,.dims]' "$f")" '["test-3",3]' "model and dimensions"
is "$(od -An -tf4 "$(dirname "$f")/$(jq -r '.content.chunks[0].embedding.href' "$f")" | tr -s ' ' | cut -d' ' -f2,3)" "0.5 -1" "the vector"
run $A -o "$TMP/st" --stage embed --embed "$TMP/vector" --model test-3
is "$(wc -l <"$TMP/vector.calls" | tr -d ' ')" 13 "and not again"
run $A verify "$TMP/st"
is_status 0 "a sound archive"
run $A -o "$TMP/st" --stage embed --embed "echo no" --model other
is_status 3 "an answer that is no vector"
run $A -o "$TMP/st" --stage embed --embed false --model other
err_has "the command failed" "a command that fails"
run $A "$TMP/x.warc.gz" -o "$TMP/st3" --embed "$TMP/vector" --events
is "$(jq -r .event "$TMP/out" | sort | uniq -c | tr -s ' \n' ' ')" " 13 version-created 13 version-embedded 13 version-enriched " "all stages at once"
run $A "$TMP/events" -o "$TMP/st" --stage nonsense
is_status 2 "no such stage"

# --- nothing to archive: a script can tell ---------------------------------------------------------
{ printf '{"url":"%s/robots.txt","date":"%s","type":"text/plain","body":"User-agent: *\\nDisallow: /"}\n' $E $D1; row $E/a $D1 "Not allowed."; } | gen members >"$TMP/none.warc.gz"
run $A "$TMP/none.warc.gz" -o "$TMP/none" -q
is_status 1 "nothing was archived"
err_has "nothing was archived: 1 disallowed by the input's robots.txt" "the reasons are said, also with -q"
run $A "$TMP/none.warc.gz" -o "$TMP/none" -q --ignore-robots
is_status 0 "something was"
run $A "$TMP/none.warc.gz" -o "$TMP/none" -q --ignore-robots
is_status 0 "what is there already is no failure"

# --- signatures ----------------------------------------------------------------------------------
printf '%064d\n' 7 >"$TMP/key"
run $A "$TMP/x.warc.gz" -o "$TMP/sig" --sign "$TMP/key"
is_status 0 "signs"
run $A verify "$TMP/sig" --key "$TMP/key" --json
is "$(jq -c '[.endorsements,.faults]' "$TMP/out")" "[13,0]" "and verifies"
printf '%064d\n' 8 >"$TMP/key2"
run $A verify "$TMP/sig" --key "$TMP/key2"
is_status 1 "another key"
if command -v openssl >/dev/null; then
  openssl ecparam -name prime256v1 -genkey -noout -out "$TMP/k.pem" 2>/dev/null
  openssl pkcs8 -topk8 -nocrypt -in "$TMP/k.pem" -out "$TMP/k8.pem" 2>/dev/null
  openssl ec -in "$TMP/k.pem" -pubout -out "$TMP/pub.pem" 2>/dev/null
  run $A "$TMP/x.warc.gz" -o "$TMP/sig1" --sign "$TMP/k.pem"
  run $A "$TMP/x.warc.gz" -o "$TMP/sig2" --sign "$TMP/k8.pem"
  same_store "$TMP/sig1" "$TMP/sig2" "PEM, both forms"
  run $A verify "$TMP/sig1" --key "$TMP/pub.pem"
  is_status 0 "verified with the public key"
  f=$(find "$TMP/sig1" -path '*/1/semantic.json' | head -n 1)
  jq -cSj '{canonical,content:{raw:{sha256:.content.raw.sha256}},id,version:{number:.version.number}}' "$f" >"$TMP/signed"
  python3 - "$f" >"$TMP/der" <<'END'
import base64, json, sys
s = json.load(open(sys.argv[1]))["endorsements"][0]["signature"]
s = base64.urlsafe_b64decode(s + "==")
num = lambda b: b"\x02" + bytes([len(b := (b"\0" if b[0] & 128 else b"") + b)]) + b
strip = lambda b: b.lstrip(b"\0") or b"\0"
body = num(strip(s[:32])) + num(strip(s[32:]))
sys.stdout.buffer.write(b"\x30" + bytes([len(body)]) + body)
END
  openssl dgst -sha256 -verify "$TMP/pub.pem" -signature "$TMP/der" "$TMP/signed" >"$TMP/out" 2>&1
  out_has "Verified OK" "OpenSSL agrees"
else
  skip "PEM keys" "no openssl"
fi
f=$(find "$TMP/sig" -path '*/1/semantic.json' | head -n 1)
sed -i 's,"canonical":"https://,&evil.,' "$f"
run $A verify "$TMP/sig"
err_has "an endorsement is not valid" "a changed manifest"
run $A "$TMP/x.warc.gz" -o "$TMP/sig3" --sign "$TMP/events"
is_status 2 "not a key"

# --- tombstones ----------------------------------------------------------------------------------
{ row $E/a $D1 "Shared."; row $E/b $D1 "Shared."; row $E/a $D2 "Own."; } | gen >"$TMP/t.warc"
$A "$TMP/t.warc" -o "$TMP/tomb" >"$TMP/out"
raw=$($A show "$TMP/tomb" $E/a | jq -r .provenance.rawHash)
run $A tombstone $E/a -o "$TMP/tomb" --reason "asked for"
is_status 0 "tombstone"
is "$($A show "$TMP/tomb" $E/a | jq -c '[.content,.provenance.rawHash,.tombstone.reason,.metadata.title]')" "[null,\"$raw\",\"asked for\",null]" "hash and provenance stay"
run $A get "$TMP/tomb" $E/b
is_status 0 "what another page has, too, stays"
is "$(find "$TMP/tomb/objects" -type f | wc -l)" 2 "the rest is gone"
run $A get "$TMP/tomb" $E/a
is_status 1 "nothing to get"
row $E/a $D3 "Again." | gen >"$TMP/t2.warc"
run $A "$TMP/t2.warc" -o "$TMP/tomb" --json
is "$(jq -c '[.versions,.tombstoned]' "$TMP/out")" "[0,1]" "and it is not archived again"
is_status 1 "which is nothing archived"
err_has "nothing was archived: 1 of pages that have a tombstone" "and says why"
run $A verify "$TMP/tomb"
is_status 0 "a sound archive"
run $A tombstone "$TMP/tomb" $E/a
is_status 0 "twice is once"

# --- damage --------------------------------------------------------------------------------------
cp -a "$TMP/x" "$TMP/bad"
f=$(find "$TMP/bad/objects" -type f | head -n 1)
printf x >>"$f"
run $A verify "$TMP/bad"
is_status 1 "verify finds a damaged object"
rm "$f"
run $A verify "$TMP/bad"
is_status 1 "and a missing one"

# --- archives of strangers -----------------------------------------------------------------------
if [ -d "$ADIT_CORPUS/warc" ]; then
  find "$ADIT_CORPUS/warc" -type f \( -name '*.warc*' -o -name '*.arc*' \) | LC_ALL=C sort >"$TMP/list"
  xargs $A -o "$TMP/c1" <"$TMP/list" >"$TMP/out" 2>"$TMP/err"
  LC_ALL=C sort -r "$TMP/list" | xargs $A -o "$TMP/c2" --jobs 3 >/dev/null 2>&1
  same_store "$TMP/c1" "$TMP/c2" "odd WARC files, from both ends"
  run $A verify "$TMP/c1" --json
  is_status 0 "make a sound archive"
  is "$(jq '.artifacts > 200' "$TMP/out")" true "of hundreds of pages"
  xargs $A -o "$TMP/c1" --json <"$TMP/list" >"$TMP/out" 2>"$TMP/err"
  is "$(jq -c '[.versions,.late,.unchanged,.patched]' "$TMP/out")" "[0,0,0,0]" "to which a second run adds nothing"
  same_store "$TMP/c1" "$TMP/c2" "nor changes anything"
else
  skip "odd WARC files" "no corpus"
fi

# --- kills ---------------------------------------------------------------------------------------
# What the preloaded killer needs: the program without sanitizers, and a compiler.
R=${ADIT_RELEASE:-$ADIT}
{ row $E/a $D1 "One."; row $E/a $D2 "Two."; row $E/b $D1 "Bee."; } | gen >"$TMP/k1.warc"
{ row $E/a $D3 "Three."; row $E/b $D3 "Bee."; row $E/c $D3 "Sea."; } | gen >"$TMP/k2.warc"
if ${CC:-cc} -shared -fPIC -o "$TMP/kill.so" batch/tests/preload/kill.c -ldl 2>/dev/null; then
  $R archive "$TMP/k1.warc" -o "$TMP/ref1" >/dev/null
  cp -a "$TMP/ref1" "$TMP/ref2"
  $R archive "$TMP/k2.warc" -o "$TMP/ref2" >/dev/null
  # storm WHAT START WANTED COMMAND…: at every step in turn, kills it or lets the step fail as on a
  # full disk; then runs it again, and compares.
  storm() {
    what=$1 start=$2 wanted=$3
    shift 3
    tree_of "$wanted" >"$TMP/t1"
    for how in KILL_AT FAIL_AT; do
      i=0 bad=0
      while [ "$bad" -lt 5 ]; do
        i=$((i + 1))
        rm -rf "$TMP/k"
        [ -z "$start" ] || cp -a "$start" "$TMP/k"
        status=0
        (env LD_PRELOAD="$TMP/kill.so" $how=$i "$@") >/dev/null 2>&1 || status=$?
        if [ $how = KILL_AT ]; then [ "$status" -eq 137 ] || break; else [ "$i" -lt "$steps" ] || break; fi
        "$@" >/dev/null 2>&1
        tree_of "$TMP/k" >"$TMP/t2"
        cmp -s "$TMP/t1" "$TMP/t2" || { bad=$((bad + 1)); echo "# $how=$i: another archive"; }
      done
      [ $how = FAIL_AT ] || steps=$i
      is "$bad" 0 "$what: $how"
    done
    if [ "$steps" -gt 20 ]; then ok 0 "at each of its steps"; else ok 1 "at $steps steps only"; fi
  }
  storm "killed while it is made" "" "$TMP/ref1" "$R" archive "$TMP/k1.warc" -o "$TMP/k" --jobs 1
  storm "killed while it grows" "$TMP/ref1" "$TMP/ref2" "$R" archive "$TMP/k2.warc" -o "$TMP/k" --jobs 1
  $R archive "$TMP/k1.warc" -o "$TMP/raw1" --stage ingest >/dev/null 2>&1
  storm "killed while it enriches" "$TMP/raw1" "$TMP/ref1" "$R" archive -o "$TMP/k" --stage enrich
  export SOURCE_DATE_EPOCH=1800000000
  cp -a "$TMP/ref2" "$TMP/ref3"
  $R archive tombstone $E/a -o "$TMP/ref3" >/dev/null
  storm "killed while it buries" "$TMP/ref2" "$TMP/ref3" "$R" archive tombstone $E/a -o "$TMP/k"
  # Events are told at least once, after the commit.
  lost=0 i=0
  while :; do
    i=$((i + 1))
    rm -rf "$TMP/k"
    status=0
    (env LD_PRELOAD="$TMP/kill.so" KILL_AT=$i "$R" archive "$TMP/k1.warc" -o "$TMP/k" --jobs 1 --events) >"$TMP/told" 2>/dev/null || status=$?
    [ "$status" -eq 137 ] || break
    "$R" archive "$TMP/k1.warc" -o "$TMP/k" --jobs 1 --events >>"$TMP/told" 2>/dev/null
    got=$(sort -u "$TMP/told" | wc -l)
    [ "$got" -eq 6 ] || { lost=$((lost + 1)); echo "# killed at step $i: $got events"; }
  done
  is "$lost" 0 "no event is lost"
else
  skip "kills" "no C compiler"
fi
# Two at once, several times.
for i in 1 2 3; do
  rm -rf "$TMP/two"
  $A "$TMP/k1.warc" -o "$TMP/two" >/dev/null 2>&1 &
  first=$!
  $A "$TMP/x.warc.gz" -o "$TMP/two" >/dev/null 2>&1 &
  $A "$TMP/k1.warc" -o "$TMP/two" >/dev/null 2>&1
  ok $? "two more at work at the same time"
  wait $first
  wait
  run $A verify "$TMP/two"
  is_status 0 "do no harm"
done
done_testing
