/* What a rule found, as JSON: the same words in every report. */
#include "json/json.h"

void adit_json_finding(struct adit_json_writer *w, const struct adit_finding *f,
                       const char *severity, struct adit_mem mem)
{
    adit_json_open(w, '{');
    adit_json_member(w, "rule", adit_str_z(f->rule->name));
    adit_json_member(w, "severity", adit_str_z(severity));
    if (f->line) adit_json_member_uint(w, "line", f->line);
    if (f->column) adit_json_member_uint(w, "column", f->column);
    if (f->index != SIZE_MAX) adit_json_member_uint(w, "index", f->index);
    adit_json_member_opt(w, "member", adit_str_z(f->member));
    adit_json_member(w, "what", adit_str_z(f->rule->what));
    adit_json_member_opt(w, "detail", adit_str_z(f->detail));
    if (f->value.len) {
        struct adit_buf clean;
        adit_buf_init(&clean, mem, 4096);
        for (size_t i = 0; i < f->value.len; i++) {
            unsigned char u = (unsigned char)f->value.p[i];
            adit_buf_byte(&clean, u < 128 ? (char)u : '?');
        }
        adit_json_member(w, "value", adit_buf_str(&clean));
        adit_buf_free(&clean);
    }
    adit_json_member(w, "advice", adit_str_z(f->rule->advice));
    adit_json_close(w, '}');
}
