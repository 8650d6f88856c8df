# adit page: options, formats, exit codes.
. batch/tests/lib.sh

page=shared/convert/cases/blocks/table-header.html
run "$ADIT" page "$page" --url https://example.com/t --date 2024-01-02 --whole
is_status 0 "a page"
out_has '{"url":"https://example.com/t","title":"Table header"' "scp is the default format"
out_has '"modified":"2024-01-02T00:00:00Z"' "the date bounds modified"
run sh -c '"$ADIT" page - --url https://example.com/t --format text --whole <"$0"' "$page"
is_status 0 "a page from stdin"
out_has "Table header" "as text"
run "$ADIT" page "$page" --url https://example.com/t --whole --format md --format tct
out_has "| Name | Age |" "two formats, first"
out_has '"canonical_url":"https://example.com/t"' "two formats, second"
run "$ADIT" page "$page" --url https://example.com/t --whole --header 'Content-Language: de' --header 'last-modified: Wed, 21 Oct 2015 07:28:00 GMT' --date 2024-01-02
out_has '"modified":"2015-10-21T07:28:00Z"' "a header's date"
printf '<html><title>x</title><p>Caf\351 au lait, fort et chaud.</p>' >"$TMP/latin.html"
run "$ADIT" page "$TMP/latin.html" --url https://example.com/ --charset windows-1252 --language fr --whole
out_has 'Café au lait' "charset"
out_has '"language":"fr"' "language"
links=shared/convert/cases/blocks/inline-link.html
run "$ADIT" page "$links" --url https://example.com/t --whole --date 2024-01-02
is "$(jq '[.content[] | select(.type == "link")] | length' "$TMP/out")" 0 "links within texts are no blocks"
run "$ADIT" page "$links" --url https://example.com/t --whole --links all --date 2024-01-02
is "$(jq -r '[.content[] | select(.type == "link") | .text] | join(";")' "$TMP/out")" "link;one with brackets;https://e.org/" "unless all are asked for"
"$ADIT" page "$links" --url https://example.com/t --whole --format text --format md >"$TMP/a"
"$ADIT" page "$links" --url https://example.com/t --whole --format text --format md --links all >"$TMP/b"
same "$TMP/a" "$TMP/b" "other formats have them in their texts"
run "$ADIT" page "$links" --url https://example.com/t --links some
is_status 2 "no such links"
run "$ADIT" page "$page" --url https://example.com/t --explain
is_status 0 "explain"
out_has "texts kept" "explain counts"
out_has "<td> Ann" "explain shows each text"
out_has "what the names mean:" "explain ends with the sentence"
is "$(grep -o '[a-z-]*=-\{0,1\}[0-9]* ([+-]' "$TMP/out" | sed 's/=.*//' | sort -u | while read -r f; do grep -q "^  $f: ." "$TMP/out" || echo "$f"; done)" "" "of each feature that it named"
run "$ADIT" page "$page" --url https://example.com/t --explain --json
is_status 0 "explain as data"
is "$(jq -r '[.kept == ([.texts[] | select(.kept)] | length), (.texts | length > 2), .url] | join(" ")' "$TMP/out")" "true true https://example.com/t" "its counts agree"
is "$(jq -r '[.texts[].features[].name] - [.legend.features | keys[]] | length' "$TMP/out")" 0 "every feature that is named stands in the legend"
# What stands at a text's places is the text: white space and references aside.
is "$(python3 - "$page" "$TMP/out" <<'END'
import html, json, re, sys
page, said = open(sys.argv[1], "rb").read(), json.load(open(sys.argv[2]))
plain = lambda s: re.sub(r"\s+", "", s)
texts = said["texts"]
print(sum(plain(html.unescape("".join(page[a:b].decode() for a, b in t["at"]))) == plain(t["text"]) for t in texts) == len(texts))
END
)" True "the places of the texts are theirs"
is "$(jq -r '[(.kind | type), (.confidence | type)] | join(" ")' "$TMP/out")" "string number" "the page's kind, and what to expect"
run "$ADIT" page "$page" --url https://example.com/t --explain --format html
is_status 0 "explain on the page"
out_has '<adit-text kept title="kept: ' "kept texts are marked"
out_has '<base href="https://example.com/t"><style>' "references are resolved against the page's URL"
is "$(sed 's/<base [^>]*><style>[^<]*<\/style>//;s/<adit-text [^>]*>//g;s/<\/adit-text>//g' "$TMP/out" | cmp - "$page" && echo same)" same "and nothing else is changed"

