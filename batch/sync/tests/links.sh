# adit sync in a folder that somebody else has prepared: nothing outside of it is made, changed or
# removed, no link in it is followed, and no pipe is waited for.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh
V="$TMP/victim"
python3 batch/tests/make_site.py "$TMP/site" 4
start_hostile
python3 batch/tests/make_views.py "$ADIT_RELEASE" "$TMP/site" "$url"
publish --generated 2026-01-02T00:00:00Z
rm -rf "$TMP/dir"
sync --via tct
is_status 0 "an honest folder"
cp -a "$TMP/dir" "$TMP/honest"
"$ADIT" cat "$TMP/dir/site.scp.zst" >"$TMP/held"
victims() { (cd "$V" && find . -printf '%y %p %l %s\n' -type f -exec sha256sum {} + | LC_ALL=C sort); }
fresh() {
  rm -rf "$TMP/dir" "$V"
  cp -a "$TMP/honest" "$TMP/dir"
  mkdir -p "$V/sub"
  for f in note.txt conf "$(printf '%064d' 7)" sub/file; do echo mine >"$V/$f"; done
  victims >"$TMP/before"
}
spared() { victims >"$TMP/now"; same "$TMP/now" "$TMP/before" "$1: the victim is as it was"; }
forget() { jq -c '.items |= map(.contentHash = "sha256-" + ("1"*64))' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"; }

# --- what is read: refused before anything is done
refused() {
  mark
  run timeout 120 "$ADIT" sync "$url/" "$TMP/dir" --json --fresh
  is_status 3 "$1: refused"
  err_has "$2" "$1: said why"
  spared "$1"
  ok "$([ "$(asked .)" -eq 0 ]; echo $?)" "$1: nobody was asked"
}
for name in lock commit journal state.json site.scp.zst pages.jsonl; do
  fresh
  rm -f "$TMP/dir/$name"
  ln -s "$V/note.txt" "$TMP/dir/$name"
  refused "$name is a link" "/$name: is a link"
done
fresh
rm -r "$TMP/dir/documents"
ln -s "$V" "$TMP/dir/documents"
refused "documents is a link" "/documents: is a link"
fresh
rm "$TMP/dir/state.json"
mkfifo "$TMP/dir/state.json"
refused "a pipe" "/state.json: is not the file that adit sync makes"
fresh
jq -c '.resources[0].file = "../../victim/note.txt"' "$TMP/dir/state.json" >"$TMP/s" && cp "$TMP/s" "$TMP/dir/state.json"
refused "a state that names other files" "/state.json: a member is malformed"

# --- what is written: replaced
replaced() {
  cp "$TMP/site/llm-sitemap.json" "$TMP/sitemap" # all pages are asked for again
  forget
  sync --via tct --fresh
  cp "$TMP/sitemap" "$TMP/site/llm-sitemap.json"
  spared "$1"
  "$ADIT" cat "$TMP/dir/site.scp.zst" >"$TMP/got"
  same "$TMP/got" "$TMP/held" "$1: the pages are there"
  ok "$(find "$TMP/dir" -type l | wc -l)" "$1: no link is left"
}
fresh
for name in site.scp.zst pages.jsonl state.json; do ln -s "$V/conf" "$TMP/dir/$name.new"; done
replaced "links at new names"
fresh
rm -f "$TMP/dir/documents"/*
jq -r '.resources[]|.file//empty' "$TMP/dir/state.json" | sort -u | while read -r f; do ln -s "$V/note.txt" "$TMP/dir/documents/$f"; done
ok "$([ "$(find "$TMP/dir/documents" -type l | wc -l)" -gt 0 ]; echo $?)" "links in place of documents"
replaced "links in place of documents"
fresh
ln "$V/note.txt" "$TMP/dir/journal"
replaced "a journal with another name elsewhere"
fresh
echo mine >"$TMP/dir/documents/letter.txt"
ln -s "$V/note.txt" "$TMP/dir/documents/link"
sync --via tct --fresh
ok "$([ -s "$TMP/dir/documents/letter.txt" ] && [ -L "$TMP/dir/documents/link" ]; echo $?)" "what is called otherwise stays"
spared "documents with other names"

# --- a collection on its way
fresh
scp=$(jq -r '[.. | strings | select(endswith(".scp.zst"))][0]' "$TMP/site/collections/scp-manifest.json")
case $scp in http*) ;; *) scp=$url/collections/${scp##*/} ;; esac
part=$(printf '%s' "$scp" | sha256sum | cut -d' ' -f1)
rm -f "$TMP/dir"/s* "$TMP/dir"/p* # of pages nothing is held
for suffix in part etag; do ln -s "$V/conf" "$TMP/dir/documents/$part.$suffix"; done
mark
sync --via scp --fresh
is_status 0 "links in place of a download"
ok "$([ "$(asked "${scp##*/}")" -ge 1 ]; echo $?)" "the collection is fetched"
spared "links in place of a download"

# --- what was fetched with credentials
fresh
sync --via tct --header "Authorization: Bearer x"
inner=$(find "$TMP/dir" -maxdepth 1 -name 'private-*')
ok "$([ -n "$inner" ]; echo $?)" "a folder for credentials"
rm -rf "$inner"
ln -s "$V" "$inner"
run "$ADIT" sync "$url/" "$TMP/dir" --header "Authorization: Bearer x"
is_status 3 "which is a link: refused"
err_has "/${inner##*/}: is a link" "said why"
spared "a link in its place"
rm -f "$inner" "$TMP/dir/salt"
ln -s "$V/note.txt" "$TMP/dir/salt"
run "$ADIT" sync "$url/" "$TMP/dir" --header "Authorization: Bearer x"
is_status 3 "a salt that is a link"
spared "a salt that is a link"
done_testing
