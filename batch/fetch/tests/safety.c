/* The client's safety: addresses, TLS, origins, secrets, robots.txt. */
#include "batch/cli/cli.h"
#include "batch/tests/server.h"

#include <arpa/inet.h>
#include <sys/stat.h>

static struct server server;

TEST(addresses)
{
    static const struct {
        const char *text;
        enum fetch_reach reach;
    } rows[] = {
        {"8.8.8.8", FETCH_PUBLIC},
        {"1.1.1.1", FETCH_PUBLIC},
        {"9.255.255.255", FETCH_PUBLIC},
        {"11.0.0.0", FETCH_PUBLIC},
        {"100.63.255.255", FETCH_PUBLIC},
        {"100.128.0.0", FETCH_PUBLIC},
        {"172.15.255.255", FETCH_PUBLIC},
        {"172.32.0.0", FETCH_PUBLIC},
        {"192.167.255.255", FETCH_PUBLIC},
        {"192.169.0.0", FETCH_PUBLIC},
        {"198.17.255.255", FETCH_PUBLIC},
        {"198.20.0.0", FETCH_PUBLIC},
        {"223.255.255.255", FETCH_PUBLIC},
        {"0.0.0.0", FETCH_PRIVATE},
        {"0.1.2.3", FETCH_PRIVATE},
        {"10.0.0.1", FETCH_PRIVATE},
        {"10.255.255.255", FETCH_PRIVATE},
        {"100.64.0.0", FETCH_PRIVATE},
        {"100.100.100.200", FETCH_PRIVATE},
        {"127.0.0.1", FETCH_LOOPBACK},
        {"127.255.255.255", FETCH_LOOPBACK},
        {"168.63.129.16", FETCH_PRIVATE},
        {"169.254.169.254", FETCH_PRIVATE},
        {"172.16.0.1", FETCH_PRIVATE},
        {"172.31.255.255", FETCH_PRIVATE},
        {"192.0.0.192", FETCH_PRIVATE},
        {"192.0.2.1", FETCH_PRIVATE},
        {"192.168.1.1", FETCH_PRIVATE},
        {"198.18.0.1", FETCH_PRIVATE},
        {"198.19.255.255", FETCH_PRIVATE},
        {"198.51.100.1", FETCH_PRIVATE},
        {"203.0.113.1", FETCH_PRIVATE},
        {"224.0.0.1", FETCH_PRIVATE},
        {"240.0.0.1", FETCH_PRIVATE},
        {"255.255.255.255", FETCH_PRIVATE},
        {"2606:4700::1111", FETCH_PUBLIC},
        {"2a00:1450:4001::1", FETCH_PUBLIC},
        {"3ffe::1", FETCH_PUBLIC},
        {"::", FETCH_PRIVATE},
        {"::1", FETCH_LOOPBACK},
        {"::2", FETCH_PRIVATE},
        {"::127.0.0.1", FETCH_PRIVATE},
        {"::ffff:8.8.8.8", FETCH_PUBLIC},
        {"::ffff:127.0.0.1", FETCH_PRIVATE},
        {"::ffff:10.0.0.1", FETCH_PRIVATE},
        {"::ffff:169.254.169.254", FETCH_PRIVATE},
        {"::ffff:0:10.0.0.1", FETCH_PRIVATE},
        {"64:ff9b::8.8.8.8", FETCH_PUBLIC},
        {"64:ff9b::10.0.0.1", FETCH_PRIVATE},
        {"64:ff9b:1::8.8.8.8", FETCH_PRIVATE},
        {"100::1", FETCH_PRIVATE},
        {"2001::1", FETCH_PRIVATE},
        {"2001:1ff:ffff::1", FETCH_PRIVATE},
        {"2001:200::1", FETCH_PUBLIC},
        {"2001:db8::1", FETCH_PRIVATE},
        {"2002:808:808::1", FETCH_PUBLIC},
        {"2002:a00:1::1", FETCH_PRIVATE},
        {"2002:7f00:1::1", FETCH_PRIVATE},
        {"3fff::1", FETCH_PRIVATE},
        {"3fff:1000::1", FETCH_PUBLIC},
        {"4000::1", FETCH_PRIVATE},
        {"5f00::1", FETCH_PRIVATE},
        {"fc00::1", FETCH_PRIVATE},
        {"fd00:ec2::254", FETCH_PRIVATE},
        {"fe80::1", FETCH_PRIVATE},
        {"fec0::1", FETCH_PRIVATE},
        {"ff02::1", FETCH_PRIVATE},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct sockaddr_in v4 = {.sin_family = AF_INET};
        struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
        bool is_v4 = inet_pton(AF_INET, rows[i].text, &v4.sin_addr) == 1;
        if (!is_v4) ok(inet_pton(AF_INET6, rows[i].text, &v6.sin6_addr) == 1, "an address");
        const struct sockaddr *a = is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
        eq_int(fetch_address_reach(a), rows[i].reach, rows[i].text);
    }
    eq_int(fetch_address_reach(&(struct sockaddr){.sa_family = AF_UNIX}), FETCH_PRIVATE, "no IP");
}

