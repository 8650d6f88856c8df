# make test-slurm: adit-pack and adit-extract on a cluster of Slurm on this machine, two nodes, started here and stopped by pid: the
# same publication as one machine's; nodes that are lost, tasks that fail, jobs that are killed, submitted again, and twice.
. batch/tests/lib.sh
. scripts/slurm/cluster.sh
for program in slurmctld slurmd munged sbatch; do
  command -v $program >/dev/null || { echo "1..0 # SKIP no Slurm: scripts/install-packages slurm"; exit 0; }
done
S=$TMP/slurm
pages=${SLURM_PAGES:-1500}
for i in 1 2 3 4 5 6 7 8; do
  python3 batch/pack/tests/steps.py $i $pages 01 example.com | python3 batch/tests/warcgen.py members >"$TMP/w$i.warc.gz"
done
quarter=$(($(cat "$TMP"/w?.warc.gz | wc -c) / 4 + 1))
"$ADIT" pack -q "$TMP"/w?.warc.gz -o "$TMP/one" --compress none --generated 2026-01-02 --section blog=/blog/
start_cluster || { ok 1 "the cluster starts"; tail -n 5 "$S"/log/* | sed 's/^/# /'; stop_cluster; done_testing; exit 1; }
trap stop_cluster EXIT
trap "exit 1" INT TERM
ok 0 "a cluster of two nodes"

# The program as tasks call it: the first calls of a task fail, as many as $TMP/fail.STEP.TASK says; a task waits while there is
# $TMP/hold.STEP.TASK or $TMP/hold.STEP.NODE (two minutes at most), so that it is met in the middle however slow the machine is.
cat >"$TMP/adit" <<END
#!/bin/sh
step=other
for a; do case \$a in --map | --reduce | --finish) step=\${a#--} ;; esac; done
echo "\$step \$SLURM_ARRAY_TASK_ID \$SLURMD_NODENAME" >>"$TMP/calls"
left=\$(cat "$TMP/fail.\$step.\$SLURM_ARRAY_TASK_ID" 2>/dev/null || echo 0)
if [ "\$left" -gt 0 ]; then echo \$((left - 1)) >"$TMP/fail.\$step.\$SLURM_ARRAY_TASK_ID"; exit 3; fi
n=0
while [ -e "$TMP/hold.\$step.\$SLURM_ARRAY_TASK_ID" ] || [ -e "$TMP/hold.\$step.\$SLURMD_NODENAME" ]; do
  [ \$((n += 1)) -le 600 ] || break
  sleep .2
done
exec "$ADIT" "\$@"
END
chmod +x "$TMP/adit"
# The output is in a file of its own: run's would be written over while we look at the cluster.
pack() { # pack NAME OPTION…
  name=$1
  shift
  scripts/slurm/adit-pack "$TMP"/w?.warc.gz -o "$TMP/$name" --adit "$TMP/adit" --task-bytes $quarter --mem 100M \
    --partitions 3 --generated 2026-01-02 --poll .5 "$@" -- --compress none --section blog=/blog/
}
equal() {
  run diff -rq -x report.json "$TMP/one" "$TMP/$1"
  is_status 0 "$2: the publication of one machine, to the byte"
  is "$(jq -cS '[.skips,.pages,.captures,.blocks]' "$TMP/$1/report.json")" "$(jq -cS '[.skips,.pages,.captures,.blocks]' "$TMP/one/report.json")" "$2: the same counts"
}
again() { rm -f "$TMP"/hold.* "$TMP"/fail.* "$TMP/calls"; : >"$TMP/calls"; }
calls() { grep -c "^$1 " "$TMP/calls"; }

# --- a dry run ---
again
run pack dry --dry-run --at-once 2 --account me --partition adit --time 1:00:00 --qos fast --sbatch=--exclusive
is_status 0 "--dry-run"
is "$(grep -c '^sbatch ' "$TMP/out")" 3 "three sbatch lines"
out_has "--array=0-3%2" "maps by bytes: four for eight inputs, two at once"
out_has "--dependency=afterok:{map}" "reduce behind map"
out_has "--account=me --partition=adit --qos=fast --time=1:00:00 --mem=100M" "account, partition, time, memory"
ok "$([ ! -e "$TMP/dry" ] && [ ! -e "$TMP/dry.runs" ] && [ ! -s "$TMP/calls" ]; echo $?)" "nothing else was done"

# --- all is well ---
run pack a --cpus 1 --tmp "$TMP/scratch"
is_status 0 "a job"
out_has "4 map tasks, 3 reduce tasks" "says what it does"
out_has "map 4 of 4" "progress"
out_has "MB/s; " "throughput"
out_has "core hours used" "core hours"
equal a "a job"
is "$(calls map) $(calls reduce) $(calls finish)" "4 3 1" "every task once"
run pack a --tmp "$TMP/scratch"
is_status 0 "the same again"
out_has "is published" "has nothing to do"
run pack a --tmp "$TMP/scratch" --task-bytes 1
is_status 2 "another job in the same folder"
err_has "belongs to another job" "is refused"

# --- a task that fails twice ---
again
echo 2 >"$TMP/fail.map.1"
echo 2 >"$TMP/fail.reduce.2"
run pack b
is_status 0 "tasks that fail twice"
equal b "tasks that fail twice"
is "$(calls map) $(calls reduce) $(calls finish)" "6 5 1" "were tried three times"
again
echo 9 >"$TMP/fail.map.1"
run pack c
is_status 1 "a task that always fails"
err_has "map 1: FAILED" "is named"
err_has "the same command again goes on" "and what to do"
is "$(calls map) $(calls reduce)" "6 0" "no more than three tries, and nothing behind it"
again
run pack c
is_status 0 "once more, when the fault is gone"
is "$(calls map) $(calls reduce) $(calls finish)" "1 3 1" "only what was missing"
equal c "once more"

# --- a node is lost ---
lose_in() { # lose_in STEP NAME TASKS: that step has so many
  again
  : >"$TMP/hold.$1.n2"
  pack "$2" >"$TMP/out.$2" 2>&1 &
  job=$!
  wait_for 90 grep -qs "^$1 .* n2" "$TMP/calls"
  kill_node n2
  rm "$TMP/hold.$1.n2"
  wait $job
  ok $? "a node is lost in $1"
  ok "$([ "$(calls "$1")" -gt "$3" ]; echo $?)" "its task ran again elsewhere"
  equal "$2" "a node is lost in $1"
  start_node n2
  ok $? "the node is back"
}
lose_in map d 4
lose_in reduce e 3

# --- everything is killed ---
again
: >"$TMP/hold.map.2"
: >"$TMP/hold.map.3"
pack f >"$TMP/out.f" 2>&1 &
job=$!
wait_for 90 test -e "$TMP/f.runs/map-00000-of-00004.run"
kill -9 $job
wait $job 2>/dev/null
kill_node n1
kill_node n2
scancel $(squeue -h -o %A | sort -u)
wait_for 60 sh -c '[ -z "$(squeue -h)" ]'
start_node n1 && start_node n2
ok $? "everything was killed: the command, the nodes, the jobs"
have=$(ls "$TMP/f.runs" | grep -c '\.run$')
missing=$(for i in 0 1 2 3; do [ -e "$TMP/f.runs/map-0000$i-of-00004.run" ] || echo $i; done)
ok "$([ "$have" -ge 1 ] && [ "$have" -lt 4 ]; echo $?)" "when $have of 4 maps were done"
again
run pack f
is_status 0 "submitted again"
# Slurm itself may start a task twice: where a node that is back tells what it runs just before it is given the task.
is "$(sed -n 's/^map \([0-9]*\) .*/\1/p' "$TMP/calls" | sort -u)" "$missing" "does the other maps"
equal f "submitted again"

# --- two submissions at once ---
again
pack g >"$TMP/out.g" 2>&1 &
job=$!
run pack g
is_status 0 "two submissions of one job"
wait $job
ok $? "both are fine"
equal g "two submissions"

# --- parts ---
again
part() { scripts/slurm/adit-pack "$TMP"/w?.warc.gz -o "$TMP/parts" --adit "$TMP/adit" --task-bytes $quarter --mem 100M --partitions 3 --poll .5 -- --mixed --parts --compress none; }
run part
is_status 0 "a job with --parts, and no --generated"
is "$(for f in "$TMP"/parts/part-*/all-*.scp; do tail -n +2 "$f"; echo; done | grep . | sort | sha256sum)" "$(tail -n +2 "$TMP"/one/all-*.scp | sort | sha256sum)" "the pages of one machine"
run part
out_has "is published" "the same again has its own time"

# --- an input that cannot be read ---
again
cp "$TMP/w8.warc.gz" "$TMP/w9.warc.gz"
echo garbage >"$TMP/w8.warc.gz"
run pack h
is_status 1 "an input that cannot be read"
err_has "w8.warc.gz: " "is named"
ok "$([ -s "$TMP/h/scp-manifest.json" ]; echo $?)" "the rest is published"
mv "$TMP/w9.warc.gz" "$TMP/w8.warc.gz"

# --- extract ---
again
extract() {
  scripts/slurm/adit-extract "$TMP"/w?.warc.gz -o "$TMP/x" --adit "$TMP/adit" --task-bytes $quarter --mem 100M --poll .5 "$@" -- --compress none
}
run extract --dry-run
out_has "--array=0-3" "adit-extract --dry-run"
run extract
is_status 0 "adit-extract"
mkdir "$TMP/y"
"$ADIT" extract -q "$TMP"/w?.warc.gz -o "$TMP/y" --compress none
is "$(cat $(find "$TMP/x" -name '*.jsonl') | sort | sha256sum)" "$(cat $(find "$TMP/y" -name '*.jsonl') | sort | sha256sum)" "the records of one machine"
ok "$([ "$(find "$TMP/y" -name '*.jsonl' | wc -l)" -ge 8 ]; echo $?)" "which are some"
run extract
out_has "is complete" "again: nothing to do"
done_testing
