#include "kernels/array/kernel_array.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/beat/beat.h"
#include "core/world/memory_ask.h"
#include "kernels/array/array_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Kernels on arrays in memory. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_kernel_array_options, option, kind, member)

static const halo_option option_rows[] = {
    {ROW("beats", INTEGER, beats), .unit = "beats",
     .help = "Beats to compute; 0: until nothing changes, for kernels that converge"},
    ARRAY_PERIODIC_ROWS(halo_kernel_array_options),
    {ROW("change-threshold", INTEGER, change_threshold), .unit = "cells",
     .help = "A beat that changes at most this number of cells ends the run"},
    {ROW("beats-per-exchange", INTEGER, beats_per_exchange), .unit = "beats",
     .help = "Beats for one exchange of halos between ranks; 0: 1"},
    {ROW("margins", FLAG, margins),
     .help = "The array has room for the kernel's depth around it, which is written: with one rank "
             "cells are then computed in place"},
    {0}};

const halo_option *const halo_kernel_array_rows = option_rows;

typedef struct {
    const halo_kernel *kernel;
    const halo_array *in, *out; /* [fields] */
    int fields;
    halo_domain domain;
    halo_kernel_array_options options;
    halo_kernel_array_report report;
} kernel_job;

/* ---- cells ----------------------------------------------------------------------------------- */

/* The type of samples that a field's cells are; HALO_SAMPLE_TYPES if there is none. */
static halo_sample_type type_of_cells(int bits, halo_cell_kind kind)
{
    if (bits == HALO_BIT) {
        return HALO_SAMPLE_BIT;
    }
#define CELL_KIND_UNSIGNED HALO_UNSIGNED
#define CELL_KIND_SIGNED   HALO_SIGNED
#define CELL_KIND_REAL     HALO_FLOAT
#define TYPE_CASE(code, type, sample_kind, ...)                             \
    if (bits == 8 * (int)sizeof(type) && kind == CELL_KIND_##sample_kind) { \
        return HALO_SAMPLE_##code;                                          \
    }
    HALO_SAMPLE_VALUE_LIST(TYPE_CASE)
#undef TYPE_CASE
    return HALO_SAMPLE_TYPES;
}

/* True if strides are those of a field; that there is room for its halo, `margins` promises. */
static bool is_like_field(const halo_array *array)
{
    bool like = array_rows_are_contiguous(array);
    ptrdiff_t room = array_element(array);
    for (int axis = array->axes - 1; axis >= 0; axis--) {
        like = like && array->stride[axis] >= room;
        room = array->stride[axis] * array->n[axis];
    }
    return like;
}

static bool same_place(const halo_array *a, const halo_array *b)
{
    return a->data == b->data &&
           memcmp(a->stride, b->stride, (size_t)a->axes * sizeof *a->stride) == 0;
}

/* Can this rank compute on the caller's memory? */
static bool computes_in_place(const kernel_job *job, const halo_world *world)
{
    bool can = job->options.margins && halo_world_ranks(world) == 1;
    for (int i = 0; i < job->fields && can; i++) {
        const halo_array *out = &job->out[i];
        can = out->data != NULL && out->type != HALO_SAMPLE_BIT && is_like_field(out) &&
              (job->in == NULL || same_place(&job->in[i], out));
    }
    return can;
}

static halo_view memory_of(const halo_array *array)
{
    halo_view view = {.origin = array->data};
    for (int axis = 0; axis < array->axes; axis++) {
        view.stride[axis] = array->stride[axis];
    }
    view.stride[array->axes - 1] = array_element(array);
    return view;
}

static halo_status get_cells(array_call *call, const halo_world *world, const kernel_job *job,
                             const halo_beat *beat)
{
    halo_status status = HALO_OK;
    for (int i = 0; i < job->fields && status == HALO_OK; i++) {
        const halo_view *view = halo_beat_view(beat, i);
        const halo_array *from = &job->in[i];
        if (view->cell_bits == HALO_BIT) {
            status = array_nonzero(call, world, from, view);
        } else if (view->origin != from->data) {
            status = array_pass_parts(call, world, from, view, array_get_view);
        }
    }
    const halo_kernel *kernel = job->kernel;
    if (status == HALO_OK && kernel->adjust != NULL) {
        status = kernel->adjust(halo_beat_state(beat), halo_beat_view(beat, 0));
    }
    return status;
}

