#include "kernels/heat/options.h"

#include "base/scan.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

const halo_isa_variant heat_row_variants[] = HALO_ISA_VARIANTS(heat_row_ops, AVX512);

static bool read_number(const char *text, double *number)
{
    return halo_scan_number(&text, -DBL_MAX, DBL_MAX, number) && *text == '\0';
}

/* KxL or KxLxM, one for each axis. */
static bool read_mode(const char *at, int axes, int64_t mode[HALO_AXES])
{
    for (int axis = 0; axis < axes; axis++) {
        bool last = axis + 1 == axes;
        if (!halo_scan_integer(&at, 1, INT32_MAX, &mode[axis]) || (!last && *at++ != 'x')) {
            return false;
        }
    }
    return *at == '\0';
}

static halo_status take_shape(heat_options *out, const char *shape, const halo_domain *domain)
{
    static const char mode[] = "mode:";
    bool periodic = domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
    if (strcmp(shape, "square") == 0) {
        out->shape = HEAT_SQUARE;
    } else if (strcmp(shape, "linear") == 0 && !periodic) {
        out->shape = HEAT_LINEAR;
        out->held = true;
    } else if (strncmp(shape, mode, strlen(mode)) == 0 &&
               read_mode(shape + strlen(mode), domain->axes, out->mode)) {
        out->shape = HEAT_MODE;
    } else {
        return halo_fail(HALO_ARGUMENT,
                         "heat cannot begin with shape %.100s: there are square, linear (where no"
                         " axis is periodic) and mode:%s with whole numbers from 1 on",
                         shape, domain->axes == 2 ? "KxL" : "KxLxM");
    }
    return HALO_OK;
}

static halo_status take_edge(heat_options *out, const char *edge)
{
    out->held = true;
    out->edge_set = strcmp(edge, "held") != 0;
    return !out->edge_set || read_number(edge, &out->edge)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "heat has no edge %.100s: use a number, or held", edge);
}

heat_type heat_type_of(const halo_heat_options *options)
{
    bool narrow =
        options != NULL && options->dtype != NULL && strcmp(options->dtype, "float32") == 0;
    return narrow ? HEAT_FLOAT : HEAT_DOUBLE;
}

halo_status heat_options_read(heat_options *out, const halo_heat_options *options,
                              const halo_domain *domain)
{
    static const halo_heat_options defaults;
    const halo_isa_variant *variant;
    options = options != NULL ? options : &defaults;
    HALO_TRY(halo_isa_pick(&variant, heat_row_variants, options->instructions));
    *out = (heat_options){.source = options->source,
                          .tolerance = options->tolerance,
                          .type = heat_type_of(options),
                          .ops = variant->ops};
    if (!isfinite(options->source)) {
        return halo_fail(HALO_ARGUMENT, "heat has no source %g: use a number", options->source);
    }
    if (!(options->tolerance >= 0 && options->tolerance <= DBL_MAX)) {
        return halo_fail(HALO_ARGUMENT, "heat has no tolerance %g: use a number from 0 on",
                         options->tolerance);
    }
    HALO_TRY(options->shape != NULL ? take_shape(out, options->shape, domain) : HALO_OK);
    return options->edge != NULL ? take_edge(out, options->edge) : HALO_OK;
}
