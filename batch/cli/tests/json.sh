# Slow: --json prints JSON, in every command: one document, or a line each.
. batch/tests/lib.sh
mkdir "$TMP/s1" "$TMP/s2"
for name in a b; do
  printf '<title>%s</title><p>The text of page %s, which is long enough to be one.</p>' $name $name >"$TMP/s1/$name.html"
done
cp "$TMP/s1/a.html" "$TMP/s2"
sed 's/text of/words of/' "$TMP/s1/b.html" >"$TMP/s2/b.html"
tried=
# json COMMAND ARGS…: runs it in $TMP.
json() {
  tried="$tried $1"
  (cd "$TMP" && "$ADIT" "$@" --json >out 2>err)
  status=$?
  python3 - "$TMP/out" <<'PY' && [ "$status" -eq 0 ] && ok 0 "$1 --json" || { ok 1 "$1 --json (exit code $status)"; show; }
import json, sys
text = open(sys.argv[1]).read()
try:
    json.loads(text)
except ValueError:
    [json.loads(line) for line in text.splitlines()]
sys.exit(not text.strip())
PY
}
json pack s1 --base-url https://e.com/ -o p1 --generated 2026-01-01
json pack s2 --base-url https://e.com/ -o p2 --generated 2026-01-02
json check p1
json stat p1
json cat p1
json ls p1/all-snapshot-20260101T000000Z.scp.zst
json delta p1 p2 -o d.scp --fix
json apply p1 d.scp -o x.scp
json merge p1 p2 -o m.scp
json diff p1 p2
json changes p1 p2 -o lists --base-url https://e.com/
json report p1 -o r.html
json feed p2 -o f.xml
json archive s1 --base-url https://e.com/ -o store
json archive ls store
json archive verify store
json fingerprint s1/a.html --method b
json version
json page s1/a.html --url https://e.com/
json page s1/a.html --url https://e.com/ --explain
json extract s1 --base-url https://e.com/ -o x.jsonl
start_serve "$ADIT" "$TMP/s1" --quiet
json sync "$url/" copy --allow-http --allow-private
stop
for command in $("$ADIT" help --json | jq -r '.commands[].name'); do
  case " $tried serve " in *" $command "*) ;; *) ok 1 "$command --json is tried here" ;; esac
done
done_testing
