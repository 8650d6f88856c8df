# adit sync --changes: what changed in the copy, for followers; and the feed of it.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh
M=https://mirror.example/copy
L=$TMP/dir/resourcesync/all/changelist.xml
kinds() { grep -o 'change="[a-z]*"' "$L" | sort | uniq -c | awk '{print $2 " " $1}' | tr '\n' ';'; }

python3 batch/tests/make_site.py "$TMP/site" 50
start "$TMP/site"
publish
sync --via tct --changes $M/
is_status 0 "the first run"
is "$(grep -c '<url>' "$L")" 0 "tells of no change"
sleep 1 # changes have whole seconds
python3 batch/tests/make_site.py "$TMP/site" 20 1 3
rm -r "$TMP/site/page-0007"
publish
sync --via tct --changes $M/
is "$(kinds)" 'change="deleted" 1;change="updated" 3;' "the second run tells what changed"
ok "$(grep -q "rel=\"describes\" href=\"$url/\"" "$TMP/dir/resourcesync/all/capabilitylist.xml"; echo $?)" "of the site"
ok "$(grep -q "<loc>$M/resourcesync/all/capabilitylist.xml</loc>" "$TMP/dir/.well-known/resourcesync"; echo $?)" "at the URL that was given"
run xmllint --noout --schema batch/tests/schema/sitemap.xsd "$TMP/dir/.well-known/resourcesync" "$TMP/dir"/resourcesync/all/*.xml
is_status 0 "in valid files"
cp "$L" "$TMP/before.xml"
sync --via tct --changes $M/
is "$(kinds)" 'change="deleted" 1;change="updated" 3;' "a run without changes adds none"
run "$ADIT" feed "$TMP/dir" -o "$TMP/feed.xml"
is_status 0 "a feed of the copy"
ok "$(grep -q '<title>4 changes: 3 updated, 1 deleted</title>' "$TMP/feed.xml"; echo $?)" "sums it up"
run "$ADIT" sync "$url/" "$TMP/dir2" --changes nonsense
is_status 2 "a URL that is none"
done_testing
