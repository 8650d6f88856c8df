# adit feed: what people read: titles, excerpts, words that changed, an entry a page, JSON Feed.
. batch/tests/lib.sh
. batch/tests/lib_feed.sh
REST="The house stands at the end of a road that nobody has mended for years, and those who come on foot bring a lamp with them, since there is none on the way. In the garden behind it three pear trees are left of the eleven that were planted when it was built, and one of them still bears."
page() { # page FILE TITLE TEXT
  mkdir -p "$(dirname "$1")"
  printf '<!DOCTYPE html><html lang="en"><head><title>%s</title></head><body><main><article><h1>%s</h1><p>%s</p><p>%s</p></article></main></body></html>' "$2" "$2" "$3" "$REST" >"$1"
}
state() { # state N: a copy of the state before as s(N), to be changed, and then told
  cp -r "$TMP/s$(($1 - 1))" "$TMP/s$1"
}
tell() { # tell N TIME [OPTIONS OF FEED]
  to=$1 when=$2
  shift 2
  run "$ADIT" changes "$TMP/s$((to - 1))" "$TMP/s$to" -o "$TMP/s$to" --base-url $E/ --generated "$when"
  run $F "$TMP/s$to" -o "$TMP/f.xml" "$@"
}
page "$TMP/s0/index.html" "The old house" "Welcome to the old house and to its garden."
page "$TMP/s0/a.html" "Opening hours" "We are open from nine to five on every day of the week but Monday."
page "$TMP/s0/b.html" "How to get here" "Take the train to the last stop and walk along the river for a mile."
page "$TMP/s0/c.html" "Prices" "Tickets are four coins for adults and two for children under twelve."

# --- titles and how pages begin -------------------------------------------------------------------
state 1
page "$TMP/s1/d.html" "Cats &amp; dogs" "Animals are welcome in the garden, but not in the house itself."
page "$TMP/s1/a.html" "Opening hours" "We are open from ten to five on every day of the week but Monday."
tell 1 2024-01-01
is_status 0 "a first run"
valid "a first run" "$TMP/f.xml"
is "$(at "$TMP/f.xml" "/*/*[local-name()='title']")" "The old house" "the feed's title is that of the home page"
c=$(at "$TMP/f.xml" "$(e 1 content)")
case $c in *"<a href=\"$E/d.html\">Cats &amp; dogs</a>"*) ok 0 "a new page by its title" ;; *) ok 1 "a new page by its title: $c" ;; esac
case $c in *"<p>Animals are welcome in the garden"*) ok 0 "and how it begins" ;; *) ok 1 "how it begins: $c" ;; esac
case $c in *"<a href=\"$E/a.html\">Opening hours</a>"*"<p>We are open from ten"*) ok 0 "an updated page that was not known before, too" ;; *) ok 1 "an updated page: $c" ;; esac
run $F "$TMP/s1" -o "$TMP/t.xml" --title "House & garden" --pages 0
is "$(at "$TMP/t.xml" "/*/*[local-name()='title']")" "House & garden" "--title"
case $(at "$TMP/t.xml" "$(e 1 content)") in *"<a href=\"$E/d.html\">$E/d.html</a>"*) ok 0 "--pages 0 looks at none" ;; *) ok 1 "--pages 0" ;; esac

mkdir "$TMP/news" && cp -r "$TMP/s1/." "$TMP/news"
sed -i -e 's|<urlset |<urlset xmlns:n="http://www.google.com/schemas/sitemap-news/0.9" xmlns:v="http://www.google.com/schemas/sitemap-video/1.1" |' \
  -e "s|<loc>$E/d.html</loc>|&<v:video><v:title>A film</v:title></v:video><n:news><n:title> Cats \&amp; dogs, by the list </n:title><n:title>Second</n:title></n:news>|" "$TMP/news/resourcesync/all/changelist.xml"
run $F "$TMP/news" -o "$TMP/n.xml" --pages 0
case $(at "$TMP/n.xml" "$(e 1 content)") in *"<a href=\"$E/d.html\">Cats &amp; dogs, by the list</a>"*"<a href=\"$E/a.html\">$E/a.html</a>"*) ok 0 "a title in the list, as news sitemaps have them" ;; *) ok 1 "a title in the list: $(at "$TMP/n.xml" "$(e 1 content)")" ;; esac
run $F "$TMP/news" -o "$TMP/n2.xml"
case $(at "$TMP/n2.xml" "$(e 1 content)") in *"<a href=\"$E/d.html\">Cats &amp; dogs</a>"*) ok 0 "the page's own goes before it" ;; *) ok 1 "its own: $(at "$TMP/n2.xml" "$(e 1 content)")" ;; esac

