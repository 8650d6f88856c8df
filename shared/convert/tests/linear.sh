# Slow: Whatever a page repeats, its conversion takes time by the byte: instructions are counted, by valgrind, so that a machine under load says
# the same as an idle one. Four times the bytes may take 4.4 times the instructions, and none may take 20 times those of an ordinary page.
. batch/tests/lib.sh
if ! command -v valgrind >/dev/null; then
  skip "instructions of a conversion" "no valgrind (make setup-test)"
  done_testing
  exit
fi
cat >"$TMP/shapes" <<'X'
<div class=card><h2 class=title><a href=/p>A post</a></h2>\n<p class="lead text">Some words of a paragraph that goes on for a while, with <b>bold</b> ones.</p>\n</div>\n
<p>x
<span><b>Price</b><b>12</b>
<a href=/x>abc</a><span><span> </span>
<a aria-hidden=true href=/x>abc</a>
<table hidden><td>x<td>x<td>x<td>x</table>
<table><td>a<table><td>b<td>c<td>d<td>e</table>
<div class=comment>Some words, here.
<div><h2>1/50</h2>x</div>
<p hidden>x</p><pre>x</pre>
<blockquote>Some words of a text, that are said again and again.</blockquote>
<ul><li>x<ul><li>y
<template id=B:0></template>x<div hidden id=S:0>y</div>
<a href=#n>x</a><ul><li id=n>x
<li><h3><a href=/x>abc</a></h3><p>x
x<br>
<div class=author>by 
<a rel=author href=/author/x>by</a><h1>x</h1>
<div class=related><time>1 May 2024</time>
X
python3 - "$TMP/shapes" >"$TMP/pages" <<'X'
import json, sys
for shape in open(sys.argv[1]):
    shape = shape[:-1].replace("\\n", "\n")
    for size in 1 << 15, 1 << 17:
        print(json.dumps({"url": "https://example.com/", "html": "<title>t</title><p>Some words, which are text as pages have it.</p>" + shape * (size // len(shape)) + "<p>Some words, which are text as pages have it, behind all that.</p>"}))
X
# One count for each call of adit_convert: callgrind writes a file for each.
valgrind --tool=callgrind --callgrind-out-file="$TMP/count" --toggle-collect=adit_convert --dump-after=adit_convert \
  "${ADIT_RELEASE:-build/adit}" page --lines <"$TMP/pages" >"$TMP/out" 2>"$TMP/err"
is "$?" 0 "all pages are answered"
python3 - "$TMP" >"$TMP/verdicts" <<'X'
import re, sys
shapes = open(sys.argv[1] + "/shapes").read().splitlines()
counts = [int(re.search(r"^totals: (\d+)", open(f"{sys.argv[1]}/count.{i}").read(), re.M)[1]) for i in range(1, 2 * len(shapes) + 1)]
for i, shape in enumerate(shapes):
    small, large = counts[2 * i], counts[2 * i + 1]
    name = shape.replace("\\n", " ")
    growth, times = large / small, large / counts[1]
    print(int(growth > 4.4 or times > 20 or small < 100000), f"{name}: {growth:.2f} times for four times the bytes, {times:.1f} times an ordinary page")
X
is "$(grep -c . "$TMP/verdicts")" "$(grep -c . "$TMP/shapes")" "each shape is counted"
while read -r verdict what; do ok "$verdict" "$what"; done <"$TMP/verdicts"
done_testing
