# Slow: Completion in the shells themselves: bash, and zsh and fish where they are (make setup-package installs them).
. batch/tests/lib.sh
root=$PWD folder=$TMP/completion
run scripts/package/make-completion "$ADIT" "$folder"
is_status 0 "completion is made from the tables"
mkdir -p "$TMP/here/sub"
: >"$TMP/here/page.html"
cd "$TMP/here" || exit 1

# complete_SHELL LINE: what the shell offers at the end of the line, a word a line, sorted.
complete_bash() {
  bash --norc -c '. "$1"; line=$2; read -ra COMP_WORDS <<<"$line"; [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _adit; printf "%s\n" "${COMPREPLY[@]}"' - "$folder/bash/adit" "$1" 2>/dev/null | sort -u
}
complete_fish() { HOME=$TMP fish --no-config -c "source $folder/fish/adit.fish; complete -C '$1'" 2>/dev/null | cut -f1 | sed 's/=$//' | sort -u; }
complete_zsh() { python3 "$root/batch/cli/tests/zsh.py" "$folder/zsh" "$1"; }
offers() { # offers SHELL LINE WORD WHAT
  if "complete_$1" "$2" >"$TMP/out" && grep -qxF -e "$3" "$TMP/out"; then ok 0 "$1: $4"; else ok 1 "$1: $4"; show; fi
}
offers_not() { if grep -qxF -e "$2" "$TMP/out"; then ok 1 "$1: $3"; show; else ok 0 "$1: $3"; fi; }

for shell in bash zsh fish; do
  if ! command -v "$shell" >/dev/null; then skip "completion in $shell" "no $shell here"; continue; fi
  offers $shell "adit pa" pack "commands"
  offers_not $shell page.html "no files in place of a command"
  offers $shell "adit page --for" --format "options of the command"
  offers_not $shell --front-matter "and none that begin otherwise"
  offers $shell "adit page --format m" md "values that are words"
  offers $shell "adit delta --compress " gzip "all of them"
  offers_not $shell page.html "and nothing else"
  offers $shell "adit page pa" page.html "files"
  offers $shell "adit pack --config pa" page.html "files as values"
  offers $shell "adit archive ver" verify "subcommands"
  offers $shell "adit help pac" pack "help of a command"
done
cd - >/dev/null || exit 1
done_testing
