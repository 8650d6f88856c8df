#!/bin/sh
# scripts/train learns the same bytes twice, from the cases of our own, and tells their content. Slow: it builds two tools.
set -u
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null || [ ! -e build/native/libadit.a ]; then
  echo "1..0 # SKIP needs python3-numpy and build/native/libadit.a"
  exit 0
fi
echo 1..2
out=$(scripts/train --smoke shared/convert/cases/content 2>&1)
status=$?
echo "$out" | grep '^pages' | sed 's/^/# /'
[ $status = 0 ] && echo "ok 1 - learns, and finds the content again" || { echo "not ok 1 - learns"; echo "$out" | sed 's/^/# /'; }
case $out in
*"the same twice: True"*) echo "ok 2 - the same bytes on a second run" ;;
*) echo "not ok 2 - the same bytes on a second run" ;;
esac
