# The dashboard and the alerts in edge/examples name metrics and reasons that the server has.
. batch/tests/lib.sh
mkdir -p "$TMP/site"
echo '<!doctype html><title>x</title>' >"$TMP/site/index.html"
start_serve "$ADIT" "$TMP/site" --metrics 127.0.0.1:0 --quiet
curl -s "$(sed -n 's/.*metrics on //p' "$TMP/serve.err")" >"$TMP/metrics"
for f in edge/examples/grafana-dashboard.json edge/examples/prometheus-rules.yml; do
  names=$(grep -o 'adit_[a-z0-9_]*' "$f" | sort -u)
  ok "$([ -n "$names" ]; echo $?)" "$f names metrics"
  for name in $names; do ok "$(grep -q "^$name[ {]" "$TMP/metrics"; echo $?)" "$f: $name"; done
  for reason in $(sed -n 's/.*reason=~\\\{0,1\}"\([a-z0-9_|]*\).*/\1/p' "$f" | tr '|' '\n' | sort -u); do
    ok "$(grep -q "reason=\"$reason\"" "$TMP/metrics"; echo $?)" "$f: the reason $reason"
  done
done
ok "$(jq -e '.panels | length > 4' edge/examples/grafana-dashboard.json >/dev/null; echo $?)" "the dashboard is JSON"
done_testing
