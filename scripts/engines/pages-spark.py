"""Pages through adit in Spark, by pipe(): one process a partition, JSON lines in, JSON lines out, in order.

    spark-submit --files build/adit scripts/engines/pages-spark.py pages.jsonl answers

A line in: {"url": …, "html": …} and what else adit help page says of --lines; a line out: the page, or {"error": …}. adit-cli.wasm
in a WASI engine is the same program without a binary for each kind of node. Not run here: there is no Spark; the pipe itself is
tested by batch/pack/tests/engines.sh."""
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("adit").getOrCreate()
lines = spark.sparkContext.textFile(sys.argv[1])
lines.pipe("./adit page --lines").saveAsTextFile(sys.argv[2])
