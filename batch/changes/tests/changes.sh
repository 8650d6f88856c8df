# Slow: ResourceSync: what pack and changes publish for followers (IFCC-0001, For Authors).
. batch/tests/lib.sh
E=https://example.com
page() { # page TITLE [WORDS]
  printf '<!DOCTYPE html><html lang="en"><head><title>%s</title>%s</head><body><main><h1>%s</h1><p>A paragraph about %s that is long enough to be taken as the content of a page, %s.</p></main></body></html>' "$1" "${3:-}" "$1" "$1" "${2:-as it was}"
}
# xp FILE XPATH: with md(), ln and so on by local name
xp() { xmllint --xpath "$2" "$1" 2>/dev/null; }
md="*[local-name()='md' and namespace-uri()='http://www.openarchives.org/rs/terms/']"
ln="*[local-name()='ln' and namespace-uri()='http://www.openarchives.org/rs/terms/']"
url="*[local-name()='url' or local-name()='sitemap']"
loc="*[local-name()='loc']"
changed() { # the changes of a list: PATH CHANGE DAY;…
  sed -n 's|.*<loc>https://[^/]*\([^<]*\)</loc>.*change="\([a-z]*\)" datetime="\([^T"]*\).*|\1 \2 \3|p' "$@" | tr '\n' ';'
}
valid() { # valid WHAT FILE…
  what=$1
  shift
  run xmllint --noout --schema batch/tests/schema/sitemap.xsd "$@"
  is_status 0 "$what: valid by the sitemap schema"
  run "$ADIT" check "$@"
  is_status 0 "$what: accepted by check"
}

# --- two folders --------------------------------------------------------------------------------------------------------
mkdir -p "$TMP/old/shrine" "$TMP/old/about"
page Home >"$TMP/old/index.html"
page Same >"$TMP/old/about/same.html"
page Edit >"$TMP/old/shrine/edit.html"
page Gone >"$TMP/old/shrine/gone.html"
page Shrine >"$TMP/old/shrine/index.html"
page Secret "" '<meta name="robots" content="noindex">' >"$TMP/old/secret.html"
cp -r "$TMP/old" "$TMP/new"
page Edit "as it is now" >"$TMP/new/shrine/edit.html"
rm "$TMP/new/shrine/gone.html"
page New >"$TMP/new/shrine/a&b.html"
page Secret "changed" '<meta name="robots" content="noindex">' >"$TMP/new/secret.html"
# Another template around the same words is no change.
sed -i 's|<body>|<body class="new"><!-- new design --><script>design()</script>|; s|<p>|<p style="color:red">|' "$TMP/new/about/same.html"
touch "$TMP/new/index.html"
C="$ADIT changes"
run $C "$TMP/old" "$TMP/new" -o "$TMP/site" --base-url $E --section shrine=/shrine/ --generated 2026-01-02T03:04:05Z
is_status 0 "compares two folders"
out_has "1 created, 1 updated, 1 deleted, 3 unchanged, 1 not listed" "and counts"
D=$TMP/site/.well-known/resourcesync
A=$TMP/site/resourcesync/all
S=$TMP/site/resourcesync/shrine
is "$(changed "$A/changelist.xml")" "/shrine/a&amp;b.html created 2026-01-02;/shrine/edit.html updated 2026-01-02;/shrine/gone.html deleted 2026-01-02;" "by content, not by bytes or dates"
valid "all files" "$D" "$A/capabilitylist.xml" "$A/changelist.xml" "$S/capabilitylist.xml" "$S/changelist.xml" "$A/resourcelist.xml" "$S/resourcelist.xml"

