# Slow: pack in steps (--map, --reduce, --finish): the same bytes as pack at once, for any number of shards and partitions and in
# any order; again, twice at once, and killed at every step; files that do not belong together, or are damaged.
. batch/tests/lib.sh

gen() { python3 batch/pack/tests/steps.py "$@" | python3 batch/tests/warcgen.py members; }
for i in 1 2 3 4 5; do
  gen $i 40 01 example.com >"$TMP/a$i.warc.gz"
  gen 1$i 40 03 example.com >"$TMP/b$i.warc.gz"
done
for i in 1 2 3; do
  gen 2$i 40 01 example.com other.example third.example >"$TMP/h$i.warc.gz"
  gen 3$i 40 03 example.com other.example fourth.example >"$TMP/k$i.warc.gz"
done
inputs() { for i in $2; do echo "$TMP/$1$i.warc.gz"; done; }
A=$(inputs a "1 2 3 4 5") B=$(inputs b "1 2 3 4 5") H=$(inputs h "1 2 3") K=$(inputs k "1 2 3")
P="$ADIT pack -q --compress none --jobs 2"

# steps DIR N MAPS P PARTITIONS INPUTS OPTION…: MAPS and PARTITIONS are the numbers, in the order of the tasks
steps() {
  dir=$1 shards=$2 maps=$3 parts=$4 partitions=$5 files=$6
  shift 6
  rm -rf "$TMP/runs"
  status=0
  for i in $maps; do $P --map $files --shard $i/$shards --partitions $parts -o "$TMP/runs" "$@" || status=$?; done
  for i in $partitions; do $P --reduce "$TMP/runs" --partition $i -o "$dir" "$@" || status=$?; done
  $P --finish "$dir" "$@" || status=$?
}
# What reports say, without times: of the slowest pages how many there are.
counts() { jq -cS 'del(.time)|.slowest|=length' "$1/report.json"; }
equal() { # equal DIR DIR WHAT
  run diff -rq -x report.json "$1" "$2"
  is_status 0 "$3: the same files, to the byte"
  is "$(counts "$2")" "$(counts "$1")" "$3: the same counts"
}
several() { # several WHAT OLD-INPUTS NEW-INPUTS OPTION…: a first publication and the next one
  what=$1 old=$2 new=$3
  shift 3
  rm -rf "$TMP"/one "$TMP"/two
  $P $old -o "$TMP/one" --generated 2026-01-02 "$@"
  cp -r "$TMP/one" "$TMP/first"
  $P $new -o "$TMP/one" --previous "$TMP/one" --generated 2026-01-04 "$@"
  while read -r shards maps parts partitions; do
    maps=$(echo $maps | tr , ' ') partitions=$(echo $partitions | tr , ' ')
    rm -rf "$TMP/two"
    steps "$TMP/two" $shards "$maps" $parts "$partitions" "$old" --generated 2026-01-02 "$@"
    equal "$TMP/first" "$TMP/two" "$what, $shards maps, $parts partitions"
    steps "$TMP/two" $shards "$maps" $parts "$partitions" "$new" --previous "$TMP/two" --generated 2026-01-04 "$@"
    # The manifest says nothing of the folder's name: both are alike.
    equal "$TMP/one" "$TMP/two" "$what, $shards maps, $parts partitions, the next one"
  done
  ok "$([ ! -e "$TMP/two/.partitions" ] && [ ! -e "$TMP/two/.adit" ]; echo $?)" "$what: nothing else is left"
  rm -rf "$TMP/first"
}
several "a site" "$A" "$B" --section blog=/blog/ --section docs=/docs/ --update-freq blog=hourly <<'END'
1 0 1 0
3 2,0,1 4 3,1,0,2
7 0,6,1,5,2,4,3 2 1,0
2 1,0 9 0,1,2,3,4,5,6,7,8
END
several "hosts" "$H" "$K" --by-host <<'END'
2 1,0 3 2,0,1
END
# One page of a host is met: those of before that are of other URLs are carried over, in whatever partition.
gen 41 40 01 example.com lonely.example >"$TMP/l1.warc.gz"
gen 42 1 03 lonely.example >"$TMP/l2.warc.gz"
several "a host that is hardly met" "$TMP/l1.warc.gz" "$TMP/l2.warc.gz" --by-host <<'END'
1 0 4 0,1,2,3
END
several "mixed" "$H" "$K" --mixed <<'END'
3 1,0,2 5 4,0,1,3,2
END
mkdir -p "$TMP/tree1" "$TMP/tree2"
for i in 1 2 3 4 5 6; do
  for t in 1 2; do
    [ $i -eq $((t + 2)) ] || echo "<!doctype html><title>Page $i</title><main><h1>Page $i</h1><p>State $((i % 2 ? 1 : t)) of a paragraph that is long enough to be taken for the content of a page.</p></main>" >"$TMP/tree$t/$i.html"
  done
