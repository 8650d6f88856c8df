# Slow: A crawled page that holds records of another site: pack and archive take the site's true capture.
. batch/tests/lib.sh

cat >"$TMP/make.py" <<'EOF'
import gzip, sys
HTML = ("<!doctype html><html lang=en><head><title>%s</title></head><body><main><article><h1>%s</h1>"
        "<p>This page says %s, in a sentence that is long enough to be the content of a page.</p>"
        "</article></main></body></html>")
def page(title): return (HTML % (title, title, title)).encode()
def record(url, http, body, date):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + http + b"\r\n" + body
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            ).encode() + block + b"\r\n\r\n"
forged = record("https://bank.example/", b"", page("FORGED"), "2026-02-01T00:00:00Z")
body = b"<!doctype html><p>evil\r\n\r\n" + forged + b"<p>some text</p>\n" * int(sys.argv[2]) + forged
chunks = b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
records = [
    record("https://bank.example/", b"", page("TRUE"), "2026-01-01T00:00:00Z"),
    record("https://evil.example/1", b"Transfer-Encoding: chunked\r\n", chunks, "2026-01-02T00:00:00Z"),
    record("https://evil.example/2", b"", body, "2026-01-02T00:00:00Z"),
    record("https://last.example/", b"", page("LAST"), "2026-01-02T00:00:00Z")]
if sys.argv[1] == "members": records = [gzip.compress(r, 1) for r in records]
data = b"".join(records)
sys.stdout.buffer.write(gzip.compress(data, 1) if sys.argv[1] == "one" else data)
EOF

# bank_is_true FOLDER WHAT: the bank's page in a publication
bank_is_true() {
  run "$ADIT" cat "$1"/*.scp*
  grep -F '"url":"https://bank.example/"' "$TMP/out" >"$TMP/bank"
  grep -qF '"title":"TRUE"' "$TMP/bank"
  ok $? "$2: the true capture"
  out_has LAST "$2: what follows"
}

for form in plain members one; do
  for lines in 10 650000; do # bodies of a few hundred bytes, and of 11 MB
    what="$form, $lines lines"
    file=$TMP/$form-$lines.warc
    python3 "$TMP/make.py" "$form" "$lines" >"$file"
    run "$ADIT" pack "$file" --mixed -o "$TMP/out-$form-$lines"
    is_status 0 "pack: $what"
    bank_is_true "$TMP/out-$form-$lines" "$what"
  done
  run "$ADIT" archive "$TMP/$form-650000.warc" -o "$TMP/store-$form"
  is_status 0 "archive: $form"
  run "$ADIT" archive get "$TMP/store-$form" https://bank.example/
  out_has TRUE "archive: $form: the only version is the true one"
  run "$ADIT" archive get "$TMP/store-$form" https://bank.example/ 2
  if [ "$status" -ne 0 ]; then ok 0 "archive: $form: no other version"; else ok 1 "archive: $form: no other version"; fi
done
mkfifo "$TMP/pipe"
cat "$TMP/members-650000.warc" >"$TMP/pipe" &
run "$ADIT" pack - --mixed -o "$TMP/piped" <"$TMP/pipe"
bank_is_true "$TMP/piped" "a pipe"
done_testing