# --- the resource list: where a client begins ---------------------------------------------------------------------------
paths() { sed -n 's|.*<url><loc>https://[^/]*\([^<]*\)</loc>.*|\1|p' "$@" | tr '\n' ' '; }
is "$(paths "$A/resourcelist.xml")" "/ /about/same.html /shrine/ /shrine/a&amp;b.html /shrine/edit.html " "all pages that are there now, and none that is hidden"
is "$(paths "$S/resourcelist.xml")" "/shrine/ /shrine/a&amp;b.html /shrine/edit.html " "of a section its own"
is "$(xp "$A/resourcelist.xml" "concat(/*/$md/@capability, ' ', /*/$md/@at, ' ', /*/$ln[@rel='up']/@href)")" "resourcelist 2026-01-02T03:04:05Z $E/resourcesync/all/capabilitylist.xml" "what it is, when, and where it belongs"
is "$(xp "$A/capabilitylist.xml" "string(/*/$url[$md/@capability='resourcelist']/$loc)")" $E/resourcesync/all/resourcelist.xml "the capability list leads to it"
run $C "$TMP/old" "$TMP/new" -o "$TMP/parts" --base-url $E --generated 2026-01-02T03:04:05Z --list-max 2
R=$TMP/parts/resourcesync/all
is "$(cd "$R" && echo resourcelist*)" "resourcelist-0002.xml resourcelist-0003.xml resourcelist-index.xml resourcelist.xml" "a long one comes in parts"
is "$(paths "$R/resourcelist.xml" "$R/resourcelist-0002.xml" "$R/resourcelist-0003.xml")" "$(paths "$A/resourcelist.xml")" "which have the same pages"
is "$(xp "$R/capabilitylist.xml" "string(/*/$url[$md/@capability='resourcelist']/$loc)") $(xp "$R/resourcelist.xml" "string(/*/$ln[@rel='index']/@href)") $(xp "$R/resourcelist-index.xml" "count(/*/$url)")" "$E/resourcesync/all/resourcelist-index.xml $E/resourcesync/all/resourcelist-index.xml 3" "and an index"
valid "a resource list in parts" "$R"/resourcelist*.xml
shape() { # shape OURS EXAMPLE: ours has no element or attribute that the specification's example has not, and its head
  python3 - "$1" "$2" <<'PY'
import sys, xml.etree.ElementTree as E
def shape(file):
    root = E.parse(file).getroot()
    found = {(root.tag,)} | {(root.tag, c.tag, a) for c in root for a in c.attrib}
    found |= {(root.tag, c.tag, g.tag) for c in root for g in c} | {(root.tag, c.tag, g.tag, a) for c in root for g in c for a in g.attrib}
    return found, {(c.tag, c.get("capability"), c.get("rel")) for c in root if not list(c) and not c.tag.endswith(("url", "sitemap"))}
ours, theirs = shape(sys.argv[1]), shape(sys.argv[2])
extra, missing = ours[0] - theirs[0], theirs[1] - ours[1]
sys.exit(f"more than the example: {extra}; missing: {missing}" if extra or missing else 0)
PY
}
if [ -d "$ADIT_CORPUS/resourcesync" ]; then
  run shape "$A/resourcelist.xml" "$ADIT_CORPUS/resourcesync/resourcesync_ex_14.xml"
  is_status 0 "the shape of the specification's resource list"
  run shape "$R/resourcelist-index.xml" "$ADIT_CORPUS/resourcesync/resourcesync_ex_15.xml"
  is_status 0 "of its index"
  run shape "$R/resourcelist-0002.xml" "$ADIT_CORPUS/resourcesync/resourcesync_ex_16.xml"
  is_status 0 "of a part of it"
else
  skip "the shapes of the specification's examples" "no corpus"
fi

# --- For Authors, sentence by sentence ----------------------------------------------------------------------------------
authors() { # authors WHO DIR: on the lists of a publication with the section shrine
  D=$2/.well-known/resourcesync
  CL=$2/resourcesync/shrine/capabilitylist.xml
  L=$2/resourcesync/shrine/changelist.xml
  n_lists=$(xp "$D" "count(/*/$url)")
  is "$(xp "$D" "local-name(/*)")" urlset "$1: a source description at /.well-known/resourcesync"
  is "$(xp "$D" "string(/*/$md/@capability)")" description "$1: description: md of the root has capability description"
  is "$(xp "$D" "count(/*/$url/$md[@capability='capabilitylist'])")" "$n_lists" "$1: description: each url has md capabilitylist"
  is "$(xp "$D" "count(/*/$url[$ln[@rel='describes' and @href]])")" "$n_lists" "$1: description: each url has ln describes"
  is "$(xp "$D" "string(/*/$url[2]/$ln[@rel='describes']/@href)")" $E/shrine/ "$1: description: describes identifies the collection"
  is "$(xp "$D" "string(/*/$url[2]/$ln[@rel='describedby']/@href)")" $E/shrine/ "$1: description: ln describedby (recommended)"
  is "$n_lists" 2 "$1: description: several capability lists"
  is "$(xp "$D" "string(/*/$url[2]/$loc)")" $E/resourcesync/shrine/capabilitylist.xml "$1: loc leads to the capability list"
  is "$(xp "$CL" "string(/*/$ln[@rel='up']/@href)")" $E/.well-known/resourcesync "$1: capability list: up is the description"
  is "$(xp "$CL" "string(/*/$ln[@rel='describes']/@href)")" $E/shrine/ "$1: capability list: describes identifies the collection"
  is "$(xp "$CL" "string(/*/$ln[@rel='describedby']/@href)")" $E/shrine/ "$1: capability list: describedby (recommended)"
  is "$(xp "$CL" "string(/*/$md/@capability)")" capabilitylist "$1: capability list: md of the root"
  is "$(xp "$CL" "count(/*/$url[$md[@capability='changelist']])")" 1 "$1: capability list: exactly one change list"
  list=$(xp "$CL" "string(/*/$url[$md[@capability='changelist']]/$loc)")
  ok "$([ -f "$2/${list#$E/}" ]; echo $?)" "$1: its loc leads to a change list or its index"
  is "$(xp "$L" "string(/*/$ln[@rel='up']/@href)")" $E/resourcesync/shrine/capabilitylist.xml "$1: change list: up is the capability list"
  is "$(xp "$L" "string(/*/$md/@capability)")" changelist "$1: change list: md of the root has capability changelist"
  ok "$(xp "$L" "string(/*/$md/@from)" | grep -Eq '^[0-9]{4}-[0-9]{2}-[0-9]{2}T'; echo $?)" "$1: change list: from is a date"
  ok "$(xp "$L" "string(/*/$md/@until)" | grep -Eq '^[0-9]{4}-[0-9]{2}-[0-9]{2}T'; echo $?)" "$1: change list: until is a date"
  all=$(xp "$L" "count(/*/$url)")
  is "$(xp "$L" "count(/*/$url[$md[@change='created' or @change='updated' or @change='deleted']])")" "$all" "$1: change list: every md has a change"
  is "$(xp "$L" "count(/*/$url[$md[@datetime]])")" "$all" "$1: change list: every md has a datetime"
  ok "$([ "$all" -gt 1 ]; echo $?)" "$1: several changes in one list"
  xp "$L" "/*/$url/$md/@datetime" | grep -o '".*"' >"$TMP/dates"
  ok "$(sort -c "$TMP/dates" 2>/dev/null; echo $?)" "$1: changes are in the order of time"
}
authors changes "$TMP/site"