TEST(loopback_hosts)
{
    static const struct {
        const char *origin;
        bool loopback;
    } rows[] = {
        {"http://127.0.0.1", true},          {"http://127.0.0.1:8080", true},
        {"https://localhost:1", true},       {"https://a.localhost", true},
        {"http://[::1]:80", true},           {"http://[::1]", true},
        {"http://127.0.0.1.example", false}, {"http://localhost.example", false},
        {"http://128.0.0.1", false},         {"http://[::2]", false},
        {"http://127.evil.example", false},  {"http://mylocalhost", false},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        ok(fetch_host_is_loopback(adit_str_z(rows[i].origin)) == rows[i].loopback, rows[i].origin);
}

/* --- which hosts are asked -------------------------------------------------------------------- */

TEST(hosts)
{
    char resolve[128], named[64], other[64];
    const char *list[] = {resolve};
    struct fetch_options o = quick(&server);
    is_got(get_once(&o, server.site, "/plain.txt", 0), FETCH_OK, 200, "a site that is loopback");
    is_got(get_once(&o, server.elsewhere, "/plain.txt", 0), FETCH_HTTP, 0, "another port: http");
    o.allow_http = true;
    is_got(get_once(&o, server.elsewhere, "/plain.txt", 0), FETCH_ADDRESS, 0, "and its address");
    is_got(get_once(&o, server.site, "/to-other", FETCH_FOLLOW_ANY), FETCH_ADDRESS, 0,
           "nor by a redirect");
    is_got(get_once(&o, server.site, "/to-private", FETCH_FOLLOW_ANY), FETCH_ADDRESS, 0,
           "to a private address");
    is_got(get_once(&o, server.site, "/to-metadata", FETCH_FOLLOW_ANY), FETCH_ADDRESS, 0,
           "to metadata");
    is_got(get_once(&o, "", "http://[::ffff:127.0.0.1]/", 0), FETCH_ADDRESS, 0, "a mapped address");
    is_got(get_once(&o, "", "http://0x7f.1/", 0), FETCH_ADDRESS, 0, "another spelling");
    is_got(get_once(&o, "", "http://2130706433/", 0), FETCH_ADDRESS, 0, "and another");
    is_got(get_once(&o, "", "http://0/", 0), FETCH_ADDRESS, 0, "zero");
    is_got(get_once(&o, "", "http://[fd00:ec2::254]/", 0), FETCH_ADDRESS, 0, "metadata by IPv6");
    is_got(get_once(&o, "", "http://no-such-host.invalid/", 0), FETCH_DNS, 0, "no such name");
    /* A name that leads to this machine, as a hostile DNS would have it. */
    snprintf(resolve, sizeof resolve, "rebind.example:%u:127.0.0.1", server.port);
    snprintf(named, sizeof named, "http://rebind.example:%u", server.port);
    o.resolve = list;
    o.n_resolve = 1;
    is_got(get_once(&o, named, "/plain.txt", 0), FETCH_ADDRESS, 0, "a name with a private address");
    o.site = named;
    is_got(get_once(&o, named, "/plain.txt", 0), FETCH_ADDRESS, 0, "even if it is the site");
    snprintf(resolve, sizeof resolve, "rebind.example:%u:10.1.2.3,127.0.0.1", server.port);
    is_got(get_once(&o, named, "/plain.txt", 0), FETCH_ADDRESS, 0, "with several");
    o.allow_private = true;
    snprintf(resolve, sizeof resolve, "rebind.example:%u:127.0.0.1", server.port);
    is_got(get_once(&o, named, "/plain.txt", 0), FETCH_OK, 200, "allowed");
    is_got(get_once(&o, server.site, "/to-other", FETCH_FOLLOW_ANY), FETCH_OK, 200,
           "and redirects");
    is_got(get_once(&o, server.site, "/to-other", FETCH_FOLLOW_SAME), FETCH_REDIRECT_ORIGIN, 302,
           "inside an origin only");
    snprintf(other, sizeof other, "%s/any/page", server.site);
    o.origins = (const char *[]){other};
    o.n_origins = 1;
    is_got(get_once(&o, server.site, "/plain.txt", 0), FETCH_OK, 200, "an origin of the list");
    is_got(get_once(&o, server.elsewhere, "/plain.txt", 0), FETCH_ORIGIN, 0,
           "an origin that is not of it");
    is_got(get_once(&o, server.site, "/to-other", FETCH_FOLLOW_ANY), FETCH_REDIRECT_ORIGIN, 302,
           "nor by a redirect");
    o = quick(&server);
    o.site = "http://example.com/";
    is_got(get_once(&o, server.site, "/plain.txt", 0), FETCH_HTTP, 0,
           "loopback when the site is not");
    setenv("http_proxy", server.elsewhere, 1);
    setenv("ALL_PROXY", server.elsewhere, 1);
    o = quick(&server);
    is_got(get_once(&o, server.site, "/plain.txt", 0), FETCH_OK, 200,
           "no proxy from the environment");
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
    o.proxy = server.elsewhere;
    o.allow_http = true;
    is_got(get_once(&o, "", "http://site.example/by-proxy", 0), FETCH_OK, 404, "one that is named");
    ok(server_logged(&server, "http://site.example/by-proxy") == 1, "is asked");
}

/* --- secrets ---------------------------------------------------------------------------------- */

TEST(secrets)
{
    char netrc[] = "/tmp/adit-netrc-XXXXXX";
    int fd = mkstemp(netrc);
    static const char entry[] = "machine 127.0.0.1 login someone password hidden\n";
    ok(fd >= 0 && write(fd, entry, sizeof entry - 1) > 0, "a netrc");
    close(fd);
    struct fetch_secret own = {NULL, "X-Key: of-the-site"},
                        theirs = {server.elsewhere, "X-Key: of-the-other"};
    struct fetch_options o = quick(&server);
    o.allow_http = o.allow_private = true;
    o.secrets = &own;
    o.n_secrets = 1;
    struct got g = get_once(&o, server.site, "/secret-to-other", FETCH_FOLLOW_ANY);
    is_got(g, FETCH_OK, 200, "a field for the site");
    ok(!g.secret, "not sent to where a redirect leads");
    eq_int(server_logged(&server, "of-the-site"), 1, "sent once");
    g = get_once(&o, server.site, "/plain.txt", 0);
    ok(g.secret, "the answer is marked");
    o.secrets = &theirs;
    get_once(&o, server.site, "/secret-to-other", FETCH_FOLLOW_ANY);
    eq_int(server_logged(&server, "of-the-other"), 1, "a field for another origin");
    o.secrets = NULL;
    o.n_secrets = 0;
    o.netrc = netrc;
    g = get_once(&o, server.site, "/secret-to-other", FETCH_FOLLOW_ANY);
    is_got(g, FETCH_OK, 200, "netrc");
    eq_int(server_logged(&server, "Basic c29tZW9uZTpoaWRkZW4="), 1,
           "sent to the site alone, though the host is the same");
    unlink(netrc);
    static const char *const bad[] = {"no colon", "X-Key: a\r\nX-More: b", ": x", "X Key: y",
                                      "X-Key:"};
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) {
        struct fetch_secret s = {NULL, bad[i]};
        o.secrets = &s;
        o.n_secrets = 1;
        ok(fetch_open(&o) == NULL, "not a header field");
    }
    o = (struct fetch_options){.site = "nonsense"};
    ok(fetch_open(&o) == NULL, "not a site");
}

