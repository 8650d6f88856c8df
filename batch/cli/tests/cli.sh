# The command line itself: help, usage errors, exit codes.
. batch/tests/lib.sh

run "$ADIT" help
is_status 0 "help"
out_has "adit COMMAND" "help shows the usage"
for asked in help -h --help; do
  run "$ADIT" help "$asked"
  is_status 0 "help $asked"
  out_has "adit COMMAND" "help $asked is the list, too"
done
run "$ADIT"
is_status 2 "no command is a usage error"
run "$ADIT" nonsense
is_status 2 "unknown command"
err_has "no command 'nonsense'" "names the unknown command"
run "$ADIT" version --nonsense
is_status 2 "unknown option"
err_has "unknown option '--nonsense'; try: adit help version" "names the option and the way out"
run "$ADIT" version --json=1
is_status 2 "a flag takes no value"
run "$ADIT" version extra
is_status 2 "a file that a command does not take"
run "$ADIT" version --json
is_status 0 "version --json"
out_has '"rules":"' "the rules version"
run sh -c '"$ADIT" help >/dev/full'
is_status 3 "output that cannot be written"

# Short forms, and the nearest name for what nobody knows.
for word in -h --help; do
  run "$ADIT" $word
  is_status 0 "adit $word"
  run "$ADIT" version $word
  is_status 0 "adit version $word"
  out_has "usage: adit version" "adit version $word shows its help"
done
run "$ADIT" -V
is_status 0 "adit -V"
out_has "adit " "adit -V shows the version"
run "$ADIT" pge
is_status 2 "a misspelt command"
err_has "no command 'pge', is it page?" "is told the nearest one"
run "$ADIT" pack --jbos 3
is_status 2 "a misspelt option"
err_has "unknown option '--jbos', is it --jobs?" "is told the nearest one"
run "$ADIT" pack --gener x
err_has "is it --generated?" "the beginning of an option is told its whole name"
run "$ADIT" pack --xyzzy
err_has "unknown option '--xyzzy'; try" "what is near to nothing is told no name"
run "$ADIT" archive lst "$TMP"
is_status 2 "a misspelt subcommand of archive"
err_has "is it ls?" "is told the nearest one"
run "$ADIT" version --
is_status 0 "-- ends the options"
run "$ADIT" version --=x
is_status 2 "an option without a name"
run "$ADIT" version --color sometimes
is_status 2 "--color has three values"

# A small collection, for what the options do.
mkdir -p "$TMP/site" "$TMP/site2"
for name in a b; do
  printf '<title>%s</title><p>The text of page %s, which is long enough to be one.</p>' $name $name >"$TMP/site/$name.html"
done
sed 's/text of/words of/' "$TMP/site/a.html" >"$TMP/site2/a.html"
cp "$TMP/site/a.html" "$TMP/site2/c.html"
pack() { "$ADIT" pack "$1" --base-url https://example.com/ --compress none -o "$2" --generated "$3"; }
pack "$TMP/site" "$TMP/p1" 2026-01-01 >"$TMP/out" 2>&1
pack "$TMP/site2" "$TMP/p2" 2026-01-02 >"$TMP/out" 2>&1
old=$TMP/p1/all-snapshot-20260101T000000Z.scp new=$TMP/p2/all-snapshot-20260102T000000Z.scp
run "$ADIT" delta "$old" "$new" -v "-o$TMP/d.scp" --fix
is_status 0 "-v and -oFILE"
out_has "~ https://example.com/a" "-v names a changed page"
out_has "- https://example.com/b" "and one that is gone"
out_has "+ https://example.com/c" "and a new one"
out_has "d.scp: 2 pages" "and the summary stays"
run "$ADIT" apply "$old" "$TMP/d.scp" --verbose --output "$TMP/x.scp"
is_status 0 "--output is -o"
out_has "+ https://example.com/c" "apply -v names what it inserts"
run "$ADIT" changes "$old" "$new" -v -o "$TMP/lists" --base-url https://example.com/
out_has "- https://example.com/b" "changes -v names what is gone"
run "$ADIT" delta "$old" "$new" -q -o "$TMP/d.scp" --fix
is_status 0 "-q"
is "$(cat "$TMP/out" "$TMP/err")" "" "-q says nothing when all is well"
run "$ADIT" pack "$TMP/site" --base-url https://example.com/ -q -j1 -o "$TMP/p3"
is "$(cat "$TMP/out" "$TMP/err")" "" "pack -q -j1 says nothing"

# A run that a signal ends says so in its exit code.
for pair in INT:130 TERM:143; do
  mkfifo "$TMP/pipe"
  # A background job of a script ignores SIGINT; python does not hand that on.
  python3 - "$ADIT" "$TMP" "${pair%:*}" <<'PY' >"$TMP/code"
import os, signal, subprocess, sys, time
adit, tmp, name = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)
run = subprocess.Popen([adit, "pack", tmp + "/pipe", "-o", tmp + "/signalled"], stderr=subprocess.DEVNULL)
fd = os.open(tmp + "/pipe", os.O_WRONLY)
os.write(fd, b"WARC/1.0\r\n")
time.sleep(1)
run.send_signal(getattr(signal, "SIG" + name))
time.sleep(0.2)
os.close(fd)
print(run.wait(30))
PY
  rm -f "$TMP/pipe"
  is "$(cat "$TMP/code")" "${pair#*:}" "SIG${pair%:*} ends pack with ${pair#*:}"
