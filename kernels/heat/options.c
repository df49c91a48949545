#include "kernels/heat/options.h"

#include "base/scan.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const halo_isa_variant heat_row_variants[] = HALO_ISA_VARIANTS(heat_row_ops, AVX512);

/* A part of the options' text, which stays as it is. */
typedef struct {
    const char *text;
    size_t length;
} word;

static bool is(word w, const char *name)
{
    return strlen(name) == w.length && strncmp(w.text, name, w.length) == 0;
}

static bool begins(word w, const char *name)
{
    return strlen(name) <= w.length && strncmp(w.text, name, strlen(name)) == 0;
}

static bool read_number(word w, double *number)
{
    const char *at = w.text;
    return halo_scan_number(&at, -DBL_MAX, DBL_MAX, number) && at == w.text + w.length;
}

/* KxL or KxLxM, one for each axis, from 1 to `max`. */
static bool read_mode(word w, int axes, int64_t mode[HALO_AXES])
{
    const char *at = w.text, *after = w.text + w.length;
    for (int axis = 0; axis < axes; axis++) {
        bool last = axis + 1 == axes;
        if (at >= after || !halo_scan_integer(&at, 1, INT32_MAX, &mode[axis]) ||
            (!last && *at++ != 'x')) {
            return false;
        }
    }
    return at == after;
}

static halo_status take_shape(heat_options *out, word value, const halo_domain *domain)
{
    bool periodic = domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
    word mode = {value.text + strlen("mode:"), value.length - strlen("mode:")};
    if (is(value, "square")) {
        out->shape = HEAT_SQUARE;
    } else if (is(value, "linear") && !periodic) {
        out->shape = HEAT_LINEAR;
        out->held = true;
    } else if (begins(value, "mode:") && read_mode(mode, domain->axes, out->mode)) {
        out->shape = HEAT_MODE;
    } else {
        return halo_fail(HALO_ARGUMENT,
                         "heat cannot begin with shape=%.*s: there are square, linear (where no"
                         " axis is periodic) and mode:%s with whole numbers from 1 on",
                         (int)value.length, value.text, domain->axes == 2 ? "KxL" : "KxLxM");
    }
    return HALO_OK;
}

static halo_status take_edge(heat_options *out, word value, const halo_domain *domain)
{
    (void)domain;
    out->held = true;
    out->edge_set = !is(value, "held");
    if (out->edge_set && !read_number(value, &out->edge)) {
        return halo_fail(HALO_ARGUMENT, "heat has no edge=%.*s: use a number, or held",
                         (int)value.length, value.text);
    }
    return HALO_OK;
}

static halo_status take_source(heat_options *out, word value, const halo_domain *domain)
{
    (void)domain;
    return read_number(value, &out->source)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "heat has no source=%.*s: use a number",
                           (int)value.length, value.text);
}

static halo_status take_instructions(heat_options *out, word value, const halo_domain *domain)
{
    (void)domain;
    enum { NAME = 32 }; /* longer than any; one that is cut is none either */
    char name[NAME];
    snprintf(name, sizeof name, "%.*s", (int)value.length, value.text);
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, heat_row_variants, name));
    out->ops = variant->ops;
    return HALO_OK;
}

static const struct {
    const char *key;
    halo_status (*take)(heat_options *out, word value, const halo_domain *domain);
} keys[] = {{"shape", take_shape},
            {"edge", take_edge},
            {"source", take_source},
            {"instructions", take_instructions}};

enum { KEYS = sizeof keys / sizeof keys[0] };

static halo_status take_pair(heat_options *out, word pair, const halo_domain *domain)
{
    const char *equals = memchr(pair.text, '=', pair.length);
    word key = {pair.text, equals != NULL ? (size_t)(equals - pair.text) : pair.length};
    for (int k = 0; equals != NULL && k < KEYS; k++) {
        if (is(key, keys[k].key)) {
            word value = {equals + 1, pair.length - key.length - 1};
            return keys[k].take(out, value, domain);
        }
    }
    return halo_fail(HALO_ARGUMENT,
                     "heat has no option '%.*s'; use shape=, edge=, source= or instructions= with a"
                     " value, and commas between them",
                     (int)pair.length, pair.text);
}

halo_status heat_options_read(heat_options *out, const char *text, const halo_domain *domain)
{
    *out = (heat_options){.ops = halo_isa_find(heat_row_variants, NULL)->ops};
    while (text != NULL && *text != '\0') {
        word pair = {text, strcspn(text, ",")};
        HALO_TRY(take_pair(out, pair, domain));
        text += pair.length + (text[pair.length] == ',');
    }
    return HALO_OK;
}
