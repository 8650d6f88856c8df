# Varnish in front of `adit serve`: a cache that keeps a page once for people and once for agents. TLS ends before it (hitch, nginx).
vcl 4.1;

backend adit {
  .host = "127.0.0.1";
  .port = "8080";
}

sub vcl_recv {
  # Every browser has an Accept of its own, and Vary keeps a copy for each. Two values are left: who names Markdown, and who does not.
  if (req.http.Accept ~ "(?i)text/markdown(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.Accept = "text/markdown";
  } elsif (req.http.Accept ~ "(?i)text/html") {
    set req.http.Accept = "text/html";
  }
}

sub vcl_backend_fetch {
  # Varnish decodes gzip for clients that cannot, and then weakens the ETag. The fingerprint of a machine view must stay a strong one.
  if (bereq.url ~ "(/llm/?|[./]llm\.md)$" || bereq.http.Accept == "text/markdown") {
    unset bereq.http.Accept-Encoding;
  }
}

sub vcl_backend_response {
  # Pages of a folder carry no Cache-Control: a minute. Machine views say max-age=0 and are asked for each time; a 304 costs adit no conversion.
  if (!beresp.http.Cache-Control) {
    set beresp.ttl = 60s;
  }
  set beresp.grace = 1h;
  set beresp.keep = 1d;
}

sub vcl_deliver {
  set resp.http.X-Cache = "MISS";
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  }
}