done

# Values that cannot be meant are the option's fault, and told before anything is read.
value() { # value COMMAND OPTION VALUE WHAT
  run "$ADIT" "$1" "$2" "$3" "$TMP/site"
  is_status 2 "$1 $2 $3"
  err_has "$4" "$1 $2 says what would do"
}
value pack --links '' "option --links needs a value: all|standalone"
value page -o '' "option -o needs a value: DIR"
value page --url nonsense "--url 'nonsense' is no absolute http or https URL"
value page --base-url www.example.com/a "is it https://www.example.com/a?"
value sync --changes ftp://example.com/ "no absolute http or https URL"
value pack --host https://example.com "--host 'https://example.com' is no host name, like example.com"
value pack --charset utf8x "no encoding that pages have"
value extract --language 'English, please' "no language tag, like en or pt-BR"
value extract --language en-toolongtag "no language tag"
value check --resolve example.com:0:127.0.0.1 "not written HOST:PORT:ADDR"
value serve --metrics nonsense "--metrics 'nonsense' is no address"
value sync --via gopher "--via is auto, tct, scp or html, not 'gopher'"
value delta --compress lz4 "--compress is zstd, gzip or none, not 'lz4'"
value page --date tomorrow "--date 'tomorrow' is no RFC 3339 time or date, like 2026-01-31"
for jobs in 0 257 2K -1 18446744073709551616; do
  value extract "--jobs=$jobs" -o/dev/null "--jobs '$jobs' is not a number from 1 to 256"
done
for memory in 8191K 1025G 9 M; do
  value extract "--memory=$memory" -o/dev/null "--memory '$memory' is not a size from 8M to 1024G"
done
value sync --header 'Authorization secret' "--header: no field that can be sent: it is written 'Name: value'"
ok "$(! grep -q secret "$TMP/err"; echo $?)" "a secret is not repeated"
run "$ADIT" serve ftp://example.com
is_status 2 "an upstream that is none"
err_has "is no upstream: http:// or https:// and a host" "is told what one is"
run "$ADIT" page --charset latin1 --language pt_BR --header 'X-A: b' --url https://example.com/ "$TMP/site/a.html"
is_status 0 "values that can be meant"

# Where serve listens.
for address in 127.0.0.1:99999 nonsense 127.0.0.1: 1:2:x; do
  run "$ADIT" serve "$TMP/site" --listen "$address"
  is_status 2 "--listen $address is refused"
  err_has "is no address: PORT, HOST:PORT or :PORT" "and says what would do"
done
for address in 0 :0 '[::1]:0'; do
  "$ADIT" serve "$TMP/site" --listen "$address" >"$TMP/out" 2>"$TMP/err" &
  pid=$!
  wait_for grep -q 'listening on\|cannot listen' "$TMP/err"
  stop
  if grep -q 'cannot listen' "$TMP/err"; then skip "--listen $address" "not to be had here"; else err_has "listening on" "--listen $address"; fi
done

# The tables for programs: everything that help shows.
"$ADIT" help --json >"$TMP/help.json"
python3 - "$TMP/help.json" <<'PY' >"$TMP/out" 2>&1
import json, sys
help = json.load(open(sys.argv[1]))
names = [c["name"] for c in help["commands"]]
assert "pack" in names and len(names) > 10, names
pack = next(c for c in help["commands"] if c["name"] == "pack")
rows = {o["name"]: o for o in pack["options"]}
assert rows["jobs"]["letter"] == "j" and rows["jobs"]["value"] == "N" and rows["jobs"]["group"] == "Resources", rows["jobs"]
assert rows["output"]["letter"] == "o" and rows["host"]["many"] and not rows["mixed"].get("value")
assert {o["name"] for o in help["options"]} >= {"help", "json", "color"}
print("fine")
PY
out_has fine "help --json has the tables"

for c in $("$ADIT" help | awk '/^  [a-z]/ && $1 != "help" { print $1 }'); do
  run "$ADIT" help "$c"
  is_status 0 "help $c"
  out_has "usage: adit $c" "help $c shows its usage"
done
done_testing
