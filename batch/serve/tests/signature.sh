# Signed machine views: OpenSSL verifies them by a base that Python puts together, and adit sync.
. batch/tests/lib.sh

mkdir -p "$TMP/site/post"
page() { printf '<!doctype html><html lang="en"><head><title>%s</title></head><body><main><h1>%s</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p></main></body></html>\n' "$1" "$1"; }
page Home >"$TMP/site/index.html"
page Post >"$TMP/site/post/index.html"
openssl ecparam -name prime256v1 -genkey -noout -out "$TMP/key.pem" 2>/dev/null
openssl ec -in "$TMP/key.pem" -pubout -out "$TMP/pub.pem" 2>/dev/null
openssl ecparam -name prime256v1 -genkey -noout 2>/dev/null | openssl ec -pubout -out "$TMP/other.pem" 2>/dev/null
jq -n --rawfile key "$TMP/key.pem" '{signature: {key: $key}}' >"$TMP/adit.json"
start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json"
cat >"$TMP/base.py" <<'PY'
# The signature base (RFC 9421, 2.5) of a response; the signature as DER. Usage: base.py URL HEAD BASE SIG
import base64, re, sys, urllib.parse
u = urllib.parse.urlsplit(sys.argv[1])
lines = open(sys.argv[2]).read().replace("\r", "").split("\n")
status, fields = lines[0].split(" ")[1], {}
for line in lines[1:]:
    if ": " in line: fields.setdefault(line.split(": ", 1)[0].lower(), []).append(line.split(": ", 1)[1].strip())
label, inner = fields["signature-input"][0].split("=", 1)
def value(name, req):
    if name == "@status": return status
    if name == "@authority": return u.netloc.lower()
    if name == "@path": return u.path
    if name == "@query": return "?" + u.query
    return ", ".join(fields[name])
base = "".join(f'"{n}"{p}: {value(n, p)}\n' for n, p in re.findall(r'"([^"]*)"(;req)?', inner[:inner.index(")")]))
open(sys.argv[3], "w").write(base + f'"@signature-params": {inner}')
raw = base64.b64decode(fields["signature"][0][len(label) + 2:-1])
def integer(b):
    b = b.lstrip(b"\0") or b"\0"
    if b[0] & 128: b = b"\0" + b
    return b"\x02" + bytes([len(b)]) + b
der = integer(raw[:32]) + integer(raw[32:])
open(sys.argv[4], "wb").write(b"\x30" + bytes([len(der)]) + der)
PY
verify() { # verify URL WHAT ARGS…
  at=$1 what=$2
  shift 2
  curl -s -D "$TMP/head" -o "$TMP/body" "$@" "$at"
  python3 "$TMP/base.py" "$at" "$TMP/head" "$TMP/base" "$TMP/sig"
  ok "$(openssl dgst -sha256 -verify "$TMP/pub.pem" -signature "$TMP/sig" "$TMP/base" >/dev/null 2>&1; echo $?)" "OpenSSL: $what"
}
verify "$url/post/llm/" "a machine view"
ok "$(tr -d '\r' <"$TMP/head" | grep -qix "content-digest: sha-256=:$(openssl dgst -sha256 -binary "$TMP/body" | base64):"; echo $?)" "whose digest is that of the body"
verify "$url/post/llm.md" "its Markdown, though gzip is taken" -H 'accept-encoding: gzip'
ok "$(grep -qi '^content-encoding' "$TMP/head"; [ $? -ne 0 ]; echo $?)" "which is sent as it is"
verify "$url/post/llm/" "HEAD" -I
verify "$url/post/llm/" "by what the request asks for" -H 'accept-signature: sig1=("@status" "content-digest" "link");nonce="x1"'
ok "$(grep -qi '^signature-input: sig1=("@status" "content-digest" "link");.*nonce="x1"' "$TMP/head"; echo $?)" "which is what was covered"
is "$(curl -s "$url/.well-known/http-message-signatures-directory" | jq -r '.keys[0] | "\(.kty) \(.crv) \(.kid | length)"')" "EC P-256 43" "the key directory"

sync() { rm -rf "$TMP/dir"; "$ADIT" sync "$url/" "$TMP/dir" --via tct --json "$@" >"$TMP/out" 2>"$TMP/err"; }
sync
is "$(jq -c '[.pages, .verified, .lost]' "$TMP/out")" '[2,2,0]' "sync verifies by the key that the site publishes"
sync --key "$TMP/pub.pem"
is "$(jq -c '[.pages, .verified, .lost]' "$TMP/out")" '[2,2,0]' "by one that is given"
sync --key "$TMP/other.pem"
is "$(jq -c '[.pages, .verified, .lost, [.violations[].rule]]' "$TMP/out")" '[0,0,2,["tct-signature"]]' "not by another one"
"$ADIT" sync "$url/" "$TMP/dir" --key "$TMP/adit.json" >"$TMP/out" 2>"$TMP/err"
is "$?" 2 "a file that holds no key"
stop
start_serve "$ADIT" "$TMP/site"
sync --key "$TMP/pub.pem"
is "$(jq -c '[.pages, .lost, [.violations[].rule]]' "$TMP/out")" '[0,2,["tct-unsigned"]]' "nor without a signature"
sync
is "$(jq -c '[.pages, .verified]' "$TMP/out")" '[2,0]' "where no key is given, none is needed"
stop
done_testing
