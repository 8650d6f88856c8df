# adit pack over folders of HTML files.
. batch/tests/lib.sh
page() { printf '<!doctype html><title>%s</title><main><h1>%s</h1><p>A paragraph about %s that is long enough to count as content of this page, as it should be.</p></main>' "$1" "$1" "$1"; }
urls() { tail -n +2 "$1" | jq -r .url | sed 's,https://example.com,,' | tr '\n' ' '; }
S="$TMP/site"
mkdir -p "$S/docs/deep" "$TMP/outside" "$S/ä b"
page Home >"$S/index.html"
page Docs >"$S/docs/index.htm"
page Intro >"$S/docs/intro.html"
page Deep >"$S/docs/deep/a?b#c%d.html"
page Space >"$S/ä b/x.html"
page Bare >"$S/bare"
echo 'no markup here' >"$S/LICENSE"
echo 'body {}' >"$S/style.css"
page Outside >"$TMP/outside/secret.html"
ln -s "$TMP/outside/secret.html" "$S/link-out.html"
ln -s ../index.html "$S/docs/link-in.html"
ln -s "$TMP/outside" "$S/dir-out"
ln -s . "$S/loop"
ln -s nowhere "$S/dangling.html"
touch -d 2026-01-01T00:00:00Z "$S/index.html"
P="$ADIT pack --compress none --generated 2026-02-01"
run $P "$S" -o "$TMP/o" --base-url https://example.com
is_status 0 "packs a folder"
A=all-snapshot-20260201T000000Z.scp
is "$(urls "$TMP/o/$A")" "/ /%C3%A4%20b/x.html /bare /docs/ /docs/deep/a%3Fb%23c%25d.html /docs/intro.html /docs/link-in.html " \
  "index files are their folder, names are encoded, links out of the tree are not followed"
is "$(sed -n 2p "$TMP/o/$A" | jq -r .modified)" 2026-01-01T00:00:00Z "the file's time is the capture's"
run $P "$S/" -o "$TMP/o2" --base-url https://example.com/base/ --strip-html-suffix --include '/base/docs/*'
is "$(urls "$TMP/o2/$A")" "/base/docs/ /base/docs/deep/a%3Fb%23c%25d /base/docs/intro /base/docs/link-in " \
  "--base-url with a path, --strip-html-suffix, --include"
run $P "$S" -o "$TMP/o3"
is_status 2 "without --base-url the command line cannot work"
err_has "say with --base-url where it is on the web" "says what is missing"
ok "$([ ! -e "$TMP/o3" ]; echo $?)" "and leaves no folder"
run $P "$S" "$TMP/not-there.warc.gz" -o "$TMP/o3"
is_status 1 "among several inputs such a folder is one that cannot be read"
err_has "say with --base-url where it is on the web" "and says so"
printf '<title>Caf\351</title><main><h1>Caf\351</h1><p>Un paragraphe assez long pour compter comme contenu, au caf\351 du coin de la rue.</p></main>' >"$TMP/latin.html"
mkdir "$TMP/latin" && mv "$TMP/latin.html" "$TMP/latin/"
run $P "$TMP/latin" -o "$TMP/o4" --base-url https://example.com --charset iso-8859-2
is "$(sed -n 2p "$TMP/o4/$A" | jq -r .title)" "Café" "--charset"
# Folders are complete: what is gone from the folder is deleted.
rm "$S/bare"
page Changed >"$S/docs/intro.html"
run $P "$S" -o "$TMP/o" --previous "$TMP/o" --base-url https://example.com --generated 2026-02-02
is_status 0 "packs it again"
is "$(sed 's|<lastmod>[^<]*</lastmod>||g' "$TMP/o/resourcesync/all/changelist.xml" | grep -o '[a-z./]*</loc><rs:md change="[a-z]*"' | sed 's/.*com\([^<]*\).*change="\(.*\)"/\1 \2/' | tr '\n' ';')" \
  "/bare deleted;/docs/intro.html updated;" "changes of a folder"
chmod 000 "$S/docs/intro.html"
# root may read every file, so it becomes somebody else for this one.
other=
[ "$(id -u)" -ne 0 ] || other="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$TMP" && mkdir -m 777 "$TMP/o5"
if $other "$ADIT" version >/dev/null 2>&1; then
  run $other $P "$S" -o "$TMP/o5/o" --base-url https://example.com
  is_status 1 "a file that cannot be read"
  err_has "docs/intro.html: cannot read" "is named"
else
  skip "a file that cannot be read" "no other user can run $ADIT"
fi
run $P "$TMP/empty-not-there" -o "$TMP/o6" --base-url https://example.com
is_status 1 "a folder that is not there"
chmod 644 "$S/docs/intro.html"
done_testing
