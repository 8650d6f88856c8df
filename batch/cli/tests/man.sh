# The manual pages: one a command, without a warning of mandoc or groff, with every option and key of the tables.
. batch/tests/lib.sh
run scripts/package/make-man "$ADIT" "$TMP/man"
is_status 0 "manual pages are made from the tables"
"$ADIT" help --json >"$TMP/help.json"
for command in $(jq -r '.commands[].name' "$TMP/help.json"); do
  [ -e "$TMP/man/adit-$command.1" ] || { ok 1 "adit-$command(1) is there"; continue; }
  text=$(sed 's/\\-/-/g' "$TMP/man/adit-$command.1")
  missing=$(jq -r --arg c "$command" '(.options + (.commands[] | select(.name == $c) | .options))[] | "--" + .name' "$TMP/help.json" |
    while read -r name; do case $text in *"\\fB$name\\fR"*) ;; *) echo "$name" ;; esac; done)
  is "$missing" "" "adit-$command(1) has all options"
done
text=$(sed 's/\\-/-/g' "$TMP/man/adit.json.5")
missing=$(jq -r '.properties | keys[]' shared/exchange/adit.schema.json | while read -r key; do
  case $text in *"\\fB$key\\fR"* | *"\\fB$key."*) ;; *) echo "$key" ;; esac; done)
is "$missing" "" "adit.json(5) has all keys"
if command -v mandoc >/dev/null; then
  is "$(mandoc -T lint -W warning "$TMP"/man/*.[15] 2>&1)" "" "mandoc has nothing to say"
else skip "mandoc's lint" "no mandoc here"; fi
if command -v groff >/dev/null; then
  is "$(groff -man -Tutf8 -ww -z "$TMP"/man/*.[15] 2>&1)" "" "nor has groff"
else skip "groff's warnings" "no groff here"; fi
if command -v man >/dev/null; then
  LC_ALL=C.UTF-8 run man -l "$TMP/man/adit-serve.1"
  is_status 0 "man shows them"
  out_has "--listen" "with their options"
else skip "man" "no man here"; fi
done_testing
