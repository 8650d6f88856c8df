# Slow: adit check: every kind of trouble that a file can be in has a defined answer.
. batch/tests/lib.sh

meta='{"collection":{"id":"a","section":"s","type":"snapshot","generated":"2000-01-01T00:00:00Z","version":"0.1"}}'
page() { # page URL [TEXT]
  printf '{"url":"%s","title":"t","description":"","modified":"2000-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"%s"}]}' "$1" "${2:-x}"
}
one=$(page https://example.com/1)
two=$(page https://example.com/2)
f=$TMP/f.scp

# checks WHAT STATUS RULE…: $f is judged; exactly these rules are named (checksum-none apart).
checks() {
  what=$1 want=$2
  shift 2
  run "$ADIT" check --json "$f"
  rules=$(sed 's/.*"rules":{//; s/}.*//' "$TMP/out" | tr ',' '\n' | sed 's/^"//; s/":.*//' | grep -v '^checksum-none$' | sort | tr '\n' ' ' | sed 's/ $//')
  if [ "$status" -eq "$want" ] && [ "$rules" = "$*" ]; then ok 0 "$what"; else
    ok 1 "$what"
    echo "# exit code $status (expected $want), rules '$rules' (expected '$*')"
    show
  fi
}

printf '%s\n%s\n%s' "$meta" "$one" "$two" >"$f"
checks "a plain collection" 0
printf '%s\n%s\n%s\n' "$meta" "$one" "$two" >"$f"
checks "with a final LF" 0
printf '\n\n%s\n' "$one" | cat - >"$TMP/rest"
{ printf '%s' "$meta"; cat "$TMP/rest"; printf ' \t\n%s\n\n' "$two"; } >"$f"
checks "blank lines" 0
printf '%s\r\n%s\r\n%s\r\n' "$meta" "$one" "$two" >"$f"
checks "CRLF" 0
printf '\357\273\277%s\n%s' "$meta" "$one" >"$f"
checks "a byte order mark" 0 file-bom
: >"$f"
checks "an empty file" 1 file-empty
printf '\n%s\n' "$meta" >"$f"
checks "line 1 is blank" 1 meta-json
printf '%s' "$meta" >"$f"
checks "no pages" 0
printf '%s\n%s' "$one" "$two" >"$f"
checks "no metadata" 1 meta-object
printf '%s\n%s\n{"url":' "$meta" "$one" >"$f"
checks "cut off in the last line" 1 page-json
printf '%s\n%s\n\000\n%s' "$meta" "$one" "$two" >"$f"
checks "a NUL byte" 1 page-json
run "$ADIT" check --lenient --json "$f"
is_status 1 "lenient: still counted as lost"
out_has '"pages":2,"skipped":1' "but the other pages are read"
out_has '"rule":"page-json","severity":"skip"' "and the line is skipped"
printf '%s\n%s' "$meta" "$(page https://example.com/ '\ud83d')" >"$f"
checks "half a surrogate pair" 0 page-surrogate
printf '%s\n%s' "$meta" "$one" | sed 's/"title":"t"/"title":"t","title":"u"/' >"$f"
checks "a member twice" 0 page-twice
printf '%s\n%s\n%s' "$meta" "$one" "$one" >"$f"
checks "a page twice" 0 page-url-again
printf '%s\n%s\n%s' "$meta" "$two" "$one" >"$f"
checks "not sorted" 0
out_has '"order":"not by URL"' "which is said"
printf '%s\n%s\n%s' "$meta" "$(page javascript:1)" "$two" >"$f"
checks "a page that is skipped" 1 page-url
run "$ADIT" check "$f"
out_has "f.scp:2:8: skip: url: the url is not an absolute http or https URL: \"javascript:1\"; write scheme" "names line, column, member and what to do"
{ printf '%s' "$meta"; i=0; while [ $i -lt 30 ]; do printf '\nx'; i=$((i + 1)); done; } >"$f"
run "$ADIT" check "$f"
is_status 1 "thirty bad lines"
out_has "and 10 more [page-json]" "of which twenty are shown"

# Members in another order, unknown ones, the older revision, escaped slashes, no checksum.
cat >"$f" <<'END'
{"x":[],"collection":{"version":"0.1","generated":"2000-01-01T01:00:00+01:00","type":"snapshot","section":"s","id":"a","extra":null}}
{"content":[{"text":"x","type":"text","more":1},{"type":"poll"}],"language":"en","robots":["noarchive"],"modified":"2000-01-01T00:00:00Z","description":"","title":"t","url":"https:\/\/example.com\/"}
END
checks "a third party's file" 0 block-unknown
# The examples of the specification: snapshot, delta, and a checksum that is a placeholder.
cat >"$f" <<'END'
{"collection":{"id":"blog-delta-day2","section":"blog","type":"delta","generated":"2000-01-16T23:00:00Z","since":"2000-01-15T00:00:00Z","version":"0.1"}}
{"url":"https://example.com/blog/post-2","title":"Second","description":"d","modified":"2000-01-16T10:00:00Z","language":"en","content":[{"type":"heading","level":1,"text":"Second"},{"type":"text","text":"New."}]}
END
checks "a delta" 0
sed 's/"version":"0.1"/"checksum":"sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","version":"0.1"/' "$f" >"$f.2" && mv "$f.2" "$f"
checks "a checksum that fits by no rule" 1 checksum

# --- checksums by every rule, from a file and from a pipe ---
sum() { sha256sum | cut -c1-64; }
with() { printf '%s' "$meta" | sed "s/,\"version\"/,\"checksum\":\"sha256:$1\",\"version\"/"; }
by_rule() { # by_rule NAME: $f
  run "$ADIT" check --json "$f"
  is_status 0 "checksum: $1"
  out_has "\"checksum_rule\":\"$1\"" "checksum: $1, named"
  status=0
  "$ADIT" check --json - <"$f" >"$TMP/out" 2>"$TMP/err" || status=$?
  is_status 0 "checksum: $1, regular file on standard input"
  status=0
  cat "$f" | "$ADIT" check --json - >"$TMP/out" 2>"$TMP/err" || status=$?
  out_has "\"checksum_rule\":\"$1\"" "checksum: $1, from a pipe"
}
{ with "$(printf '%s\n%s' "$meta" "$one" | sum)"; printf '\n%s' "$one"; } >"$f"
by_rule "detached member"
{ with "$(printf '%s\n%s\n' "$meta" "$one" | sum)"; printf '\n%s' "$one"; } >"$f"
by_rule "detached member, one final LF more or less"
{ with "$(printf '%s\n%s' "$meta" "$one" | sum)"; printf '\n%s\n' "$one"; } >"$f"
by_rule "detached member, one final LF more or less"
{ with "$(printf '%s' "$one" | sum)"; printf '\n%s' "$one"; } >"$f"
by_rule "pages only"
zeros=0000000000000000000000000000000000000000000000000000000000000000
{ with "$({ with $zeros; printf '\n%s' "$one"; } | sum)"; printf '\n%s' "$one"; } >"$f"
by_rule "digits zeroed"
{ with $zeros; printf '\n%s' "$one"; } >"$f"
checks "none" 1 checksum
run "$ADIT" stat "$f"
is_status 1 "other commands refuse the file too"

# --- compressed files: the bytes decide, not the name ---
printf '%s\n%s\n%s' "$meta" "$one" "$two" >"$TMP/plain"
gzip -c "$TMP/plain" >"$f"
checks "gzip under another name" 0
out_has '"compression":"gzip"' "is recognised"
for z in gzip zstd; do
  "$ADIT" merge "$TMP/plain" -o "$f" --compress $z >/dev/null
  checks "$z" 0
  out_has "\"compression\":\"$z\"" "$z is recognised"
  size=$(wc -c <"$f")
  cp "$f" "$TMP/whole"
  head -c $((size - 9)) "$TMP/whole" >"$f"
  run "$ADIT" check --json "$f"
  is_status 1 "$z, cut off"
  out_has '"file-cut-off"' "$z, cut off: said so"
  { head -c 60 "$TMP/whole"; printf 'garbage garbage garbage garbage'; tail -c +91 "$TMP/whole"; } >"$f"
  run "$ADIT" check --json "$f"
  is_status 1 "$z, damaged"
  cat "$TMP/whole" "$TMP/whole" >"$f"
  run "$ADIT" check --json "$f"
  is_status 1 "$z, two streams are two files' bytes: not one collection"
done
{ printf '%s\n' "$meta" | gzip -c; printf '%s\n%s' "$one" "$two" | gzip -c; } >"$f"
checks "two gzip members" 0 file-parts
out_has '"pages":2' "are read as one"
printf '\037\213\010\000\000\000\000\000\000\377\377\377\377garbage garbage garbage garbage' >"$f"
checks "a gzip header and garbage behind it" 1 file-undecodable
printf 'PK\003\004zip' >"$f"
checks "another format" 1 meta-json
{ printf '%s\n' "$meta"; head -c 5000000 /dev/zero | tr '\0' ' '; } | gzip -9 >"$f"
checks "a gzip bomb" 1 file-ratio
if command -v zstd >/dev/null; then
  { printf '%s\n' "$meta"; head -c 5000000 /dev/zero | tr '\0' ' '; } | zstd -q -c >"$f"
  checks "a zstd bomb" 1 file-ratio
  { printf '%s\n' "$meta" | zstd -q -c; printf '%s\n%s' "$one" "$two" | zstd -q -c; } >"$f"
  checks "two zstd frames" 0 file-parts
else
  skip "a zstd bomb" "no zstd command"
  skip "two zstd frames" "no zstd command"
fi
# What we write ourselves is never a bomb.
{
  printf '%s' "$meta"
  i=100
  while [ $i -lt 400 ]; do
    printf '\n'
    page "https://example.com/$i" "$(head -c 20000 /dev/zero | tr '\0' x)"
    i=$((i + 1))
  done
} >"$TMP/flat"
for z in gzip zstd; do
  run "$ADIT" merge "$TMP/flat" -o "$f" --compress $z --level 9
  is_status 0 "$z of repetitive pages"
  err_has "held at 100:1" "$z: says that compression was held"
  checks "$z: not refused" 0
done

# A page of 100 MB is read, one byte more is left out, and the next page is read again.
start='{"url":"https://example.com/0","title":"t","description":"","modified":"2000-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"'
if [ -x "${ADIT_RELEASE:-}" ]; then
  ok "$([ "$(nm -D --undefined-only "$ADIT_RELEASE" | grep -c ' ZSTD_decompressStream$')" = 1 ]; echo $?)" "collections are read by libzstd, not by the core's small decoder"
  for len in 100000000 100000001; do
    { printf '%s\n%s' "$meta" "$start"; head -c $((len - ${#start} - 4)) /dev/zero | tr '\0' x; printf '"}]}\n%s' "$one"; } >"$f"
    run "$ADIT_RELEASE" check --json "$f"
    is_status $((len - 100000000)) "a line of $len bytes"
    out_has "\"pages\":$((100000002 - len)),\"skipped\":$((len - 100000000))" "a line of $len bytes: what is read"
  done
  rm "$f"
else
  skip "lines of 100 MB" "no release build"
fi

# --- usage ---
run "$ADIT" check
is_status 2 "no file"
run "$ADIT" check "$TMP/nowhere"
is_status 1 "no such file"
run "$ADIT" check "$TMP"
is_status 1 "a folder"

for name in blog-post rich-content; do
  file=$ADIT_CORPUS/scp/$name.scp
  [ -e "$file" ] || { skip "$name" "no corpus"; continue; }
  run "$ADIT" check "$file"
  is_status 0 "corpus: $name"
done
file=$ADIT_CORPUS/scp/minimal-snapshot.scp
if [ -e "$file" ]; then
  run "$ADIT" check "$file"
  is_status 1 "corpus: a checksum of 66 digits"
else skip "minimal-snapshot" "no corpus"; fi
done_testing
