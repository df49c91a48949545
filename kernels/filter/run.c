#include "kernels/filter/run.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/exchange/exchange.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/foreground.h"
#include "kernels/filter/reduction.h"

#include <stdlib.h>
#include <string.h>

/* The segments of a chain, one after the other. */

struct filter_run {
    halo_world *world;
    const filter_chain *chain;
    const halo_partition *strips;
    halo_domain domain;
    filter_pipeline_options options;
    filter_source source;      /* of the segment at hand */
    bool begun;                /* it was read from the first row on */
    halo_field *field;         /* that it reads, or NULL */
    int passes, readings;      /* over the image; of them over what filter_image.rows gives */
    int64_t lo, hi, rows;      /* layers of this rank; rows of a layer */
    int64_t next;              /* the next layer to be copied, where no segment is left */
    filter_pipeline *pipeline; /* of the last segment; NULL: it is in `field` */
    void **row;                /* [rows] of a layer */
};

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

static void *row_of(const halo_view *view, int64_t layer, int64_t y)
{
    return view->axes == HALO_AXES ? halo_row_of_plane(view, layer, y) : halo_row(view, layer);
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
    memcpy(out, row_of(view, layer, y), row_bytes(view));
    return HALO_OK;
}

/* Collective. */
static halo_status exchange_halo(filter_run *run)
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
static halo_status use_field(filter_run *run, halo_field *field)
{
    halo_field_destroy(&run->field);
    run->field = field;
    run->source = (filter_source){.row = read_field, .context = run};
    run->begun = false;
    return HALO_OK;
}

/* Collective, before the source is read from the first row on. */
static halo_status begin_pass(filter_run *run)
{
    bool again = run->begun && run->source.again != NULL;
    run->begun = true;
    run->passes++;
    run->readings += run->field == NULL;
    run->next = run->lo;
    return again ? run->source.again(run->source.context) : HALO_OK;
}

/* ---- segments -------------------------------------------------------------------------------- */

/* Local. The next layers of what there is, without a filter. */
static halo_status copy_layers(filter_run *run, int64_t count, void *const *out)
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
            row[i] = row_of(view, at - run->lo + i / run->rows, i % run->rows);
        }
        HALO_TRY(pipeline != NULL ? halo_filter_pipeline_make(pipeline, count, row)
                                  : copy_layers(run, count, row));
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
static halo_status make_field(filter_run *run, int by, int next, halo_sample_type type)
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
    return use_field(run, field);
}

/* Local. Tells of the rows that a step has made. */
static void tell_rows(filter_run *run, int step)
{
    const filter_watch *watch = run->options.watch;
    const halo_view *view = halo_field_view(run->field);
    for (int64_t i = 0; watch != NULL && watch->take != NULL && i < run->hi - run->lo; i++) {
        for (int64_t y = 0; y < run->rows; y++) {
            run->row[y] = row_of(view, i, y);
        }
        watch->take(watch->context, step, run->lo + i, 1, run->row);
    }
}

/* Collective. */
static halo_status tell_segment(filter_run *run, int segment)
{
    const filter_watch *watch = run->options.watch;
    const filter_segment *s = &run->chain->segment[segment];
    return watch != NULL && watch->made != NULL
               ? watch->made(watch->context, segment, halo_field_view(run->field),
                             run->chain->part[s->first + s->count - 1]->out)
               : HALO_OK;
}

/* Local. Tells of the time that a part of the chain has taken. */
static void tell_seconds(const filter_run *run, int part, double begun)
{
    const filter_watch *watch = run->options.watch;
    if (watch != NULL && watch->seconds != NULL) {
        watch->seconds[part] += halo_seconds() - begun;
    }
}

/* Collective. The part computes, and its time is told. */
static halo_status call_part(const filter_run *run, int number, const filter_field_call *call)
{
    double begun = halo_seconds();
    HALO_TRY(call->part->field(call));
    tell_seconds(run, number, begun);
    return HALO_OK;
}