done
find "$TMP"/tree? -name '*.html' -exec touch -d 2026-01-01T00:00:00Z {} +
several "a tree" "$TMP/tree1" "$TMP/tree2" --base-url https://example.com/ <<'END'
1 0 3 2,1,0
2 0,1 2 0,1
END

# --- parts ---
rm -rf "$TMP/one" "$TMP/two"
$P $H -o "$TMP/one" --mixed --generated 2026-01-02
$P $K -o "$TMP/one" --mixed --previous "$TMP/one" --generated 2026-01-04
steps "$TMP/two" 2 "1 0" 3 "2 0 1" "$H" --mixed --parts --generated 2026-01-02
is $status 0 "parts"
steps "$TMP/two" 2 "1 0" 3 "2 0 1" "$K" --mixed --parts --generated 2026-01-04 --previous "$TMP/two"
is $status 0 "parts, the next ones"
pages_of() { for f in "$@"; do tail -n +2 "$f"; echo; done | grep . | sort; }
is "$(pages_of "$TMP"/two/part-*/all-snapshot-20260104T000000Z.scp | sha256sum)" "$(pages_of "$TMP/one/all-snapshot-20260104T000000Z.scp" | sha256sum)" "parts: the pages of one snapshot"
is "$(pages_of "$TMP"/two/part-*/all-delta-20260104T000000Z.scp | sha256sum)" "$(pages_of "$TMP/one/all-delta-20260104T000000Z.scp" | sha256sum)" "parts: the pages of one delta"
is "$(counts "$TMP/two" | jq -c 'del(.written,.bytes)')" "$(counts "$TMP/one" | jq -c 'del(.written,.bytes)')" "parts: the same counts"
is "$(jq -c '[.partitions,([.parts[].pages]|add),.parts[1].folder]' "$TMP/two/parts.json")" "[3,$(jq .pages "$TMP/one/report.json"),\"part-00001-of-00003\"]" "parts: the index"
run "$ADIT" check "$TMP"/two/part-*
is_status 0 "each part is a publication"
cp -r "$TMP/two" "$TMP/before"
steps "$TMP/two" 2 "0 1" 3 "0 1 2" "$K" --mixed --parts --generated 2026-01-04 --previous "$TMP/two"
run diff -r "$TMP/before" "$TMP/two"
is_status 0 "parts, all steps again: nothing is done"
rm -rf "$TMP/runs"
$P --map $K --partitions 4 -o "$TMP/runs" --mixed --parts --generated 2026-01-06 --previous "$TMP/two"
run $P --reduce "$TMP/runs" --partition 0 -o "$TMP/two" --mixed --parts --generated 2026-01-06 --previous "$TMP/two"
is_status 1 "parts of another number"
err_has "is of 3 parts, and this run of 4: give --partitions 3" "are refused"
run $P --map $K --partitions 4 -o "$TMP/runs" --parts --by-host --generated 2026-01-06
is_status 2 "--parts without --mixed"
err_has "a sitemap in a folder may list only what lies below it" "says why"

# --- inputs that are damaged or absent ---
head -c 4000 "$TMP/a2.warc.gz" >"$TMP/cut.warc.gz"
bad="$TMP/a1.warc.gz $TMP/cut.warc.gz $TMP/absent.warc.gz $TMP/a3.warc.gz"
run $P $bad -o "$TMP/bad1" --generated 2026-01-02
is_status 1 "damaged inputs, at once"
steps "$TMP/bad2" 2 "0 1" 2 "0 1" "$bad" --generated 2026-01-02 2>/dev/null
is_status 1 "damaged inputs, in steps"
run diff -r -x report.json "$TMP/bad1" "$TMP/bad2"
is_status 0 "the same files"
is "$(jq -cS '[.faults,.inputs_failed,.skips,(.losses|sort_by(.file,.offset))]' "$TMP/bad2/report.json")" \
  "$(jq -cS '[.faults,.inputs_failed,.skips,(.losses|sort_by(.file,.offset))]' "$TMP/bad1/report.json")" "the same losses"

