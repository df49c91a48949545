#include "kernels/filter/filter_array.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/array/array_internal.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/run.h"
#include "kernels/filter/second_arrays.h"

#include <stdlib.h>

/* Filters on arrays in memory. */

static const halo_option option_rows[] = {
    {HALO_OPTION_ROW(halo_filter_array_options, "tile", INTEGER, tile), .unit = "rows",
     .help = "Rows of an image that are computed together; 0: by their size"},
    {0}};

const halo_option *const halo_filter_array_rows = option_rows;

/* ---- the table ------------------------------------------------------------------------------- */

int halo_filters(void)
{
    int count = 0;
    while (filter_table[count] != NULL) {
        count++;
    }
    return count;
}

static const halo_filter *filter_of(int filter)
{
    return filter >= 0 && filter < halo_filters() ? filter_table[filter] : NULL;
}

const char *halo_filter_name(int filter)
{
    return filter_of(filter) != NULL ? filter_of(filter)->name : NULL;
}

const char *halo_filter_help(int filter)
{
    return filter_of(filter) != NULL ? filter_of(filter)->help : NULL;
}

const char *halo_filter_authority(int filter)
{
    return filter_of(filter) != NULL ? filter_of(filter)->authority : NULL;
}

const char *halo_filter_examples(int filter)
{
    return filter_of(filter) != NULL ? filter_of(filter)->examples : NULL;
}

const halo_option *halo_filter_rows(int filter)
{
    return filter_of(filter) != NULL ? filter_of(filter)->params : NULL;
}

/* ---- a rank ---------------------------------------------------------------------------------- */

typedef struct {
    halo_array in, out; /* of 3 axes */
    const char *steps;
    int axes;
    halo_filter_array_options options;
    halo_filter_array_report report;
} filter_job;

typedef struct {
    array_reader reader;
    bool bits;
    size_t bytes; /* of a row */
    int64_t width;
} reading;

static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    reading *r = context;
    const void *row = array_reader_row(&r->reader, z, y);
    if (r->bits) {
        filter_pack_bits(row, r->width, out);
    } else {
        memcpy(out, row, r->bytes);
    }
    return HALO_OK;
}

/* Rows on their way to the output array: in place, or in a buffer. */
typedef struct {
    const halo_array *out;
    bool in_place, bits;
    char *memory;   /* of a tile, unless it is written in place */
    char *unpacked; /* a row of bytes */
    size_t pitch;
    void **row; /* [rows of a tile] */
} writing;

static halo_status create_writing(writing *w, const halo_array *out, int64_t rows)
{
    enum { LINE = 64 };
    w->out = out;
    w->bits = out->type == HALO_SAMPLE_BIT;
    w->in_place = !w->bits && array_rows_are_contiguous(out);
    w->pitch = (filter_row_bytes(out->type, out->n[2]) + 2 * LINE - 1) / LINE * LINE;
    HALO_TRY(HALO_ALLOCATE(w->row, rows, "rows"));
    if (w->bits) {
        HALO_TRY(HALO_ALLOCATE(w->unpacked, out->n[2], "a row"));
    }
    return w->in_place ? HALO_OK : HALO_ALLOCATE_LARGE(w->memory, (size_t)rows * w->pitch, "rows");
}

static void free_writing(writing *w)
{
    halo_memory_free(w->memory);
    free(w->unpacked);
    free(w->row);
}

/* Rows `first` and on, numbered through all planes. */
static void aim(const writing *w, int64_t first, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++) {
        int64_t z = (first + i) / w->out->n[1], y = (first + i) % w->out->n[1];
        w->row[i] = w->in_place ? array_at(w->out, z, y, 0) : w->memory + (size_t)i * w->pitch;
    }
}

static void put(const writing *w, int64_t first, int64_t rows)
{
    for (int64_t i = 0; i < rows && !w->in_place; i++) {
        int64_t z = (first + i) / w->out->n[1], y = (first + i) % w->out->n[1];
        if (w->bits) {
            filter_unpack_bits(w->row[i], w->out->n[2], w->unpacked);
        }
        array_put(w->out, z, y, 0, w->out->n[2], w->bits ? w->unpacked : w->row[i]);
    }
}

static halo_status run_strip(const filter_job *job, array_call *call, const halo_world *world,
                             filter_run *run, const halo_box *own)
{
    int64_t unit = job->axes == HALO_AXES ? job->in.n[1] : 1, tile = halo_filter_run_tile(run);
    int64_t lo = own->lo[0], hi = lo + own->n[0];
    writing w = {0};
    halo_status status = create_writing(&w, &job->out, tile * unit);
    for (int64_t at = lo; at < hi && status == HALO_OK; at += tile) {
        int64_t count = halo_min(tile, hi - at);
        aim(&w, at * unit, count * unit);
        status = halo_filter_run_make(run, count, w.row);
        if (status == HALO_OK) {
            put(&w, at * unit, count * unit);
            status = array_call_watch(call, world, at + count - lo, hi - lo) ? array_call_stop()
                                                                             : HALO_OK;
        }
    }
    free_writing(&w);
    return status;
}

