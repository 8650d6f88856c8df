# Which captures are public: evidence of a person counts, words to caches do not; what pages say
# against uses by machines is recorded.
. batch/tests/lib.sh
page() { page_of "$1" "$1." "$2"; }
row() { printf '{"url":"%s%s","date":"2026-01-01T00:00:00Z","body":"%s"%s}\n' $E "$1" "$(page "$1" "$3")" "${2:+,$2}"; }
E=https://example.com
{
  row /private '"headers":{"Cache-Control":"private, max-age=0"}'
  row /nostore '"headers":{"Cache-Control":"no-store"}'
  row /cookie '"headers":{"Vary":"Accept-Encoding, Cookie"}'
  row /setcookie '"headers":{"Set-Cookie":"lang=en"}'
  row /person '"headers":{"Cache-Control":"private","Set-Cookie":"sid=1"}'
  row /any '"headers":{"Vary":"*"}'
  row /401 '"status":401'
  row /403 '"status":403'
  row /login; row /login '"record":"request","headers":{"Authorization":"Basic eDp5"}'
  row /session; row /session '"record":"request","headers":{"cookie":"sid=1"}'
  row /visit; row /visit '"record":"request","headers":{"Accept":"text/html"}'
} | gen plain >"$TMP/x.warc"
urls() { sed -n '2,$p' "$1"/all-snapshot-*.scp | jq -r .url | sed "s,$E,," | tr '\n' ' '; }
P="$ADIT pack --compress none --jobs 1 --generated 2026-01-05 $TMP/x.warc"
run $P -o "$TMP/a"
is_status 0 "packs"
is "$(urls "$TMP/a")" "/cookie /nostore /private /setcookie /visit " "what an anonymous request got is public"
is "$(jq -c .skips "$TMP/a/report.json")" '{"private":4,"authenticated":2}' "the others are counted"
run $P -o "$TMP/b" --keep-private
is "$(urls "$TMP/b")" "/any /cookie /login /nostore /person /private /session /setcookie /visit " "--keep-private"
run $P -o "$TMP/c" --strict-private
is "$(urls "$TMP/c")" "/setcookie /visit " "--strict-private"
run $P -o "$TMP/d" --strict-private --keep-private
is_status 2 "not both"
run "$ADIT" archive "$TMP/x.warc" -o "$TMP/arch" --json
is_status 0 "archive takes the same"
is "$(jq -r .artifacts "$TMP/out")" 5 "five pages"
row /person '"headers":{"Cache-Control":"private","Set-Cookie":"sid=1"}' | gen plain >"$TMP/y.warc"
run "$ADIT" archive "$TMP/y.warc" -o "$TMP/arch2"
is_status 1 "nothing to archive"
err_has "nothing was archived" "says so"
out_has "1  for one person: 401, 403" "with the reason"

# A cookie that the site itself has set on an anonymous page: a login is such a cookie, too.
{
  row /home '"headers":{"Set-Cookie":"consent=1"}'; row /home '"record":"request","headers":{"Accept":"text/html"}'
  row /next; row /next '"record":"request","headers":{"Cookie":"consent=1"}'
} | gen plain >"$TMP/c.warc"
run "$ADIT" pack --jobs 1 --compress none "$TMP/c.warc" -o "$TMP/e"
is "$(urls "$TMP/e")" "/home " "a cookie is evidence of a person, whoever set it"
out_has "1  captured with Authorization or Cookie in the request (--keep-private)" "and the way out is said"
run "$ADIT" extract --jobs 1 "$TMP/c.warc" -o "$TMP/e.jsonl"
is "$(jq -r .url "$TMP/e.jsonl")" "$E/home" "extract decides the same"

# --- what pages say against uses by machines ---
{
  row /plain
  row /header '"headers":{"X-Robots-Tag":"noai, noimageai"}'
  row /bot '"headers":{"X-Robots-Tag":"somebot: noai"}'
  row /html '' '<meta name=\"robots\" content=\"noai\">'
  row /tdm '"headers":{"tdm-reservation":"1"}'
  row /tdm0 '"headers":{"TDM-Reservation":"0"}'
  row /tdmhtml '' '<meta name=\"tdm-reservation\" content=\"1\">'
  row /usage '"headers":{"Content-Usage":"search=y, train-ai=n;x=1"}'
  row /usagey '"headers":{"Content-Usage":"train-ai=y"}'
  row /signal '"headers":{"Content-Signal":"search=yes, ai-train=no"}'
} | gen plain >"$TMP/x.warc"
run $P -o "$TMP/o"
is_status 0 "packs pages with preferences"
is "$(sed -n '2,$p' "$TMP"/o/all-snapshot-*.scp | jq -r 'select(.optout)|(.url|split("/")[-1])+"="+(.optout|join("+"))' | tr '\n' ' ')" \
  "header=noai+noimageai html=noai signal=content-signal tdm=tdm-reservation tdmhtml=tdm-reservation usage=content-usage " "optout is recorded"
is "$(jq -c .optout "$TMP/o/report.json")" '{"noai":2,"noimageai":1,"tdm-reservation":2,"content-usage":1,"content-signal":1}' "and counted"
run "$ADIT" archive "$TMP/x.warc" -o "$TMP/spp"
is "$(find "$TMP/spp/artifacts" -name semantic.json -exec cat {} + | jq -r 'select(.adit.optout)|(.provenance.url|split("/")[-1])+"="+(.adit.optout|join("+"))' | LC_ALL=C sort | tr '\n' ' ')" \
  "header=noai+noimageai html=noai signal=content-signal tdm=tdm-reservation tdmhtml=tdm-reservation usage=content-usage " "and in the manifests of an archive"
row /plain '"headers":{"Content-Signal":"ai-train=no"}' | sed 's/2026-01-01/2026-01-02/' | gen plain >"$TMP/z.warc"
run "$ADIT" archive "$TMP/z.warc" -o "$TMP/spp"
is "$(find "$TMP/spp/artifacts" -name semantic.json -exec cat {} + | jq -c 'select(.provenance.url|endswith("/plain"))|[.version.number,.adit.optout]')" \
  '[1,["content-signal"]]' "the same bytes with another field: the manifest is patched"
run "$ADIT" archive verify "$TMP/spp"
is_status 0 "the archive is whole"
run "$ADIT" check "$TMP"/o/all-snapshot-*.scp
is_status 0 "the collection is valid"
run $P -o "$TMP/p" --respect-optout
is "$(urls "$TMP/p")" "/bot /plain /tdm0 /usagey " "--respect-optout"
out_has "6  the page refuses uses by machines" "counts them"

# --- real crawls, where they are at hand ---
W="$ADIT_CORPUS/warc"
if [ -d "$W" ]; then
  run "$ADIT" pack "$W/openzim__warc2zim/kiwix-with-redirects.warc.gz" --dry-run --mixed
  is_status 0 "a crawl of kiwix.org"
  out_has "+ https://kiwix.org/en/" "an anonymous page is public"
  run "$ADIT" pack "$W/openzim__warc2zim/kiwix-with-redirects.warc.gz" --dry-run --mixed --keep-private
  out_has "+ https://kiwix.org/en/about-us/" "and with --keep-private those that the crawler sent cookies for"
  run "$ADIT" pack "$W/ukwa__webarchive-test-suite/sopa-wikipedia-homepage.warc.gz" --dry-run --mixed
  out_has "+ https://en.wikipedia.org/wiki/Main_Page" "so is Wikipedia's main page"
else
  skip "real crawls" "no corpus"
fi
done_testing
