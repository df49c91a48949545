#include "base/memory.h"
#include "base/minmax.h"
#include "core/exchange/exchange.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/run_internal.h"

#include <stdlib.h>
#include <string.h>

/* Fields that segments read, and how they are filled. */

/* ---- fields ---------------------------------------------------------------------------------- */

halo_domain halo_filter_run_domain(const filter_chain *chain)
{
    const filter_step *step = &chain->step[0];
    bool solid = step->axes == HALO_AXES;
    halo_domain domain = {.axes = solid ? HALO_AXES : 2, .n = {1, 1, 1}};
    for (int axis = 0; axis < domain.axes; axis++) {
        domain.n[axis] = step->n[HALO_AXES - domain.axes + axis];
    }
    return domain;
}

int64_t halo_filter_run_width(const filter_chain *chain)
{
    return chain->step[0].n[HALO_AXES - 1];
}

int64_t halo_filter_run_thinnest(const filter_chain *chain, bool from_field)
{
    return halo_max(1, halo_filter_chain_most_depth(chain, from_field ? 0 : 1));
}

static bool one_has_all(const halo_partition *strips, const halo_domain *domain)
{
    return strips->cuts[0][1] == domain->n[0];
}

/* The halo of the field that a segment reads: it stays the next one's, if the segment computes in
 * place. */
static int64_t halo_of(const filter_chain *chain, int segment)
{
    int64_t depth = 0;
    for (; segment < chain->segments; segment++) {
        const filter_segment *s = &chain->segment[segment];
        depth = halo_filter_chain_depth(chain, segment);
        if (!s->field || !chain->part[s->first]->in_place) {
            break;
        }
    }
    return depth;
}

static bool wraps(const filter_chain *chain, int segment)
{
    bool any = false;
    for (; segment < chain->segments; segment++) {
        const filter_segment *s = &chain->segment[segment];
        any = any || s->wraps;
        if (!s->field || !chain->part[s->first]->in_place) {
            break;
        }
    }
    return any;
}

halo_status halo_filter_run_create_field(halo_field **out, halo_world *world,
                                         const filter_chain *chain, int segment,
                                         halo_sample_type type, const halo_partition *strips)
{
    enum { BYTE = 8 };
    halo_domain domain = halo_filter_run_domain(chain);
    const halo_box own = halo_partition_box(strips, halo_world_rank(world));
    const halo_field_options how = {.no_side_halo = true};
    size_t bytes = halo_sample_types[type].bytes;
    int64_t depth = one_has_all(strips, &domain) ? 0 : halo_of(chain, segment);
    domain.periodic[0] = depth > 0 && wraps(chain, segment);
    return halo_field_create_with(out, &domain, &own, bytes > 0 ? (int)bytes * BYTE : HALO_BIT,
                                  (int)depth, &how);
}

static size_t row_bytes(const halo_view *view)
{
    enum { BYTE = 8 };
    int64_t width = view->owned.n[view->axes - 1];
    return view->cell_bits == HALO_BIT ? filter_row_bytes(HALO_SAMPLE_BIT, width)
                                       : (size_t)(width * (view->cell_bits / BYTE));
}

/* The halo has a copy of layers at the other end of the image, where edges wrap. */
static halo_status read_field(void *context, int64_t z, int64_t y, void *out)
{
    const filter_run *run = context;
    const halo_view *view = halo_field_view(run->field);
    bool solid = view->axes == HALO_AXES;
    int64_t layer = (solid ? z : y) - view->owned.lo[0], layers = run->domain.n[0];
    layer += layer < -view->depth ? layers : layer >= view->owned.n[0] + view->depth ? -layers : 0;
    memcpy(out, filter_run_row(view, layer, y), row_bytes(view));
    return HALO_OK;
}