run "$ADIT" page "$page"
is_status 1 "no URL"
err_has "the page does not state its URL (canonical, og:url): give --url" "says so"
run "$ADIT" page "$page" --url https://example.com/ --format pdf
is_status 2 "unknown format"
err_has "no format 'pdf': scp, tct, text, md" "names it, and those that there are"
for pair in markdown:md json:scp txt:text; do
  "$ADIT" page "$page" --url https://example.com/t --whole --format "${pair%:*}" --date 2024-01-02 >"$TMP/a"
  "$ADIT" page "$page" --url https://example.com/t --whole --format "${pair#*:}" --date 2024-01-02 >"$TMP/b"
  same "$TMP/a" "$TMP/b" "${pair%:*} is ${pair#*:}"
done
run "$ADIT" page "$page" --url ftp://example.com/
is_status 2 "not a web address"
err_has "--url 'ftp://example.com/' is no absolute http or https URL" "which is blamed on itself"
run "$ADIT" page "$page" --url example.com/post
err_has "is it https://example.com/post?" "and the cure is near"
run "$ADIT" page "$page" --url https://example.com/ --format markdwn
is_status 2 "a misspelt format"
err_has "is it markdown?" "is told the nearest one"
run "$ADIT" page "$page" --url https://example.com/ --date yesterday
is_status 2 "no date"
run "$ADIT" page "$page" --url https://example.com/ --header nonsense
is_status 2 "no header"
run "$ADIT" page "$TMP/missing.html" --url https://example.com/
is_status 1 "no such file"
run "$ADIT" page shared/convert/cases/blocks/empty.html --url https://example.com/
is_status 1 "a page without content"
err_has "the page has no content" "says so"
run sh -c '"$ADIT" page "$0" --url https://example.com/ --whole >/dev/full' "$page"
is_status 3 "output that cannot be written"
head -c 8388609 /dev/zero >"$TMP/big.html"
run "$ADIT" page "$TMP/big.html" --url https://example.com/
is_status 1 "a page over the limit"
err_has "limit" "names the limit"

# --- what is no HTML is named ---
printf '%%PDF-1.7\n%%\342\343\317\323' >"$TMP/x.pdf"
printf '\211PNG\r\n\032\n' >"$TMP/x.png"
printf 'PK\003\004xx' >"$TMP/x.docx"
for f in x.pdf:PDF x.png:PNG "x.docx:ZIP, Office or EPUB"; do
  run "$ADIT" page "$TMP/${f%%:*}" --url https://example.com/
  is_status 1 "${f%%:*} is refused"
  err_has "is no HTML, but: ${f#*:}" "by its name"
done

# --- the URL that a page states ---
text='<p>A paragraph that is long enough to be the content of a page, with a <a href="/other">link</a> in it.</p>'
html() { printf '<html lang=en><head><title>T</title>%s</head><body><main><h1>T</h1>%s</main></body></html>' "$1" "$text"; }
url_of() { "$ADIT" page "$TMP/u.html" --date 2024-01-02 2>&1 | jq -r .url; }
html '<meta property="og:url" content="https://example.com/og"><link rel="shortlink canonical" href="https://example.com/c#x">' >"$TMP/u.html"
is "$(url_of)" "https://example.com/c" "canonical"
html '<link rel=canonical href="/relative"><meta property="og:url" content="https://example.com/og">' >"$TMP/u.html"
is "$(url_of)" "https://example.com/og" "og:url; a relative canonical says nothing"
html '<link rel=canonical href="javascript:x">' >"$TMP/u.html"
run "$ADIT" page "$TMP/u.html"
is_status 1 "neither"

# --- several files, folders ---
mkdir -p "$TMP/site/a b" "$TMP/site/.hidden"
html >"$TMP/site/index.html"
html >"$TMP/site/a b/x.html"
html >"$TMP/site/a b/y.htm"
html >"$TMP/site/.hidden/z.html"
echo 'no page' >"$TMP/site/readme.txt"
ln -s / "$TMP/site/loop"
run "$ADIT" page "$TMP/site" --base-url https://example.com/docs --format md -o "$TMP/texts"
is_status 0 "a folder"
is "$(cd "$TMP/texts" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" "./a b/x.md ./a b/y.htm.md ./index.md " "a file a page, nothing else"
run "$ADIT" page "$TMP/site" --base-url https://example.com/docs --format json
is "$(jq -r .url "$TMP/out" | tr '\n' ' ')" "https://example.com/docs/ https://example.com/docs/a%20b/x.html https://example.com/docs/a%20b/y.htm " "to stdout, and their URLs"
printf '%%PDF-1.4' >"$TMP/site/0.html"
run "$ADIT" page "$TMP/site" "$page" --base-url https://example.com/ --format text -o "$TMP/texts2" --whole
is_status 1 "one that cannot be converted"
is "$(cd "$TMP/texts2" && find . -type f | wc -l | tr -d ' ')" 4 "the others are"
err_has "0.html: is no HTML, but: PDF" "which is said"
run "$ADIT" page "$page" "$TMP/table-header.html" -o "$TMP/t3"
is_status 2 "two files with one name"
run "$ADIT" page "$page" "$page" --url https://example.com/
is_status 2 "one URL for two pages"
run "$ADIT" page "$page" --url https://example.com/ --whole -o /proc/nothing
is_status 3 "a folder that cannot be made"

