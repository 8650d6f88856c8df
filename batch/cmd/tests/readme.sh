# The README: its transcripts are run in order, in one shell, and what they print is compared; "..." stands for anything on a
# line. The picture is what the commands print.
. batch/tests/lib.sh

scripts/make-demo-crawl "$TMP"
mkdir "$TMP/bin"
ln -s "$ADIT" "$TMP/bin/adit"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
for document in README.md; do
  python3 - "$document" "$TMP" "$port" <<'END' >"$TMP/tap"
import os, re, subprocess, sys
document, folder, port = sys.argv[1:]
steps = []  # command, expected lines
for block in re.findall(r"^```console\n(.*?)^```", open(document, encoding="utf-8").read(), re.M | re.S):
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
shell = subprocess.Popen(["bash", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, text=True,
                         env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
for command, expected in steps:
    background = command.endswith("&")
    text = command.replace("8080", port)
    if background:
        text = text[:-1] + f">/dev/null 2>&1 & for i in $(seq 100); do curl -so /dev/null http://127.0.0.1:{port}/ && break; sleep .2; done"
    shell.stdin.write(text + "\necho '=end='\n")
    shell.stdin.flush()
    got = []
    for line in shell.stdout:
        if line == "=end=\n":
            break
        got.append(line.rstrip("\n").replace(port, "8080").replace("\r", ""))
    fits = len(got) == len(expected) and all(re.fullmatch(".*".join(map(re.escape, e.split("..."))), g) for e, g in zip(expected, got))
    print("ok" if fits else "not ok", command)
    if not fits:
        print("".join(f"# got: {g}\n" for g in got), end="")
shell.stdin.write("kill $(jobs -p)\n")
shell.stdin.close()
print("steps", len(steps))
END
  while read -r first rest; do
    case $first in
    ok) ok 0 "$document: $rest" ;;
    not) ok 1 "$document: ${rest#ok }" ;;
    steps) if [ "$rest" -gt 10 ]; then ok 0 "all of them"; else ok 1 "only $rest"; fi ;;
    *) echo "$first $rest" ;;
    esac
  done <"$TMP/tap"
done
ADIT="$ADIT" scripts/make-cast --check 2>"$TMP/err"
ok $? "the picture is what the commands print"
for f in $(sed -n 's/.*\(src\|srcset\)="\([^"]*\)".*/\2/p' README.md); do [ -e "$f" ]; ok $? "$f is there"; done
run env ADIT="$ADIT" DEMO="$TMP/demo" scripts/demo
is_status 0 "the demonstration"
is "$(cat "$TMP/err")" "" "complains of nothing"
out_has "publication: valid" "its publication is in order"
out_has "$TMP/demo/report.html" "names a page to look at"
for f in report changes; do [ -s "$TMP/demo/$f.html" ]; ok $? "$f.html is there"; done
# Links to files and to headings of the same document.
for f in $(grep -o '](\([^)#h][^)#]*\)' README.md CONTRIBUTING.md | sed 's/^[^(]*(//' | sort -u); do [ -e "$f" ]; ok $? "link to $f"; done
done_testing
