# diff and report: what they say of two small crawls of a hostile site, and of folders of every kind.
. batch/tests/lib.sh

page() { # page TITLE TEXT
  printf '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title></head><body><main><h1>%s</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p><h2>News</h2><p>%s</p></main></body></html>\n' "$1" "$1" "$2"
}
for s in a b; do mkdir -p "$TMP/$s/kept" "$TMP/$s/edit"; done
for s in a b; do page Kept "Nothing of this second paragraph has ever changed, and it has words enough to be kept." >"$TMP/$s/kept/index.html"; done
page "An edit" "On Monday the shop opens at nine in the morning and closes at six in the evening, as always." >"$TMP/a/edit/index.html"
page "An edit" "On Monday the shop opens at ten in the morning and closes at six in the evening, as always." >"$TMP/b/edit/index.html"
page Gone "This page is going to be removed by its author before the second crawl comes to it." >"$TMP/a/gone.html"
page '&lt;script&gt;alert(1)&lt;/script&gt; &lt;/style&gt;' "A page whose title wants to be a script, and whose text is as long as it has to be here." >"$TMP/b/new.html"
"$ADIT" pack "$TMP/a" --base-url https://example.com/ -o "$TMP/pub" --section edits=/edit/ --generated 2026-05-01 -q
cp "$TMP/pub"/all-snapshot-* "$TMP/old.scp.zst"
"$ADIT" pack "$TMP/b" --base-url https://example.com/ -o "$TMP/pub" --previous "$TMP/pub" --section edits=/edit/ --generated 2026-05-08 -q

run "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub"
is_status 0 "diff of a snapshot and a publication"
out_has "1 added, 1 changed, 1 deleted, 1 unchanged" "counts"
out_has "~ https://example.com/edit/  An edit  +1 -1 words" "a changed page: address, title, words"
out_has "    @ News" "the heading above the change"
out_has "opens at [-nine-]{+ten+} in the morning" "the word that changed"
out_has "- https://example.com/gone.html  Gone  -" "a deleted page"
out_has "+ https://example.com/new.html" "a new page"
is "$(grep -c kept/ "$TMP/out")" 0 "unchanged pages are not named"
run "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub" --stat
is "$(wc -l <"$TMP/out" | tr -d ' ')" 6 "--stat: a line a page"
run "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub" --color always
is "$(grep -c "$(printf '\033\\[32mten')" "$TMP/out")" 1 "colours"
# On a terminal: by way of the pager, in colours; without one if it is empty.
terminal() { python3 - "$@" <<'END'
import os, pty, sys
os.environ.update(TERM="xterm", PAGER=sys.argv[1])
os.environ.pop("NO_COLOR", None)
if sys.argv[1] == "dumb":
    os.environ["TERM"] = "dumb"
    del os.environ["PAGER"]
status = pty.spawn(sys.argv[2:], lambda fd: os.read(fd, 65536))
sys.exit(os.waitstatus_to_exitcode(status))
END
}
run terminal "sed 's/^/paged: /'" "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub"
is_status 0 "a diff on a terminal"
out_has "paged: 1 added, 1 changed" "goes through the pager"
is "$(grep -c "paged:.*$(printf '\033\[32mten')" "$TMP/out")" 1 "in colours"
run terminal "head -n 1" "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub"
is_status 0 "a pager that has seen enough"
run terminal "" "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub"
is "$(grep -c '1 added, 1 changed' "$TMP/out")" 1 "no pager"
run terminal dumb "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub"
is "$(grep -c "not fully functional\|$(printf '\033')" "$TMP/out")" 0 "neither colours nor less where TERM is dumb"
run "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub" --json
is "$(jq -c '[.counts.added, .counts.changed, .counts.deleted, .counts.unchanged, (.pages[0] | .url, .title, .words_added, .lines[0].heading, ([.lines[0].parts[] | select(.[0] != "=")]))]' "$TMP/out")" \
  '[1,1,1,1,"https://example.com/edit/","An edit",1,"News",[["-","nine"],["+","ten"]]]' "for programs"
run "$ADIT" diff "$TMP/pub" "$TMP/pub"
out_has "0 added, 0 changed, 0 deleted, 3 unchanged" "nothing changed"
run "$ADIT" diff "$TMP/pub"/all-delta-* "$TMP/pub"
is_status 1 "a delta is no state"
err_has "is a delta" "and is said to be one"
run "$ADIT" diff "$TMP/pub"
is_status 2 "one operand"
run "$ADIT" diff - "$TMP/pub"
is_status 2 "standard input"
run "$ADIT" diff "$TMP/nosuch" "$TMP/pub"
is_status 1 "a missing collection"
# A file that is not sorted is.
zstd -dcq "$TMP/old.scp.zst" | awk 'NR == 1 { sub(/,"checksum":"[^"]*"/, ""); print; next } { l[NR] = $0 } END { for (i = NR; i > 1; i--) print l[i] }' >"$TMP/unsorted.scp"
run "$ADIT" diff "$TMP/unsorted.scp" "$TMP/pub" --stat
out_has "1 added, 1 changed, 1 deleted, 1 unchanged" "an unsorted collection"

