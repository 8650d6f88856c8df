# Slow: adit pack and changes in folders and with inputs of strangers: hosts that are no names of folders, links at
# names of adit's own and on the way there, journals that somebody else wrote.
. batch/tests/lib.sh
page() { page_of "$1" ""; }
row() { printf '{"url":"%s","date":"2026-01-01T00:00:00Z","body":"%s"}\n' "$1" "$(page "$2")"; }
gen() { python3 batch/tests/warcgen.py plain; }
state() { (cd "$1" && find . ! -name report.json -exec ls -ld --time-style=+ {} + && find . -type f ! -name report.json -exec sha256sum {} +) | sort; }
P="$ADIT pack --compress none --jobs 1"
E=https://example.com

# --- hosts --------------------------------------------------------------------------------------------------------------
long=$(printf 'a%.0s' $(seq 1 60))
i=0
long=$long.$long.$long.$long.example
{
  for host in .. %2e%2e .%2e '\uff0e\uff0e' . .adit .well-known report.json SCP-Manifest.json resourcesync "$long"; do
    i=$((i + 1))
    row "http://$host/$i" "$i"
  done
  row $E/ Home
  row https://zoo.example/ Zoo
  row 'https://[2001:db8::1]/' Numbers
} | gen >"$TMP/hosts.warc"
mkdir "$TMP/parent"
echo mine >"$TMP/parent/sitemap.xml"
run $P "$TMP/hosts.warc" --by-host -o "$TMP/parent/out" --generated 2026-01-05 --json
is_status 1 "hosts that cannot be folders: captures are lost"
is "$(jq -r .skips.host "$TMP/out")" 11 "and counted"
is "$(jq -r .pages "$TMP/out")" 3 "the others are published"
is "$(ls -A "$TMP/parent")" "out
sitemap.xml" "nothing outside of the folder"
is "$(cat "$TMP/parent/sitemap.xml")" mine "nor overwritten there"
is "$(ls -A "$TMP/parent/out" | tr '\n' ' ')" "[2001:db8::1] example.com report.json zoo.example " "a folder for each good host"
is "$(find "$TMP/parent/out" -name scp-manifest.json | wc -l | tr -d ' ')" 3 "with its publication"
is "$(jq -r .skips.host "$TMP/parent/out/report.json")" 11 "the report has the count"
err_has "the host '..' begins with a dot" "says which, and why"
run $P "$TMP/hosts.warc" --by-host --dry-run -o "$TMP/nowhere"
is_status 1 "a dry run says the same"
out_has "the host's name cannot be the name of a folder" "with its text"
ok "$([ ! -e "$TMP/nowhere" ]; echo $?)" "and makes no folder"

# --- names of sections and of the JSON sitemap --------------------------------------------------------------------------
row $E/ Home | gen >"$TMP/1.warc"
for name in .. .x a/b "$(printf 'a%.0s' $(seq 1 129))" 'a b' ''; do
  run $P "$TMP/1.warc" -o "$TMP/u" --section "$name=/x/"
  is_status 2 "--section '$(echo "$name" | cut -c1-20)'"
  run "$ADIT" changes "$TMP" "$TMP" -o "$TMP/u" --base-url $E --section "$name=/x/"
  is_status 2 "changes --section '$(echo "$name" | cut -c1-20)'"
  [ -n "$name" ] || continue
  echo "{\"sections\":{\"$name\":\"/x/\"}}" >"$TMP/c.json"
  run $P "$TMP/1.warc" -o "$TMP/u" --config "$TMP/c.json"
  is_status 2 "sections of the configuration: '$(echo "$name" | cut -c1-20)'"
done
for path in /a/.. /.adit.json /scp-manifest.json /x/report.json /llm-sitemap /; do
  echo "{\"sitemap\":{\"path\":\"$path\"}}" >"$TMP/c.json"
  run $P "$TMP/1.warc" -o "$TMP/u" --config "$TMP/c.json"
  is_status 2 "sitemap.path $path"
