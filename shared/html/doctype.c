/* DOCTYPE tokens (13.2.5.53 to 13.2.5.68), and which of them mean quirks mode (13.2.6.4.1). */
#include "html/parse_impl.h"

static struct adit_str skip_space(struct adit_str s)
{
    while (s.len && adit_is_space(s.p[0])) s.p++, s.len--;
    return s;
}

/* Takes a quoted identifier off *s; false if there is none, or it has no end. */
static bool take_quoted(struct adit_str *s, struct adit_str *id)
{
    *s = skip_space(*s);
    if (!s->len || (s->p[0] != '"' && s->p[0] != '\'')) return false;
    size_t end = adit_str_chr(*s, s->p[0], 1);
    *id = adit_str_sub(*s, 1, end);
    bool whole = end < s->len;
    *s = adit_str_sub(*s, end + 1, s->len);
    return whole;
}

struct doctype adit_doctype_read(struct adit_str s, bool closed)
{
    struct doctype d = {.force_quirks = !closed};
    s = skip_space(s);
    size_t n = 0;
    while (n < s.len && !adit_is_space(s.p[n])) n++;
    d.name = adit_str_sub(s, 0, n);
    d.has_name = n > 0;
    if (!n) d.force_quirks = true;
    s = skip_space(adit_str_sub(s, n, s.len));
    if (!s.len) return d;
    bool public = adit_str_istarts(s, ADIT_STR("public"));
    bool system = adit_str_istarts(s, ADIT_STR("system"));
    if (!public && !system) {
        d.force_quirks = true;
        return d;
    }
    s = adit_str_sub(s, 6, s.len);
    if (public) {
        bool whole = take_quoted(&s, &d.public_id);
        d.has_public = d.public_id.p != NULL;
        d.force_quirks |= !whole;
        s = skip_space(s);
        if (!whole || !s.len) return d;
    }
    d.force_quirks |= !take_quoted(&s, &d.system_id);
    d.has_system = d.system_id.p != NULL;
    return d;
}

/* Public identifiers of quirks mode: whole ones, and what others begin with. */
static const char *const quirky_ids[] = {
    "-//W3O//DTD W3 HTML Strict 3.0//EN//",
    "-/W3C/DTD HTML 4.0 Transitional/EN",
    "HTML",
};
static const char *const quirky_beginnings[] = {
    "+//Silmaril//dtd html Pro v0r11 19970101//",
    "-//AS//DTD HTML 3.0 asWedit + extensions//",
    "-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//",
    "-//IETF//DTD HTML 2.0 Level 1//",
    "-//IETF//DTD HTML 2.0 Level 2//",
    "-//IETF//DTD HTML 2.0 Strict Level 1//",
    "-//IETF//DTD HTML 2.0 Strict Level 2//",
    "-//IETF//DTD HTML 2.0 Strict//",
    "-//IETF//DTD HTML 2.0//",
    "-//IETF//DTD HTML 2.1E//",
    "-//IETF//DTD HTML 3.0//",
    "-//IETF//DTD HTML 3.2 Final//",
    "-//IETF//DTD HTML 3.2//",
    "-//IETF//DTD HTML 3//",
    "-//IETF//DTD HTML Level 0//",
    "-//IETF//DTD HTML Level 1//",
    "-//IETF//DTD HTML Level 2//",
    "-//IETF//DTD HTML Level 3//",
    "-//IETF//DTD HTML Strict Level 0//",
    "-//IETF//DTD HTML Strict Level 1//",
    "-//IETF//DTD HTML Strict Level 2//",
    "-//IETF//DTD HTML Strict Level 3//",
    "-//IETF//DTD HTML Strict//",
    "-//IETF//DTD HTML//",
    "-//Metrius//DTD Metrius Presentational//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 2.0 Tables//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 3.0 Tables//",
    "-//Netscape Comm. Corp.//DTD HTML//",
    "-//Netscape Comm. Corp.//DTD Strict HTML//",
    "-//O'Reilly and Associates//DTD HTML 2.0//",
    "-//O'Reilly and Associates//DTD HTML Extended 1.0//",
    "-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//",
    "-//SQ//DTD HTML 2.0 HoTMetaL + extensions//",
    "-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//",
    "-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//",
    "-//Spyglass//DTD HTML 2.0 Extended//",
    "-//Sun Microsystems Corp.//DTD HotJava HTML//",
    "-//Sun Microsystems Corp.//DTD HotJava Strict HTML//",
    "-//W3C//DTD HTML 3 1995-03-24//",
    "-//W3C//DTD HTML 3.2 Draft//",
    "-//W3C//DTD HTML 3.2 Final//",
    "-//W3C//DTD HTML 3.2//",
    "-//W3C//DTD HTML 3.2S Draft//",
    "-//W3C//DTD HTML 4.0 Frameset//",
    "-//W3C//DTD HTML 4.0 Transitional//",
    "-//W3C//DTD HTML Experimental 19960712//",
    "-//W3C//DTD HTML Experimental 970421//",
    "-//W3C//DTD W3 HTML//",
    "-//W3O//DTD W3 HTML 3.0//",
    "-//WebTechs//DTD Mozilla HTML 2.0//",
    "-//WebTechs//DTD Mozilla HTML//",
};
/* The same if there is no system identifier. */
static const char *const quirky_alone[] = {
    "-//W3C//DTD HTML 4.01 Frameset//",
    "-//W3C//DTD HTML 4.01 Transitional//",
};

static bool begins(struct adit_str id, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_istarts(id, adit_str_z(list[i]))) return true;
    return false;
}

bool adit_doctype_is_quirks(const struct doctype *d)
{
    if (d->force_quirks || !adit_str_ieq(d->name, ADIT_STR("html"))) return true;
    for (size_t i = 0; i < ADIT_COUNT(quirky_ids); i++)
        if (adit_str_ieq(d->public_id, adit_str_z(quirky_ids[i]))) return true;
    if (begins(d->public_id, quirky_beginnings, ADIT_COUNT(quirky_beginnings))) return true;
    if (!d->has_system && begins(d->public_id, quirky_alone, ADIT_COUNT(quirky_alone))) return true;
    return adit_str_ieq(d->system_id,
                        ADIT_STR("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"));
}
