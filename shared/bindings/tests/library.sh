# Slow: libadit: what it exports, what programs rely on, the example against an installed copy, the bytes of
# `adit page`.
. batch/tests/lib.sh
cases=shared/convert/cases/content
release=${ADIT_RELEASE:-build/adit}
so=$(readlink -f build/libadit.so)

# Symbols: those of the version script, each with its version, and no other; nothing but libc is needed.
nm -D --defined-only "$so" | awk '$2 != "A" { print $3 }' | sort >"$TMP/exported"
sed -n 's/^ *\(libadit_[a-z_]*\);/\1@@LIBADIT_0/p' shared/bindings/c/libadit.map | sort >"$TMP/listed"
same "$TMP/listed" "$TMP/exported" "libadit.so exports the version script's names, with their version, and no other"
sed -n 's/^.* \**\(libadit_[a-z_]*\)(.*/\1@@LIBADIT_0/p; s/^\(libadit_[a-z_]*\)(.*/\1@@LIBADIT_0/p' shared/bindings/c/adit.h | sort -u >"$TMP/declared"
same "$TMP/declared" "$TMP/listed" "and they are those that the header declares"
nm --defined-only --extern-only build/libadit.a | awk 'NF == 3 { print $3 "@@LIBADIT_0" }' | sort >"$TMP/static"
same "$TMP/listed" "$TMP/static" "libadit.a has the same, and hides the rest"
is "$(readelf -d "$so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^ld-linux')" "libc.so.6" "needs libc alone"
is "$(readelf -d "$so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" "libadit.so.0" "its soname"
if readelf -d "$so" | grep -q TEXTREL; then ok 1 "no text relocations"; else ok 0 "no text relocations"; fi

# Sizes, offsets, constants: what was compiled last year must still run.
cc -std=c11 -Ishared -o "$TMP/abi" shared/bindings/c/abi.c && "$TMP/abi" >"$TMP/abi.txt"
same shared/bindings/c/abi.txt "$TMP/abi.txt" "structs and constants are as they were"
for name in $(grep -o 'LIBADIT_[A-Z_]* = [0-9]*' shared/bindings/c/adit.h | cut -d' ' -f1); do
  grep -q "^value $name " shared/bindings/c/abi.txt || { ok 1 "abi.c prints $name"; continue; }
done
if command -v g++ >/dev/null; then
  printf '#include "bindings/c/adit.h"\nint main() { return libadit_format(0) == nullptr; }\n' >"$TMP/x.cc"
  run g++ -Wall -Wextra -Werror -Ishared -o "$TMP/x" "$TMP/x.cc" build/libadit.a
  is_status 0 "the header is C++, too"
fi

# An installed copy: found by pkg-config, the example compiled and run against the shared and the static one.
run env -u MAKEFLAGS -u MFLAGS make SETUP=no DESTDIR="$TMP/to" PREFIX=/usr install
is_status 0 "make install"
lib=$TMP/to/usr/lib
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$TMP/to"
if command -v pkg-config >/dev/null; then flags=$(pkg-config --cflags --libs adit); else flags="-I$TMP/to/usr/include -L$lib -ladit"; fi
run cc -std=c11 -Wall -Wextra -Werror shared/bindings/c/example.c $flags -o "$TMP/example"
is_status 0 "the example compiles with what pkg-config says"
run cc -std=c11 shared/bindings/c/example.c "-I$TMP/to/usr/include" "$lib/libadit.a" -o "$TMP/example-static"
is_status 0 "and against the static library"
url=https://example.com/post/
"$release" page $cases/article.html --url $url --format md >"$TMP/want.md"
hash=$("$release" page $cases/article.html --url $url --format tct | sed 's/.*"hash":"\([^"]*\)".*/\1/')
for program in example example-static; do
  LD_LIBRARY_PATH=$lib run "$TMP/$program" $cases/article.html $url
  is_status 0 "$program runs"
  same "$TMP/want.md" "$TMP/out" "$program prints the bytes of adit page"
  err_has "$hash" "and the page's fingerprint"
done
LD_LIBRARY_PATH=$lib run "$TMP/example" $cases/article.html nonsense
is_status 1 "a bad URL"
err_has "article.html: " "is told"
is "$("$TMP/to/usr/bin/adit" version)" "$("$release" version)" "the installed command runs"
if readelf -S "$TMP/to/usr/bin/adit" | grep -q debug; then ok 1 "it is stripped"; else ok 0 "it is stripped"; fi
run env -u MAKEFLAGS -u MFLAGS make SETUP=no DESTDIR="$TMP/to" PREFIX=/usr uninstall
is "$(find "$TMP/to" -type f -o -type l)" "" "make uninstall leaves nothing"
done_testing