done
run $P "$TMP/1.warc" -o "$TMP/u" --section "$(printf 'a%.0s' $(seq 1 128))=/" --compress zstd
is_status 0 "the longest name of a section"
ok "$([ ! -e "$TMP/u/.adit" ]; echo $?)" "and nothing is left over"

# --- links --------------------------------------------------------------------------------------------------------------
V=$TMP/victim
victim() { # a folder of somebody else's, and a publication
  rm -rf "$V" "$TMP/d"
  mkdir -p "$V/all" "$V/pack-stage"
  for v in file resourcesync changelist.xml all/changelist.xml pack-stage/x pack-journal; do echo mine >"$V/$v"; done
  state "$V" >"$TMP/victim.before"
  run $P "$TMP/1.warc" -o "$TMP/d" --generated 2026-01-02
}
safe() {
  state "$V" >"$TMP/victim.after"
  same "$TMP/victim.before" "$TMP/victim.after" "$1: the link's target is as it was"
}
next() { run $P "$TMP/1.warc" -o "$TMP/d" --previous "$TMP/d" --generated 2026-01-04; }
for f in sitemap.xml llm-sitemap.json report.json resourcesync/all/changelist.xml resourcesync/all/capabilitylist.xml .well-known/resourcesync all-snapshot-20260104T000000Z.scp; do
  victim
  rm -f "$TMP/d/$f"
  ln -s "$V/file" "$TMP/d/$f"
  next
  is_status 0 "a link at $f"
  ok "$([ ! -L "$TMP/d/$f" ] && [ -s "$TMP/d/$f" ]; echo $?)" "a link at $f: is replaced by the file"
  safe "a link at $f"
done
for f in resourcesync resourcesync/all .well-known; do
  victim
  rm -r "$TMP/d/$f"
  ln -s "$V" "$TMP/d/$f"
  state "$TMP/d" >"$TMP/before"
  next
  is_status 3 "a link at the folder $f"
  err_has "$f: is a link" "a link at the folder $f: says so"
  state "$TMP/d" >"$TMP/after"
  same "$TMP/before" "$TMP/after" "a link at the folder $f: nothing was published"
  safe "a link at the folder $f"
  mkdir "$TMP/old" "$TMP/new"
  echo "<main><h1>A</h1><p>A page that is long enough to be one, with a sentence or two.</p></main>" >"$TMP/new/a.html"
  run "$ADIT" changes "$TMP/old" "$TMP/new" -o "$TMP/d" --base-url $E --generated 2026-01-05
  is_status 3 "changes: a link at the folder $f"
  safe "changes: a link at the folder $f"
  rm -r "$TMP/old" "$TMP/new"
done
for f in .adit .adit/pack-stage .adit/pack-journal; do
  victim
  mkdir -p "$TMP/d/$(dirname $f)"
  ln -s "$V" "$TMP/d/$f"
  [ $f != .adit/pack-journal ] || ln -sfT "$V/pack-journal" "$TMP/d/$f"
  next
  if [ $f = .adit/pack-stage ]; then is_status 0 "a link at $f is removed"; else is_status 3 "a link at $f"; fi
  safe "a link at $f"
done
victim
mkdir "$TMP/by"
ln -s "$V" "$TMP/by/example.com"
run $P "$TMP/1.warc" --by-host -o "$TMP/by"
is_status 3 "a link at a host's folder"
safe "a link at a host's folder"
victim
rm "$TMP/d/sitemap.xml"
mkdir "$TMP/d/sitemap.xml"
state "$TMP/d" >"$TMP/before"
next
is_status 3 "a folder where a file belongs"
state "$TMP/d" >"$TMP/after"
same "$TMP/before" "$TMP/after" "a folder where a file belongs: nothing was published"