# --- further runs -------------------------------------------------------------------------------------------------------
cp -r "$TMP/new" "$TMP/newer"
page Edit "once more" >"$TMP/newer/shrine/edit.html"
run $C "$TMP/new" "$TMP/newer" -o "$TMP/site" --base-url $E --section shrine=/shrine/ --generated 2026-01-03
is "$(changed "$S/changelist.xml")" "/shrine/a&amp;b.html created 2026-01-02;/shrine/edit.html updated 2026-01-02;/shrine/gone.html deleted 2026-01-02;/shrine/edit.html updated 2026-01-03;" "a second run adds to the list"
is "$(xp "$S/changelist.xml" "string(/*/$md/@from)") $(xp "$S/changelist.xml" "string(/*/$md/@until)")" "2026-01-02T03:04:05Z 2026-01-03T00:00:00Z" "from stays, until moves on"
cp -r "$TMP/site" "$TMP/before"
run $C "$TMP/new" "$TMP/newer" -o "$TMP/site" --base-url $E --section shrine=/shrine/ --generated 2026-01-03
is_status 0 "the same run again"
err_has "nothing to do" "says so"
run diff -r "$TMP/before" "$TMP/site"
is_status 0 "and changes nothing"
run $C "$TMP/newer" "$TMP/newer" -o "$TMP/site" --base-url $E --section other=/about/ --generated 2026-01-04
is "$(xp "$D" "count(/*/$url)")" 3 "a new section joins the description, the others stay"
valid "the extended description" "$D"
# A site that is made afresh each time: the lists are in the published copy.
rm -rf "$TMP/fresh" && cp -r "$TMP/new" "$TMP/fresh" && page Fresh >"$TMP/fresh/fresh.html"
cp -r "$TMP/site/.well-known" "$TMP/site/resourcesync" "$TMP/newer/"
run $C "$TMP/newer" "$TMP/fresh" -o "$TMP/fresh" --base-url $E --generated 2026-01-05
is "$(grep -c '<url>' "$TMP/fresh/resourcesync/all/changelist.xml")" 6 "lists of the published copy are continued"
is "$(changed "$TMP/fresh/resourcesync/all/changelist.xml" | grep -c resourcesync)" 0 "and are no pages"

# --- lists that grow ----------------------------------------------------------------------------------------------------
run $C "$TMP/old" "$TMP/new" -o "$TMP/g" --base-url $E --section shrine=/shrine/ --generated 2026-01-02 --list-max 3
run $C "$TMP/new" "$TMP/newer" -o "$TMP/g" --base-url $E --section shrine=/shrine/ --generated 2026-01-03 --list-max 3
G=$TMP/g/resourcesync/shrine
is "$(cd "$G" && echo *)" "capabilitylist.xml changelist-20260102T000000Z.xml changelist-index.xml changelist.xml resourcelist.xml" "a full list is kept behind an index"
is "$(changed "$G/changelist.xml")" "/shrine/edit.html updated 2026-01-03;" "the new list has the new changes"
is "$(grep -c '<url>' "$G/changelist-20260102T000000Z.xml")" 3 "the old one its own"
is "$(xp "$G/capabilitylist.xml" "string(/*/$url/$loc)")" $E/resourcesync/shrine/changelist-index.xml "the capability list leads to the index"
is "$(xp "$G/changelist-index.xml" "string(/*/$url[1]/$md/@from)") $(xp "$G/changelist-index.xml" "string(/*/$url[1]/$md/@until)")" "2026-01-02T00:00:00Z 2026-01-02T00:00:00Z" "the index says which times a list covers"
is "$(xp "$G/changelist-index.xml" "string(/*/$url[2]/$loc)") $(xp "$G/changelist-index.xml" "count(/*/$url[2]/$md/@until)")" "$E/resourcesync/shrine/changelist.xml 0" "the newest has no end"
is "$(xp "$G/changelist.xml" "string(/*/$ln[@rel='index']/@href)")" $E/resourcesync/shrine/changelist-index.xml "a list names its index"
valid "lists behind an index" "$G"/*.xml
authors "with an index" "$TMP/before"
before=$(sha256sum <"$G/changelist-20260102T000000Z.xml")
mkdir "$TMP/many" && i=0
while [ $i -lt 8 ]; do page "Page $i" >"$TMP/many/$i.html"; i=$((i + 1)); done
run $C "$TMP/newer/about" "$TMP/many" -o "$TMP/g" --base-url $E --generated 2026-01-06 --list-max 3
is "$(cd "$TMP/g/resourcesync/all" && echo changelist*)" "changelist-20260102T000000Z.xml changelist-20260103T000000Z.xml changelist-20260106T000000Z-0002.xml changelist-20260106T000000Z.xml changelist-index.xml changelist.xml" "one run may fill several lists"
is "$(cat "$TMP/g/resourcesync/all"/changelist-2026*.xml "$TMP/g/resourcesync/all/changelist.xml" | grep -c '<url>')" 13 "no change is lost"
valid "several lists of one run" "$TMP/g/resourcesync/all"/*.xml
is "$(sha256sum <"$G/changelist-20260102T000000Z.xml")" "$before" "archived lists never change"

# A published copy of somebody else: what its index names is not brought along through a link.
rm -rf "$TMP/linked" && cp -r "$TMP/new" "$TMP/linked" && cp -r "$TMP/g/resourcesync" "$TMP/g/.well-known" "$TMP/linked/"
echo private-words >"$TMP/secret"
L=$TMP/linked/resourcesync/shrine/changelist-20260102T000000Z.xml
run $C "$TMP/linked" "$TMP/newer" -o "$TMP/brought" --base-url $E --section shrine=/shrine/ --generated 2026-01-07 --list-max 3
same "$TMP/brought/resourcesync/shrine/${L##*/}" "$L" "an archived list is brought along"
ln -sf "$TMP/secret" "$L"
run $C "$TMP/linked" "$TMP/newer" -o "$TMP/leak" --base-url $E --section shrine=/shrine/ --generated 2026-01-07 --list-max 3
is_status 0 "a link in place of an archived list"
is "$(grep -rl private-words "$TMP/leak" | wc -l | tr -d ' ')" 0 "is not brought along"

