# Slow: adit pack and adit changes, ended as by kill -9 before each of their steps that others can see, or with that
# step failing: kill_steps.py says what must be true of the folder then. And two of them at once.
. batch/tests/lib.sh

build_killer
# Thousands of files are synced: in memory, where that can be had.
if fast=$(mktemp -d /dev/shm/adit-XXXXXX 2>/dev/null); then
  mv "$TMP/kill.so" "$fast"
  TMP=$fast
  trap 'rm -rf "$fast"' EXIT
fi
E=https://example.com D1=2026-01-01T00:00:00Z D3=2026-01-03T00:00:00Z
{ row $E/ $D1 Home; row $E/blog/a $D1 Before; row $E/blog/b $D1 Gone; } | gen >"$TMP/1.warc"
{ row $E/ $D3 Home; row $E/blog/a $D3 After; row $E/blog/b $D3 Gone '"status":404'; row $E/docs/c $D3 New; } | gen >"$TMP/2.warc"
{ row $E/ $D3 Home; for h in a other z; do row https://$h.example/x $D3 Other; done; } | gen >"$TMP/hosts.warc"
P="$ADIT pack --compress none --jobs 1"

# everywhere WHAT OLD COMMAND…: of a command that publishes in $TMP/dir, which is a copy of OLD
everywhere() {
  what=$1 old=$2
  shift 2
  rm -rf "$TMP/dir" "$TMP/good"
  [ ! -d "$old" ] || cp -a "$old" "$TMP/dir"
  run "$@"
  is_status 0 "$what: a run that nobody disturbs"
  ok "$([ -z "$(find "$TMP/dir" -name '*.adit*')" ]; echo $?)" "$what: leaves nothing of its own"
  mv "$TMP/dir" "$TMP/good"
  status=0
  python3 batch/tests/kill_steps.py "$TMP/kill.so" "$old" "$TMP/good" "$TMP/dir" "$@" || status=$?
  ok $status "$what: killed at every step"
}
S="--section blog=/blog/"
some=3 # every third step of all but the run that matters most
[ -z "$ADIT_ALL" ] || some=1
EVERY=$some everywhere "first run" "$TMP/none" $P "$TMP/1.warc" $S --generated 2026-01-02 -o "$TMP/dir"
cp -a "$TMP/good" "$TMP/old"
N="$P $TMP/2.warc $S --section docs=/docs/ --generated 2026-01-04 --previous $TMP/dir -o $TMP/dir"
KEEP=$TMP/committed FAIL=1 everywhere "next run" "$TMP/old" $N
cp -a "$TMP/good" "$TMP/new"
EVERY=$some everywhere "a run that finishes a journal" "$TMP/committed" $N
run diff -r -x report.json "$TMP/new" "$TMP/good"
is_status 0 "a run that finishes a journal: to the bytes of a run that nobody disturbed"
NO_TMPFILE=1 everywhere "where no file is without a name" "$TMP/old" $P "$TMP/2.warc" --mixed --generated 2026-01-04 -o "$TMP/dir"
mkdir "$TMP/hosts"
cp -a "$TMP/old" "$TMP/hosts/example.com"
EVERY=$some HOSTS=1 everywhere "hosts" "$TMP/hosts" $P "$TMP/hosts.warc" --by-host --generated 2026-01-04 -o "$TMP/dir"
cat >"$TMP/page.html" <<'EOF'
<!doctype html><title>One</title><main><h1>One</h1><p>A paragraph that is long enough to be taken as the content of a page.</p></main>
EOF
for v in 1 2 3; do
  mkdir "$TMP/t$v"
  sed "s/page/page of state $v/" "$TMP/page.html" >"$TMP/t$v/index.html"
done
C="$ADIT changes --base-url $E --list-max 1 --section s=/"
run $C "$TMP/t1" "$TMP/t2" --generated 2026-01-02 -o "$TMP/c"
EVERY=$some everywhere "changes" "$TMP/c" $C "$TMP/t2" "$TMP/t3" --generated 2026-01-04 -o "$TMP/dir"

# --- two at once --------------------------------------------------------------------------------------------------------
$P "$TMP/1.warc" $S --generated 2026-01-02 -o "$TMP/a" >/dev/null
$P "$TMP/2.warc" $S --generated 2026-01-04 -o "$TMP/b" >/dev/null
at_once() { # at_once [VARIABLE…]: both into one folder; the files must be those of the later one
  rm -rf "$TMP/dir"
  env "$@" $P "$TMP/1.warc" $S --generated 2026-01-02 -o "$TMP/dir" >"$TMP/out.a" 2>"$TMP/err.a" &
  a=$!
  env "$@" $P "$TMP/2.warc" $S --generated 2026-01-04 -o "$TMP/dir" >"$TMP/out.b" 2>"$TMP/err.b" || return 1
  wait $a || return 1
  later=$TMP/a
  ! cmp -s "$TMP/dir/scp-manifest.json" "$TMP/b/scp-manifest.json" || later=$TMP/b
  (cd "$later" && find . -type f ! -name report.json) | while read -r f; do
    cmp -s "$TMP/dir/$f" "$later/$f" || { echo "# $f is another's"; exit 1; }
  done && [ -z "$(find "$TMP/dir" -name '*.adit*' ! -name .adit)" ]
}
bad=0
for i in $(seq 1 "${PACK_PAIRS:-12}"); do at_once || bad=$((bad + 1)); done
ok "$bad" "two packs into one folder, ${PACK_PAIRS:-12} times: no mixture"
bad=0
for i in 1 2 3; do
  at_once LD_PRELOAD="$TMP/kill.so" NO_FLOCK=1
  [ "$(find "$TMP/dir/.adit")" = "$TMP/dir/.adit
$TMP/dir/.adit/pack-lock" ] || bad=$((bad + 1))
done
ok "$bad" "two packs where a folder cannot be locked"
done_testing
