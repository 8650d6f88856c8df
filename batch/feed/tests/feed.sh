# Slow: adit feed: Atom feeds from change lists (IFCC-0001, For Feed Generators).
. batch/tests/lib.sh
. batch/tests/lib_feed.sh
S=$TMP/site
RS='xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"'
# A source with one collection, and its list written by hand: site [BASE]; list FROM UNTIL, entries on stdin
site() {
  B=${1:-$E}
  rm -rf "$S" && mkdir -p "$S/.well-known" "$S/c"
  cat >"$S/.well-known/resourcesync" <<X
<urlset $RS><rs:md capability="description"/><url><loc>$B/c/capabilitylist.xml</loc><rs:md capability="capabilitylist"/><rs:ln rel="describes" href="$B/"/><rs:ln rel="describedby" href="$B/about.xml"/></url></urlset>
X
  cat >"$S/c/capabilitylist.xml" <<X
<urlset $RS><rs:ln rel="up" href="$B/.well-known/resourcesync"/><rs:ln rel="describes" href="$B/"/><rs:md capability="capabilitylist"/><url><loc>$B/c/changelist.xml</loc><rs:md capability="changelist"/></url><url><loc>$B/c/resourcelist.xml</loc><rs:md capability="resourcelist"/></url></urlset>
X
  echo '<about xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Cats &amp; dogs</dc:title><dc:creator>Ada</dc:creator></about>' >"$S/about.xml"
}
list() { # list FILE: rows "PATH CHANGE DATETIME" on stdin
  {
    echo "<urlset $RS><rs:ln rel=\"up\" href=\"$B/c/capabilitylist.xml\"/><rs:md capability=\"changelist\" from=\"2020\"/>"
    while read -r p c d; do echo "<url><loc>$B$p</loc><rs:md change=\"$c\" datetime=\"$d\"/></url>"; done
    echo "</urlset>"
  } >"$S/c/$1"
}

# --- one run, and another ------------------------------------------------------------------------------------------------
site
list changelist.xml <<X
/new created 2024-05-01T10:00:00Z
/edit?a&amp;b updated 2024-05-01T11:00:00+02:00
/gone deleted 2024-05-02
X
run $F "$S" -o "$TMP/f.xml"
is_status 0 "reads a folder"
valid "a first feed" "$TMP/f.xml"
is "$(at "$TMP/f.xml" "/*/*[local-name()='title']")" "Cats & dogs" "title from describedby"
is "$(at "$TMP/f.xml" "/*/*[local-name()='author']")" "$(printf '\n    Ada\n  ')" "author from describedby"
is "$(at "$TMP/f.xml" "/*/*[local-name()='id']")" $E/ "the feed's id is the collection"
is "$(entries "$TMP/f.xml")" 1 "one entry a run"
is "$(at "$TMP/f.xml" "$(e 1 title)")" "3 changes: 1 new, 1 updated, 1 deleted" "counts in its title"
is "$(at "$TMP/f.xml" "$(e 1 updated)")" 2024-05-02T00:00:00Z "updated is the newest datetime"
is "$(at "$TMP/f.xml" "/*/*[local-name()='updated']")" 2024-05-02T00:00:00Z "of the feed too"
is "$(at "$TMP/f.xml" "$(e 1 content)")" "<p>New pages</p><ul><li><a href=\"$E/new\">$E/new</a> (2024-05-01)</li></ul><p>Updated pages</p><ul><li><a href=\"$E/edit?a&amp;b\">$E/edit?a&amp;b</a> (2024-05-01)</li></ul><p>Deleted pages</p><ul><li>$E/gone (2024-05-02)</li></ul>" "links, and deletions as text"
id=$(at "$TMP/f.xml" "$(e 1 id)")
case $id in $E/#changes-????????????????????????????????????????????????????????????????) ok 0 "its id is the collection and the hash of the changes" ;; *) ok 1 "its id" ;; esac
cp "$TMP/f.xml" "$TMP/f1.xml"
touch -d 2024-01-01 "$TMP/f.xml"
run $F "$S" -o "$TMP/f.xml"
is_status 0 "nothing new"
out_has "nothing new" "is said"
same "$TMP/f.xml" "$TMP/f1.xml" "and changes nothing"
is "$(date -r "$TMP/f.xml" +%Y)" 2024 "not even the file's date"
rm "$TMP/f.xml" "$TMP/f.xml.state.json"
list changelist.xml <<X
/gone deleted 2024-05-02
/edit?a&amp;b updated 2024-05-01T09:00:00Z
/new created 2024-05-01T10:00:00.000Z
/new created 2024-05-01T10:00:00Z
X
run $F "$S" -o "$TMP/f.xml" --state "$TMP/state.json"
is "$(at "$TMP/f.xml" "$(e 1 id)")" "$id" "the same set of changes has the same id, in any order and form"
# Whole days: more of the same day comes later.
list changelist.xml <<X
/gone deleted 2024-05-02
/also updated 2024-05-02
/edit?a&amp;b updated 2024-05-01T09:00:00Z
/new created 2024-05-01T10:00:00Z
X
run $F "$S" -o "$TMP/f.xml" --state "$TMP/state.json"
is "$(at "$TMP/f.xml" "$(e 1 title)")" "1 change: 1 updated" "a second change of the same day is not missed"
is "$(entries "$TMP/f.xml")" 2 "a second entry in front"
valid "two entries" "$TMP/f.xml"
run $F "$S" -o "$TMP/f.xml" --state "$TMP/state.json"
is "$(entries "$TMP/f.xml")" 2 "nor told twice"