/* Collective. */
static halo_status run_whole(filter_run *run, int segment)
{
    const filter_part *part = run->chain->part[run->chain->segment[segment].first];
    halo_field *out = NULL;
    if (run->field == NULL) {
        HALO_TRY(begin_pass(run));
        HALO_TRY(make_field(run, -1, segment, part->in));
    } else {
        run->passes++;
    }
    halo_status status = part->in_place
                             ? HALO_OK
                             : halo_filter_run_create_field(&out, run->world, run->chain,
                                                            segment + 1, part->out, run->strips);
    HALO_TRY(halo_agree(run->world, status));
    const filter_field_call call = {.world = run->world,
                                    .part = part,
                                    .strips = run->strips,
                                    .domain = &run->domain,
                                    .in = run->field,
                                    .out = out,
                                    .instructions = run->options.instructions};
    status = call_part(run, run->chain->segment[segment].first, &call);
    if (status != HALO_OK) {
        halo_field_destroy(&out);
        return status;
    }
    HALO_TRY(out != NULL ? use_field(run, out) : HALO_OK);
    if (part->index == part->step->parts - 1) {
        tell_rows(run, part->step->number - 1);
    }
    return HALO_OK;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* A part of a segment that looks at all samples which the parts before it make. */
typedef struct {
    filter_run *run;
    filter_segment before; /* these; of none there may be 0 */
    const filter_part *part;
    void *state;
} look;

/* Local. Adds what `pipeline`, or with NULL the source, makes. */
static halo_status add_layers(const look *l, filter_pipeline *pipeline, const filter_made *made,
                              int64_t tile)
{
    filter_run *run = l->run;
    halo_view view = filter_row_view(l->part->in, made->memory, halo_filter_run_width(run->chain));
    view.stride[0] = (ptrdiff_t)made->pitch;
    for (int64_t at = run->lo; at < run->hi; at += tile) {
        int64_t count = halo_min(tile, run->hi - at);
        HALO_TRY(pipeline != NULL ? halo_filter_pipeline_make(pipeline, count, made->row)
                                  : copy_layers(run, count, made->row));
        view.owned.n[0] = count * run->rows;
        l->part->reduction->add(l->state, &view);
        HALO_TRY(halo_watch_work(run->world, at + count - run->lo, run->hi - run->lo));
    }
    return HALO_OK;
}

/* Local. */
static halo_status look_at_all(const look *l)
{
    enum { ROWS = 16 };
    const filter_run *run = l->run;
    filter_pipeline *pipeline = NULL;
    filter_made made = {0};
    halo_status status = HALO_OK;
    if (run->lo == run->hi) {
        return HALO_OK;
    }
    if (l->before.count > 0) { /* whose rows are told of when they are made for others */
        const filter_pipeline_options options = {.instructions = run->options.instructions,
                                                 .tile = run->options.tile,
                                                 .world = run->world};
        status = halo_filter_pipeline_create(&pipeline, run->chain, &l->before, run->lo, run->hi,
                                             &run->source, &options);
    }
    int64_t tile = pipeline != NULL ? halo_filter_pipeline_tile(pipeline)
                   : run->rows > 1  ? 1
                                    : ROWS;
    HALO_IF_OK(status,
               halo_filter_made_create(&made, l->part->in, halo_filter_run_width(run->chain),
                                       tile * run->rows));
    HALO_IF_OK(status, add_layers(l, pipeline, &made, tile));
    halo_filter_pipeline_destroy(&pipeline);
    halo_filter_made_free(&made);
    return status;
}

static halo_status pass_over(void *context, void *state)
{
    look *l = context;
    l->state = state;
    HALO_TRY(begin_pass(l->run));
    return halo_agree(l->run->world, look_at_all(l));
}

/* Collective. Ends the reductions of a segment, one after the other. */
static halo_status reduce(filter_run *run, const filter_segment *segment)
{
    for (int k = 0; k < segment->count; k++) {
        look l = {.run = run, .before = *segment, .part = run->chain->part[segment->first + k]};
        l.before.count = k;
        if (l.part->reduction != NULL) {
            double begun = halo_seconds();
            HALO_TRY(filter_reduce(run->world, l.part, run->options.instructions, pass_over, &l));
            tell_seconds(run, segment->first + k, begun);
        }
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* Collective. The rows of the last segment are made when they are asked for, unless somebody is
 * told of them before. */
static halo_status run_segment(filter_run *run, int s)
{
    const filter_chain *chain = run->chain;
    const filter_segment *segment = &chain->segment[s];
    const filter_watch *watch = run->options.watch;
    bool last = s + 1 == chain->segments;
    if (segment->field) {
        HALO_TRY(run_whole(run, s));
        return !last || (watch != NULL && watch->made_last) ? tell_segment(run, s) : HALO_OK;
    }
    HALO_TRY(run->field != NULL ? exchange_halo(run) : HALO_OK);
    HALO_TRY(reduce(run, segment));
    HALO_TRY(begin_pass(run));
    if (!last || (watch != NULL && watch->made_last)) {
        HALO_TRY(make_field(run, s, s + 1, chain->part[segment->first + segment->count - 1]->out));
        return tell_segment(run, s);
    }
    return run->lo < run->hi ? halo_filter_pipeline_create(&run->pipeline, chain, segment, run->lo,
                                                           run->hi, &run->source, &run->options)
                             : HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* Collective. */
static halo_status run_segments(filter_run *run, int first)
{
    for (int s = first; s < run->chain->segments; s++) {
        HALO_TRY(run_segment(run, s));
    }
    run->next = run->lo;
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_filter_run_create(filter_run **out, halo_world *world, const filter_chain *chain,
                                   const halo_partition *strips, const filter_image *image,
                                   const filter_pipeline_options *options)
{
    filter_run *run;
    const halo_box own = halo_partition_box(strips, halo_world_rank(world));
    *out = NULL;
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(run, 1, "filters")));
    *run = (filter_run){.world = world,
                        .chain = chain,
                        .strips = strips,
                        .domain = halo_filter_run_domain(chain),
                        .options = *options,
                        .source = image->rows,
                        .lo = own.lo[0],
                        .hi = own.lo[0] + own.n[0]};
    run->options.world = world;
    run->rows = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    if (image->field != NULL) {
        use_field(run, *image->field);
        *image->field = NULL;
    }
    halo_status status = halo_agree(world, HALO_ALLOCATE(run->row, run->rows, "rows"));
    HALO_IF_OK(status, halo_agree(world, run_segments(run, image->segment)));
    if (status != HALO_OK) {
        halo_filter_run_destroy(&run);
    }
    *out = run;
    return status;
}

void halo_filter_run_destroy(filter_run **run)
{
    if (*run != NULL) {
        halo_filter_pipeline_destroy(&(*run)->pipeline);
        halo_field_destroy(&(*run)->field);
        free((*run)->row);
        free(*run);
    }
    *run = NULL;
}

int halo_filter_run_passes(const filter_run *run)
{
    return run->passes;
}

int halo_filter_run_readings(const filter_run *run)
{
    return run->readings;
}

int64_t halo_filter_run_tile(const filter_run *run)
{
    return run->pipeline != NULL ? halo_filter_pipeline_tile(run->pipeline) : 1;
}

halo_status halo_filter_run_make(filter_run *run, int64_t count, void *const *out)
{
    return run->pipeline != NULL ? halo_filter_pipeline_make(run->pipeline, count, out)
                                 : copy_layers(run, count, out);
}

/* Local. All layers of this rank, to a view of them. */
static halo_status make_all(filter_run *run, const halo_view *to)
{
    int64_t tile = halo_filter_run_tile(run);
    void **row;
    HALO_TRY(HALO_ALLOCATE(row, tile * run->rows, "rows"));
    halo_status status = HALO_OK;
    for (int64_t at = run->lo; at < run->hi && status == HALO_OK; at += tile) {
        int64_t count = halo_min(tile, run->hi - at);
        for (int64_t i = 0; i < count * run->rows; i++) {
            row[i] = row_of(to, at - run->lo + i / run->rows, i % run->rows);
        }
        status = halo_filter_run_make(run, count, row);
    }
    free(row);
    return status;
}

halo_status halo_filter_run_bits(halo_world *world, const filter_chain *chain,
                                 const halo_partition *strips, const halo_view *bits,
                                 const filter_pipeline_options *options)
{
    halo_field *copy = NULL;
    filter_run *run = NULL;
    const filter_image image = {.field = &copy};
    HALO_TRY(halo_agree(
        world, halo_filter_run_create_field(&copy, world, chain, 0, HALO_SAMPLE_BIT, strips)));
    halo_view_copy(halo_field_view(copy), bits);
    halo_status status = halo_filter_run_create(&run, world, chain, strips, &image, options);
    if (status == HALO_OK) {
        status = halo_agree(world, make_all(run, bits));
    }
    halo_filter_run_destroy(&run);
    halo_field_destroy(&copy);
    return status;
}