# --- words that changed ---------------------------------------------------------------------------
state 2
page "$TMP/s2/a.html" "Opening hours" "We are open from ten to six on every day of the week but Monday."
tell 2 2024-01-02
case $(at "$TMP/f.xml" "$(e 1 content)") in *"from ten to <del>five</del><ins>six</ins> on every day"*) ok 0 "which words changed" ;; *) ok 1 "words: $(at "$TMP/f.xml" "$(e 1 content)")" ;; esac

# --- what is no change ----------------------------------------------------------------------------
state 3
page "$TMP/s3/a.html" "Opening hours" "We are open from ten to six on every day of the week but Sunday."
tell 3 2024-01-03 --min-change 5
is_status 0 "a small change"
err_has "updates of fewer than 5 words, which are left out (--min-change): 1" "is said"
is "$(entries "$TMP/f.xml")" 2 "and not told"
state 4
page "$TMP/s4/a.html" "Opening hours" "We are open from ten to seven on every day of the week but Sunday."
tell 4 2024-01-04 --min-change 3
is "$(entries "$TMP/f.xml")" 3 "small changes add up to one that is told"
state 5
printf '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><main><p>Checking your browser before accessing the site.</p></main></body></html>' >"$TMP/s5/a.html"
printf '<!DOCTYPE html><html><head><title>Page not found</title></head><body><main><p>Go back to the home page.</p></main></body></html>' >"$TMP/s5/d.html"
tell 5 2024-01-05
is "$status $(entries "$TMP/f.xml")" "0 3" "a challenge, and a page that is not found, are no changes"
err_has "which are left out: 2" "but are said"
state 6
cp "$TMP/s4/a.html" "$TMP/s6/a.html"
tell 6 2024-01-06
is "$(entries "$TMP/f.xml")" 3 "nor is the page that comes back as it was"
run $F "$TMP/s6" -o "$TMP/all.xml" --min-change 0 --json
is "$(jq -r '.hollow' "$TMP/out")" 2 "counted in the report: created and updated"