# --- dates at every precision ----------------------------------------------------------------------------------------------
site
list changelist.xml <<X
/1 updated 2019
/2 updated 2019-02
/3 updated 2019-02-03
/4 updated 2019-02-03T04:05Z
/5 updated 2019-02-03T04:05:06Z
/6 updated 2019-02-03T04:05:06.789Z
/7 updated 2019-02-03T04:05:06+05:30
/8 updated 2019-02-30
/9 updated yesterday
/10 moved 2019-02-03
/11 updated
/12 updated 2999-01-01
X
run $F "$S" -o "$TMP/d.xml"
is_status 0 "dates of every precision"
is "$(at "$TMP/d.xml" "$(e 1 title)")" "7 changes: 7 updated" "all valid ones count"
err_has "4 changes without a date or of an unknown kind were ignored" "others are ignored, and counted"
err_has "changes dated in the future, which wait until then: 1" "one date of the future does not stop the feed for ever"
is "$(at "$TMP/d.xml" "$(e 1 updated)")" 2019-02-03T04:05:06.789Z "the newest one"

# --- other prefixes, relative links, gzip --------------------------------------------------------------------------------------
site
sed -i 's/rs:/q:/g; s/xmlns:rs=/xmlns:q=/' "$S/.well-known/resourcesync" "$S/c/capabilitylist.xml"
printf '<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.openarchives.org/rs/terms/"><x:md capability="changelist" from="2024"/><s:url><s:loc>%s/p</s:loc><x:md change="updated" datetime="2024-01-01"/></s:url></s:urlset>' $E | gzip -n >"$S/c/changelist.xml"
run $F "$S" -o "$TMP/p.xml"
is_status 0 "prefixes other than rs:, a compressed list"
is "$(at "$TMP/p.xml" "$(e 1 title)")" "1 change: 1 updated" "are read"

