# Slow: adit archive in a folder that somebody else has prepared: nothing outside of it is made, changed or
# removed, no link in it is followed, and the error names the file.
. batch/tests/lib.sh
A="$ADIT archive"
E=https://example.com
V="$TMP/victim"
X="$TMP/x"
row() { # row PATH DATE TEXT
  printf '{"url":"%s/%s","date":"2026-01-0%sT00:00:00Z","body":"<!doctype html><html lang=en><title>T</title><main><h1>T</h1><p>%s, and a sentence that is long enough to be taken for the content of a page.</p></main>"}\n' $E "$1" "$2" "$3"
}
{ row a 1 "First text"; row b 1 "Another page"; } | gen >"$TMP/1.warc"
{ row a 2 "Second text"; row c 2 "A new page"; } | gen >"$TMP/2.warc"
$A "$TMP/1.warc" -o "$TMP/good" >/dev/null
cp -a "$TMP/good" "$TMP/expect"
$A "$TMP/2.warc" -o "$TMP/expect" >/dev/null
files() { (cd "$1" && find . -path ./.adit -prune -o -printf '%y %p %l\n' -type f -exec sha256sum {} + | LC_ALL=C sort); }
victims() { (cd "$V" && find . -printf '%y %p %l %s\n' -type f -exec sha256sum {} + | LC_ALL=C sort); }
# fresh: an archive as it should be, and a victim beside it
fresh() {
  rm -rf "$X" "$V"
  cp -a "$TMP/good" "$X"
  mkdir -p "$V/0/1" "$V/sub"
  echo mine >"$V/note.txt"
  echo mine >"$V/conf"
  echo mine >"$V/0/0"
  echo mine >"$V/sub/file"
  victims >"$TMP/victim-before"
  files "$X" >"$TMP/archive-before"
}
spared() { victims >"$TMP/victim-now"; same "$TMP/victim-now" "$TMP/victim-before" "$1: the victim is as it was"; }
unchanged() { files "$X" >"$TMP/archive-now"; same "$TMP/archive-now" "$TMP/archive-before" "$1: so is the archive"; }

# --- journals ------------------------------------------------------------------------------------
object=$(cd "$TMP/good" && find objects -type f | LC_ALL=C sort | head -n 1)
manifest=$(cd "$TMP/good" && find artifacts -name semantic.json | LC_ALL=C sort | head -n 1)
list=${manifest%1/semantic.json}versions.json
journal() { # journal WHAT LINE: the first line is fine, the second is not
  fresh
  printf 'D %s\n%b' "$object" "$2" >"$X/.adit/journal"
  run $A "$TMP/2.warc" -o "$X"
  is_status 3 "$1: refused"
  err_has ".adit/journal: line 2 is none that adit archive writes" "$1: named by file and line"
  spared "$1"
  unchanged "$1"
  run $A verify "$X"
  is_status 1 "$1: verify says so, too"
}
journal "a move to elsewhere" 'M 0 ../victim/planted.sh\n'
journal "a removal elsewhere" 'D ../victim/note.txt\n'
journal "a change elsewhere" 'P 0 ../victim/conf HACK\n'
journal "an absolute path" "D $V/note.txt\n"
journal "up behind a good beginning" "D objects/../../victim/note.txt\n"
journal "the marker" 'D adit-archive.json\n'
journal "another name" 'M 0 objects/abc/hello.sh\n'
journal "a hidden name" 'M 0 .adit/lock\n'
journal "an object in another folder" "D objects/zzz/${object##*/}\n"
journal "capital digits" "D $(echo "$object" | tr abcdef ABCDEF | sed 's/^OBJECTS/objects/; s/^oBjECts/objects/')\n"
journal "more behind an object" "D $object/x\n"
journal "version 0" "M 0 ${manifest%/1/semantic.json}/0/semantic.json\n"
journal "version 01" "M 0 ${manifest%/1/semantic.json}/01/semantic.json\n"
journal "a list removed" "D $list\n"
journal "a list changed in place" "P 0 $list x\n"
journal "bytes far beyond the end" "P 99999999999999 $manifest x\n"
journal "no number" "M x $object\n"
journal "an unknown line" "X 0 $object\n"
journal "an empty line" '\n\n'
journal "half a line" "D $object"
journal "an event that is none" 'E \033]0;title\007\n'
fresh
printf 'M 0 ../victim/planted.sh\nD ../victim/note.txt\nP 0 ../victim/conf HACK\n' >"$X/.adit/journal"
mkdir -p "$X/.adit/stage/0"
echo evil >"$X/.adit/stage/0/0"
run $A "$TMP/2.warc" -o "$X"
is_status 3 "all three at once"
spared "all three at once"
run $A tombstone "$X" $E/a
is_status 3 "tombstone refuses it, too"
spared "tombstone"
unchanged "tombstone"
fresh
printf 'P 100000 %s x\n' "$manifest" >"$X/.adit/journal"
run $A "$TMP/2.warc" -o "$X"
is_status 3 "a change behind the end of a manifest"
unchanged "a change behind the end of a manifest"