# --- journals of strangers ----------------------------------------------------------------------------------------------
journal() { # journal TEXT: in a folder with staged files
  victim
  mkdir -p "$TMP/d/.adit/pack-stage/resourcesync/all"
  for f in sitemap.xml index.html resourcesync/all/changelist.xml; do echo theirs >"$TMP/d/.adit/pack-stage/$f"; done
  echo page >"$TMP/d/index.html"
  printf "$1" >"$TMP/d/.adit/pack-journal"
  state "$TMP/d" >"$TMP/before"
}
refused() {
  next
  is_status 3 "$1"
  state "$TMP/d" >"$TMP/after"
  same "$TMP/before" "$TMP/after" "$1: nothing is done"
  safe "$1"
}
for line in 'F ../victim/file' 'F /etc/passwd' 'F index.html' 'F .git/config' 'F resourcesync/../sitemap.xml' 'D ..' 'D .git' \
  'D resourcesync/all/x' 'F resourcesync/all/../../sitemap.xml' 'D ../victim' 'F sitemap.xml/' 'M 0 ../victim/file' 'X sitemap.xml' 'F ' ''; do
  journal "$line\nend\n"
  refused "a journal with '$line'"
done
journal 'F sitemap.xml\n'
refused "a journal without an end"
journal 'F sitemap.xml\nend\nF resourcesync/all/changelist.xml\n'
refused "a journal behind its end"
journal 'F sitemap-0009.xml\nend\n'
refused "a journal that names what is nowhere"
journal 'F sitemap.xml\nend\n'
ln -sf "$V/file" "$TMP/d/.adit/pack-stage/sitemap.xml"
state "$TMP/d" >"$TMP/before"
refused "a link in the stage"
journal ''
rm "$TMP/d/.adit/pack-journal"
mkfifo "$TMP/d/.adit/pack-journal"
state "$TMP/d" >"$TMP/before"
refused "a pipe as a journal"
journal 'F sitemap.xml\nF resourcesync/all/changelist.xml\nend\n'
run $P "$TMP/1.warc" -o "$TMP/e" --previous "$TMP/d" --generated 2026-01-04
is_status 1 "--previous, where a run was killed"
err_has "a run was killed while it published here" "says so"
run $P "$TMP/nothing-here" -o "$TMP/d"
err_has "finishing what a run that was killed had begun" "a run into it finishes it first"
is "$(cat "$TMP/d/sitemap.xml" "$TMP/d/resourcesync/all/changelist.xml" "$TMP/d/index.html")" "theirs
theirs
page" "as the journal says"
ok "$([ ! -e "$TMP/d/.adit" ]; echo $?)" "and tidies up"

# --- the lock -----------------------------------------------------------------------------------------------------------
if command -v flock >/dev/null 2>&1; then
  victim
  state "$TMP/d" >"$TMP/before"
  run timeout 60 flock "$TMP/d" $P "$TMP/1.warc" -o "$TMP/d" --previous "$TMP/d" --generated 2026-01-04 --dry-run
  is_status 0 "a dry run does not wait"
  state "$TMP/d" >"$TMP/after"
  same "$TMP/before" "$TMP/after" "and changes nothing"
  mkfifo "$TMP/go"
  flock "$TMP/d" cat "$TMP/go" >/dev/null &
  holder=$!
  until ! flock -n "$TMP/d" true; do sleep 0.1; done
  $P "$TMP/1.warc" -o "$TMP/d" --previous "$TMP/d" --generated 2026-01-04 >"$TMP/out" 2>"$TMP/err" &
  pack=$!
  i=0
  until grep -q waiting "$TMP/err" || [ $i -gt 300 ]; do sleep 0.1; i=$((i + 1)); done
  err_has "another adit is publishing here; waiting for it" "a second run waits"
  state "$TMP/d" >"$TMP/after"
  same "$TMP/before" "$TMP/after" "and does nothing meanwhile"
  echo >"$TMP/go"
  wait $holder
  status=0
  wait $pack || status=$?
  is_status 0 "then it publishes"
else
  skip "waiting for the lock" "no flock"
fi
done_testing