# --- broken parts -----------------------------------------------------------------------------------------------------------------
broken() { # broken WHAT MESSAGE: a feed that is written all the same
  rm -f "$TMP"/b.xml*
  run $F "$S" -o "$TMP/b.xml"
  is_status 1 "$1"
  err_has "$2" "$1: is said"
}
site
printf '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset %s><url><loc>&x;</loc></url></urlset>' "$RS" >"$S/c/changelist.xml"
broken "a list with an entity" "has a document type"
ok "$(grep -q root: "$TMP/b.xml"; [ $? -ne 0 ]; echo $?)" "nothing of it is in the feed"
printf '<!DOCTYPE urlset SYSTEM "http://127.0.0.1:9/x.dtd"><urlset %s/>' "$RS" >"$S/c/changelist.xml"
broken "a list with an external document type" "has a document type"
echo "<urlset $RS><url><loc>" >"$S/c/changelist.xml"
broken "a list that is cut off" "not well-formed"
echo '<html/>' >"$S/c/changelist.xml"
broken "a list that is none" "the root is neither urlset nor sitemapindex"
rm "$S/c/changelist.xml"
broken "a list that is not there" "is not in this folder"
valid "a feed without entries" "$TMP/b.xml"
cp "$S/.well-known/resourcesync" "$S/c/changelist.xml"
broken "a description in its place" "is no change list"
sed -i 's/changelist/resourcelist/g' "$S/c/capabilitylist.xml"
broken "a capability list without a change list" "no changes can be determined"
site && list changelist.xml <<X
/ok updated 2024-01-01
X
sed -i 's|</urlset>|<url><loc>'$E'/none.xml</loc><rs:md capability="capabilitylist"/><rs:ln rel="describes" href="'$E'/none/"/></url><url><loc>'$E'/other.xml</loc><rs:md capability="future-thing"/></url></urlset>|' "$S/.well-known/resourcesync"
run $F "$S" -o "$TMP/h.xml"
is_status 1 "one collection of two is broken"
is "$(at "$TMP/h-root.xml" "$(e 1 title)")" "1 change: 1 updated" "the other has its feed"
run $F "$TMP/nowhere" -o "$TMP/x.xml"
is_status 2 "neither a folder nor a URL"
mkdir "$TMP/empty"
run $F "$TMP/empty" -o "$TMP/x.xml"
is_status 1 "a folder without a description"
echo '{"version":2}' >"$TMP/badstate"
run $F "$S" -o "$TMP/x.xml" --state "$TMP/badstate"
is_status 1 "a state that is none"
err_has "remove it to begin anew" "says what to do"

