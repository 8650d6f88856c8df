# adit serve over a folder with links, pipes and hidden files in it: a link shows only what could be
# asked for itself, and never because it came between check and use.
. batch/tests/lib.sh
S="$TMP/site"
mkdir -p "$S/docs/deep" "$S/.git/objects" "$S/.well-known" "$S/docs/.private" "$TMP/outside"
echo "public file" >"$S/docs/file.txt"
echo "public page" >"$S/docs/deep/index.html"
echo "secret config" >"$S/.git/config"
echo "secret object" >"$S/.git/objects/x.txt"
echo "secret env" >"$S/.env"
echo "secret note" >"$S/docs/.private/note.txt"
echo "public key" >"$S/.well-known/key.txt"
echo "secret outside" >"$TMP/outside/x.txt"
ln -s docs/file.txt "$S/inside.txt"
ln -s "$S/docs/file.txt" "$S/absolute.txt"
ln -s inside.txt "$S/twice.txt"
ln -s docs "$S/folder"
ln -s .well-known "$S/known"
ln -s .env "$S/env.txt"
ln -s .git "$S/git"
ln -s git/config "$S/config.txt"
ln -s env.txt "$S/env2.txt"
ln -s docs/.private/note.txt "$S/note.txt"
ln -s docs/.private "$S/private"
ln -s ../outside "$S/out"
ln -s ../outside/x.txt "$S/out.txt"
ln -s /etc/passwd "$S/passwd.txt"
ln -s nowhere "$S/dangling.txt"
ln -s loop.txt "$S/loop.txt"
ln -s /dev/zero "$S/zero.txt"
mkfifo "$S/pipe.txt"
ln -s pipe.txt "$S/pipe2.txt"

start_serve "$ADIT" "$S"
shown() {
  get "$1"
  if [ "$code" = 200 ] && grep -q public "$TMP/body"; then ok 0 "$1 is shown"; else ok 1 "$1 is shown ($code)"; fi
}
kept() {
  get "$1"
  if [ "$code" = 404 ] && ! grep -q "secret\|root:" "$TMP/body"; then ok 0 "$1 is not"; else ok 1 "$1 is not ($code)"; fi
}
for path in /inside.txt /absolute.txt /twice.txt /folder/file.txt /folder/deep/ /known/key.txt /.well-known/key.txt; do shown $path; done
for path in /env.txt /env2.txt /git/config /git/objects/x.txt /config.txt /note.txt /private/note.txt /folder/.private/note.txt \
  /out/x.txt /out.txt /passwd.txt /dangling.txt /loop.txt /zero.txt /pipe.txt /pipe2.txt /inside.txt/x; do kept $path; done
get /folder
ok "$([ "$code" = 301 ]; echo $?)" "a link to a folder is a folder"
get /git
ok "$([ "$code" = 404 ]; echo $?)" "one to a hidden folder is nothing"
stop

# A file becomes a link after its path was resolved (preload/swap.c; not for sanitizers).
if cc -shared -fPIC -o "$TMP/swap.so" batch/tests/preload/swap.c -ldl 2>/dev/null; then
  root=$(cd "$S" && pwd -P)
  for to in ../outside/x.txt .env; do
    rm -f "$S/swap.txt"
    echo "public for now" >"$S/swap.txt"
    export SWAP_FILE="$root/swap.txt" SWAP_TO=$to LD_PRELOAD="$TMP/swap.so"
    start_serve "${ADIT_RELEASE:-$ADIT}" "$S"
    unset LD_PRELOAD
    kept /swap.txt
    ok "$([ -L "$S/swap.txt" ]; echo $?)" "which had become a link to $to meanwhile"
    stop
  done
else
  skip "a link that comes between" "no compiler"
fi
done_testing
