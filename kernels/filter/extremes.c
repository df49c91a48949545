#include "kernels/filter/extreme.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/keys.h"
#include "kernels/filter/sizes.h"

/* The least and the greatest sample of a window: as scipy.ndimage. */

typedef struct {
    filter_sizes sizes;
    filter_edge edge;
    filter_extreme extreme; /* found by resolve */
} extremes;

static const halo_option rows[] = {FILTER_SIZES_ROWS(extremes), FILTER_EDGE_ROWS(extremes), {0}};

static halo_status resolve(filter_step *step, bool greatest)
{
    extremes *e = step->params;
    filter_edge edge = filter_key_edge(step->in, &e->edge);
    e->extreme.greatest = greatest;
    HALO_TRY(filter_sizes_find(&e->sizes, step, &e->extreme.element));
    filter_add_keys(step);
    filter_add_extreme(step, &e->extreme, &edge);
    filter_add_samples(step);
    return HALO_OK;
}

static halo_status resolve_minimum(filter_step *step)
{
    return resolve(step, false);
}

static halo_status resolve_maximum(filter_step *step)
{
    return resolve(step, true);
}

const halo_filter filter_minimum = {
    .name = "minimum",
    .help = "The least sample of a window",
    .authority = "scipy.ndimage.minimum_filter",
    .examples = "minimum:1|minimum:size=4:mode=constant:cval=50|minimum:size=2,9:mode=wrap|"
                "minimum:40:mode=mirror|minimum:0",
    .params = rows,
    .params_bytes = sizeof(extremes),
    .takes = FILTER_ANY,
    .resolve = resolve_minimum};

const halo_filter filter_maximum = {
    .name = "maximum",
    .help = "The greatest sample of a window; NaN is greater than all others",
    .authority = "scipy.ndimage.maximum_filter",
    .examples = "maximum:2|maximum:size=4:mode=nearest|maximum:1,0,3|maximum:size=65",
    .params = rows,
    .params_bytes = sizeof(extremes),
    .takes = FILTER_ANY,
    .resolve = resolve_maximum};
