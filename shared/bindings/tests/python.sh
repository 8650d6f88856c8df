# Slow: The Python binding: the wheel, installed; its bytes against `adit page`, threads, types.
. batch/tests/lib.sh
release=${ADIT_RELEASE:-build/adit}
command -v python3 >/dev/null || { skip "the Python binding" "no python3 here"; done_testing; exit; }
version=$(sed -n 's/^#define ADIT_VERSION *"\(.*\)"/\1/p' shared/base/base.h)
run python3 scripts/package/make-wheel build/libadit.so "$version" "$TMP/wheel"
is_status 0 "the wheel is made"
first=$(sha256sum "$TMP"/wheel/*.whl)
python3 scripts/package/make-wheel build/libadit.so "$version" "$TMP/wheel"
is "$(sha256sum "$TMP"/wheel/*.whl)" "$first" "and has the same bytes when made again"
if python3 -m pip --version >/dev/null 2>&1; then
  run python3 -m pip install -q --no-index --no-deps --disable-pip-version-check --root-user-action ignore --target "$TMP/site" "$TMP"/wheel/*.whl
  is_status 0 "pip installs it"
else
  python3 -m zipfile -e "$TMP"/wheel/*.whl "$TMP/site"
  skip "pip installs it" "no pip here"
fi
for folder in content blocks meta; do
  for format in scp tct text md html; do
    "$release" page shared/convert/cases/$folder --base-url https://example.com/ --date 2026-01-02 --format $format -o "$TMP/want/$format/$folder" 2>/dev/null
  done
done
export PYTHONPATH="$TMP/site" PYTHONDONTWRITEBYTECODE=1
run python3 shared/bindings/tests/python.py "$TMP/want"
is_status 0 "the bytes of adit page, threads, refusals"
sed 's/^/# /' "$TMP/out"
out_has "adit $version" "the library's version"
if command -v mypy >/dev/null; then
  run mypy --strict --cache-dir "$TMP/mypy" shared/bindings/python/adit.py
  is_status 0 "mypy --strict"
else skip "mypy --strict" "no mypy here"; fi
# What the README shows runs as it stands there.
sed -n '/^```python$/,/^```$/p' shared/bindings/python/README.md | sed '/^```/d' >"$TMP/readme.py"
run python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$TMP/readme.py"
is_status 0 "the README's examples are Python"
sed -n '/^## In datatrove/,/^## In Scrapy/p' shared/bindings/python/README.md | sed -n '/^```python$/,/^```$/p' | sed '/^```/d' >"$TMP/steps.py"
run python3 shared/bindings/tests/datatrove.py "$TMP/steps.py"
is_status 0 "the README's steps for datatrove, over stand-ins of its classes"
out_has fine "to their end"
# The spider, as it stands there but for the site, in Scrapy itself: two pages that link to each other, and one that is no page.
if command -v scrapy >/dev/null; then
  mkdir -p "$TMP/web/post"
  for page in index post/index; do
    printf '<!doctype html><html lang=en><title>%s</title><main><h1>Of %s</h1><p>Words enough to be the content of the page at %s, and a <a href="/post/">link</a>.</p><a href="/x.pdf">paper</a></main>' $page $page $page >"$TMP/web/$page.html"
  done
  printf '%%PDF-1.4\n' >"$TMP/web/x.pdf"
  start_serve "${ADIT_RELEASE:-build/adit}" "$TMP/web" --quiet
  sed -n '/^## In Scrapy/,$p' shared/bindings/python/README.md | sed -n '/^```python$/,/^```$/p' | sed "/^\`\`\`/d; s|https://example.com/|$url/|" >"$TMP/spider.py"
  run scrapy runspider "$TMP/spider.py" -s TELNETCONSOLE_ENABLED=0 -o "$TMP/items.jl"
  kill "$pid"
  wait "$pid" 2>/dev/null
  is_status 0 "the README's spider runs in Scrapy"
  is "$(jq -r .title "$TMP/items.jl" 2>/dev/null | sort | paste -sd,)" "Of index,Of post/index" "and yields the pages"
  err_has "x.pdf: " "and says which was none"
else skip "the README's spider in Scrapy" "no scrapy here"; fi
done_testing
