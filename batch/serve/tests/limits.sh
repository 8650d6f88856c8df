# adit serve and its limits: options, slow clients, crowds.
. batch/tests/lib.sh

mkdir "$TMP/site"
echo 'body{}' >"$TMP/site/style.css"
for bad in "--max-body 1X" "--max-body -1" "--max-connections 1" "--per-address 0" "--header-timeout 0" "--body-timeout x" "--trusted-proxy host" "--trusted-proxy 10.0.0.0/40"; do
  # shellcheck disable=SC2086 # an option and its value
  run "$ADIT" serve "$TMP/site" --listen 127.0.0.1:0 $bad
  is_status 2 "$bad"
  err_has "${bad% *} '${bad#* }'" "is refused by name"
done
if ! command -v python3 >/dev/null 2>&1; then
  skip "slow clients" "no python3"
else
  python3 batch/serve/tests/limits.py "$ADIT" "$TMP/site" >"$TMP/tap" 2>"$TMP/python.err" || ok 1 "the driver: $(tail -n 1 "$TMP/python.err")"
  while read -r line; do
    case $line in
    "ok - "*) ok 0 "${line#ok - }" ;;
    "not ok - "*) ok 1 "${line#not ok - }" ;;
    *) echo "$line" ;;
    esac
  done <"$TMP/tap"
fi
done_testing
