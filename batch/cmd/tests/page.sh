# adit page: options, formats, exit codes.
. batch/tests/lib.sh

page=shared/convert/cases/blocks/table-header.html
run "$ADIT" page "$page" --url https://example.com/t --date 2024-01-02 --whole
is_status 0 "a page"
out_has '{"url":"https://example.com/t","title":"Table header"' "scp is the default format"
out_has '"modified":"2024-01-02T00:00:00Z"' "the date bounds modified"
run sh -c '"$ADIT" page - --url https://example.com/t --format text --whole <"$0"' "$page"
is_status 0 "a page from stdin"
out_has "Table header" "as text"
run "$ADIT" page "$page" --url https://example.com/t --whole --format md --format tct
out_has "| Name | Age |" "two formats, first"
out_has '"canonical_url":"https://example.com/t"' "two formats, second"
run "$ADIT" page "$page" --url https://example.com/t --whole --header 'Content-Language: de' --header 'last-modified: Wed, 21 Oct 2015 07:28:00 GMT' --date 2024-01-02
out_has '"modified":"2015-10-21T07:28:00Z"' "a header's date"
printf '<html><title>x</title><p>Caf\351 au lait, fort et chaud.</p>' >"$TMP/latin.html"
run "$ADIT" page "$TMP/latin.html" --url https://example.com/ --charset windows-1252 --language fr --whole
out_has 'Café au lait' "charset"
out_has '"language":"fr"' "language"
run "$ADIT" page "$page" --url https://example.com/t --explain
is_status 0 "explain"
out_has "texts kept" "explain counts"
out_has "<td> Ann" "explain shows each text"

run "$ADIT" page "$page"
is_status 2 "no URL"
err_has "url is needed" "says so"
run "$ADIT" page "$page" --url https://example.com/ --format pdf
is_status 2 "unknown format"
err_has "no format 'pdf'" "names it"
run "$ADIT" page "$page" --url ftp://example.com/
is_status 1 "not a web address"
err_has "not an absolute http or https URL" "says so"
run "$ADIT" page "$page" --url https://example.com/ --date yesterday
is_status 2 "no date"
run "$ADIT" page "$page" --url https://example.com/ --header nonsense
is_status 2 "no header"
run "$ADIT" page "$TMP/missing.html" --url https://example.com/
is_status 1 "no such file"
run "$ADIT" page shared/convert/cases/blocks/empty.html --url https://example.com/
is_status 1 "a page without content"
err_has "the page has no content" "says so"
run sh -c '"$ADIT" page "$0" --url https://example.com/ --whole >/dev/full' "$page"
is_status 3 "output that cannot be written"
head -c 8388609 /dev/zero >"$TMP/big.html"
run "$ADIT" page "$TMP/big.html" --url https://example.com/
is_status 1 "a page over the limit"
err_has "limit" "names the limit"
done_testing
