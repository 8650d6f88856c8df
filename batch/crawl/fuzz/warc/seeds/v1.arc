filedesc://a.arc 0.0.0.0 20140216050221 text/plain 76
1 0 InternetArchive
URL IP-address Archive-date Content-type Archive-length


http://e.com/a b 127.0.0.1 20140216050221 text/html 5
abcde
