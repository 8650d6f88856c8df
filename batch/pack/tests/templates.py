#!/usr/bin/env python3
"""Pages for the stability tests: the same contents in several templates, and the same page fetched
twice.  Usage: templates.py DIR

DIR/same/CONTENT.TEMPLATE.html   one content in each template (other navigation, wrappers, class
                                 names, places of ads; minified or not)
DIR/twice/CONTENT.TEMPLATE.{1,2}.html   the same page at two instants: other nonces, counters, ads,
                                 relative times, build hashes
Everything is made from the texts below; no chance is involved.
"""
import os
import sys

TOPICS = {
    "lighthouse": ("en", "How the Old Lighthouse Keeps Its Light", """
The lighthouse at the northern cape has burned every night since it was built from local granite.
Its keeper climbs two hundred and four steps each evening, carrying a can of oil and a clean cloth.
From the gallery, ships appear first as a smudge of smoke, then as a row of lit windows.
In winter the wind pulls at the railings so hard that the whole tower hums like a bottle.
The lens was ground abroad and shipped in eleven crates, each packed with straw and sawdust.
One crate fell into the harbour, and divers spent three weeks searching for a single prism.
Storm logs from those years read like short novels, with weather as the only character.
A motor turns the lens today, but the clockwork that once did the job still stands beside it.
Visitors may wind it by hand on Sundays, which takes about four minutes and a good deal of patience.
The light can be seen from twenty-one miles away when the air is clear and cold.
Local fishermen say that the beam looks warmer before rain, although no instrument confirms it.
The tower will be painted again next spring, in the same red and white bands as before."""),
    "bread": ("en", "A Loaf of Rye Bread in Two Days", """
Good rye bread needs more time than work, and most of that time it is left alone.
On the first evening, mix the starter with coarse flour and lukewarm water, then cover the bowl.
By morning the dough should smell sour and fresh, and small bubbles should break on its surface.
If nothing has happened, move the bowl to a warmer place and wait for another two hours.
Add the remaining flour, the salt and the seeds, and stir until no dry pockets are left.
The dough will be sticky; that is normal, and more flour would only make the loaf dry.
Press it into a greased tin with wet hands and smooth the top with the back of a spoon.
Let it rise until it reaches the rim of the tin, which may take three or four hours.
Bake it hot for fifteen minutes, then lower the heat and bake it for another fifty.
A finished loaf sounds hollow when it is tapped from below.
Wrap it in a cloth and resist cutting it until the next day, because the crumb must set.
It keeps for a week, and it tastes best on the third day with butter and a little salt."""),
    "gears": ("en", "Choosing Gears for a Touring Bicycle", """
A touring bicycle carries its rider and everything that the rider owns for a month.
That weight changes what the gears have to do, especially on long climbs late in the day.
The lowest gear should let you pedal at walking speed without standing up in the pedals.
A small chainring of twenty-four teeth with a large sprocket of thirty-six gives that range.
The highest gear matters less, because on a descent a loaded bicycle rolls fast on its own.
Steps between gears should be even, so that your legs find their rhythm again after a shift.
Hub gears are quiet and need little care, but they are heavy, and a broken one cannot be mended by the road.
Derailleurs are exposed to mud and sand, yet every village shop can adjust or replace them.
Carry a spare cable in any case, since it weighs nothing and saves a day of walking.
Before leaving, climb the steepest hill that you know with full bags and listen to the chain.
If it skips or grinds, the chain line is wrong or the chain is worn, and both are easy to fix at home.
On the road you will thank yourself for the lowest gear more often than for any other."""),
    "queue": ("en", "Writing a Bounded Queue", """
A bounded queue holds a fixed number of items and makes its producers wait when it is full.
This simple rule keeps a fast producer from filling the memory of a slow consumer.
The items live in an array, and two counters say where the next one is written and read.
Because both counters only ever grow, their difference is the number of items in the queue.
The index into the array is the counter modulo the capacity, which is cheap for a power of two.
When the difference equals the capacity, a writer must wait; when it is zero, a reader must.
Waiting can be done by spinning, by sleeping, or by handing the thread back to its scheduler.
Spinning is fastest when waits are short, and it wastes a processor when they are long.
A test should fill the queue, empty it, and do both at once with many threads.
It should also wrap the counters around, because overflow is where such code usually breaks.
Measure before choosing a larger capacity, since a longer queue also means a longer delay.
Most programs run well with a capacity between sixteen and two hundred and fifty-six items."""),
    "bienen": ("de", "Was Bienen im Winter tun", """
Wenn der erste Frost kommt, ziehen sich die Bienen in der Mitte des Stockes zu einer Kugel zusammen.
Im Innern dieser Traube ist es auch im Januar so warm wie an einem milden Herbsttag.
Die Tiere erzeugen die Wärme, indem sie ihre Flugmuskeln zittern lassen, ohne die Flügel zu bewegen.
Wer außen sitzt, kühlt langsam aus und wird nach einiger Zeit nach innen durchgelassen.
So wechseln sich alle ab, und kaum eine Biene erfriert, solange die Vorräte reichen.
Ein Volk verbraucht in einem langen Winter zehn bis fünfzehn Kilogramm Honig.
Der Imker hebt deshalb im Spätherbst jeden Kasten leicht an und schätzt sein Gewicht.
Ist er zu leicht, wird mit Zuckerwasser nachgefüttert, bevor die Nächte zu kalt werden.
Danach herrscht Ruhe, denn jede Störung kostet das Volk Kraft, die ihm im Frühling fehlt.
An sonnigen Tagen im Februar fliegen die Bienen zum ersten Mal kurz aus und reinigen sich.
Der Schnee vor dem Stock ist dann mit kleinen gelben Punkten übersät.
Bald darauf beginnt die Königin wieder Eier zu legen, und das neue Jahr hat angefangen."""),
    "canal": ("fr", "Le canal et ses écluses", """
Le canal traverse la plaine sur soixante kilomètres et relie deux rivières que rien ne rapprochait.
Il fallut douze ans pour le creuser, avec des pelles, des brouettes et beaucoup de patience.
Les écluses, au nombre de vingt-sept, font monter les bateaux comme les marches d'un escalier.
Chaque maison d'éclusier porte un numéro, une cloche et un petit jardin tourné vers le sud.
Autrefois, des chevaux tiraient les péniches et connaissaient si bien le chemin qu'ils s'arrêtaient seuls.
Le halage a laissé un sentier plat, ombragé de platanes, que suivent aujourd'hui les cyclistes.
En été, l'eau devient verte et presque immobile, et les libellules s'y posent par centaines.
Quand une péniche entre dans le bassin, l'éclusier ferme les portes et ouvre lentement les vannes.
La manœuvre dure un quart d'heure, assez pour échanger des nouvelles et acheter des légumes.
Le trafic de marchandises a cessé, mais les promeneurs louent des bateaux de mai à octobre.
L'entretien coûte cher, et plusieurs communes se sont associées pour réparer les berges.
Sans le canal, disent les anciens, la plaine serait plus riche peut-être, mais bien moins belle."""),
    "cha": ("zh", "山里人家怎样做茶", """
春天的第一场雨过后，山里的人家就开始准备采茶。
清晨的露水还没有干，采茶的人已经背着竹篓上了山坡。
最嫩的芽只有一两天的时间，错过了就会变老、变苦。
采下来的叶子要先摊在竹席上，让水分慢慢散去。
到了下午，叶子变得柔软，这时候才可以下锅去炒。
炒茶的锅烧得很热，全靠一双手不停地翻动，不能有一刻停下来。
火太大，叶子会焦；火太小，香气又出不来，分寸全凭经验。
炒好的茶还要揉捻，让叶子卷成细细的条，再放到炭火上慢慢烘干。
整个过程要花十几个小时，一斤干茶需要四五斤鲜叶。
新茶放几天以后味道会更柔和，所以老人们从不急着喝。
泡茶的水最好用山泉，水开以后稍微放一放再冲。
第一杯先敬客人，这是山里多年不变的规矩。"""),
}


