/* Root contexts and their configurations. Envoy makes a root context for each configuration of the
 * filter, and, when one changes, a new one in the same VM while streams of the old one are under
 * way; other hosts configure the same root context again. */
#include "edge/filter_impl.h"
#include "edge/module.h"

struct root {
    struct root *next;
    uint32_t id;
    struct setup *setup; /* NULL: not configured */
};

static struct {
    struct root *roots;
    struct setup *setups;
    struct adit_converter *converter; /* of all setups */
} vm;

/* --- setups ----------------------------------------------------------------------------------- */

struct setup *setup_first(void) { return vm.setups; }

struct setup *setup_hold(struct setup *s)
{
    if (s) s->refs++;
    return s;
}

static void setup_free(struct setup *s)
{
    adit_edge_free(&s->edge);
    adit_config_free(&s->config);
    free(s);
}

void setup_release(struct setup *s)
{
    if (!s || --s->refs) return;
    struct setup **at = &vm.setups;
    while (*at != s) at = &(*at)->next;
    *at = s->next;
    metrics_publish(s);
    setup_free(s);
}

static bool setup_init(struct setup *s, struct adit_str json)
{
    struct adit_buf line;
    adit_buf_init(&line, mem, MODULE_REFUSAL_MAX);
    bool ok = module_configure(&s->edge, &s->config, json, &line);
    if (!ok) say(PW_ERROR, adit_buf_str(&line));
    adit_buf_free(&line);
    return ok;
}

static struct setup *setup_new(struct adit_str json)
{
    struct setup *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    if (!setup_init(s, json)) {
        setup_free(s);
        return NULL;
    }
    adit_edge_share_converter(&s->edge, &vm.converter);
    s->refs = 1;
    s->next = vm.setups;
    vm.setups = s;
    return s;
}

/* --- root contexts ---------------------------------------------------------------------------- */

static struct root *find_root(uint32_t id)
{
    struct root *r = vm.roots;
    while (r && r->id != id) r = r->next;
    return r;
}

bool root_add(uint32_t id)
{
    if (find_root(id)) return true;
    struct root *r = calloc(1, sizeof *r);
    if (!r) return false;
    *r = (struct root){.id = id, .next = vm.roots};
    vm.roots = r;
    return true;
}

void root_remove(uint32_t id)
{
    struct root **at = &vm.roots;
    while (*at && (*at)->id != id) at = &(*at)->next;
    struct root *r = *at;
    if (!r) return;
    *at = r->next;
    setup_release(r->setup);
    free(r);
}

bool root_configure(uint32_t id, struct adit_str json)
{
    if (!root_add(id)) return false;
    struct setup *s = setup_new(json);
    if (!s) return false;
    metrics_define();
    struct root *r = find_root(id);
    setup_release(r->setup);
    r->setup = s;
    return true;
}

struct setup *root_setup(uint32_t id)
{
    struct root *r = find_root(id);
    return r ? r->setup : NULL;
}
