# A cluster of Slurm on this machine for tests: start_cluster, stop_cluster, kill_node NAME, start_node NAME. Everything is in the
# folder $S (absolute); daemons listen on loopback, have a key of their own, and are stopped by their pids.

free_ports() { # free_ports N: that many at once, as the system gives them
  python3 -c 'import socket, sys
s = [socket.socket() for _ in range(int(sys.argv[1]))]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))' "$1"
}

start_cluster() {
  mkdir -p "$S/etc" "$S/state" "$S/spool" "$S/log" "$S/run"
  export SLURM_CONF="$S/etc/slurm.conf"
  set -- $(free_ports 3)
  cat >"$SLURM_CONF" <<END
ClusterName=adit
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$S/run/munge.sock,cred_expire=5
StateSaveLocation=$S/state
SlurmdSpoolDir=$S/spool/%n
SlurmctldPidFile=$S/run/slurmctld.pid
SlurmdPidFile=$S/run/slurmd-%n.pid
SlurmctldLogFile=$S/log/slurmctld.log
SlurmdLogFile=$S/log/slurmd-%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=50000,sched_interval=1,bf_interval=1
ReturnToService=2
SlurmdTimeout=10
KillWait=5
MinJobAge=3600
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$2 CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$3 CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=adit Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
END
  printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$S/etc/cgroup.conf"
  dd if=/dev/urandom of="$S/etc/munge.key" bs=128 count=1 status=none
  chmod 600 "$S/etc/munge.key"
  munged --force --key-file="$S/etc/munge.key" --socket="$S/run/munge.sock" --pid-file="$S/run/munged.pid" \
    --log-file="$S/log/munged.log" --seed-file="$S/state/munge.seed" 2>/dev/null || return 1
  slurmctld || return 1
  start_node n1 && start_node n2
}

wait_for() { # wait_for SECONDS COMMAND…: until it succeeds
  deadline=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt $deadline ] || return 1
    sleep .2
  done
}
node_is() { sinfo -h -N -n "$1" -o %T 2>/dev/null | grep -q "^$2"; }
start_node() {
  slurmd -N "$1" && wait_for 30 node_is "$1" 'idle\|mixed\|alloc'
}

# What runs on a node of this cluster: the processes that have its name and our configuration in their environment, and the
# slurmstepd above each.
on_node() {
  for e in /proc/[0-9]*/environ; do
    p=${e#/proc/} p=${p%/environ}
    tr '\0' '\n' <"$e" 2>/dev/null | grep -cx "SLURMD_NODENAME=$1\|SLURM_CONF=$SLURM_CONF" | grep -qx 2 || continue
    echo "$p"
    parent=$(ps -o ppid= -p "$p" | tr -d ' ')
    case $(ps -o args= -p "${parent:-0}") in slurmstepd:*) echo "$parent" ;; esac
  done 2>/dev/null
}
# A node is lost, as when the power fails: its daemon, its steps and what they run. The daemon goes first, since it would start a task
# behind the search; a step that it has just started shows a moment later, so two searches in turn must find nothing. Then the
# controller is told, as by an operator: by itself it would find out in half a minute.
kill_node() {
  kill -9 "$(cat "$S/run/slurmd-$1.pid")"
  rm -f "$S/run/slurmd-$1.pid"
  nothing=0
  while [ $nothing -lt 2 ]; do
    left=$(on_node "$1" | sort -u)
    [ -n "$left" ] && nothing=0 || nothing=$((nothing + 1))
    [ -z "$left" ] || kill -9 $left 2>/dev/null
    sleep .3
  done
  scontrol update nodename="$1" state=down reason=lost
}

is_gone() { case $(ps -o stat= -p "$1") in '' | Z*) ;; *) return 1 ;; esac; }
stop_pid() { # of a file; gives it 15 seconds
  [ -s "$1" ] || return 0
  pid=$(cat "$1")
  kill "$pid" 2>/dev/null
  wait_for 15 is_gone "$pid" || kill -9 "$pid" 2>/dev/null
}
stop_cluster() {
  ids=$(squeue -h -o %A 2>/dev/null | sort -u)
  [ -z "$ids" ] || scancel $ids 2>/dev/null
  wait_for 20 sh -c '[ -z "$(squeue -h 2>/dev/null)" ]'
  for f in slurmd-n1 slurmd-n2 slurmctld munged; do stop_pid "$S/run/$f.pid"; done
}
