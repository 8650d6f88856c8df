# The documents as a site (make docs): no link of theirs leads nowhere, and adit's own check takes what adit made of them.
# How lint is called.
. batch/tests/lib.sh
run scripts/lint
is_status 2 "scripts/lint without its library"
err_has "usage: scripts/lint LIBADIT.a" "says how it is called"
release=${ADIT_RELEASE:-build/adit}
if ! command -v cmark-gfm >/dev/null || ! command -v mandoc >/dev/null; then
  skip "the documents as a site" "no cmark-gfm or no mandoc here (make setup-package)"
  done_testing
  exit
fi
scripts/package/make-man "$release" "$TMP/man"
run scripts/package/make-docs "$release" "$TMP/man" "$TMP/docs" https://adit.example/
is_status 0 "the site is made, and its links lead somewhere"
run "$release" check "$TMP/docs/collections"
is_status 0 "what adit made of it is valid"
is "$(find "$TMP/docs" -name '*.html' | wc -l)" "$(find "$TMP/docs" -name '*.md' | wc -l)" "each page has its Markdown"
is "$("$release" cat "$TMP/docs/collections" --url https://adit.example/edge/recipes.html --format md | grep -c 'Vary')" "$(grep -c 'Vary' "$TMP/docs/edge/recipes.md")" "a document is found in the collection"
done_testing