# --- a run that fails on its way -------------------------------------------------------------------------------------------
K=$TMP/k
run $C "$TMP/old" "$TMP/new" -o "$K" --base-url $E --generated 2026-01-02 --list-max 3
cp -r "$K" "$TMP/k1"
run $C "$TMP/new" "$TMP/newer" -o "$TMP/k1" --base-url $E --generated 2026-01-03 --list-max 3
for part in .well-known/resourcesync resourcesync/all/changelist-index.xml resourcesync/all/changelist.xml; do
  rm -rf "$TMP/kf" && cp -r "$K" "$TMP/kf"
  rm -f "$TMP/kf/$part" && mkdir "$TMP/kf/$part" && touch "$TMP/kf/$part/x" # cannot be replaced
  run $C "$TMP/new" "$TMP/newer" -o "$TMP/kf" --base-url $E --generated 2026-01-03 --list-max 3
  is_status 3 "$part cannot be written"
  rm -r "$TMP/kf/$part"
  [ ! -e "$K/$part" ] || cp "$K/$part" "$TMP/kf/$part"
  is "$(changed "$TMP/kf/resourcesync/all/changelist.xml")" "$(changed "$K/resourcesync/all/changelist.xml")" "the list is as it was"
  run $C "$TMP/new" "$TMP/newer" -o "$TMP/kf" --base-url $E --generated 2026-01-03 --list-max 3
  run diff -r "$TMP/kf" "$TMP/k1"
  is_status 0 "and the next run gives what the first would have given"