# --- links in place of what adit makes -----------------------------------------------------------
linked() { # linked WHAT: after fresh and a link
  run $A "$TMP/2.warc" -o "$X"
  is_status 3 "$1: refused"
  err_has "is a link, or lies behind one" "$1: said why"
  err_has "$2" "$1: and where"
  spared "$1"
}
fresh
rm -rf "$X/.adit/stage"
ln -s "$V" "$X/.adit/stage"
linked "the stage" .adit/stage
unchanged "the stage"
fresh
rm -rf "$X/.adit"
ln -s "$V" "$X/.adit"
linked ".adit" "$X/.adit"
unchanged ".adit"
run $A verify "$X"
is_status 1 "verify of it"
spared "verify of it"
fresh
rm -f "$X/.adit/lock"
ln -s "$V/new" "$X/.adit/lock"
linked "the lock" .adit/lock
run $A verify "$X"
is_status 1 "verify with it"
spared "verify with it"
fresh
printf 'D %s\n' "$object" >"$V/journal"
victims >"$TMP/victim-before"
ln -s "$V/journal" "$X/.adit/journal"
linked "the journal" .adit/journal
unchanged "the journal"
fresh
mv "$X/objects" "$TMP/moved"
ln -s "$V" "$X/objects"
linked "the objects" "$X/objects"
rm -r "$TMP/moved"
fresh
rm -rf "$X/artifacts"
ln -s "$V" "$X/artifacts"
linked "the artifacts" "$X/artifacts"
run $A ls "$X"
is_status 1 "ls of it"
err_has "is a link" "said why"

# What adit writes and never reads again is replaced.
replaced() {
  run $A "$TMP/2.warc" -o "$X"
  is_status 0 "$1: the run succeeds"
  spared "$1"
  files "$X" >"$TMP/archive-now"
  files "$TMP/expect" >"$TMP/archive-expect"
  same "$TMP/archive-now" "$TMP/archive-expect" "$1: the archive is what it should be"
}
fresh
ln -s "$V/note.txt" "$X/.adit/new"
replaced "a link at a temporary name"
fresh
ln "$V/note.txt" "$X/.adit/new"
victims >"$TMP/victim-before"
replaced "a hard link at a temporary name"
fresh
mkdir -p "$X/.adit/stage"
ln -s "$V" "$X/.adit/stage/0"
replaced "a link in the stage"
fresh
mkdir -p "$X/.adit/stage/0"
ln -s "$V/note.txt" "$X/.adit/stage/0/0"
ln "$V/conf" "$X/.adit/stage/0/1"
victims >"$TMP/victim-before"
replaced "links among the staged files"
fresh
new=$(cd "$TMP/expect" && find objects -type f | LC_ALL=C sort | while read -r f; do [ -e "$X/$f" ] || echo "$f"; done | head -n 1)
mkdir -p "$X/${new%/*}"
ln -s "$V/note.txt" "$X/$new"
replaced "a link in place of an object"
fresh
row a 3 "First text" | gen >"$TMP/3.warc" # the same bytes: lastSeen is changed in place
for f in $(cd "$X" && find artifacts -name semantic.json); do mkdir -p "$V/${f%/*}" && ln "$X/$f" "$V/$f"; done
victims >"$TMP/victim-before"
run $A "$TMP/3.warc" -o "$X"
is_status 0 "manifests with other names elsewhere"
spared "manifests with other names elsewhere"
is "$($A show "$X" $E/a | jq -r .provenance.lastSeen)" 2026-01-03T00:00:00Z "are changed in the archive"

# --- reading -------------------------------------------------------------------------------------
fresh
rm "$X/$manifest"
ln -s "$V/note.txt" "$X/$manifest"
for f in "$X"/objects/*/*; do rm "$f" && ln -s "$V/note.txt" "$f"; done
for what in "verify $X" "get $X $E/a" "get $X $E/b" "diff $X $E/a"; do
  run $A $what
  is_status 1 "$what, through links"
done
ok "$(grep -c mine "$TMP/out")" "nothing of the victim is shown"
id=${manifest%/1/semantic.json}
run $A show "$X" "${id##*/}"
is_status 1 "show of a manifest that is a link"
err_has "is a link" "said why"
fresh
rm "$X/$manifest"
mkfifo "$X/$manifest"
run timeout 60 $A show "$X" "${id##*/}"
is_status 1 "a pipe in place of a manifest is not waited for"
err_has "is no file" "said why"
fresh
rm "$X/adit-archive.json"
ln -s "$V/note.txt" "$X/adit-archive.json"
run $A ls "$X"
is_status 1 "a link does not make an archive"

# --- a journal of adit's own is still finished ---------------------------------------------------
fresh
mkdir -p "$X/.adit/stage/0"
cp "$X/$manifest" "$X/.adit/stage/0/7"
rm "$X/$manifest"
printf 'M 7 %s\nE {"event":"x"}\n' "$manifest" >"$X/.adit/journal"
run $A verify "$X"
err_has "a run was killed" "verify knows it"
run $A "$TMP/1.warc" -o "$X"
is_status 0 "a journal that was left"
err_has "finishing what a run that was killed had begun" "is finished"
unchanged "a journal that was left"
done_testing