# cat names the page that may be meant, and the formats that there are.
run "$ADIT" cat "$TMP/pub" --url example.com/edit
is_status 1 "cat: a URL without its scheme"
err_has "is it https://example.com/edit/?" "which one may be meant"
run "$ADIT" cat "$TMP/pub" --url https://example.com/nowhere
err_has "adit ls lists the pages" "where they are listed"
run "$ADIT" cat "$TMP/pub" --format pdf
is_status 2 "cat: no such format"
err_has "scp, tct, text, md, html (or markdown, json, txt)" "names those that there are"
run "$ADIT" cat "$TMP/pub" --format markdown
is_status 0 "cat: markdown is md"

run "$ADIT" diff "$TMP/old.scp.zst" "$TMP/pub" --html "$TMP/diff.html"
is_status 0 "diff as a page"
out_has "1 added, 1 changed, 1 deleted" "its summary"
is "$(grep -c '<script>alert' "$TMP/diff.html")" 0 "titles are escaped"
is "$(grep -c '&lt;script&gt;alert(1)&lt;/script&gt; &lt;/style&gt;' "$TMP/diff.html")" 1 "and shown"
run cat "$TMP/diff.html"
out_has "<del>nine</del><ins>ten</ins>" "words"
out_has "default-src 'none'" "a policy"
run "$ADIT" report "$TMP/pub" -o "$TMP/report.html"
is_status 0 "report of a publication"
out_has "3 pages of https://example.com" "its summary"
run cat "$TMP/report.html"
for text in "<h1>https://example.com</h1>" "<h2>Sizes</h2>" "<h2>Sections</h2>" "<td>edits</td>" "<h2>Languages</h2>" "<h2>Largest pages</h2>" "pages that changed, by delta" "2026-05-01T00:00" "2026-05-08T00:00"; do
  out_has "$text" "it has $text"
done
is "$(grep -c '<script' "$TMP/report.html")" 0 "no script"
if command -v xmllint >/dev/null; then
  for f in diff report; do is "$(xmllint --html --noout "$TMP/$f.html" 2>&1 | grep -cv 'Tag [a-z]* invalid\|^[^:]*$\|\^')" 0 "$f.html is well-formed"; done
fi
run "$ADIT" report "$TMP/a" -o "$TMP/no.html"
is_status 1 "a folder of something else"
is "$(ls "$TMP/no.html" 2>/dev/null)" "" "leaves no file"
run "$ADIT" report "$TMP/pub"
is_status 2 "no -o"

# Losses: what was left out is named with its place.
python3 - "$TMP/c.warc" <<'END'
import sys
out = open(sys.argv[1], "wb")
def record(url, status, body, n):
    block = (f"HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    out.write((f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{n:012}>\r\nWARC-Date: 2026-05-01T00:00:00Z\r\n"
      f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n").encode() + block + b"\r\n\r\n")
good = b"<!doctype html><title>A</title><main><p>" + b"Words that make up a paragraph of this page. " * 5 + b"</p></main>"
record("https://example.com/", 200, good, 1)
for i in range(7): record(f"https://example.com/missing/{i}", 404, b"", 10 + i)
END
run "$ADIT" pack "$TMP/c.warc" -o "$TMP/pub2" -q
run jq -r '.left_out | [length, .[0].reason, .[0].url, .[0].offset > 0, (.[0].file | endswith("c.warc"))] | join(" ")' "$TMP/pub2/report.json"
out_has "5 gone https://example.com/missing/0 true true" "report.json names the first of each reason"
run jq -r '.slowest[0].url' "$TMP/pub2/report.json"
out_has "https://example.com/" "and the slowest pages"
run "$ADIT" report "$TMP/pub2" -o "$TMP/report2.html"
run cat "$TMP/report2.html"
out_has "https://example.com/missing/0 in " "so does the page"

"$ADIT" archive "$TMP/c.warc" -o "$TMP/store" -q
run "$ADIT" report "$TMP/store" -o "$TMP/report3.html"
is_status 0 "report of an archive"
start_serve "$ADIT" "$TMP/b" --quiet
"$ADIT" sync "$url/" "$TMP/copy" -q --allow-private >/dev/null 2>"$TMP/sync.err"
kill "$pid"
run "$ADIT" report "$TMP/copy" -o "$TMP/report4.html"
is_status 0 "report of a copy"
out_has "pages of" "its summary"
done_testing
