# First contact: the command line of cron from its first run on, what pack says of its work, check,
# cat and stat on what it wrote, what a failed run leaves, --keep.
. batch/tests/lib.sh
E=https://example.com
D=2026-01-01T00:00:00Z
{ row $E/ $D Home; row $E/blog/one $D One; row $E/two $D Two; } | gen members >"$TMP/x.warc.gz"
row $E/gone $D Gone '"status":404' | gen members >"$TMP/gone.warc.gz"
P="$ADIT pack --jobs 1"

# --- the first run, with --previous ---
run $P "$TMP/x.warc.gz" -o "$TMP/public" --previous "$TMP/public" --section blog=/blog/ --generated 2026-01-02
is_status 0 "--previous on the first run"
err_has "this is the first publication" "says so"
out_has "3 captures: 3 pages listed" "summary"
out_has "written to $TMP/public:" "where it wrote"
out_has "  blog-snapshot-20260102T000000Z.scp.zst         1 page, " "and what"
out_has "next: adit check $TMP/public" "and what to do next"
out_has "put the folder online as $E/collections/" "where it belongs"
out_has "      at $E/, too, where readers look for them" "and what belongs at the root"
for f in $(cd "$TMP/public" && ls -A); do
  case $f in
  .well-known | resourcesync | sitemap*.xml | llms*.txt | llm-sitemap*.json) ;; # named for the root
  *.scp.zst | scp-manifest.json | report.json | .adit*) ;;                      # beside the manifest
  *) ok 1 "$f has its place in what pack says" ;;
  esac
done
is "$(jq -r '[.written[]|.file,.pages]|join(" ")' "$TMP/public/report.json")" \
  "all-snapshot-20260102T000000Z.scp.zst 3 blog-snapshot-20260102T000000Z.scp.zst 1" "the report lists the files"
for k in 3 4 5; do
  run $P "$TMP/x.warc.gz" -o "$TMP/public" --previous "$TMP/public" --section blog=/blog/ --generated 2026-01-0$k
  is_status 0 "the run of day $k"
done
ok "$([ ! -s "$TMP/err" ]; echo $?)" "says nothing about a first run"
cp -r "$TMP/public" "$TMP/raised" && sed -i 's/"rules":"[0-9]*"/"rules":"3"/' "$TMP/raised/scp-manifest.json"
run $P "$TMP/x.warc.gz" -o "$TMP/raised" --previous "$TMP/raised" --generated 2026-01-07
is "$status $(grep -c "made by rules 3, now $("$ADIT" version --json | jq -r .rules): every machine view has a new ETag" "$TMP/err")" "0 1" "other rules are said, once"
is "$(zstd -dcf "$TMP/raised/all-snapshot-20260107T000000Z.scp.zst" | tail -n +2 | jq -r .modified | sort -u)" "$D" "pages that read as before keep their dates"
out_has "collections of earlier runs are still there; --keep N removes old ones" "old files are said to stay"
mkdir "$TMP/unreadable" && mkdir "$TMP/unreadable/scp-manifest.json"
run $P "$TMP/x.warc.gz" -o "$TMP/nope" --previous "$TMP/unreadable"
is_status 1 "a manifest that cannot be read is no first run"

