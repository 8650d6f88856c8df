"""What adit-pack and adit-extract share: inputs become tasks of about the same size, tasks become scripts and arrays of jobs,
and what they do is watched. Nothing is kept but files in the folder of --runs: the same command again goes on."""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

SUFFIXES = re.compile(r"\.(warc|arc)(\.|$)|\.wacz$")
BESIDE = (".open", ".cdx", ".cdxj", ".idx", ".cdx.gz", ".cdxj.gz", ".md5", ".sha1", ".sha256", ".tmp", ".part", ".html")
UNKNOWN = 1 << 30  # bytes that an input counts whose size nobody says, as that of Common Crawl's WARCs


def die(text, code=2):
    sys.exit(print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr) or code)


def size(text):
    m = re.fullmatch(r"(\d+)([KMGT]?)", text)
    if not m:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size, e.g. 512M")
    return int(m[1]) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[m[2]]


def number(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def parser(what, usage):
    p = argparse.ArgumentParser(description=what, usage=usage, allow_abbrev=False)
    p.add_argument("-o", metavar="DIR", required=True, help="where the result goes, on a file system that all nodes see")
    p.add_argument("--paths-file", metavar="LIST", action="append", default=[], help="also the inputs that LIST names, one a line")
    p.add_argument("--runs", metavar="DIR", help="what tasks leave for each other, seen by all nodes (default: the result's name with .runs)")
    p.add_argument("--tmp", metavar="DIR", help="for temporary files of tasks, e.g. the local disk of a node (default: --runs)")
    p.add_argument("--adit", metavar="PATH", default=shutil.which("adit") or "adit", help="the program (default: the one on the PATH)")
    p.add_argument("--task-bytes", metavar="SIZE", type=size, default=512 << 20, help="input of a task (default 512M)")
    p.add_argument("--max-tasks", metavar="N", type=number, default=1000, help="tasks of an array at most (default 1000: Slurm's MaxArraySize)")
    p.add_argument("--at-once", metavar="N", type=number, help="tasks of an array that run at once, at most (default: as Slurm likes)")
    p.add_argument("--tries", metavar="N", type=number, default=3, help="how often a task that fails is tried (default 3)")
    for name, text in (("account", "who pays"), ("partition", "Slurm's partition"), ("qos", "quality of service"),
                       ("time", "limit of a task, e.g. 2:00:00"), ("mem", "memory of a task (default 2G)")):
        p.add_argument("--" + name, metavar=name.upper(), default="2G" if name == "mem" else None, help=text)
    p.add_argument("--cpus", metavar="N", type=number, default=1, help="processors of a task, and its threads (default 1)")
    p.add_argument("--sbatch", metavar="OPTION", action="append", default=[], help="a further option of sbatch, e.g. --sbatch=--exclusive")
    p.add_argument("--dry-run", action="store_true", help="print the sbatch lines and submit nothing")
    p.add_argument("--no-wait", action="store_true", help="submit and return")
    p.add_argument("--poll", metavar="SECONDS", type=float, default=5, help=argparse.SUPPRESS)
    return p


def parse(p):
    """Options of this command, inputs, and what stands behind --: options of adit."""
    p.add_argument("--warc-prefix", metavar="DIR|URL", help="where the files of indexes and lists are")
    p.add_argument("inputs", nargs="*", metavar="INPUT")
    argv = sys.argv[1:]
    cut = argv.index("--") if "--" in argv else len(argv)
    args = p.parse_intermixed_args(argv[:cut])
    if "-" in args.inputs:
        die("standard input cannot be read by many tasks")
    prefix = ["--warc-prefix", args.warc_prefix] if args.warc_prefix else []
    return args, args.inputs, prefix + argv[cut + 1:]


# --- inputs ---------------------------------------------------------------------------------------------------------------------


def is_archive(name):
    return bool(SUFFIXES.search(name)) and not name.startswith(".") and not name.endswith(BESIDE)


def expand(name, warc_prefix=None):
    """The files that an input stands for, with their sizes, as adit itself expands folders."""
    if re.match(r"(https?|s3)://", name):
        return [(name, UNKNOWN)]
    if warc_prefix and not name.startswith("/"):
        return expand(warc_prefix.rstrip("/") + "/" + name)
    name = os.path.abspath(name)
    found = []
    for folder, folders, files in os.walk(name):
        folders.sort()
        found += [os.path.join(folder, f) for f in sorted(files) if is_archive(f)]
    return [(f, os.path.getsize(f) if os.path.isfile(f) else UNKNOWN if os.path.isdir(f) else 0) for f in found or [name]]


def read_inputs(args, operands):
    inputs = [pair for name in operands for pair in expand(name)]
    for path in args.paths_file:
        opener = __import__("gzip").open if path.endswith(".gz") else open
        try:
            with opener(path, "rt") as f:
                lines = [line.strip() for line in f]
        except OSError as e:
            die(f"{path}: {e.strerror or e}", 1)
        inputs += [pair for line in lines if line and line[0] != "#" for pair in expand(line, args.warc_prefix)]
    if not inputs:
        die("no input: give WARC files, folders, URLs, or --paths-file")
    return inputs


def deal(inputs, n):
    """The order in which --shard I/N, which takes every N-th, gives each shard about the same: the largest first, to and fro."""
    rest = sorted(inputs, key=lambda p: (-p[1], p[0]))
    rows = [rest[i:i + n] for i in range(0, len(rest), n)]
    return [pair for i, row in enumerate(rows) for pair in (row[::-1] if i % 2 and len(row) == n else row)]


# --- the folder of runs: what the job is ----------------------------------------------------------------------------------------


class Job:
    """A job as the folder of --runs keeps it: job.json, inputs.txt, a script a step, logs, a report a task."""

    def __init__(self, args, what, inputs, settings):
        self.args, self.what = args, what
        self.out = os.path.abspath(args.o)
        self.runs = os.path.abspath(args.runs or args.o.rstrip("/") + ".runs")
        total = sum(s for _, s in inputs)
        shards = max(1, min(-(-total // args.task_bytes), len(inputs), args.max_tasks))
        listed = "".join(name + "\n" for name, _ in deal(inputs, shards))
        wanted = {"what": what, "out": self.out, "bytes": total, "inputs": len(inputs), "shards": shards, **settings}
        kept = self.load("job.json")
        if kept and args.keep_time:
            wanted["generated"] = kept.get("generated")
        if kept and (kept != wanted or self.text("inputs.txt") != listed):
            die(f"{self.runs} belongs to another job, with other inputs or options: remove it, or name another folder (--runs)")
        self.info = wanted
        if not args.dry_run:
            for folder in ("logs", "reports", "tries"):
                os.makedirs(self.path(folder), exist_ok=True)
            self.write("inputs.txt", listed)
            self.write("job.json", json.dumps(wanted, indent=1) + "\n")

    def path(self, *parts):
        return os.path.join(self.runs, *parts)

    def text(self, name):
        try:
            with open(self.path(name)) as f:
                return f.read()
        except OSError:
            return None

    def load(self, name):
        try:
            return json.loads(self.text(name) or "null")
        except ValueError:
            return None

    def write(self, name, text, mode=0o644):
        temporary = self.path(f"{name}.{os.getpid()}")
        with open(temporary, "w") as f:
            f.write(text)
        os.chmod(temporary, mode)
        os.rename(temporary, self.path(name))

    # --- scripts ---

    def script(self, step, command, code_1_is_fine):
        """Runs a command as one task. Failures that may pass are tried again, by requeueing the task; losses are no failure in the
        end: the command has written what it could, and counts them."""
        command = " ".join(c if c.startswith('"$') or "$i" in c else shlex.quote(c) for c in command)
        tmp = f"export TMPDIR={shlex.quote(self.args.tmp)}\nmkdir -p \"$TMPDIR\"\n" if self.args.tmp else ""
        self.write(step + ".sh", f"""#!/bin/sh
# {self.what}: a task of the step "{step}". Written by {os.path.basename(sys.argv[0])}.
i=${{SLURM_ARRAY_TASK_ID:-0}}
cd {shlex.quote(os.getcwd())} || exit 3
{tmp}runs={shlex.quote(self.runs)}
report=$runs/reports/{step}-$i.json
tries=$runs/tries/{step}-$i
code=0
{command} --json >"$report.$$" || code=$?
if [ $code -le 1 ] && [ -s "$report.$$" ]; then mv "$report.$$" "$report"; else rm -f "$report.$$"; fi
fine={"true" if code_1_is_fine else "false"}
again=false
case $code in
0) ;;
1) if grep -q '"inputs_failed":[1-9]' "$report" 2>/dev/null; then again=true; elif [ $fine = false ]; then again=true; fi ;;
*) [ $code -eq 2 ] || again=true ;;
esac
if [ $again = true ]; then
  echo "exit $code" >>"$tries"
  if [ "$(wc -l <"$tries")" -lt {self.args.tries} ] && [ -n "$SLURM_JOB_ID" ]; then
    echo "{step} $i: exit $code, tried again" >&2
    # The id of an array's last task is that of the array, too: named alone, it would mean all tasks.
    scontrol requeue "${{SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}}${{SLURM_ARRAY_JOB_ID:+_$i}}" && sleep 60
  fi
fi
[ $code -ne 1 ] || [ $fine = false ] || code=0
exit $code
""", 0o755)

    def forget_tries(self):
        shutil.rmtree(self.path("tries"), ignore_errors=True)
        os.makedirs(self.path("tries"), exist_ok=True)

    # --- submission ---

    def sbatch(self, step, tasks, after):
        a = self.args
        line = ["sbatch", "--parsable", "--requeue", "--open-mode=append", f"--job-name=adit-{step}", f"--cpus-per-task={a.cpus}", "--ntasks=1",
                f"--output={self.path('logs', step + ('-%a' if tasks is not None else '') + '.log')}"]
        line += [f"--{name}={getattr(a, name)}" for name in ("account", "partition", "qos", "time", "mem") if getattr(a, name)]
        if tasks is not None:
            line.append("--array=" + ranges(tasks) + (f"%{a.at_once}" if a.at_once else ""))
        if after:
            line += [f"--dependency=afterok:{after}", "--kill-on-invalid-dep=yes"]
        line += a.sbatch + [self.path(step + ".sh")]
        if a.dry_run:
            print(" ".join(shlex.quote(part) for part in line))
            return "{" + step + "}"
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode:
            die(f"sbatch: {done.stderr.strip()}", 3)
        return done.stdout.strip().split(";")[0]

    def reports(self, step):
        for name in sorted(os.listdir(self.path("reports"))):
            if name.startswith(step + "-") and name.endswith(".json"):
                yield self.load(os.path.join("reports", name)) or {}


def ranges(numbers):
    """0-3,7,9-10, as sbatch wants them."""
    out = []
    for n in sorted(numbers):
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return ",".join(f"{a}-{b}" if a < b else str(a) for a, b in out)


# --- watching -------------------------------------------------------------------------------------------------------------------


def states(ids):
    """What becomes of jobs: {job: {task: state}}. None: Slurm does not answer now."""
    found = {}
    for job in ids:
        got = subprocess.run(["scontrol", "-o", "show", "job", job], capture_output=True, text=True)
        if got.returncode and "Invalid job id" not in got.stderr:
            return None
        for line in got.stdout.splitlines():
            f = dict(re.findall(r"(\w+)=(\S*)", line))
            if f.get("JobState"):
                found.setdefault(job, {})[f.get("ArrayTaskId", "")] = f["JobState"]
    return found


OVER = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE"}


def watch(job, steps, ids):
    """Waits for all jobs, with a line whenever something has changed. ids: {step: job}."""
    began, last = time.time(), None
    while True:
        now = states(ids.values())
        if now is not None:
            line = ", ".join(f"{step} {done()} of {n}" for step, n, done in steps)
            running = sum(s == "RUNNING" for tasks in now.values() for s in tasks.values())
            over = all(s in OVER for tasks in now.values() for s in tasks.values())
            line += f"; {running} running"
            if line != last:
                print(f"{time.time() - began:7.0f} s  {line}", flush=True)
            last = line
            if over:
                return time.time() - began, now
        time.sleep(job.args.poll)


def account(job, steps, elapsed):
    """Throughput and core hours, by the reports that tasks have written."""
    cpu = sum(r.get("time", {}).get("cpu_ms", 0) for step in steps for r in job.reports(step)) / 3.6e6
    held = sum(r.get("time", {}).get("elapsed_ms", 0) for step in steps for r in job.reports(step)) / 3.6e6 * job.args.cpus
    print(f"{job.info['bytes'] / 1e6:.1f} MB of {job.info['inputs']} inputs in {elapsed:.0f} s: {job.info['bytes'] / 1e6 / max(elapsed, .001):.1f} MB/s; "
          f"{cpu:.4f} core hours used, {held:.4f} held by tasks")


def tell_failed(job, now, ids):
    """Tasks that did not end well, with their logs."""
    bad = [(step, task, s) for step, i in ids.items() for task, s in now.get(i, {}).items() if s not in ("COMPLETED",)]
    for step, task, state in bad[:20]:
        print(f"{step} {task}: {state}; {job.path('logs', step + ('-' + task if task else '') + '.log')}", file=sys.stderr)
    return bool(bad)