def sentences(topic):
    return TOPICS[topic][2].strip().split("\n")


def join(topic, parts):
    return ("" if TOPICS[topic][0] == "zh" else " ").join(parts)


def essay(topic):
    s = sentences(topic)
    return "".join("<p>%s</p>\n" % join(topic, s[k:k + 2]) for k in range(0, 12, 2))


def sections(topic):
    s = sentences(topic)
    heads = [x[:18].rstrip(" ,") if TOPICS[topic][0] != "zh" else x[:6] for x in (s[3], s[8])]
    return ("<p>%s</p>\n<h2>%s</h2>\n<p>%s</p>\n<p>%s</p>\n<h2>%s</h2>\n<p>%s</p>\n<ul>\n%s</ul>\n<p>%s</p>\n" %
            (join(topic, s[0:3]), heads[0], join(topic, s[3:5]), join(topic, s[5:7]), heads[1], join(topic, s[7:9]),
             "".join("<li>%s</li>\n" % x for x in s[9:11]), s[11]))


def rich(topic):
    s = sentences(topic)
    return ("<p>%s</p>\n<figure><img src=\"/img/%s.jpg\" alt=\"%s\" width=800 height=500></figure>\n<p>%s</p>\n<blockquote><p>%s</p></blockquote>\n"
            "<p>%s</p>\n<table><tr><th>1</th><td>%s</td></tr><tr><th>2</th><td>%s</td></tr></table>\n<p>%s</p>\n<pre><code>a = %d\nb = a + 1</code></pre>\n<p>%s</p>\n" %
            (join(topic, s[0:2]), topic, topic, join(topic, s[2:4]), s[4], join(topic, s[5:7]), s[7], s[8], s[9], len(s[0]), join(topic, s[10:12])))


