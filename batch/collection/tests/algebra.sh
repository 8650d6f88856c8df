# adit delta, apply, merge, cat, stat: what they refuse, what they write.
. batch/tests/lib.sh
cd "$TMP" || exit 1

meta() { # meta TYPE GENERATED [SECTION]
  printf '{"collection":{"id":"x","section":"%s","type":"%s","generated":"%s"' "${3:-blog}" "$1" "$2"
  [ "$1" = delta ] && printf ',"since":"2000-01-15T00:00:00Z"'
  printf ',"version":"0.1"}}'
}
page() { # page NAME MODIFIED TEXT
  printf '\n{"url":"https://example.com/%s","title":"%s","description":"","modified":"%s","language":"en","content":[{"type":"text","text":"%s"}]}' "$1" "$1" "$2" "$3"
}
urls() { "$ADIT" cat "$1" | sed 's/.*example.com.\([^"]*\)".*"text":"\([^"]*\)".*/\1=\2/' | tr '\n' ' '; }

# The specification's own example: post-2 is replaced, post-3 inserted, post-1 stays.
{ meta snapshot 2000-01-15T00:00:00Z; page post-1 2000-01-10T12:00:00Z one; page post-2 2000-01-12T14:00:00Z two; } >day1
{ meta delta 2000-01-16T23:00:00Z; page post-2 2000-01-16T10:00:00Z two-updated; page post-3 2000-01-16T15:00:00Z three; } >day2
run "$ADIT" apply day1 day2 -o state.scp
is_status 0 "apply"
out_has "state.scp: 3 pages, 1 replaced, 1 inserted, 0 ignored" "says what it did"
is "$(urls state.scp)" "post-1=one post-2=two-updated post-3=three " "the pages"
is "$(head -n 1 state.scp | sed 's/,"checksum.*//')" '{"collection":{"id":"blog-snapshot-20000116T230000Z","section":"blog","type":"snapshot","generated":"2000-01-16T23:00:00Z","version":"0.1"' "line 1"
is "$(sed 's/,"checksum":"sha256:[0-9a-f]*"//' state.scp | sha256sum | cut -c1-64)" "$(head -n 1 state.scp | sed 's/.*sha256://; s/".*//')" "the checksum is that of the file without it"
run "$ADIT" check state.scp
is_status 0 "check agrees"
out_has "checksum rule detached member" "by the first rule"

# Not later: ignored. The same instant written differently: ignored.
{ meta delta 2000-01-17T00:00:00Z; page post-1 2000-01-10T13:00:00+01:00 same; page post-2 2000-01-01T00:00:00Z old; } >day3
run "$ADIT" apply state.scp day3 -o state2.scp
out_has "0 replaced, 0 inserted, 2 ignored" "not later: ignored"
is "$(urls state2.scp)" "post-1=one post-2=two-updated post-3=three " "and nothing changes"

# Any order of pages gives the same bytes; so does a little memory, and any compression.
{ meta snapshot 2000-01-15T00:00:00Z; page post-2 2000-01-12T14:00:00Z two; page post-1 2000-01-10T12:00:00Z one; page post-1 2000-01-09T12:00:00Z older; } >shuffled
run "$ADIT" apply shuffled day2 -o state3.scp --memory 1M
is_status 0 "an input that is not sorted, with a page twice"
cmp -s state.scp state3.scp
ok $? "gives the same bytes"
for z in gzip zstd none; do
  run "$ADIT" apply day1 day2 -o "z" --compress $z
  is_status 0 "$z"
  case $z in gzip) gzip -dc z >u ;; zstd) zstd -qdc <z >u ;; none) cp z u ;; esac
  cmp -s u state.scp
  ok $? "$z: one stream of the same bytes"
done
cat day1 | "$ADIT" apply - day2 -o - >piped
cmp -s piped state.scp
ok $? "from a pipe to a pipe"
run "$ADIT" apply day1 day2 -o bare.scp --no-checksum
is "$(cat bare.scp | sha256sum | cut -c1-64)" "$(head -n 1 state.scp | sed 's/.*sha256://; s/".*//')" "--no-checksum: the bytes that are hashed"
run "$ADIT" apply day1 day2 -o state.scp --json
out_has '"pages":3' "--json"