done

# --- collections --------------------------------------------------------------------------------------------------------
run "$ADIT" pack "$TMP/old" -o "$TMP/c1" --base-url $E --generated 2026-02-01 --compress zstd
run "$ADIT" pack "$TMP/new" -o "$TMP/c2" --base-url $E --generated 2026-02-02 --compress gzip
run $C "$TMP"/c1/all-snapshot-*.zst "$TMP"/c2/all-snapshot-*.gz -o "$TMP/cs" --base-url $E
is_status 0 "compares two collections"
is "$(changed "$TMP/cs/resourcesync/all/changelist.xml")" "/shrine/a&amp;b.html created 2026-02-02;/shrine/edit.html updated 2026-02-02;/shrine/gone.html deleted 2026-02-02;" "with the same changes"
is "$(xp "$TMP/cs/resourcesync/all/changelist.xml" "string(/*/$md/@from)")" 2026-02-01T00:00:00Z "from the old one's time"
"$ADIT" cat "$TMP"/c2/all-snapshot-*.gz --format scp >"$TMP/lines"
{ zcat "$TMP"/c2/all-snapshot-*.gz | head -n 1 | sed 's/,"checksum":"sha256:[0-9a-f]*"//'; zcat "$TMP"/c2/all-snapshot-*.gz | tail -n +2 | sort -r; } >"$TMP/unsorted.scp"
run $C "$TMP"/c1/all-snapshot-*.zst "$TMP/unsorted.scp" -o "$TMP/cu" --base-url $E
is_status 0 "one that is not sorted"
same "$TMP/cu/resourcesync/all/changelist.xml" "$TMP/cs/resourcesync/all/changelist.xml" "gives the same list"
run $C "$TMP"/c2/all-snapshot-*.gz "$TMP"/c1/all-snapshot-*.zst -o "$TMP/cx" --base-url $E
is_status 1 "the newer one first is refused"
run $C "$TMP"/c1/all-snapshot-*.zst "$TMP/new" -o "$TMP/cx" --base-url $E
is_status 2 "a collection and a folder cannot be compared"
run $C "$TMP/old" "$TMP/new" -o "$TMP/cx"
is_status 2 "--base-url is needed"
run $C "$TMP/old" "$TMP/new" -o "$TMP/cx" --base-url $E/my-shrine/ --describedby $E/about.xml --json
is "$(xp "$TMP/cx/resourcesync/all/capabilitylist.xml" "string(/*/$ln[@rel='describes']/@href)") $(xp "$TMP/cx/resourcesync/all/capabilitylist.xml" "string(/*/$ln[@rel='describedby']/@href)")" "$E/my-shrine/ $E/about.xml" "a site in a folder of its host"
out_has '{"created":1,"updated":1,"deleted":1,"unchanged":3,"hidden":1,"skipped":0}' "--json"

# --- pack ---------------------------------------------------------------------------------------------------------------
find "$TMP/old" "$TMP/new" "$TMP/newer" -type f -exec touch -d 2026-01-01T00:00:00Z {} +
P="$ADIT pack --base-url $E --section shrine=/shrine/"
run $P "$TMP/old" -o "$TMP/p" --generated 2026-03-01
run $P "$TMP/new" -o "$TMP/p" --previous "$TMP/p" --generated 2026-03-02
authors pack "$TMP/p"
run $P "$TMP/newer" -o "$TMP/p3" --previous "$TMP/p" --generated 2026-03-03
is "$(grep -c '<url>' "$TMP/p3/resourcesync/shrine/changelist.xml")" 4 "pack adds to the list of the previous publication"
valid "pack's lists" "$TMP/p3/.well-known/resourcesync" "$TMP/p3"/resourcesync/*/*.xml
# A run that was killed before its manifest was in place: its changes are not there twice.
cp "$TMP/p/scp-manifest.json" "$TMP/before.json"
run $P "$TMP/newer" -o "$TMP/p" --previous "$TMP/p" --generated 2026-03-03
cp "$TMP/p/resourcesync/all/changelist.xml" "$TMP/once.xml"
cp -r "$TMP/p" "$TMP/killed"
cp "$TMP/before.json" "$TMP/killed/scp-manifest.json"
run $P "$TMP/newer" -o "$TMP/killed" --previous "$TMP/killed" --generated 2026-03-03
is_status 0 "after a killed run"
same "$TMP/killed/resourcesync/all/changelist.xml" "$TMP/once.xml" "no change is listed twice"
# An unreadable list is said, and replaced.
echo '<urlset' >"$TMP/p/resourcesync/all/changelist.xml"
run $P "$TMP/new" -o "$TMP/p" --previous "$TMP/p" --generated 2026-03-04
is_status 0 "a broken list of before"
err_has "it is replaced" "is said and replaced"
# 10,001 changes of one run: two lists.
mkdir "$TMP/t1" "$TMP/t2" && page Home >"$TMP/t1/index.html" && cp "$TMP/t1/index.html" "$TMP/t2/"
python3 - "$TMP/t2" <<'PY'
import sys
for i in range(10001):
    open(f"{sys.argv[1]}/{i}.html", "w").write(f"<title>{i}</title><main><p>This is page number {i} of very many, and it says so at some length.</p></main>")
PY
run "$ADIT_RELEASE" pack --base-url $E "$TMP/t1" -o "$TMP/t" --generated 2026-04-01
run "$ADIT_RELEASE" pack --base-url $E "$TMP/t2" -o "$TMP/t" --previous "$TMP/t" --generated 2026-04-02
is_status 0 "packs 10,001 new pages"
is "$(cd "$TMP/t/resourcesync/all" && grep -c '<url>' changelist-20260402T000000Z.xml changelist.xml | tr '\n' ' ')" "changelist-20260402T000000Z.xml:10000 changelist.xml:1 " "into two lists behind an index"
valid "them" "$TMP/t/resourcesync/all"/*.xml
# --- IndexNow: a document for search engines; nothing is sent --------------------------------------------------------------
run $C "$TMP/old" "$TMP/new" --base-url $E --indexnow abcdef0123456789
is_status 0 "--indexnow needs no folder"
is "$(jq -cS . "$TMP/out")" "{\"host\":\"example.com\",\"key\":\"abcdef0123456789\",\"urlList\":[\"$E/shrine/a&b.html\",\"$E/shrine/edit.html\",\"$E/shrine/gone.html\"]}" "pages whose content changed, and no other"
run $C "$TMP"/c1/all-snapshot-*.zst "$TMP"/c2/all-snapshot-*.gz -o "$TMP/inow" --base-url $E --indexnow abcdef0123456789 --key-location $E/keys/k.txt
is "$(jq -r '[.keyLocation, (.urlList | length)] | join(" ")' "$TMP/out")" "$E/keys/k.txt 3" "of collections, too, with the place of the key"
is "$(ls "$TMP/inow/resourcesync/all")" "$(ls "$A")" "beside the lists"
run $C "$TMP/new" "$TMP/new" --base-url $E --indexnow abcdef0123456789
is "$status $(wc -c <"$TMP/out" | tr -d ' ')" "0 0" "nothing changed: nothing to send"
run $C "$TMP/old" "$TMP/new" --base-url $E --indexnow short
is_status 2 "a key that is none"
run $C "$TMP/old" "$TMP/new" --base-url $E --indexnow abcdef0123456789 --json
is_status 2 "two reports on one output"
done_testing
