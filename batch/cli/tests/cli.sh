# The command line itself: help, usage errors, exit codes.
. batch/tests/lib.sh

run "$ADIT" help
is_status 0 "help"
out_has "adit COMMAND" "help shows the usage"
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
run "$ADIT" version --json
is_status 0 "version --json"
out_has '"rules":"' "the rules version"
run sh -c '"$ADIT" help >/dev/full'
is_status 3 "output that cannot be written"
for c in $("$ADIT" help | awk '/^  [a-z]/ && $1 != "help" { print $1 }'); do
  run "$ADIT" help "$c"
  is_status 0 "help $c"
  out_has "usage: adit $c" "help $c shows its usage"
done
done_testing
