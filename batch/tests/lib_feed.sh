# For tests of feed: what an Atom document says.
E=https://example.com
F="$ADIT feed"
at() { xmllint --xpath "string($2)" "$1" 2>/dev/null; } # at FILE XPATH
e() { echo "/*/*[local-name()='entry'][$1]/*[local-name()='$2']"; } # entry NUMBER's element
entries() { xmllint --xpath "count(/*/*[local-name()='entry'])" "$1"; }
link() { at "$1" "/*/*[local-name()='link' and @rel='$2']/@href"; }
valid() { # valid WHAT FILE…
  what=$1
  shift
  run xmllint --noout --relaxng batch/tests/schema/atom.rng "$@"
  is_status 0 "$what: valid Atom"
}