# Refusals.
{ meta delta 2000-01-16T23:00:00Z docs; page a 2000-01-16T10:00:00Z x; } >docs
run "$ADIT" apply day1 docs -o no
is_status 1 "a delta of another section"
err_has "is a delta of section docs; the snapshot has blog" "says why"
run "$ADIT" apply day2 day2 -o no
is_status 1 "a delta as the base"
run "$ADIT" apply day1 day1 -o no
is_status 1 "a snapshot as a delta"
run "$ADIT" delta day1 day2 -o no
is_status 1 "a delta of a delta"
{ meta snapshot 2000-01-14T00:00:00Z; } >early
run "$ADIT" delta day1 early -o no
is_status 1 "the newer one first"
err_has "is older than" "says so"
run "$ADIT" apply day1 -o no
is_status 2 "no delta"
run "$ADIT" merge -o no
is_status 2 "nothing to merge"
run "$ADIT" merge day1
is_status 2 "no output"
run "$ADIT" merge day1 -o no --compress lz4
is_status 2 "unknown compression"
run "$ADIT" merge day1 -o no --compress gzip --level 12
is_status 2 "impossible level"
run "$ADIT" merge - - -o no
is_status 2 "standard input twice"
run "$ADIT" merge day1 nowhere -o no
is_status 1 "a file that is not there"
{ cat day1; printf '\n{"url":'; } >broken
run "$ADIT" merge broken day2 -o no
is_status 1 "a broken input"
run "$ADIT" merge day1 -o nowhere/no
is_status 3 "a folder that is not there"
run "$ADIT" merge day1 -o /dev/full
is_status 3 "a full disk"
[ ! -e no ]
ok $? "nothing was written in any of these"
is "$(ls | grep -c '^no')" 0 "no temporary file is left"
run "$ADIT" merge --lenient broken -o lenient.scp
is_status 1 "lenient: lost lines are told by the exit code"
out_has "1 skipped" "and counted"
is "$(urls lenient.scp)" "post-1=one post-2=two " "the rest is there"
# Which faults reject a file, and which leave out a page: delta, apply and merge do as check says.
fault() { # fault SED: a snapshot with three pages, the second changed so
  meta snapshot 2000-01-16T00:00:00Z
  page a 2000-01-10T12:00:00Z one
  page b 2000-01-11T12:00:00Z two | sed "$1"
  page c 2000-01-12T12:00:00Z three
}
{ meta snapshot 2000-01-14T00:00:00Z; } >empty
{ meta delta 2000-01-17T00:00:00Z; page d 2000-01-17T00:00:00Z four; } >later
try() { # try WHAT CODE SED: as delta, merge, apply; code 1r: rejected, 1s: left out, 0: taken
  fault "$3" >bad
  run "$ADIT" check bad
  is_status "${2%[rs]}" "$1: check"
  for what in "delta empty bad" "merge bad" "apply bad later"; do
    rm -f result
    run "$ADIT" $what -o result
    is_status "${2%[rs]}" "$1: ${what%% *}"
    case $2 in
    1r) err_has "line 3: " "with its line" && err_has "the file is rejected" "said so"; [ ! -e result ] ;;
    1s) err_has "line 3: " "with its line" && err_has "the page is left out" "said so"; [ "$(urls result | sed 's/d=four //')" = "a=one c=three " ] ;;
    0) [ "$("$ADIT" cat result | grep -c '/[abc]"')" = 3 ] ;;
    esac
    ok $? "$1: ${what%% *}: what is written"
  done
}
try "no JSON" 1r '$s/}$//'
try "a member is missing" 1r 's/"language":"en",//'
try "a member of the wrong type" 1r 's/"title":"b"/"title":5/'
try "no http URL" 1s 's/https:/ftp:/'
try "half a URL" 1s 's/"https:[^"]*"/"\/b"/'
try "no date" 1s 's/2000-01-11T12:00:00Z/yesterday/'
try "half a surrogate pair" 0 's/"title":"b"/"title":"b\\ud800"/'
try "half a surrogate pair in a text" 0 's/"two"/"\\udc00two"/'
fault 's/"title":"b"/"title":"b\\ud800"/' | sed '1!G;h;$!d' >reversed # line 1 comes last: put it first
{ tail -n 1 reversed; sed '$d' reversed; } >unsorted
run "$ADIT" delta empty unsorted -o result
is_status 0 "half a surrogate pair, not sorted"
is "$("$ADIT" cat result | wc -l | tr -d ' ')" 3 "all pages"
fault 's/"language":"en",//' >bad
run "$ADIT" merge --lenient bad -o result
is_status 1 "lenient"
out_has "2 pages, 0 replaced, 1 skipped" "counts what it skips"
err_has "the page is left out" "and says so"
{ meta delta 2000-01-20T00:00:00Z | sed 's/15T/18T/'; page post-9 2000-01-19T00:00:00Z nine; } >gap
run "$ADIT" apply day1 gap -o gap.scp
is_status 0 "a missing delta is no error"
err_has "a delta is missing" "but is told"