# --- again, twice at once ---
rm -rf "$TMP/runs" "$TMP/dir"
G="--generated 2026-01-02 --section blog=/blog/"
map() { $P --map $A --shard $1/3 --partitions 4 -o "$TMP/runs" $G; }
reduce() { $P --reduce "$TMP/runs" --partition $1 -o "$TMP/dir" $G; }
for i in 0 1 2; do map $i & map $i || exit 1; wait $! || exit 1; done
ok $? "each map twice at once"
inodes=$(ls -i "$TMP/runs")
for i in 0 1 2; do map $i; done
is "$(ls -i "$TMP/runs")" "$inodes" "what is done is not done again"
touch -d 2026-02-02 "$TMP/a2.warc.gz"
for i in 0 1 2; do map $i; done
ok "$([ "$(ls -i "$TMP/runs")" != "$inodes" ]; echo $?)" "but for an input that is another one now"
run $P --map $A "$TMP/absent.warc.gz" --shard 5/6 --partitions 4 -o "$TMP/again" $G
is_status 1 "an input that is not there"
cp "$TMP/a1.warc.gz" "$TMP/absent.warc.gz"
run $P --map $A "$TMP/absent.warc.gz" --shard 5/6 --partitions 4 -o "$TMP/again" $G
is_status 0 "is read when it is there"
rm "$TMP/absent.warc.gz"
for i in 3 1 0 2; do reduce $i & reduce $i || exit 1; wait $! || exit 1; done
ok $? "each partition twice at once"
inodes=$(ls -i "$TMP/dir/.partitions")
reduce 2
is "$(ls -i "$TMP/dir/.partitions")" "$inodes" "what is done is not done again"
$P --finish "$TMP/dir" $G &
run $P --finish "$TMP/dir" $G
is_status 0 "two finish at once"
wait $!
ok $? "both are fine"
rm -rf "$TMP/one"
$P $A -o "$TMP/one" $G
equal "$TMP/one" "$TMP/dir" "twice at once"
run "$ADIT" pack --finish "$TMP/dir" $G --compress none
is_status 0 "finish, when all is done"
out_has "$TMP/dir is published" "says so"
run reduce 1
is_status 0 "a late reduce"
ok "$([ ! -e "$TMP/dir/.partitions" ]; echo $?)" "leaves nothing"