# --- an entry a page --------------------------------------------------------------------------------
rm -f "$TMP"/f.xml*
run $F "$TMP/s2" -o "$TMP/f.xml" --entries page
is_status 0 "--entries page"
valid "--entries page" "$TMP/f.xml"
is "$(xmllint --xpath "//*[local-name()='entry']/*[local-name()='title']/text()" "$TMP/f.xml" | tr '\n' '|')" "Updated: Opening hours|Cats &amp; dogs|" "one entry each, with its title"
is "$(at "$TMP/f.xml" "$(e 1 link)/@href") $(at "$TMP/f.xml" "$(e 1 updated)")" "$E/a.html 2024-01-02T00:00:00Z" "its link and its time"
is "$(xmllint --xpath "//*[local-name()='entry']/*[local-name()='id']/text()" "$TMP/f.xml" | sort -u | wc -l | tr -d ' ')" 2 "and an id of its own"
state 7
rm "$TMP/s7/c.html"
tell 7 2024-01-07 --entries page
case $(at "$TMP/f.xml" "$(e 1 title)") in "Deleted: $E/c.html") ok 0 "a page that is gone" ;; *) ok 1 "gone: $(at "$TMP/f.xml" "$(e 1 title)")" ;; esac
awk -v e=$E 'BEGIN { print "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\"><rs:md capability=\"changelist\" from=\"2024\"/>"; for (i = 0; i < 130; i++) printf "<url><loc>%s/many/%d</loc><rs:md change=\"created\" datetime=\"2024-02-01\"/></url>\n", e, i; print "</urlset>" }' >"$TMP/s7/resourcesync/all/changelist.xml"
run $F "$TMP/s7" -o "$TMP/many.xml" --entries page --limit 1000
is "$(entries "$TMP/many.xml") $(xmllint --xpath "string(//*[local-name()='entry'][last()]/*[local-name()='title'])" "$TMP/many.xml")" "101 30 changes: 30 new" "beyond a hundred of a kind, one entry counts the rest"

# --- addresses, hubs, JSON Feed ----------------------------------------------------------------------
mkdir -p "$TMP/s6/feeds"
run $F "$TMP/s6" -o "$TMP/s6/feeds/f.xml" --hub https://hub.example/
is "$(link "$TMP/s6/feeds/f.xml" self) $(link "$TMP/s6/feeds/f.xml" hub)" "$E/feeds/f.xml https://hub.example/" "a feed in the folder has its address; the hub"
valid "a hub" "$TMP/s6/feeds/f.xml"
run $F "$TMP/s6" -o "$TMP/u.xml"
is "$(link "$TMP/u.xml" self)" "" "one elsewhere has none, rather than a wrong one"
run $F "$TMP/s6" -o "$TMP/f.json" --feed-url https://feeds.example/f.json --hub https://hub.example/ --limit 1
is_status 0 "a JSON Feed, by its name"
is "$(jq -r '[.version, .title, .home_page_url, .feed_url, .hubs[0].type, .hubs[0].url, (.items | length), .authors[0].name] | join(" ")' "$TMP/f.json")" "https://jsonfeed.org/version/1.1 The old house $E/ https://feeds.example/f.json WebSub https://hub.example/ 1 example.com" "its members"
is "$(jq -r '.items[0] | [.url, .date_modified, (.content_html | length > 40), (.id | length > 30)] | join(" ")' "$TMP/f.json")" "$E/ 2024-01-06T00:00:00Z true true" "and its item"
run $F "$TMP/s6" -o - --format json
is "$(jq -r .title "$TMP/out")" "The old house" "--format json"
run $F "$TMP/s6" -o "$TMP/x.xml" --format rss
is_status 2 "an unknown format"
run $F "$TMP/s6" -o "$TMP/x.xml" --rate fast
is_status 2 "a rate that is none, though a folder needs no network"
run $F "$TMP/s6" -o "$TMP/x.xml" --entries day
is_status 2 "unknown entries"
run $F "$TMP/s6" -o "$TMP/x.xml" --hub nowhere
is_status 2 "a hub that is no URL"

# --- over the network -----------------------------------------------------------------------------------
N=$TMP/net
cp -r "$TMP/s1" "$N" && rm -rf "$N/resourcesync" "$N/.well-known"
: >"$N.log"
start_python batch/feed/tests/feed_server.py "$N"
pid=$server U=$url
run "$ADIT" changes "$TMP/s0" "$TMP/s1" -o "$N" --base-url "$U" --generated 2024-01-01
run $F "$U" -o "$TMP/net.xml"
is_status 0 "a site"
case $(at "$TMP/net.xml" "$(e 1 content)") in *"<a href=\"$U/d.html\">Cats &amp; dogs</a>"*) ok 0 "titles from the pages themselves" ;; *) ok 1 "titles: $(at "$TMP/net.xml" "$(e 1 content)")" ;; esac
is "$(grep -c '\.html 200' "$N.log")" 2 "each page that changed is asked for once, and no other"
printf 'User-agent: *\nDisallow: /d\n' >"$N/robots.txt"
rm -f "$TMP"/net.xml*
: >"$N.log"
run $F "$U" -o "$TMP/net.xml"
is "$status $(grep -c 'd.html' "$N.log")" "0 0" "robots.txt is obeyed"
case $(at "$TMP/net.xml" "$(e 1 content)") in *"<a href=\"$U/d.html\">$U/d.html</a>"*) ok 0 "and the page is told by its URL" ;; *) ok 1 "by URL: $(at "$TMP/net.xml" "$(e 1 content)")" ;; esac
rm "$N/robots.txt"
sed -i "s|<loc>$U/d.html</loc>|<loc>http://127.0.0.2:9/d.html</loc>|" "$N/resourcesync/all/changelist.xml"
rm -f "$TMP"/net.xml*
run $F "$U" -o "$TMP/net.xml"
is "$status $(at "$TMP/net.xml" "$(e 1 title)")" "0 2 changes: 1 new, 1 updated" "a page elsewhere is not asked for, and is no fault of the lists"
stop

# --- from a collection ---------------------------------------------------------------------------------
run "$ADIT" pack "$TMP/s1" -o "$TMP/pub" --base-url $E/ --generated 2024-01-01T00:00:00Z
run "$ADIT" pack "$TMP/s2" -o "$TMP/pub" --base-url $E/ --previous "$TMP/pub" --generated 2024-01-02T00:00:00Z
run $F "$TMP/pub" -o "$TMP/p.xml"
case $(at "$TMP/p.xml" "$(e 1 content)") in *">Opening hours</a>"*"open from ten to six"*) ok 0 "of a publication its collection has titles and texts" ;; *) ok 1 "publication: $(at "$TMP/p.xml" "$(e 1 content)")" ;; esac
run $F "$TMP/pub" -o "$TMP/p2.xml" --collection "$TMP/pub"
same "$TMP/p.xml" "$TMP/p2.xml" "which --collection names"
done_testing