# delta: new, changed, unchanged, deleted.
{ meta snapshot 2000-01-18T00:00:00Z; page post-2 2000-01-17T10:00:00Z new; page post-3 2000-01-16T15:00:00Z three; page post-4 2000-01-17T15:00:00Z four; } >day4
run "$ADIT" delta state.scp day4 -o delta.scp
out_has "2 pages, 1 added, 1 changed, 1 unchanged, 1 deleted, 0 fixed" "delta"
is "$(urls delta.scp)" "post-2=new post-4=four " "its pages"
is "$(head -n 1 delta.scp | sed 's/,"version.*//')" '{"collection":{"id":"blog-delta-20000118T000000Z","section":"blog","type":"delta","generated":"2000-01-18T00:00:00Z","since":"2000-01-16T23:00:00Z"' "its line 1"

# merge: newest wins; sections that differ become all; deltas alone stay a delta.
{ meta snapshot 2000-01-20T00:00:00Z docs; page post-2 2000-01-16T10:00:00Z tie; page z 2000-01-16T10:00:00Z z; } >other
run "$ADIT" merge state.scp other -o merged.scp
is "$(urls merged.scp)" "post-1=one post-2=tie post-3=three z=z " "of the same instant the later collection's"
is "$(head -n 1 merged.scp | sed 's/,"generated.*//')" '{"collection":{"id":"all-snapshot-20000120T000000Z","section":"all","type":"snapshot"' "section all"
run "$ADIT" merge day2 day3 -o deltas.scp
is "$(head -n 1 deltas.scp | sed 's/,"version.*//')" '{"collection":{"id":"blog-delta-20000117T000000Z","section":"blog","type":"delta","generated":"2000-01-17T00:00:00Z","since":"2000-01-15T00:00:00Z"' "deltas"

# The older revision's robots is read and never written.
{ meta snapshot 2000-01-15T00:00:00Z; page a 2000-01-10T12:00:00Z x | sed 's/"title"/"robots":["noarchive"],"title"/'; } >robots
"$ADIT" merge robots -o norobots.scp >/dev/null
is "$(grep -c robots norobots.scp)" 0 "robots is not written"
is "$(urls norobots.scp)" "a=x " "the page is"

# cat and stat.
run "$ADIT" cat state.scp --url https://example.com/post-2 --format text
is "$(cat out)" "post-2

two-updated" "cat --url --format text"
run "$ADIT" cat state.scp --url https://example.com/nowhere
is_status 1 "cat of a page that is not there"
run "$ADIT" cat state.scp --format pdf
is_status 2 "cat in a format that is not there"
run "$ADIT" cat state.scp --format md
is "$(grep -c "$(printf '\f')" out)" 2 "form feeds between pages"
run "$ADIT" cat state.scp --format tct
is "$(wc -l <out | tr -d ' ')" 3 "a line a payload"
head -n 1 out | tr -d '\n' >payload
run "$ADIT" check payload
is_status 0 "which check accepts"
run "$ADIT" stat state.scp
out_has "3 pages, 3 blocks" "stat"
run "$ADIT" stat --json state.scp
out_has '"block_types":{"text":3' "stat --json"
# Two sites are no two states of one; nothing comes of nothing.
{ meta snapshot 2000-01-16T00:00:00Z; page post-1 2000-01-10T12:00:00Z one; } | sed 's/example.com/example.org/' >other
run "$ADIT" delta day1 other -o two.scp
is_status 1 "a delta of two sites"
err_has "is of https://example.org, the old snapshot of https://example.com" "says why"
ok "$([ ! -e two.scp ]; echo $?)" "and is not written"
meta snapshot 2000-01-16T00:00:00Z >none
run "$ADIT" delta day1 none -o two.scp
is_status 1 "a delta to an empty snapshot"
err_has "holds no page" "says why"
run "$ADIT" merge none none -o two.scp
is_status 1 "a merge of nothing"
err_has "the inputs hold no page" "says why"
run "$ADIT" delta day1 day1 -o two.scp
is_status 0 "a delta between equal snapshots is empty and fine"
run "$ADIT" cat
is_status 2 "cat of nothing"
run "$ADIT" stat
is_status 2 "stat of nothing"
done_testing