CONTENTS = {"%s-%s" % (t, f.__name__): (t, f(t)) for t in TOPICS for f in (essay, sections, rich)}

# What changes from fetch to fetch: v is 1 or 2.
NONCE = ["", "k3Jd82hQ", "Zp0aa91x"]
HASH = ["", "5f3a91", "c07be2"]
COUNT = ["", "1,204", "1,377"]
AGO = ["", "3 minutes ago", "2 hours ago"]
ADS = ["", ("Winter tyres from 49.90", "Compare and save today"), ("Learn the piano at home", "Start your free trial now")]


def links(words, cls=""):
    return "".join('<li%s><a href="/%s">%s</a></li>' % (cls, w.lower().replace(" ", "-"), w) for w in words)


NAV = ["Home", "News", "Culture", "Science", "Travel", "About us", "Contact"]
RELATED = ["Ten places to see before autumn", "Why old maps are never quite right", "A short history of umbrellas", "The quiet return of night trains"]


def head(title, site, lang, v, extra=""):
    return ('<!doctype html>\n<html lang="%s"><head><meta charset="utf-8"><title>%s | %s</title><meta property="og:site_name" content="%s">'
            '<script nonce="%s">window.t=%s;</script><link rel="stylesheet" href="/app.%s.css">%s</head>' %
            (lang, title, site, site, NONCE[v], COUNT[v].replace(",", ""), HASH[v], extra))


def ad(v, cls):
    return '<div class="%s" id="slot-%s"><a href="https://ads.example/%s"><b>%s</b> %s</a></div>' % (cls, HASH[v], HASH[v], *ADS[v])


def semantic(title, lang, body, v):
    return head(title, "Northern Post", lang, v) + """
<body><header><a href="/">Northern Post</a><nav><ul>%s</ul></nav></header>
<main><article><h1>%s</h1><p class="byline">By Ann Writer · <time>%s</time></p>
%s</article></main>
<aside><h3>Most read</h3><ul>%s</ul>%s</aside>
<footer><p>© 2024 Northern Post. All rights reserved.</p><ul>%s</ul></footer></body></html>""" % (
        links(NAV), title, AGO[v], body, links(RELATED), ad(v, "ad"), links(["Privacy", "Terms", "Imprint"]))


def blog(title, lang, body, v):
    return head(title, "Field Notes", lang, v, '<meta property="og:type" content="article">') + """
<body class="single single-post postid-%s"><div id="page" class="site"><div class="site-header"><div class="site-branding"><a href="/">Field Notes</a></div>
<div class="main-navigation"><ul class="menu">%s</ul></div></div>
<div class="content-area"><div class="post hentry"><div class="entry-header"><h1 class="entry-title">%s</h1><div class="entry-meta">Posted by Ann Writer, %s</div></div>
<div class="entry-content">
%s</div><div class="sharedaddy"><h3>Share this:</h3><ul>%s</ul></div></div>
<div class="comments-area"><h2 class="comments-title">2 thoughts</h2><ol class="comment-list"><li class="comment"><p>Great post, thank you!</p><span>%s</span></li><li class="comment"><p>I did not know that.</p></li></ol></div></div>
<div class="sidebar widget-area"><div class="widget"><h2 class="widget-title">Recent Posts</h2><ul>%s</ul></div>%s<div class="widget">%s visits</div></div>
<div class="site-footer">Proudly made with care. %s readers.</div></div></body></html>""" % (
        HASH[v], links(NAV), title, AGO[v], body, links(["Facebook", "Twitter", "Email"]), AGO[v], links(RELATED), ad(v, "widget advert"), COUNT[v], COUNT[v])


