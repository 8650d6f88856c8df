# Slow: Other engines than Slurm (scripts/engines): GNU parallel and xargs run, what is for Kubernetes and AWS Batch is read and its
# commands run as its tasks would be, the pipe of Spark and Hadoop is a pipe.
. batch/tests/lib.sh
ADIT=${ADIT_RELEASE:-$ADIT}
E=$PWD/scripts/engines
for i in 1 2 3 4 5; do
  python3 batch/pack/tests/steps.py $i 40 01 example.com other.example | python3 batch/tests/warcgen.py members >"$TMP/a file $i.warc.gz"
done
G="--mixed --compress none"
"$ADIT" pack -q "$TMP"/a*.warc.gz -o "$TMP/one" $G --generated 2026-01-31
equal() {
  run diff -rq -x report.json "$TMP/one" "$TMP/$1"
  is_status 0 "$2: the publication of one pack"
}
export ADIT JOBS=2
if command -v parallel >/dev/null; then
  run "$E/pack-parallel" 3 4 "$TMP/runs p" "$TMP/p" 2026-01-31 "$TMP"/a*.warc.gz -- $G
  is_status 0 "GNU parallel"
  equal p "GNU parallel"
else
  skip "GNU parallel" "there is none: scripts/install-packages slurm"
fi
run "$E/pack-xargs" 3 4 "$TMP/runs x" "$TMP/x" 2026-01-31 "$TMP"/a*.warc.gz -- $G
is_status 0 "xargs"
equal x "xargs"

# --- files for others: as many tasks as the numbers in them say, with the variable of their engine ---
mkdir -p "$TMP/bin" "$TMP/data/warc" "$TMP/scratch"
cp "$TMP"/a*.warc.gz "$TMP/data/warc"
cat >"$TMP/bin/adit" <<END
#!/bin/sh
exec "$ADIT" "\$@" --compress none
END
chmod +x "$TMP/bin/adit"
cat >"$TMP/engines.py" <<'END'
"""engines.py kubernetes|aws FILE TMP: checks the fields of the file, and runs its commands, with /data below TMP."""
import json, os, re, subprocess, sys
kind, path, tmp = sys.argv[1:]
def need(ok, what):
    if not ok: sys.exit(f"{path}: {what}")
if kind == "kubernetes":
    import yaml
    jobs = list(yaml.safe_load_all(open(path)))
    steps = []
    for j in jobs:
        need(j["apiVersion"] == "batch/v1" and j["kind"] == "Job", "not a Job")
        s, pod = j["spec"], j["spec"]["template"]["spec"]
        c = pod["containers"][0]
        need(pod["restartPolicy"] in ("Never", "OnFailure"), "restartPolicy")
        need(j["metadata"]["labels"]["step"] == j["metadata"]["name"].removeprefix("adit-"), "labels")
        need({m["name"] for m in c["volumeMounts"]} <= {v["name"] for v in pod["volumes"]}, "volumes")
        need(c["command"] == ["sh", "-c"] and len(c["args"]) == 1, "command")
        need(("completions" in s) == (s.get("completionMode") == "Indexed"), "completionMode")
        steps.append((j["metadata"]["name"], s.get("completions"), c["args"][0]))
    variable = "JOB_COMPLETION_INDEX"
else:
    jobs = json.load(open(path))
    need(list(jobs) == ["map", "reduce", "finish"], "steps")
    for name, j in jobs.items():
        need(set(j) <= {"jobName", "jobQueue", "jobDefinition", "arrayProperties", "dependsOn", "retryStrategy", "containerOverrides"}, f"{name}: members")
        need(re.fullmatch(r"[\w-]{1,128}", j["jobName"]), "jobName")
        need(1 <= j["retryStrategy"]["attempts"] <= 10, "attempts")
        need(2 <= j.get("arrayProperties", {"size": 2})["size"] <= 10000, "size")
        need({r["type"] for r in j["containerOverrides"]["resourceRequirements"]} == {"VCPU", "MEMORY"}, "resources")
        need(("dependsOn" in j) == (name != "map"), "order")
    steps = [(j["jobName"], j.get("arrayProperties", {}).get("size"), j["containerOverrides"]["command"][2]) for j in jobs.values()]
    variable = "AWS_BATCH_JOB_ARRAY_INDEX"
need([n for n, _, _ in steps] == ["adit-map", "adit-reduce", "adit-finish"], "names")
with open(f"{tmp}/data/warc.paths", "w") as f:
    f.writelines(name + "\n" for name in sorted(os.listdir(f"{tmp}/data/warc")))
for name, n, command in steps:
    need(n is None or re.search(rf"/{n}\b|--partition ", command), f"{name}: another number of tasks")
    command = command.replace("/data/", f"{tmp}/data/").replace("s3://BUCKET/", f"{tmp}/data/warc/")
    for i in range(n or 1):
        env = {**os.environ, "PATH": f"{tmp}/bin:{os.environ['PATH']}", "TMPDIR": f"{tmp}/scratch", variable: str(i)}
        done = subprocess.run(["sh", "-c", command], env=env, capture_output=True, text=True)
        need(done.returncode == 0, f"{name} {i}: {done.stderr}")
END
for kind in kubernetes aws; do
  file=$E/kubernetes.yaml
  [ $kind = kubernetes ] || file=$E/aws-batch.json
  if [ $kind = kubernetes ] && ! python3 -c 'import yaml' 2>/dev/null; then
    skip "$kind" "no python3-yaml"
    continue
  fi
  rm -rf "$TMP/data/runs" "$TMP/data/public"
  run python3 "$TMP/engines.py" $kind "$file" "$TMP"
  is_status 0 "$kind: its tasks"
  equal data/public "$kind"
done

# --- the pipe ---
python3 -c 'import json
for i in range(50): print(json.dumps({"url": f"https://example.com/{i}", "date": "2026-01-01T00:00:00Z", "html": f"<title>Page {i}</title><main><h1>Page {i}</h1><p>A paragraph that is long enough to be taken for the content of a page, number {i}.</p></main>"}))' >"$TMP/pages"
command=$(sed -n "s/.*-mapper '.\/\(.*\)'$/\1/p" "$E/pages-hadoop")
is "$(sed -n 's/.*pipe(".\/\(.*\)").save.*/\1/p' "$E/pages-spark.py")" "$command" "Spark and Hadoop have the same command"
split -l 17 "$TMP/pages" "$TMP/split."
for f in "$TMP"/split.*; do "$ADIT" ${command#adit } <"$f"; done >"$TMP/parts"
"$ADIT" page --lines <"$TMP/pages" >"$TMP/whole"
same "$TMP/parts" "$TMP/whole" "partitions through the pipe are the whole through the pipe"
is "$(jq -r .url "$TMP/parts" | sha256sum)" "$(jq -r .url "$TMP/pages" | sha256sum)" "in order, one answer a page"
done_testing
