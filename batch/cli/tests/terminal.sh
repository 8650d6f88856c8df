# Slow: What input says never controls the terminal of the person who runs adit.
. batch/tests/lib.sh
exec python3 batch/cli/tests/terminal.py "$ADIT" "$TMP"
