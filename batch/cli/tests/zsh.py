"""What zsh offers at the end of a line, a word a line. zsh completes only where it edits a line, so it gets a terminal, and compadd is told
to write down what it is given.  Usage: zsh.py COMPLETION-FOLDER LINE"""
import os
import pty
import re
import select
import sys
import time

folder, line = sys.argv[1:]
SETUP = f"""unsetopt zle_bracketed_paste 2>/dev/null; PS1=; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D
compadd() {{ if [[ " $* " == *\\ -[OAD]\\ * ]]; then builtin compadd "$@"; return $?; fi
local -a hits; builtin compadd -A hits "$@"; local h; for h in $hits; do print -r -- "<HIT:$h>"; done >&3; builtin compadd "$@"; }}
comppostfuncs=(finish); finish() {{ print -r -- "<E""ND>" >&3 }}
print -r -- "<REA""DY>" >&3
"""
read_end, write_end = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(write_end, 3)
    os.environ.update(TERM="dumb", HOME=os.environ["TMP"])
    os.execvp("zsh", ["zsh", "-f", "-i"])
os.close(write_end)


def wait_for(mark, seconds=30):
    """What came through the pipe until the mark; the terminal is read, so that zsh can write to it."""
    text, end = "", time.time() + seconds
    while mark not in text and time.time() < end:
        ready, _, _ = select.select([read_end, terminal], [], [], 1)
        try:
            if read_end in ready:
                text += os.read(read_end, 65536).decode(errors="replace")
            if terminal in ready:
                os.read(terminal, 65536)
        except OSError:
            break
    return text


os.write(terminal, SETUP.encode())
wait_for("<READY>")
os.write(terminal, line.encode() + b"\t")
print("\n".join(sorted(set(re.findall(r"<HIT:([^>]*)>", wait_for("<END>", 10))))))
os.kill(pid, 9)
os.waitpid(pid, 0)