def boot(title, lang, body, v):
    page = head(title, "The Weekly", lang, v) + """<body><div class="navbar"><div class="container"><a class="navbar-brand" href="/">The Weekly</a><ul class="nav navbar-nav">%s</ul></div></div>
%s<div class="container"><ol class="breadcrumb">%s</ol><div class="row"><div class="col-md-8"><h1>%s</h1><p class="text-muted small">Ann Writer · %s · %s views</p>
%s<div class="newsletter card"><h4>Get our newsletter</h4><form><input type="email"><button>Sign up</button></form></div></div>
<div class="col-md-4"><div class="card related"><h4>You may also like</h4><ul>%s</ul></div>%s</div></div></div>
<footer class="bg-dark"><div class="container"><ul>%s</ul><p>© The Weekly 2024</p></div></footer></body></html>""" % (
        links(NAV), ad(v, "leaderboard ads"), links(["Home", "Articles"]), title, AGO[v], COUNT[v], body, links(RELATED), ad(v, "ads"), links(["Privacy", "Terms"]))
    keep = page.split("<pre>")  # minified, except where white space counts
    return "<pre>".join([keep[0].replace("\n", "")] + ["</pre>".join([p.split("</pre>")[0], p.split("</pre>")[1].replace("\n", "")]) for p in keep[1:]])


def utility(title, lang, body, v):
    return head(title, "Harbour", lang, v) + """<body class="antialiased bg-white"><div id="__root-%s"><div class="min-h-screen flex flex-col">
<div class="sticky top-0 px-4 flex" role="banner"><a href="/" class="font-bold">Harbour</a><div role="navigation" class="ml-auto flex gap-4">%s</div></div>
<div class="flex-1"><div class="max-w-3xl mx-auto px-4"><div class="py-8"><div class="space-y-4" role="main"><h1 class="text-4xl font-bold">%s</h1>
<div class="text-sm text-gray-500">Ann Writer, %s</div><div class="leading-relaxed">
%s</div></div></div></div>
<div class="bg-gray-50 py-8"><div class="max-w-5xl mx-auto grid"><h2 class="text-lg">Related stories</h2>%s</div></div></div>
<div role="contentinfo" class="text-xs px-4">© 2024 Harbour Media. <a href="/privacy">Privacy</a> <a href="/terms">Terms</a></div></div></div>
<div role="dialog" aria-modal="true" class="fixed inset-0"><p>We use cookies to make this site work and to count its %s visitors.</p><button>Accept</button><button>Reject</button></div></body></html>""" % (
        HASH[v], "".join('<a href="/%d">%s</a>' % (k, w) for k, w in enumerate(NAV)), title, AGO[v], body,
        "".join('<a class="block" href="/r%d"><span>%s</span></a>' % (k, w) for k, w in enumerate(RELATED)), COUNT[v])


def tables(title, lang, body, v):
    return head(title, "Old Page", lang, v) + """<body bgcolor="#ffffff"><center><a href="/"><b>Old Page</b></a></center>
<table width="100%%" border="0"><tr><td width="150" valign="top">%s</td>
<td valign="top"><h1>%s</h1>
%s</td><td width="160" valign="top">%s</td></tr></table>
<hr><center><font size="1">Copyright 2024 Old Page | <a href="/mail">Mail</a> | Visitors: %s</font></center></body></html>""" % (
        "<br>".join('<a href="/%d">%s</a>' % (k, w) for k, w in enumerate(NAV)), title, body, ad(v, "banner"), COUNT[v])


TEMPLATES = [semantic, blog, boot, utility, tables]


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    out = sys.argv[1]
    for folder in ("same", "twice"):
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    for name, (topic, body) in CONTENTS.items():
        lang, title, _ = TOPICS[topic]
        for t in TEMPLATES:
            write("%s/same/%s.%s.html" % (out, name, t.__name__), t(title, lang, body, 1))
            for v in (1, 2):
                write("%s/twice/%s.%s.%d.html" % (out, name, t.__name__, v), t(title, lang, body, v))


if __name__ == "__main__":
    main()
