# Slow: adit serve in front of a server that lies; see serve_upstream.py.
: "${ADIT:?names the program to test}" "${TMP:?names a folder of its own}"
exec python3 batch/serve/tests/upstream.py "$ADIT" "$TMP"