/* --- TLS -------------------------------------------------------------------------------------- */

static bool make_certificate(const char *dir, const char *name, const char *alt)
{
    char command[512];
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
             "-subj /CN=test "
             "-addext subjectAltName=%s -keyout %s/%s.key -out %s/%s.pem 2>/dev/null",
             alt, dir, name, dir, name);
    return system(command) == 0;
}

TEST(tls)
{
    char dir[] = "/tmp/adit-tls-XXXXXX", pem[64], key[64], other[64];
    if (!mkdtemp(dir) || !make_certificate(dir, "a", "IP:127.0.0.1") ||
        !make_certificate(dir, "b", "DNS:example.com")) {
        tap_skip("TLS", "no openssl");
        return;
    }
    snprintf(pem, sizeof pem, "%s/a.pem", dir);
    snprintf(key, sizeof key, "%s/a.key", dir);
    snprintf(other, sizeof other, "%s/b.pem", dir);
    struct server s = server_start("batch/tests/hostile", pem, key);
    struct fetch_options o = quick(&s);
    is_got(get_once(&o, s.site, "/plain.txt", 0), FETCH_TLS, 0, "a certificate of its own making");
    o.ca_file = other;
    is_got(get_once(&o, s.site, "/plain.txt", 0), FETCH_TLS, 0, "of another's");
    o.ca_file = pem;
    is_got(get_once(&o, s.site, "/plain.txt", 0), FETCH_OK, 200, "of one that is trusted");
    is_got(get_once(&o, s.site, "/redirect", 0), FETCH_OK, 200, "redirects");
    o.resolve = (const char *[]){"example.org:443:127.0.0.1"};
    eq_int(server_logged(&s, "GET"), 3, "nothing was asked for before");
    server_stop(&s);
    snprintf(key, sizeof key, "%s/b.key", dir);
    s = server_start("batch/tests/hostile", other, key);
    o = quick(&s);
    o.ca_file = other;
    is_got(get_once(&o, s.site, "/plain.txt", 0), FETCH_TLS, 0, "a certificate for another name");
    server_stop(&s);
    snprintf(other, sizeof other, "rm -r %s", dir);
    ok(system(other) == 0, "cleaned up");
}