static halo_status put_cells(array_call *call, const halo_world *world, const kernel_job *job,
                             const halo_beat *beat)
{
    for (int i = 0; i < job->fields; i++) {
        const halo_view *view = halo_beat_view(beat, i);
        const halo_array *to = &job->out[i];
        if (to->data == NULL || view->origin == to->data || halo_box_cells(&view->owned) == 0) {
            continue;
        }
        HALO_TRY(array_pass_parts(call, world, to, view,
                                  view->cell_bits == HALO_BIT ? array_put_bits : array_put_view));
    }
    return HALO_OK;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status start_cells(array_call *call, halo_world *world, const kernel_job *job,
                               const halo_beat *beat)
{
    return job->in != NULL ? get_cells(call, world, job, beat)
                           : job->kernel->start(halo_beat_state(beat), halo_beat_view(beat, 0));
}

static halo_status run_beats(array_call *call, halo_world *world, kernel_job *job, halo_beat *beat)
{
    HALO_TRY(halo_agree(world, start_cells(call, world, job, beat)));
    array_call_phase(call, world, 1);
    HALO_TRY(halo_beat_run(beat, job->options.beats));
    HALO_TRY(halo_agree(world, put_cells(call, world, job, beat)));
    if (halo_world_rank(world) == 0) {
        halo_beat_report report = halo_beat_get_report(beat);
        job->report = (halo_kernel_array_report){
            .beats = report.beats, .converged = report.converged, .ranks = halo_world_ranks(world)};
    }
    return HALO_OK;
}

/* The layers that a strip has at least, of which neighbours take their halos. */
static int64_t thinnest(const kernel_job *job)
{
    return halo_max(1, (int64_t)job->kernel->depth * halo_max(job->options.beats_per_exchange, 1));
}

/* Is the halo deeper than what it is around? Then it takes most of the memory. */
static bool halo_is_large(const kernel_job *job, int64_t halo)
{
    enum { FEW = 64 };
    bool large = false;
    for (int axis = 0; axis < job->domain.axes; axis++) {
        large = large || (halo > FEW && 2 * halo > job->domain.n[axis]);
    }
    return large && halo <= INT_MAX; /* halo_beat_create refuses others */
}

/* Collective. Asks whether there is memory for large halos, before they are allocated: their pages
 * are touched only later, when the system kills the process. */
static halo_status ask_for_halos(halo_world *world, const kernel_job *job,
                                 const halo_partition *strips)
{
    const double most = 0x1p50; /* no host has so much, and sums over ranks stay exact */
    const halo_kernel *kernel = job->kernel;
    const halo_box own = halo_partition_box(strips, halo_world_rank(world));
    int64_t halo = thinnest(job), bits = 0;
    double bytes = kernel->in_place ? 1 : 2; /* copies of each field */
    char what[64];
    if (!halo_is_large(job, halo)) {
        return HALO_OK;
    }
    for (int i = 0; i < job->fields; i++) {
        bits += kernel->cell_bits[i];
    }
    bytes *= (double)bits / 8;
    for (int axis = 0; axis < job->domain.axes; axis++) {
        bool deep = axis == 0 || kernel->side_halo == NULL;
        bytes *= (double)(own.n[axis] + (deep ? 2 * halo : 0));
    }
    snprintf(what, sizeof what, "a halo of %" PRId64 " cells on each side", halo);
    const halo_memory_demand demand = {.more = (int64_t)fmin(bytes, most),
                                       .held = halo_memory_held(),
                                       .what = what,
                                       .remedy = "a smaller depth, fewer beats per exchange"};
    return halo_memory_ask(world, &demand);
}

static halo_status run_rank(halo_world *world, array_call *call, void *context)
{
    kernel_job *job = context;
    const halo_kernel_array_options *options = &job->options;
    halo_view memory[HALO_KERNEL_FIELDS];
    halo_partition strips;
    halo_beat *beat = NULL;
    array_beats watched = {call, world, 0, options->beats};
    halo_beat_options how = {.kernel_options = options->kernel_options,
                             .beats_per_exchange = options->beats_per_exchange,
                             .change_threshold = options->change_threshold,
                             .last_beat = options->beats,
                             .watch = array_beats_watch,
                             .context = &watched};
    array_call_count(call, world, options->beats);
    if (computes_in_place(job, world)) {
        for (int i = 0; i < job->fields; i++) {
            memory[i] = memory_of(&job->out[i]);
        }
        how.memory = memory;
    }
    HALO_TRY(
        halo_partition_thick_strips(&strips, &job->domain, halo_world_ranks(world), thinnest(job)));
    halo_status status = ask_for_halos(world, job, &strips);
    HALO_IF_OK(status, halo_beat_create(&beat, world, &job->domain, &strips, job->kernel, &how));
    HALO_IF_OK(status, run_beats(call, world, job, beat));
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    return status;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static halo_status check_array(const kernel_job *job, const halo_array *array, int field,
                               const char *name)
{
    const halo_kernel *kernel = job->kernel;
    halo_sample_type type = type_of_cells(kernel->cell_bits[field], kernel->cell_kind[field]);
    HALO_FAIL_IF(
        type == HALO_SAMPLE_TYPES, HALO_ARGUMENT,
        "field %d of kernel \"%s\" has cells of %d bits, which are no numbers of an array; "
        "run it by halo_beat_create",
        field, kernel->name, kernel->cell_bits[field]);
    HALO_FAIL_IF(array->type != type, HALO_ARGUMENT,
                 "%s has elements of %s, and kernel \"%s\" has cells of %s; convert them", name,
                 halo_sample_types[array->type].name, kernel->name,
                 type == HALO_SAMPLE_BIT ? "bool" : halo_sample_types[type].name);
    return HALO_OK;
}

static halo_status check_arrays(const kernel_job *job)
{
    const halo_kernel *kernel = job->kernel;
    int min = kernel->axes != 0 ? kernel->axes : 1,
        max = kernel->axes != 0 ? kernel->axes : HALO_AXES;
    const halo_array *first = NULL;
    for (int i = 0; i < 2 * job->fields; i++) {
        int field = i % job->fields;
        bool is_out = i >= job->fields;
        const halo_array *array = is_out            ? &job->out[field]
                                  : job->in != NULL ? &job->in[field]
                                                    : NULL;
        if (array == NULL || (is_out && array->data == NULL)) {
            continue;
        }
        char name[64];
        snprintf(name, sizeof name, "the array %s field %d", is_out ? "for" : "of", field);
        HALO_TRY(is_out ? array_check_out(array, name, min, max)
                        : array_check(array, name, min, max));
        HALO_TRY(check_array(job, array, field, name));
        if (first != NULL) {
            HALO_TRY(array_check_same(first, "the first array", array, name));
        }
        first = first == NULL ? array : first;
    }
    return HALO_REQUIRE(first != NULL, HALO_ARGUMENT, "there is no array for kernel \"%s\"",
                        kernel->name);
}

static halo_status check_kernel(const kernel_job *job)
{
    const halo_kernel *kernel = job->kernel;
    HALO_FAIL_IF(job->in == NULL && kernel->start == NULL, HALO_ARGUMENT,
                 "kernel \"%s\" has no initial cells of its own; give it arrays", kernel->name);
    HALO_FAIL_IF(job->options.beats < 0, HALO_ARGUMENT, "%" PRId64 " beats; use 0 or more",
                 job->options.beats);
    HALO_FAIL_IF(job->options.beats == 0 && !kernel->converges, HALO_ARGUMENT,
                 "kernel \"%s\" does not converge by itself; give it a number of beats",
                 kernel->name);
    return HALO_OK;
}

/* The shape is that of any array. */
static const halo_array *any_array(const kernel_job *job)
{
    for (int i = 0; i < job->fields; i++) {
        if (job->out[i].data != NULL) {
            return &job->out[i];
        }
    }
    return job->in;
}

static int count_fields(const halo_kernel *kernel)
{
    int fields = 0;
    while (fields < HALO_KERNEL_FIELDS && kernel->cell_bits[fields] != 0) {
        fields++;
    }
    return fields;
}

static halo_status run(halo_context *context, const halo_kernel *kernel, kernel_job *job)
{
    /* Seconds of a core for a cell and a beat, and beats where they are not known. */
    const double cost = .5e-9, beats = 100;
    halo_kernel_array_options *options = &job->options;
    if (options->beats > 0) { /* halos for more beats would not be used */
        options->beats_per_exchange = (int)halo_min(options->beats_per_exchange, options->beats);
    }
    job->kernel = halo_kernel_suited(kernel, options->kernel_options);
    job->fields = count_fields(job->kernel);
    HALO_TRY(check_kernel(job));
    HALO_TRY(check_arrays(job));
    job->domain = array_domain(any_array(job));
    HALO_TRY(array_check_periodic(any_array(job), options->periodic));
    memcpy(job->domain.periodic, options->periodic, sizeof job->domain.periodic);
    int64_t cells = job->domain.n[0] * job->domain.n[1] * job->domain.n[2];
    HALO_FAIL_IF(cells == 0, HALO_ARGUMENT, "there are no cells to compute");
    bool alone =
        (job->kernel->flags & HALO_KERNEL_NOT_THREAD_SAFE) != 0 && array_ranks(context) == 0;
    int64_t most = alone ? 1 : job->domain.n[0] / thinnest(job);
    double work = cost * (double)cells * (options->beats > 0 ? (double)options->beats : beats);
    return array_call_run(context, work, halo_max(most, 1), run_rank, job);
}

halo_status halo_kernel_array_sized(halo_context *context, const halo_kernel *kernel,
                                    const halo_array *in, const halo_array *out,
                                    const halo_kernel_array_options *given,
                                    halo_kernel_array_report *report, size_t given_bytes,
                                    size_t report_bytes)
{
    kernel_job job = {.in = in, .out = out};
    halo_status status = halo_options_take(&job.options, sizeof job.options, given, given_bytes,
                                           "halo_kernel_array_options");
    HALO_IF_OK(status, run(context, kernel, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
