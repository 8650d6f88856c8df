"""Rows for warcgen.py: captures of some hosts, many a URL, of all kinds that decide or do not.
usage: steps.py SEED ROWS DAY HOST…"""
import json
import random
import sys

seed, rows, day, hosts = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
r = random.Random(seed)
for _ in range(rows):
    folder = r.choice(["", "blog/", "docs/"])
    title = f"Page {r.randrange(1000)}"
    row = {
        "url": f"https://{r.choice(hosts)}/{folder}p{r.randrange(rows)}",
        "date": f"2026-01-{day}T{r.randrange(24):02d}:{r.randrange(60):02d}:00Z",
        "body": f"<!doctype html><html lang=en><head><title>{title}</title></head><body><main><h1>{title}</h1><p>Every page here has a "
                f"paragraph that is long enough to count as content, and this sentence about {title} is it.</p></main></body></html>",
    }
    kind = r.random()
    if kind < .16:
        row["status"] = r.choice([404, 410, 500, 301])
    elif kind < .22:
        row["record"] = "revisit"
    print(json.dumps(row))