# --- what does not belong together ---
rm -rf "$TMP/dir"
refuse() { # refuse CODE TEXT WHAT COMMAND…
  code=$1 text=$2 what=$3
  shift 3
  run "$@"
  is_status $code "$what"
  err_has "$text" "says so"
}
rm "$TMP/runs/map-00001-of-00003.run"
refuse 1 "1 of 3 maps are missing: number 1" "a map is missing" reduce 0
refuse 1 "no map: run pack --map" "no map at all" $P --reduce "$TMP/nothing" --partition 0 -o "$TMP/dir" $G
map 1
refuse 2 "has the partitions 0 to 3: there is no 4" "no such partition" reduce 4
reduce 0
reduce 3
refuse 1 "2 of 4 partitions are missing: number 1, 2" "partitions are missing" $P --finish "$TMP/dir" $G
cp "$TMP/runs/map-00001-of-00003.run" "$TMP/good.run"
$P --map $A --shard 1/3 --partitions 5 -o "$TMP/runs" $G
refuse 1 "map-00001-of-00003.run: has another number of partitions than map 0" "another number of partitions" reduce 1
$P --map $A --shard 1/3 --partitions 4 -o "$TMP/runs" $G --include '/blog/*'
refuse 1 "was written with other options than this step: --include /blog/*" "other options" reduce 1
$P --map $A --shard 1/3 --partitions 4 -o "$TMP/runs" --generated 2026-01-03 --section blog=/blog/
refuse 1 "has another --generated than this step" "another time" reduce 1
$P --map $B --shard 1/3 --partitions 4 -o "$TMP/runs" $G
refuse 1 "is of other inputs than map 0" "other inputs" reduce 1
cp "$TMP/runs/map-00000-of-00003.run" "$TMP/runs/map-00001-of-00003.run"
refuse 1 "is not what its name says" "another name" reduce 1
cp "$TMP/good.run" "$TMP/runs/map-00001-of-00003.run"
$P --map $A --shard 0/4 --partitions 4 -o "$TMP/runs" $G
refuse 1 "holds maps of several runs" "another number of shards" reduce 1
rm "$TMP"/runs/*-of-00004.run
reduce 1
echo '{}' >"$TMP/adit.json"
refuse 1 "was written with other options than this step: --config" "another configuration" $P --reduce "$TMP/runs" --partition 2 -o "$TMP/dir" $G --config "$TMP/adit.json"
# A map that was made anew of another input: partition 2 knows it, the others do not.
cp "$TMP/b1.warc.gz" "$TMP/a2.warc.gz"
map 1
reduce 2
refuse 1 "was made of other maps than partition 0: reduce it again" "partitions of other maps" $P --finish "$TMP/dir" $G

# --- damage ---
break_at() { # break_at FILE OFFSET-FROM-THE-END: one byte is another one
  python3 - "$1" "$2" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[-int(sys.argv[2])] ^= 0x55
open(sys.argv[1], "wb").write(data)
END
}
whole=$TMP/runs/map-00001-of-00003.run
size=$(wc -c <"$whole")
cp "$whole" "$TMP/good.run"
rm -rf "$TMP/dir"
bad=0
for at in 1 9 40 50 60 100 400 $((size - 4)); do # tail, hash, text, table, magic
  break_at "$whole" $at
  run reduce 0
  { [ $status -eq 1 ] && grep -q 'map-00001-of-00003.run: is ' "$TMP/err"; } || { bad=1; echo "# byte $at: $status"; show; }
  cp "$TMP/good.run" "$whole"
done
ok $bad "a damaged byte of what describes the records"
bad=0
for at in 12 40 200 $((size / 3)); do # of the segments: seen by the reader of that segment
  break_at "$whole" $((size - at))
  told=0
  for i in 0 1 2 3; do
    run reduce $i
    [ $status -eq 0 ] || { [ $status -eq 1 ] && grep -q "map-00001-of-00003.run: " "$TMP/err" && told=$((told + 1)); }
  done
  [ $told -eq 1 ] || { bad=1; echo "# byte $at: told $told times"; show; }
  rm -rf "$TMP/dir"
  cp "$TMP/good.run" "$whole"
done
ok $bad "a damaged byte of a segment"
for cut in 0 5 30 $((size / 2)) $((size - 1)); do
  head -c $cut "$TMP/good.run" >"$whole"
  run reduce 0
  [ $status -eq 1 ] && grep -q "is cut off\|is not a run file" "$TMP/err" || { ok 1 "cut off at $cut"; show; }
done
cp "$TMP/a1.warc.gz" "$whole"
refuse 1 "is not a run file of this version of adit" "something else" reduce 0
cp "$TMP/good.run" "$whole"

# --- usage ---
refuse 2 "give --generated" "no time" $P --map $A --partitions 4 -o "$TMP/runs"
refuse 2 "--map needs --partitions" "no number" $P --map $A -o "$TMP/runs" $G
refuse 2 "is not a number from 1" "0 partitions" $P --map $A --partitions 0 -o "$TMP/runs" $G
refuse 2 "exclude each other" "two steps" $P --map $A --finish x --partitions 4 -o "$TMP/runs" $G
refuse 2 "--partition I goes with --reduce" "which partition" $P --reduce "$TMP/runs" -o "$TMP/dir" $G
refuse 2 "this step reads no inputs" "inputs of another step" $P --finish "$TMP/dir" $A $G
refuse 2 "belong to --map" "no step" $P $A --partitions 4 -o "$TMP/dir" $G
refuse 2 "--dry-run is for a pack" "a dry run" $P --map $A --partitions 4 -o "$TMP/dir" $G --dry-run

# --- killed ---
build_killer
P="$ADIT pack -q --compress none --jobs 1"
rm -rf "$TMP/runs" "$TMP/dir" "$TMP/one"
A=$(inputs b "1 2 3 4 5")
$P $A -o "$TMP/one" $G
# killed WHAT COMMAND…: before each of its steps; then once more. At last it was not killed.
killed() {
  what=$1
  shift
  for at in $(seq 1 400); do
    run env LD_PRELOAD="$TMP/kill.so" KILL_AT=$at "$@"
    [ $status -eq 137 ] || break
  done
  is_status 0 "$what, killed before each of its $((at - 1)) steps in turn"
  ok "$([ $at -gt 3 ]; echo $?)" "which are some"
}
for i in 0 1 2; do killed "map $i" $P --map $A --shard $i/3 --partitions 2 -o "$TMP/runs" $G; done
for i in 0 1; do killed "partition $i" $P --reduce "$TMP/runs" --partition $i -o "$TMP/dir" $G; done
killed "finish" $P --finish "$TMP/dir" $G
equal "$TMP/one" "$TMP/dir" "after all kills"
rm -rf "$TMP/one3"
$P $H -o "$TMP/one3" $G --by-host
$P --map $H --partitions 2 -o "$TMP/runs3" $G --by-host
for i in 0 1; do $P --reduce "$TMP/runs3" --partition $i -o "$TMP/dir3" $G --by-host; done
killed "finish of hosts" $P --finish "$TMP/dir3" $G --by-host
equal "$TMP/one3" "$TMP/dir3" "hosts, after all kills"
G="$G --mixed --parts"
rm -rf "$TMP/runs2" "$TMP/dir2"
$P --map $A --partitions 2 -o "$TMP/runs2" $G
for i in 0 1; do killed "part $i" $P --reduce "$TMP/runs2" --partition $i -o "$TMP/dir2" $G; done
killed "finish of parts" $P --finish "$TMP/dir2" $G
is "$(pages_of "$TMP"/dir2/part-*/all-snapshot-*.scp | sha256sum)" "$(pages_of "$TMP"/one/all-snapshot-*.scp | sha256sum)" "parts, after all kills"
ok "$([ "$(ls "$TMP/runs" | grep -vc '^map-0000.-of-00003.run$')" = 0 ] && [ ! -e "$TMP/dir/.partitions" ]; echo $?)" "nothing else is left"
done_testing