# --- check, cat, stat ---
run "$ADIT" check "$TMP/public"
is_status 0 "check DIR"
out_has "$TMP/public: publication: valid, " "as a whole"
out_has "$TMP/public/report.json: report: valid, 3 captures, 3 pages" "the report"
out_has "$TMP/public/.well-known/resourcesync: " "and what is hidden"
run "$ADIT" check "$TMP"/public/*
is_status 0 "check DIR/*"
cp -r "$TMP/public" "$TMP/broken"
rm "$TMP/broken/all-snapshot-20260105T000000Z.scp.zst"
printf '<html>' >"$TMP/broken/index.html"
printf '{"name":"something else"}' >"$TMP/broken/package.json"
run "$ADIT" check "$TMP/broken"
is_status 1 "a publication without its snapshot"
out_has "[manifest-gone]" "names the rule"
out_has "2 passed over" "files of others are counted"
printf '{"captures":"many"}' >"$TMP/broken/report.json"
run "$ADIT" check "$TMP/broken/report.json"
is_status 1 "a report that is none"
mkdir "$TMP/empty"
run "$ADIT" check "$TMP/empty"
is_status 1 "an empty folder"
out_has "[folder-nothing]" "names the rule"
mkdir "$TMP/broken/.adit" && : >"$TMP/broken/.adit/pack-journal"
run "$ADIT" check "$TMP/broken"
out_has "[folder-unfinished]" "a killed run shows"
run "$ADIT" check --json "$TMP/public"
is "$(jq -r 'select(.kind=="publication")|.valid' "$TMP/out")" true "check --json DIR"
run "$ADIT" cat "$TMP/public" --format text
is_status 0 "cat DIR"
out_has "Every page here has a paragraph" "shows its pages"
run "$ADIT" stat "$TMP/public"
is_status 0 "stat DIR"
out_has "3 pages" "counts them"
run "$ADIT" delta "$TMP/public/all-snapshot-20260102T000000Z.scp.zst" "$TMP/public" -o "$TMP/d.scp"
is_status 0 "delta takes a publication, too"
run "$ADIT" cat "$TMP/empty"
is_status 1 "cat of a folder without a publication"
err_has "is a folder without a publication" "says so"
printf '{"collections":[{"section":"all","type":"snapshot","file":"../x.scp"}]}' >"$TMP/empty/scp-manifest.json"
run "$ADIT" cat "$TMP/empty"
is_status 1 "a manifest that leads out of its folder"
err_has "names no snapshot" "is not followed"

# --- what a failed run leaves ---
run $P "$TMP/not-there.warc.gz" -o "$TMP/new/deep/er"
is_status 1 "an input that is not there"
ok "$([ ! -e "$TMP/new" ]; echo $?)" "leaves no folder"
is "$(wc -l <"$TMP/err" | tr -d ' ')" 1 "says one thing"
mkdir "$TMP/old"
run $P "$TMP/not-there.warc.gz" -o "$TMP/old/new"
ok "$([ -d "$TMP/old" ] && [ ! -e "$TMP/old/new" ]; echo $?)" "a folder that was there stays"
run $P "$TMP/gone.warc.gz" -o "$TMP/new"
is_status 1 "a crawl without a page"
err_has "no page to list; nothing was published" "says so"
out_has "1  404 or 410: not found" "with the reasons"
ok "$([ ! -e "$TMP/new" ]; echo $?)" "leaves no folder"
run $P "$TMP/gone.warc.gz" --dry-run
is_status 1 "the same with --dry-run"
out_has "! $E/gone  # 404 or 410" "says why, by URL"
run $P "$TMP/gone.warc.gz" -o "$TMP/new" --json
is "$(jq -c .skips "$TMP/out")" '{"gone":1}' "and with --json"

# --- --keep ---
cp -r "$TMP/public" "$TMP/keep"
: >"$TMP/keep/other-snapshot-20250101T000000Z.scp.zst"
: >"$TMP/keep/all-snapshot-mine.scp.zst"
run $P "$TMP/x.warc.gz" -o "$TMP/keep" --previous "$TMP/keep" --section blog=/blog/ --generated 2026-01-06 --keep 2
is_status 0 "--keep 2"
is "$(cd "$TMP/keep" && echo *-snapshot-*)" \
  "all-snapshot-20260105T000000Z.scp.zst all-snapshot-20260106T000000Z.scp.zst all-snapshot-mine.scp.zst blog-snapshot-20260105T000000Z.scp.zst blog-snapshot-20260106T000000Z.scp.zst other-snapshot-20250101T000000Z.scp.zst" \
  "the two newest snapshots a section stay, and what is not ours"
is "$(cd "$TMP/keep" && echo all-delta-*)" "all-delta-20260105T000000Z.scp.zst all-delta-20260106T000000Z.scp.zst" \
  "deltas that the manifest names stay, too"
out_has "collections of earlier runs were removed (--keep)" "says so"
run "$ADIT" check "$TMP/keep/scp-manifest.json"
is_status 0 "all that the manifest names is there"
for bad in 0 x -1; do
  run $P "$TMP/x.warc.gz" -o "$TMP/keep" --keep $bad
  is_status 2 "refused: --keep $bad"
done

done_testing