/* --- robots.txt ------------------------------------------------------------------------------- */

static char robots_dir[] = "/tmp/adit-robots-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", robots_dir, name);
    unlink(path);
    FILE *f = text ? fopen(path, "w") : NULL;
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

TEST(robots)
{
    static const struct {
        const char *name, *rules, *script;
        enum fetch_error open, shut; /* of /open/a and /shut/a */
    } rows[] = {
        {"none", NULL, NULL, FETCH_OK, FETCH_OK},
        {"rules", "User-agent: *\nDisallow: /shut/\n", NULL, FETCH_OK, FETCH_ROBOTS},
        {"our group", "User-agent: *\nDisallow: /\n\nUser-agent: Adit-Test\nDisallow: /shut/\n",
         NULL, FETCH_OK, FETCH_ROBOTS},
        {"403", NULL, "{\"status\": 403}", FETCH_OK, FETCH_OK},
        {"500", NULL, "{\"status\": 500}", FETCH_ROBOTS_DOWN, FETCH_ROBOTS_DOWN},
        {"429", NULL, "{\"status\": 429, \"headers\": {\"Retry-After\": \"0\"}}", FETCH_ROBOTS_DOWN,
         FETCH_ROBOTS_DOWN},
        {"cut off", NULL, "{\"body\": \"User-agent: x\", \"length\": 100}", FETCH_CUT_OFF,
         FETCH_CUT_OFF},
        {"another path", NULL, "{\"status\": 301, \"headers\": {\"Location\": \"/rules.txt\"}}",
         FETCH_OK, FETCH_ROBOTS},
        {"another origin", NULL,
         "{\"status\": 301, \"headers\": {\"Location\": \"{other}/rules.txt\"}}", FETCH_OK,
         FETCH_ROBOTS},
        {"a loop", NULL, "{\"status\": 301, \"headers\": {\"Location\": \"/robots.txt\"}}",
         FETCH_OK, FETCH_OK},
        {"too many redirects", NULL, "{\"status\": 301, \"headers\": {\"Location\": \"/r/1\"}}",
         FETCH_OK, FETCH_OK},
        {"5 redirects", NULL, "{\"status\": 301, \"headers\": {\"Location\": \"/r/4\"}}", FETCH_OK,
         FETCH_ROBOTS},
        {"to a file", NULL,
         "{\"status\": 301, \"headers\": {\"Location\": \"file:///etc/passwd\"}}",
         FETCH_ROBOTS_DOWN, FETCH_ROBOTS_DOWN},
        {"to where nobody listens", NULL,
         "{\"status\": 301, \"headers\": {\"Location\": \"http://127.0.0.1:1/robots.txt\"}}",
         FETCH_ROBOTS_DOWN, FETCH_ROBOTS_DOWN},
        {"large", NULL,
         "{\"body\": \"User-agent: *\\nDisallow: /shut/\\n#\\n\", \"repeat\": 30000}", FETCH_OK,
         FETCH_ROBOTS},
        {"endless", NULL,
         "{\"body\": \"User-agent: *\\nDisallow: /shut/\\n\", \"endless\": \"body\"}", FETCH_OK,
         FETCH_OK},
    };
    ok(mkdtemp(robots_dir) != NULL, "a folder");
    char path[64];
    snprintf(path, sizeof path, "%s/r", robots_dir);
    mkdir(path, 0700);
    for (int i = 1; i <= 7; i++) {
        char name[32], text[128];
        snprintf(name, sizeof name, "r/%d.http", i);
        snprintf(text, sizeof text, "{\"status\": 302, \"headers\": {\"Location\": \"%s\"}}",
                 i < 7 ? (char[]){'/', 'r', '/', (char)('1' + i), 0} : "/rules.txt");
        write_file(name, text);
    }
    write_file("rules.txt", "User-agent: *\nDisallow: /shut/\n");
    struct server s = server_start(robots_dir, NULL, NULL);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        write_file("robots.txt", rows[i].rules);
        write_file("robots.txt.http", rows[i].script);
        struct fetch_options o = quick(&s);
        o.robots = o.allow_http = o.allow_private = true;
        struct fetch *f = fetch_open(&o);
        struct got a = get(f, s.site, "/open/a", (struct fetch_request){0});
        struct got b = get(f, s.site, "/shut/a", (struct fetch_request){0});
        if (!ok(a.error == rows[i].open && b.error == rows[i].shut && a.calls + b.calls == 2,
                rows[i].name))
            printf("# %s, %s\n", fetch_error_name(a.error), fetch_error_name(b.error));
        fetch_close(f);
    }
    server_stop(&s);
}