/* Collective. All segments but the last are computed at once, the last with the result. */
static halo_status run_chain(const filter_job *job, array_call *call, halo_world *world,
                             const filter_chain *chain, const halo_partition *strips)
{
    const halo_box own = halo_partition_box(strips, halo_world_rank(world));
    filter_run *run = NULL;
    reading r = {.bits = job->in.type == HALO_SAMPLE_BIT,
                 .bytes = filter_row_bytes(job->in.type, job->in.n[2]),
                 .width = job->in.n[2]};
    const filter_image image = {.rows = {.row = read_row, .context = &r}};
    const filter_pipeline_options how = {.instructions = call->instructions,
                                         .tile = job->options.tile};
    halo_status status = halo_agree(world, array_reader_create(&r.reader, &job->in));
    if (status == HALO_OK) {
        array_call_phase(call, world, (double)(chain->segments - 1) / chain->segments);
        status = halo_filter_run_create(&run, world, chain, strips, &image, &how);
    }
    if (status == HALO_OK) {
        array_call_phase(call, world, 1);
        status = run_strip(job, call, world, run, &own);
    }
    halo_filter_run_destroy(&run);
    array_reader_free(&r.reader);
    return status;
}

static halo_status prepare(const filter_job *job, filter_chain *chain,
                           filter_second_arrays **seconds, halo_partition *strips, int ranks)
{
    HALO_TRY(halo_filter_chain_read(chain, job->steps));
    HALO_TRY(
        filter_second_arrays_open(seconds, chain, job->options.seconds, job->options.second_count));
    HALO_TRY(halo_filter_chain_resolve(chain, job->in.type, job->axes, job->in.n));
    const halo_domain domain = halo_filter_run_domain(chain);
    return halo_partition_thick_strips(
        strips, &domain, ranks, halo_min(halo_filter_run_thinnest(chain, false), domain.n[0]));
}

static halo_status filter_rank(halo_world *world, array_call *call, void *context)
{
    filter_job *job = context;
    filter_chain *chain;
    filter_second_arrays *seconds = NULL;
    halo_partition strips = {0};
    halo_status status = HALO_ALLOCATE(chain, 1, "filters");
    HALO_IF_OK(status, prepare(job, chain, &seconds, &strips, halo_world_ranks(world)));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_agree(world, run_chain(job, call, world, chain, &strips));
    }
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        job->report = (halo_filter_array_report){chain->count, halo_filter_chain_depth(chain, 0),
                                                 halo_world_ranks(world)};
    }
    halo_filter_chain_destroy(&chain);
    filter_second_arrays_close(&seconds);
    halo_partition_free(&strips);
    return status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static halo_status read_chain(filter_chain *chain, const char *steps, halo_sample_type type,
                              int axes, const int64_t n[HALO_AXES])
{
    HALO_TRY(halo_filter_chain_read(chain, steps));
    return halo_filter_chain_resolve(chain, type, axes, n);
}

halo_status halo_filter_array_type(const char *steps, halo_sample_type type, int axes,
                                   const int64_t *n, halo_sample_type *out)
{
    int64_t all[HALO_AXES] = {1, 1, 1};
    filter_chain *chain;
    HALO_FAIL_IF(axes < 1 || axes > HALO_AXES, HALO_ARGUMENT,
                 "an array of %d axes cannot be filtered; use 1 to 3", axes);
    for (int axis = 0; axis < axes; axis++) {
        all[HALO_AXES - axes + axis] = n[axis];
    }
    HALO_TRY(HALO_ALLOCATE(chain, 1, "filters"));
    halo_status status = read_chain(chain, steps, type, axes, all);
    if (status == HALO_OK) {
        *out = halo_filter_chain_type(chain);
    }
    halo_filter_chain_destroy(&chain);
    return status;
}

static halo_status check_arrays(const halo_array *in, const halo_array *out, const char *steps)
{
    static const char result[] = "the array for the result";
    halo_sample_type type;
    HALO_TRY(array_check(in, "the array", 1, HALO_AXES));
    HALO_TRY(array_check_out(out, result, 1, HALO_AXES));
    HALO_TRY(array_check_same(in, "the array", out, result));
    HALO_TRY(halo_filter_array_type(steps, in->type, in->axes, in->n, &type));
    return HALO_REQUIRE(type == out->type, HALO_ARGUMENT,
                        "the array for the result has elements of %s, and the steps make %s; give "
                        "the last step dtype=, or another array",
                        halo_sample_types[out->type].name, halo_sample_types[type].name);
}

static halo_status filter(halo_context *context, const halo_array *in, const halo_array *out,
                          filter_job *job)
{
    const double seconds = 2e-9; /* of a core for an element, at least */
    HALO_TRY(array_world_refuse(context));
    HALO_TRY(check_arrays(in, out, job->steps));
    HALO_FAIL_IF(job->options.tile < 0, HALO_ARGUMENT, "tiles of %d rows; use 0 or more",
                 (int)job->options.tile);
    job->axes = in->axes;
    job->in = array_with_axes(in, HALO_AXES);
    job->out = array_with_axes(out, HALO_AXES);
    if (array_cells(in) == 0) {
        return HALO_OK;
    }
    return array_call_run(context, seconds * (double)array_cells(in),
                          halo_max(1, job->in.n[filter_layer_axis(in->axes)]), filter_rank, job);
}

halo_status halo_filter_array_sized(halo_context *context, const halo_array *in,
                                    const halo_array *out, const char *steps,
                                    const halo_filter_array_options *given,
                                    halo_filter_array_report *report, size_t given_bytes,
                                    size_t report_bytes)
{
    filter_job job = {.steps = steps};
    halo_status status = halo_options_take(&job.options, sizeof job.options, given, given_bytes,
                                           "halo_filter_array_options");
    HALO_IF_OK(status, filter(context, in, out, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