# --- titles -------------------------------------------------------------------------------------------------------------------------
title() { # title WHAT CONTENT EXPECTED
  site && list changelist.xml <<X
/ok updated 2024-01-01
X
  printf '%s' "$2" >"$S/about.xml"
  rm -f "$TMP"/t.xml*
  run $F "$S" -o "$TMP/t.xml"
  is "$(at "$TMP/t.xml" "/*/*[local-name()='title']")" "$3" "title: $1"
}
title HTML '<!doctype html><html><head><title>My shrine</title></head><body><p>Some words of a page.</p></body></html>' "My shrine"
title "XML of any vocabulary" '<?xml version="1.0"?><r:rdf xmlns:r="urn:x"><r:Title>An <r:b>old</r:b> one</r:Title></r:rdf>' "An old one"
title "anything else" '{"title":"no"}' "$E/"
title "a bomb" '<!DOCTYPE a [<!ENTITY b "c">]><a><title>&b;</title></a>' "$E/"

# --- indexes ------------------------------------------------------------------------------------------------------------------------
site
mv "$S/.well-known/resourcesync" "$S/d1.xml"
cat >"$S/.well-known/resourcesync" <<X
<sitemapindex $RS><rs:md capability="description"/><sitemap><loc>$E/d1.xml</loc></sitemap></sitemapindex>
X
sed -i 's/changelist.xml/index.xml/' "$S/c/capabilitylist.xml"
index() {
  cat >"$S/c/index.xml" <<X
<sitemapindex $RS><rs:ln rel="up" href="$E/c/capabilitylist.xml"/><rs:md capability="changelist" from="2023"/>
<sitemap><loc>$E/c/l1.xml</loc><rs:md from="2023-01-01" until="2023-12-31"/></sitemap>
<sitemap><loc>$E/c/l2.xml</loc><rs:md from="2024-01-01" until="2024-05-01"/></sitemap>
<sitemap><loc>$E/c/l3.xml</loc><rs:md from="2024-05-01"/></sitemap></sitemapindex>
X
}
index
echo "/1 created 2023-06-01" | list l1.xml
echo "/2 created 2024-02-01" | list l2.xml
echo "/3 created 2024-06-01" | list l3.xml
run $F "$S" -o "$TMP/i.xml" --json
is_status 0 "indexes of descriptions and of change lists"
is "$(at "$TMP/i.xml" "$(e 1 title)")" "3 changes: 3 new" "all lists are read"
out_has '"lists_skipped":0' "the first time"
echo "/4 created 2024-06-02" | list l3.xml
rm "$S/c/l1.xml" "$S/c/l2.xml" # not needed any more
run $F "$S" -o "$TMP/i.xml" --json
is_status 0 "a second run"
out_has '"lists_skipped":2' "skips lists that end before the mark"
is "$(at "$TMP/i.xml" "$(e 1 title)")" "1 change: 1 new" "and finds what is new"
sed -i "s|c/l3.xml|c/index.xml|" "$S/c/index.xml"
run $F "$S" -o "$TMP/i.xml"
is_status 0 "an index that names itself ends"

# --- several collections, and the source --------------------------------------------------------------------------------------------------
page() { printf '<!DOCTYPE html><html lang="en"><head><title>%s</title></head><body><main><p>A paragraph about %s that is long enough to be taken as content, %s.</p></main></body></html>' "$1" "$1" "$2"; }
mkdir -p "$TMP/v1/shrine" "$TMP/v2/shrine"
page Home a >"$TMP/v1/index.html" && page Shrine a >"$TMP/v1/shrine/index.html"
page Home b >"$TMP/v2/index.html" && page Shrine b >"$TMP/v2/shrine/index.html"
run "$ADIT" changes "$TMP/v1" "$TMP/v2" -o "$TMP/v2" --base-url $E --section shrine=/shrine/ --generated 2024-03-01
run $F "$TMP/v2" -o "$TMP/m.xml"
is_status 0 "what adit changes wrote"
is "$(at "$TMP/m-root.xml" "$(e 1 title)") $(at "$TMP/m-shrine.xml" "$(e 1 title)")" "2 changes: 2 updated 1 change: 1 updated" "a feed a capability list"
is "$(at "$TMP/m-shrine.xml" "/*/*[local-name()='title']")" Shrine "titles from the home pages"
run $F "$TMP/v2" -o "$TMP/m-all.xml" --all
is "$(at "$TMP/m-all.xml" "$(e 1 title)")" "2 changes: 2 updated" "--all: one feed, each change once"
valid "all of them" "$TMP/m-root.xml" "$TMP/m-shrine.xml" "$TMP/m-all.xml"
run $F "$TMP/v2" -o - --all
cp "$TMP/out" "$TMP/stdout.xml"
valid "on standard output" "$TMP/stdout.xml"
# A folder that is published below the root of its host.
run "$ADIT" changes "$TMP/v1/shrine" "$TMP/v2/shrine" -o "$TMP/sub" --base-url $E/my/shrine --generated 2024-03-01
run $F "$TMP/sub" -o "$TMP/sub.xml"
is_status 0 "a folder that is published below the root"
is "$(at "$TMP/sub.xml" "$(e 1 title)")" "1 change: 1 updated" "is found out"

# --- what a collection is called ----------------------------------------------------------------------------------------------------------
site
echo "/1 created 2024-01-01" | list changelist.xml
sed -i 's|<rs:ln rel="describes"[^>]*>||' "$S/.well-known/resourcesync"
sed -i 's|rel="describes" href="[^"]*"|rel="describes" href="'$E'/shrine/"|' "$S/c/capabilitylist.xml"
run $F "$S" -o "$TMP/w.xml"
is_status 0 "a description that does not say what is described"
is "$(at "$TMP/w.xml" "/*/*[local-name()='id']")" $E/shrine/ "the capability list says it"
sed -i 's|<rs:ln rel="describes"[^>]*>||' "$S/c/capabilitylist.xml"
run $F "$S" -o "$TMP/w2.xml"
is_status 1 "nothing says it"
is "$(at "$TMP/w2.xml" "/*/*[local-name()='id']")" $E/c/capabilitylist.xml "its own URL stands for it"

# --- a run that fails on its way: the next one says the same -----------------------------------------------------------------------------
site
echo "/1 created 2024-01-01" | list changelist.xml
run $F "$S" -o "$TMP/k.xml"
cp "$TMP/k.xml.state.json" "$TMP/k.json"
echo "/2 created 2024-01-02" | list changelist.xml
chmod a-w "$TMP/k.json"
run $F "$S" -o "$TMP/k.xml" --state "$TMP/k.json/not/there"
is_status 3 "a state that cannot be kept"
run $F "$S" -o "$TMP/k.xml"
cp "$TMP/k.xml" "$TMP/k1.xml"
cp "$TMP/k.json" "$TMP/k.xml.state.json" && chmod u+w "$TMP/k.xml.state.json"
run $F "$S" -o "$TMP/k.xml"
same "$TMP/k.xml" "$TMP/k1.xml" "a run that was killed before it kept the state is repeated with the same entry"

# --- many entries (RFC 5005) ----------------------------------------------------------------------------------------------------------------
site
rm -f "$TMP"/l.xml* "$TMP"/l-*
i=0
while [ $i -lt 11 ]; do
  i=$((i + 1))
  echo "/$i created 2024-01-$((10 + i))" | list changelist.xml
  run $F "$S" -o "$TMP/l.xml" --limit 4 --feed-url https://feeds.example/x/l.xml
done
is "$(cd "$TMP" && for f in l*.xml; do printf '%s:%s ' "$f" "$(entries "$f")"; done)" "l-0001.xml:2 l-0002.xml:2 l-0003.xml:2 l-0004.xml:2 l.xml:3 " "older entries go to archive documents"
is "$(link "$TMP/l.xml" self) $(link "$TMP/l.xml" prev-archive) $(link "$TMP/l.xml" next)" "https://feeds.example/x/l.xml https://feeds.example/x/l-0004.xml https://feeds.example/x/l-0004.xml" "the feed leads to them"
is "$(link "$TMP/l-0002.xml" current) $(link "$TMP/l-0002.xml" prev-archive)" "https://feeds.example/x/l.xml https://feeds.example/x/l-0001.xml" "and they to each other, and back"
valid "feed and archives" "$TMP"/l*.xml
is "$(cat "$TMP"/l*.xml | grep -o '<id>.*#changes-[0-9a-f]*' | sort -u | wc -l | tr -d ' ')" 11 "no entry is lost or doubled"

# --- the network ---------------------------------------------------------------------------------------------------------------------------------
N=$TMP/net
mkdir "$N"
: >"$N.log"
start_python batch/feed/tests/feed_server.py "$N"
pid=$server U=$url
S=$N
site "$U"
echo "/1 created 2024-01-01" | list changelist.xml
run $F "$U" -o "$TMP/n.xml"
is_status 0 "reads a site"
is "$(at "$TMP/n.xml" "$(e 1 title)")" "1 change: 1 new" "with its changes"
is "$(head -n 2 "$N.log" | tr '\n' ' ')" "/robots.txt 404 /.well-known/resourcesync 200 " "discovered at the well-known place"
: >"$N.log"
run $F "$U" -o "$TMP/n.xml"
is "$(tr '\n' ' ' <"$N.log")" "/robots.txt 404 /.well-known/resourcesync 200 /c/changelist.xml 304 /c/capabilitylist.xml 304 " "what has not changed is not read again"
run $F "$U/.well-known/resourcesync" -o "$TMP/n2.xml"
same "$TMP/n2.xml" "$TMP/n2.xml" "or named"
echo 503 >"$N/c/changelist.xml.status"
printf '/1 created 2024-01-01\n/2 created 2024-01-02\n' | list changelist.xml
run $F "$U" -o "$TMP/n.xml" --max-time 20
is_status 1 "a list that cannot be had now"
err_has "left as it was; the next run tries again" "says so"
is "$(entries "$TMP/n.xml")" 1 "the feed stays"
rm "$N/c/changelist.xml.status"
echo 300 >"$N/c/changelist.xml.cut"
run $F "$U" -o "$TMP/n.xml"
is_status 1 "a list that is cut off on the way"
is "$(entries "$TMP/n.xml")" 1 "the feed stays"
rm "$N/c/changelist.xml.cut"
run $F "$U" -o "$TMP/n.xml"
is "$? $(at "$TMP/n.xml" "$(e 1 title)")" "0 1 change: 1 new" "then the changes are there"
echo 404 >"$N/c/changelist.xml.status"
run $F "$U" -o "$TMP/n.xml"
is_status 1 "a list that is gone is skipped"
err_has "answered 404" "and said"
rm "$N/c/changelist.xml.status"
mv "$N/c/changelist.xml" "$N/c/moved.xml" && echo "$U/c/moved.xml" >"$N/c/changelist.xml" && echo 302 >"$N/c/changelist.xml.status"
run $F "$U" -o "$TMP/n3.xml"
is "$status $(at "$TMP/n3.xml" "$(e 1 title)")" "0 2 changes: 2 new" "a redirect is followed"
printf 'User-agent: *\nDisallow: /c/\n' >"$N/robots.txt"
run $F "$U" -o "$TMP/n4.xml"
is_status 1 "robots.txt is obeyed"
err_has "robots.txt does not allow it" "and said"
echo http://169.254.169.254/robots.txt >"$N/robots.txt" && echo 302 >"$N/robots.txt.status"
: >"$N.log"
run $F "$U" -o "$TMP/n4.xml"
is_status 1 "robots.txt that has moved to where we do not go"
err_has "robots.txt could not be had" "is said"
is "$(grep -vc robots.txt "$N.log")" 0 "and nothing else is asked for"
rm "$N/robots.txt.status"
rm "$N/robots.txt" "$N/c/changelist.xml.status" && mv "$N/c/moved.xml" "$N/c/changelist.xml"
# Document types name files on the server: nobody asks for them.
cp "$N/c/changelist.xml" "$TMP/good.xml"
{ echo "<!DOCTYPE urlset SYSTEM \"$U/external.dtd\" [<!ENTITY % x SYSTEM \"$U/parameter.dtd\"> %x;]>"; cat "$TMP/good.xml"; } >"$N/c/changelist.xml"
echo "<!DOCTYPE a SYSTEM \"$U/external.dtd\" [<!ENTITY x SYSTEM \"$U/entity.txt\">]><a><title>&x;</title></a>" >"$N/about.xml"
run $F "$U" -o "$TMP/n7.xml"
is_status 1 "a document type with external parts"
err_has "has a document type" "is refused"
is "$(grep -c -e dtd -e entity "$N.log")" 0 "and nothing of it is fetched"
is "$(at "$TMP/n7.xml" "/*/*[local-name()='title']")" "$U/" "in what describes the collection, too"
cp "$TMP/good.xml" "$N/c/changelist.xml"
# A URL below the root picks a collection.
sed -i "s|</urlset>|<url><loc>$U/d/capabilitylist.xml</loc><rs:md capability=\"capabilitylist\"/><rs:ln rel=\"describes\" href=\"$U/shrine/\"/></url></urlset>|" "$N/.well-known/resourcesync"
mkdir "$N/d" && cp "$N/c/capabilitylist.xml" "$N/d/"
run $F "$U/shrine/" -o "$TMP/n8.xml"
is "$status $(at "$TMP/n8.xml" "/*/*[local-name()='id']")" "0 $U/shrine/" "a URL below the root picks a collection"
# One list that can never be had does not stop the others.
cp "$N/c/capabilitylist.xml" "$TMP/caps.xml"
sed -i "s|<url><loc>[^<]*changelist.xml</loc>|<url><loc>http://127.0.0.2:9/x.xml</loc><rs:md capability=\"changelist\"/></url>&|" "$N/c/capabilitylist.xml"
run $F "$U/" -o "$TMP/n9.xml"
is_status 1 "one of two lists can never be had"
is "$(at "$TMP/n9-root.xml" "$(e 1 title)")" "2 changes: 2 new" "the other is read"
cp "$TMP/caps.xml" "$N/c/capabilitylist.xml"
# A hostile description: other hosts in the local network are not asked.
sed -i "s|<loc>[^<]*</loc>|<loc>http://127.0.0.2:9/x.xml</loc>|" "$N/.well-known/resourcesync"
run $F "$U" -o "$TMP/n5.xml"
is_status 1 "lists at private addresses"
ok "$(grep -Eq 'not https|not public' "$TMP/err"; echo $?)" "are not fetched"
run $F http://example.com/ -o "$TMP/n6.xml"
is_status 1 "plain http is refused"
stop

# --- ResourceSync's own examples ----------------------------------------------------------------------------------------------------------------
if [ -d "$ADIT_CORPUS/resourcesync" ]; then
  S=$TMP/ex
  for f in "$ADIT_CORPUS"/resourcesync/*.xml; do
    # Each in the place of the change list; a change list gives what it has, anything else is said.
    site http://example.com
    cp "$f" "$S/c/changelist.xml"
    rm -f "$TMP"/ex.xml*
    run $F "$S" -o "$TMP/ex.xml"
    want=$(python3 - "$f" <<'PY'
import sys, xml.etree.ElementTree as E
root = E.parse(sys.argv[1]).getroot()
md, sm = "{http://www.openarchives.org/rs/terms/}md", "{http://www.sitemaps.org/schemas/sitemap/0.9}"
kind = root.find(md).get("capability") if root.find(md) is not None else ""
if kind != "changelist" or root.tag != sm + "urlset":
    print("1:")
else:
    seen = {(u.findtext(sm + "loc"), u.find(md).get("change")) for u in root.findall(sm + "url") if u.find(md) is not None and u.find(md).get("datetime")}
    print("0:" + str(len(seen) or ""))
PY
)
    is "$status:$(at "$TMP/ex.xml" "$(e 1 title)" | sed 's/ .*//')" "$want" "example $(basename "$f")"
  done
else
  skip "ResourceSync's examples" "no corpus"
fi

# --- links at names that feed chooses: replaced or refused, never followed; a name that is given is taken as it is -----------
S=$TMP/links
site
V=$TMP/victim
mkdir "$V" "$TMP/w"
spared() { is "$(cat "$V"/*)" "mine" "$1: the victim is as it was"; rm -rf "$V" && mkdir "$V"; echo mine >"$V/x"; }
echo mine >"$V/x"
ln -s "$V/x" "$TMP/w/f.xml.state.json"
echo "/1 created 2024-01-01" | list changelist.xml
run $F "$S" -o "$TMP/w/f.xml"
is_status 1 "a state that is a link"
err_has "f.xml.state.json: is not a file that adit feed makes; --state FILE names another one" "says so"
spared "a state that is a link"
rm "$TMP/w/f.xml.state.json"
mkfifo "$TMP/w/f.xml.state.json"
run timeout 60 $F "$S" -o "$TMP/w/f.xml"
is_status 1 "a pipe is not waited for"
rm "$TMP/w/f.xml.state.json"
for k in 0001 0002; do ln -s "$V/x" "$TMP/w/f-$k.xml"; done
for day in 1 2 3 4 5 6; do
  echo "/$day created 2024-01-0$day" | list changelist.xml
  run $F "$S" -o "$TMP/w/f.xml" --limit 4
done
is_status 0 "links in place of archives"
spared "links in place of archives"
is "$([ -L "$TMP/w/f-0001.xml" ]; echo $?) $(entries "$TMP/w/f-0001.xml")" "1 2" "they are replaced"
mkdir "$TMP/elsewhere"
ln -s "$TMP/elsewhere/f.xml" "$TMP/w/g.xml"
ln -s "$TMP/elsewhere/state" "$TMP/w/state"
: >"$TMP/elsewhere/f.xml"
echo '{"version":1,"feeds":[]}' >"$TMP/elsewhere/state"
run $F "$S" -o "$TMP/w/g.xml" --state "$TMP/w/state"
is_status 0 "links that the user names"
is "$(entries "$TMP/elsewhere/f.xml") $([ -L "$TMP/w/g.xml" ]; echo $?) $([ -L "$TMP/w/state" ]; echo $?) $(jq '.feeds|length' "$TMP/elsewhere/state")" "1 0 0 1" "are followed"
jq -c '.feeds[0].archives = 18446744073709551615' "$TMP/w/f.xml.state.json" >"$TMP/s" && cp "$TMP/s" "$TMP/w/f.xml.state.json"
run $F "$S" -o "$TMP/w/f.xml"
is_status 1 "a number of archives that nobody has"

# --- 50,000 changes in constant memory -------------------------------------------------------------------------------------------------------------
S=$TMP/big
site
big() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "<url><loc>https://example.com/%d</loc><rs:md change=\"updated\" datetime=\"2024-01-01T00:00:00Z\"/></url>\n", i }'; }
for many in 1000 50000; do
  { echo "<urlset $RS><rs:md capability=\"changelist\" from=\"2024\"/>"; big $many; echo '</urlset>'; } >"$S/c/changelist.xml"
  rm -f "$TMP"/big.xml*
  # Memory of the release program: sanitizers keep freed memory.
  python3 - "$ADIT_RELEASE" feed "$S" -o "$TMP/big.xml" >"$TMP/rss.$many" <<'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
done
is "$(at "$TMP/big.xml" "$(e 1 title)")" "50000 changes: 50000 updated" "50,000 changes"
ok "$(grep -q 'and 49900 more' "$TMP/big.xml"; echo $?)" "of which a hundred are named"
echo "# peak memory: $(cat "$TMP/rss.1000") KB for 1,000 changes, $(cat "$TMP/rss.50000") KB for 50,000"
ok "$([ "$(cat "$TMP/rss.50000")" -lt $(($(cat "$TMP/rss.1000") + 40000)) ]; echo $?)" "in constant memory (sorting may take 16 MB)"
done_testing