/* Redirects into what is not allowed; Crawl-delay; what an earlier run knew. */
/* Whatever refuses the place that robots.txt has moved to, nothing is asked for. */
TEST(robots_refused)
{
    static const char *const nobody[] = {"https://nobody.example"};
    struct server s = server_start(robots_dir, NULL, NULL);
    write_file("robots.txt", NULL);
    write_file("robots.txt.http",
               "{\"status\": 301, \"headers\": {\"Location\": \"{other}/rules.txt\"}}");
    for (int i = 0; i < 3; i++) {
        struct fetch_options o = quick(&s);
        o.robots = true;
        o.allow_http = i > 0;    /* 0: http only to the site */
        o.allow_private = i > 1; /* 1: loopback only of the site */
        if (i > 1) o.origins = nobody, o.n_origins = 1;
        struct fetch *f = fetch_open(&o);
        struct got a = get(f, s.site, "/open/a", (struct fetch_request){0});
        if (!eq_int(a.error, FETCH_ROBOTS_DOWN, "robots.txt at a place that is refused"))
            printf("# %s\n", fetch_error_name(a.error));
        fetch_close(f);
    }
    eq_int(server_logged(&s, "/open/a"), 0, "nothing was asked for");
    eq_int(server_logged(&s, "/rules.txt"), 0, "not there either");
    server_stop(&s);
}

TEST(robots_more)
{
    write_file("robots.txt.http", NULL);
    write_file("robots.txt",
               "User-agent: *\nCrawl-delay: 0.5\nDisallow: /shut/\nSitemap: /s.xml\n");
    write_file("in.http", "{\"status\": 302, \"headers\": {\"Location\": \"/shut/a\"}}");
    write_file("open.txt", "open");
    struct server s = server_start(robots_dir, NULL, NULL);
    struct fetch_options o = quick(&s);
    o.robots = true;
    struct fetch *f = fetch_open(&o);
    is_got(get(f, s.site, "/in", (struct fetch_request){0}), FETCH_ROBOTS, 302,
           "a redirect into what is not allowed");
    eq_int(server_logged(&s, "/shut"), 0, "is not followed");
    int64_t before = clock_ms();
    for (int i = 0; i < 3; i++) get(f, s.site, "/open.txt", (struct fetch_request){0});
    ok(clock_ms() - before >= 1000, "Crawl-delay");
    eq_int(server_logged(&s, "/robots.txt"), 1, "fetched once");
    struct fetch_robots known = fetch_robots(f, adit_str_z(s.site));
    eq_int(known.state, FETCH_ROBOTS_RULES, "known");
    ok(known.text.len > 50 && known.fetched > 0, "with its text and date");
    struct fetch *again = fetch_open(&o);
    ok(fetch_robots_seed(again, adit_str_z(s.site), &known), "given to another run");
    is_got(get(again, s.site, "/shut/a", (struct fetch_request){0}), FETCH_ROBOTS, 0,
           "which obeys it");
    is_got(get(again, s.site, "/open.txt", (struct fetch_request){0}), FETCH_OK, 200, "as well");
    eq_int(server_logged(&s, "/robots.txt"), 1, "without asking");
    eq_int(fetch_counts(again)->requests, 1, "one request");
    fetch_close(again);
    fetch_close(f);
    server_stop(&s);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", robots_dir);
    ok(system(command) == 0, "cleaned up");
}

TEST(begin) { server = server_start("batch/tests/hostile", NULL, NULL); }
TEST(end) { server_stop(&server); }
RUN_TESTS(begin, addresses, loopback_hosts, hosts, secrets, tls, robots, robots_refused,
          robots_more, end)