# --- lines ---
L="$ADIT page --lines --date 2024-01-02"
python3 - "$TMP/lines" <<'X'
import base64, json, sys
html = "<html lang=en><title>Ti\u00e9tle</title><main><h1>Ti\u00e9tle</h1><p>%s</p></main>" % ("A paragraph with a \"quote\", which is long enough to be content. " * 3)
out = open(sys.argv[1], "w")
say = lambda **o: print(json.dumps(o), file=out)
say(url="https://example.com/1", html=html)
say(url="https://example.com/2", html_base64=base64.b64encode(html.encode("latin-1")).decode(), headers={"content-type": "text/html; charset=iso-8859-1", "X-Robots-Tag": ["a", "noai"]})
print("nonsense", file=out)
print("", file=out)
say(url="https://example.com/5")
say(url="https://example.com/6", html_base64="%%%")
say(url="https://example.com/7", html_base64=base64.b64encode(b"%PDF-1.4").decode())
say(html="<link rel=canonical href=https://example.com/own>" + html, unknown=[1, 2])
say(url="ftp://example.com/9", html=html)
say(url="https://example.com/10", html=html, date="yesterday")
say(url="https://example.com/11", html=html.replace("<main>", '<meta charset="shift_jis"><main>'), headers={"last-modified": "Wed, 21 Oct 2015 07:28:00 GMT"})
out.write(json.dumps({"url": "https://example.com/12", "html": html}))
X
run sh -c "$L <'$TMP/lines'"
is_status 0 "lines: errors are answers"
is "$(jq -r '.url+" "+(.title // .error)' "$TMP/out" | sed 's,https://example.com/,,' | tr '\n' ';')" \
  "1 Tiétle;2 Tiétle; object expected; the text ends inside a value;5 no html and no html_base64;6 html_base64 is no base64;7 is no HTML, but: PDF;own Tiétle;ftp://example.com/9 the URL is not an absolute http or https URL;10 date is no time;11 Tiétle;12 Tiétle;" "an answer each, in order"
is "$(jq -c 'select(.error)|.line' "$TMP/out" | tr '\n' ' ')" "3 4 5 6 7 9 10 " "errors say which line"
is "$(jq -c .optout "$TMP/out" | sed -n 2p)" '["noai"]' "header fields count"
is "$(jq -r .modified "$TMP/out" | sed -n 11p)" 2015-10-21T07:28:00Z "in any case"
run sh -c "$L --format md <'$TMP/lines'"
is "$(sed -n 1p "$TMP/out" | jq -r '[keys_unsorted[]]|join(" ")')" "url title language kind confidence text" "text and md stand in an object"
"$ADIT" page --lines --date 2024-01-02 --format tct <"$TMP/lines" | sed -n 1p >"$TMP/a"
head -n 1 "$TMP/lines" | jq -r .html | "$ADIT" page - --url https://example.com/1 --format tct >"$TMP/b"
same "$TMP/a" "$TMP/b" "the same as by file"
python3 - $L >"$TMP/talk" <<'X'
import json, subprocess, sys
p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
html = "<title>x</title><main><p>" + "Words that are the content of a page. " * 9 + "</p></main>"
for i in range(3):
    p.stdin.write(json.dumps({"url": f"https://example.com/{i}", "html": html}).encode() + b"\n")
    p.stdin.flush()
    print(json.loads(p.stdout.readline())["url"])
p.stdin.close()
sys.exit(p.wait(20))
X
is "$(tail -n 1 "$TMP/talk")" "https://example.com/2" "who writes a line and waits gets the answer"
python3 -c "
import json
print(json.dumps({'url': 'https://example.com/', 'html': 'x' * (9 << 20)}))
print('{\"url\":\"https://example.com/\",\"html\":\"' + 'x' * (65 << 20) + '\"}')
print(json.dumps({'url': 'https://example.com/', 'html': '<p>' + 'words of a text ' * 20}))" >"$TMP/long"
run sh -c "$L --whole <'$TMP/long'"
is "$(jq -r '.error // .url' "$TMP/out" | tr '\n' ';')" "the page is larger than 8 MiB;the line is longer than 64 MB;https://example.com/;" "lines that are too long"
run sh -c "$L <'$TMP/lines' >/dev/full"
is_status 3 "answers that cannot be written"
run "$ADIT" page --lines file.html
is_status 2 "lines and files"
done_testing