/* Collective. */
halo_status filter_run_exchange(filter_run *run)
{
    halo_exchange *exchange;
    if (halo_field_view(run->field)->depth == 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_exchange_create(&exchange, run->world, run->strips, &run->field, 1, NULL));
    halo_status status = halo_exchange_begin(exchange);
    HALO_IF_OK(status, halo_exchange_end(exchange));
    halo_exchange_destroy(&exchange);
    return status;
}

/* Collective. The segment's input from now on. */
void filter_run_use_field(filter_run *run, halo_field *field)
{
    halo_field_destroy(&run->field);
    run->field = field;
    run->source = (filter_source){.row = read_field, .context = run};
    run->begun = false;
}

/* Collective, before the source is read from the first row on. */
halo_status filter_run_begin_pass(filter_run *run)
{
    bool again = run->begun && run->source.again != NULL;
    run->begun = true;
    run->passes++;
    run->readings += run->field == NULL;
    run->next = run->lo;
    return again ? run->source.again(run->source.context) : HALO_OK;
}

/* ---- layers -----------------------------------------------------------------------------------
 */

/* Local. The next layers of what there is, without a filter. */
halo_status filter_run_copy_layers(filter_run *run, int64_t count, void *const *out)
{
    bool solid = run->domain.axes == HALO_AXES;
    for (int64_t i = 0; i < count * run->rows; i++) {
        int64_t layer = run->next + i / run->rows, y = i % run->rows;
        HALO_TRY(
            run->source.row(run->source.context, solid ? layer : 0, solid ? y : layer, out[i]));
    }
    run->next += count;
    return HALO_OK;
}

/* Local. Layers from a pipeline, or with none as they are, to all of a field. */
static halo_status fill_field(filter_run *run, filter_pipeline *pipeline, halo_field *field,
                              void **row)
{
    const halo_view *view = halo_field_view(field);
    int64_t tile = pipeline != NULL ? halo_filter_pipeline_tile(pipeline) : 1;
    for (int64_t at = run->lo; at < run->hi; at += tile) {
        int64_t count = halo_min(tile, run->hi - at);
        for (int64_t i = 0; i < count * run->rows; i++) {
            row[i] = filter_run_row(view, at - run->lo + i / run->rows, i % run->rows);
        }
        HALO_TRY(pipeline != NULL ? halo_filter_pipeline_make(pipeline, count, row)
                                  : filter_run_copy_layers(run, count, row));
        HALO_TRY(halo_watch_work(run->world, at + count - run->lo, run->hi - run->lo));
    }
    return HALO_OK;
}

/* Local. */
static halo_status fill_by_segment(filter_run *run, int segment, halo_field *field)
{
    filter_pipeline *pipeline = NULL;
    void **row = NULL;
    halo_status status = HALO_OK;
    if (run->lo == run->hi) {
        return HALO_OK;
    }
    if (segment >= 0) {
        status = halo_filter_pipeline_create(&pipeline, run->chain, &run->chain->segment[segment],
                                             run->lo, run->hi, &run->source, &run->options);
    }
    if (status == HALO_OK) {
        int64_t tile = pipeline != NULL ? halo_filter_pipeline_tile(pipeline) : 1;
        status = HALO_ALLOCATE(row, tile * run->rows, "rows");
    }
    HALO_IF_OK(status, fill_field(run, pipeline, field, row));
    halo_filter_pipeline_destroy(&pipeline);
    free(row);
    return status;
}

/* Collective. Makes the field that segment `next` reads of what segment `by` makes; -1: of what
 * there is. */
halo_status filter_run_make_field(filter_run *run, int by, int next, halo_sample_type type)
{
    halo_field *field = NULL;
    halo_status status =
        halo_filter_run_create_field(&field, run->world, run->chain, next, type, run->strips);
    HALO_IF_OK(status, fill_by_segment(run, by, field));
    status = halo_agree(run->world, status);
    if (status != HALO_OK) {
        halo_field_destroy(&field);
        return status;
    }
    filter_run_use_field(run, field);
    return HALO_OK;
}
