"""kill_steps.py KILL_SO OLD NEW DIR COMMAND...

COMMAND publishes in DIR. It is run again and again, each time with a copy of OLD (which may be missing) as
DIR, and ended as by kill -9 before its 1st, 2nd ... step that others can see (preload/kill.c). With FAIL=1 in
the environment these steps then fail, one a run, as on a full disk. HOSTS=1: DIR holds a publication in each
of its folders, which take their places one by one. KEEP names a folder to keep a state past the commit point in. EVERY=N: only every Nth step.

Every state must be OLD (with nothing but .adit beside it; without even that after a failure), or, past the
commit point, whole: every file that of OLD or that of NEW, and what manifests, sitemaps and lists name is
there, collections with their hashes. The next, undisturbed run must end in NEW, without .adit.
Says what is wrong, and how many states were of which kind; the exit code is the number of faults."""
import hashlib, json, os, re, shutil, subprocess, sys

so, old, new, work, *command = sys.argv[1:]
keep = os.environ.get("KEEP")
every = int(os.environ.get("EVERY") or 1)
STEPS_MAX = 600


def read(path):
    with open(path, "rb") as f:
        return f.read()


def tree(top, own=False):
    """The bytes of every file (None: a folder), by name; .adit only with own. The report has times in it."""
    found = {}
    for folder, folders, files in os.walk(top):
        if not own and ".adit" in folders:
            folders.remove(".adit")
        for name in folders:
            found[os.path.relpath(os.path.join(folder, name), top)] = None
        for name in files:
            data = read(os.path.join(folder, name))
            if name == "report.json":
                data = sorted(json.loads(data))
            found[os.path.relpath(os.path.join(folder, name), top)] = data
    return found


def named(name, data):
    """What the file names, with its hash where it says one."""
    top, base = os.path.split(name)
    if base == "scp-manifest.json":
        for c in json.loads(data)["collections"]:
            yield os.path.join(top, c["file"]), c["sha256"]
    if base.endswith(".xml") or base == "resourcesync":
        site = re.match(r"(.*/)?(?=resourcesync/|\.well-known/|sitemap)", name).group(0)
        text = data.decode()
        for found in re.findall(r'<scp:(?:collection|delta)[^>]* url="[^"]*/([^"/]*)"', text):
            yield site + found, None
        for found in re.findall(r"<loc>[^<]*/(resourcesync/[^<]*|sitemap[^<]*\.xml)</loc>", text):
            yield site + found, None


def mixture(state, before, after):
    for name, data in state.items():
        if data not in (before.get(name, 0), after.get(name, 0)):
            return f"{name} is neither old nor new"
        for there, sha256 in named(name, data) if data is not None else ():
            if there not in state:
                return f"{name} names {there}, which is not there"
            if sha256 and hashlib.sha256(state[there]).hexdigest() != sha256:
                return f"{name} names {there}, which has another hash"
    return None


def run(**env):
    preload = {"LD_PRELOAD": so} if env else {}
    r = subprocess.run(command, env={**os.environ, **preload, **env}, capture_output=True, text=True)
    return r.returncode, r.stderr


def by_host(state, before, after):
    """Whether each folder of DIR is as before or complete."""
    def part(files, host):
        return {name: data for name, data in files.items() if name.split("/")[0] == host}
    hosts = {name.split("/")[0] for name in state}
    return all(part(state, h) in (part(before, h), part(after, h)) for h in hosts)


def disturbed(**env):
    """(what is wrong or None, the kind of state, the exit code)"""
    shutil.rmtree(work, ignore_errors=True)
    if os.path.isdir(old):
        shutil.copytree(old, work, symlinks=True)
    code, err = run(**env)
    state, everything = tree(work), tree(work, own=True)
    committed = any(name.endswith("pack-journal") for name in everything)
    kind, why = "past the commit point", None
    if state == after:
        kind = "complete"
    elif state == before and not committed:
        kind = "as before" if len(state) == len(everything) else "as before but for .adit"
    elif not committed and os.environ.get("HOSTS") and by_host(state, before, after):
        kind = "as before or complete, by host"
    elif not committed:
        why = "no journal says what is left to do: " + " ".join(n for n in state if state[n] != before.get(n, 0))
    else:
        why = mixture(state, before, after)
    if "FAIL_AT" in env and kind != "complete" and code != 3:
        why = f"exit code {code}: {err}"
    if "FAIL_AT" in env and kind == "as before but for .adit":
        why = "leaves " + " ".join(name for name in everything if name not in state)
    if kind == "past the commit point" and keep and not os.path.exists(keep):
        shutil.copytree(work, keep, symlinks=True)
    if not why and kind != "as before":
        again, err = run()
        # Of a complete publication the same time is refused.
        if tree(work, own=True) != after or (again and kind != "complete"):
            why = f"the next run ends otherwise, with {again}: {err}"
    return why, kind, code


def everywhere(variable, steps):
    kinds, faults = {}, 0
    for step in range(1, steps + 1, every):
        why, kind, code = disturbed(**{variable: str(step)})
        if variable == "KILL_AT" and code == 0:
            step -= every
            break
        kinds[kind] = kinds.get(kind, 0) + 1
        if why:
            faults += 1
            print(f"# {variable}={step}: {why}")
        if faults == 5:
            break
    print(f"# {variable}, {sum(kinds.values())} of {step} steps: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    return faults, step


before, after = tree(old), tree(new)
faults, steps = everywhere("KILL_AT", STEPS_MAX)
if steps < 10:
    print("# that are too few")
    faults += 1
if os.environ.get("FAIL") and not faults:
    faults += everywhere("FAIL_AT", steps)[0]
sys.exit(faults)
