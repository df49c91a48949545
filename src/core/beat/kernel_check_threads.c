#include "core/beat/kernel_check_internal.h"

#include "base/memory.h"
#include "core/world/simulated_compute.h"
#include "core/world/thread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The check of a kernel on threads: parts of the grid are computed one after the other, and then
 * again and again at the same time. What depends on variables that threads share becomes another
 * number when a thread is interrupted in its step, or when two are in it. So nearly all of the time
 * must be spent there: a step is repeated many times, and its cells are compared as bytes. On a
 * machine with much to do a thread may do all of its rounds before another gets a core: they go on
 * until each has often seen that others went on during one of its rounds. */

enum {
    THREADS = 3,
    ROUNDS = 50,
    REPEATS = 1000,
    ROUNDS_OF_ONE = 500,
    MEETINGS = 10,  /* rounds of each thread during which others go on */
    MAX_FACTOR = 40 /* a thread does at most this many times its rounds, to meet others */
};

/* Cells side by side. */
typedef struct {
    int64_t first[HALO_AXES]; /* local indices of the first one */
    int field;
    unsigned char *at;
    size_t bytes, offset; /* all of them; before it in all spans together */
} cell_span;

/* Counters that all threads share. */
typedef struct {
    atomic_int ready;       /* threads that have begun */
    atomic_int satisfied;   /* those that have met others often enough */
    atomic_bool over;       /* one has found a difference, or failed */
    _Atomic int64_t rounds; /* of all threads together */
} threads_meeting;

typedef struct {
    const check_grid *grid;
    check_part like; /* box, depth and cuts of the part */
    int64_t span_count;
    unsigned char *before[CHECK_BEATS]; /* cells of a kernel in place; else NULL */
    unsigned char *after[CHECK_BEATS];
    int repeats, rounds; /* calls for each beat, and times all beats */
    halo_thread thread;
    threads_meeting *meeting;
    int threads;
    halo_status status;
    char message[HALO_MESSAGE_SIZE];
} threaded_part;

/* A part as it is computed. */
typedef struct {
    check_part part;
    cell_span *spans; /* of the cells that are written */
} computed_part;

/* ---- cells as bytes -------------------------------------------------------------------------- */

static int64_t count_spans(const check_grid *grid, const halo_box *box)
{
    int64_t count = grid->fields;
    for (int a = 0; a < grid->domain.axes - 1; a++) {
        count *= box->n[a];
    }
    return count;
}

static size_t span_bytes(const check_grid *grid, int f, int64_t cells)
{
    enum { BYTE = 8 };
    return grid->kernel->cell_bits[f] == HALO_BIT ? (size_t)(cells + BYTE - 1) / BYTE
                                                  : (size_t)cells * grid->bytes[f];
}

static void list_spans(const check_grid *grid, const check_part *part, cell_span *spans)
{
    int last = grid->domain.axes - 1;
    halo_box rows = {.n = {part->box.n[0], part->box.n[1], part->box.n[2]}};
    int64_t cells = rows.n[last], at[HALO_AXES], number = 0;
    size_t offset = 0;
    rows.n[last] = 1;
    for (bool first = true; check_next(&rows, at, &first);) {
        for (int f = 0; f < grid->fields; f++) {
            const halo_view *view = &part->views[part->copies - 1][f];
            cell_span *span = &spans[number++];
            *span = (cell_span){.field = f, .offset = offset, .bytes = span_bytes(grid, f, cells)};
            memcpy(span->first, at, sizeof span->first);
            span->at = (unsigned char *)view->origin;
            for (int a = 0; a < last; a++) {
                span->at += at[a] * view->stride[a];
            }
            offset += span->bytes;
        }
    }
}

static void take_cells(const threaded_part *of, const computed_part *c, unsigned char *into)
{
    for (int64_t i = 0; i < of->span_count; i++) {
        memcpy(into + c->spans[i].offset, c->spans[i].at, c->spans[i].bytes);
    }
}

static void put_cells(const threaded_part *of, const computed_part *c, const unsigned char *from)
{
    for (int64_t i = 0; i < of->span_count; i++) {
        memcpy(c->spans[i].at, from + c->spans[i].offset, c->spans[i].bytes);
    }
}

/* The first span that is not as it was when the part was computed alone; -1 if all are. */
static int64_t find_difference(const threaded_part *of, const computed_part *c, int beat)
{
    for (int64_t i = 0; i < of->span_count; i++) {
        const cell_span *span = &c->spans[i];
        if (memcmp(span->at, of->after[beat] + span->offset, span->bytes) != 0) {
            return i;
        }
    }
    return -1;
}

/* ---- one part -------------------------------------------------------------------------------- */

static halo_status add_sums(const check_grid *grid, const check_part *part)
{
    int64_t sums[CHECK_MAX_SUMS] = {0};
    if (grid->kernel->beat == NULL) {
        return HALO_OK;
    }
    HALO_TRY(grid->kernel->beat(part->state, sums, false));
    return grid->kernel->beat(part->state, sums, true);
}

static halo_status complain(const threaded_part *of, const cell_span *span, int beat)
{
    enum { BYTE = 8 };
    const check_grid *grid = of->grid;
    int64_t at[HALO_AXES], byte = 0;
    int last = grid->domain.axes - 1;
    char place[CHECK_PLACE];
    while (byte + 1 < (int64_t)span->bytes &&
           span->at[byte] == of->after[beat][span->offset + (size_t)byte]) {
        byte++;
    }
    for (int a = 0; a < HALO_AXES; a++) {
        at[a] = of->like.box.lo[a] + span->first[a];
    }
    at[last] += grid->kernel->cell_bits[span->field] == HALO_BIT
                    ? byte * BYTE
                    : byte / (int64_t)grid->bytes[span->field];
    check_print_place(grid, at, place);
    return halo_fail(HALO_ARGUMENT,
                     "kernel \"%s\" computes the cell at %s differently, at beat %d, while other "
                     "threads compute other cells: it has variables that threads share, such as "
                     "static ones; keep them in its state or declare them _Thread_local, or set "
                     ".flags = HALO_KERNEL_NOT_THREAD_SAFE",
                     grid->kernel->name, place, beat + 1);
}

/* One beat, which is compared with what was recorded, or recorded: *same then becomes false if
 * repeated calls compute something else. */
static halo_status do_beat(threaded_part *of, computed_part *c, int beat, bool compares, bool *same)
{
    check_part *part = &c->part;
    halo_box todo = {.n = {part->box.n[0], part->box.n[1], part->box.n[2]}};
    int64_t changed = 0;
    check_part_fill(part, of->grid, beat, 1, false);
    if (!compares && of->before[beat] != NULL) {
        take_cells(of, c, of->before[beat]);
    }
    for (int k = 0; k < of->repeats; k++) {
        if (k > 0 && of->before[beat] != NULL) {
            put_cells(of, c, of->before[beat]);
        }
        HALO_TRY(check_part_step(part, beat, of->grid, &todo, false, &changed));
        if (!compares && k == 0) {
            take_cells(of, c, of->after[beat]);
        }
        int64_t different = find_difference(of, c, beat);
        HALO_TRY(compares && different >= 0 ? complain(of, &c->spans[different], beat) : HALO_OK);
        *same = *same && different < 0;
    }
    return add_sums(of->grid, part);
}

static halo_status do_part(threaded_part *of, bool compares, bool *same)
{
    computed_part c = {.part = of->like};
    *same = true;
    halo_status status = HALO_ALLOCATE(c.spans, of->span_count, "rows of a part");
    if (status == HALO_OK) {
        status = check_part_create(&c.part, of->grid);
        for (int beat = 0; beat < CHECK_BEATS && status == HALO_OK; beat++) {
            list_spans(of->grid, &c.part, c.spans);
            status = do_beat(of, &c, beat, compares, same);
        }
        check_part_free(&c.part, of->grid);
    }
    free(c.spans);
    return status;
}

static size_t count_bytes(const threaded_part *of)
{
    const check_grid *grid = of->grid;
    int64_t cells = of->like.box.n[grid->domain.axes - 1];
    size_t bytes = 0;
    for (int f = 0; f < grid->fields; f++) {
        bytes += (size_t)(of->span_count / grid->fields) * span_bytes(grid, f, cells);
    }
    return bytes;
}

/* A kernel that computes something else each time it is called for a beat, as one that adds to its
 * state, is called once for each; so is one that may overwrite its halo. */
static halo_status prepare(threaded_part *of)
{
    const halo_kernel *kernel = of->grid->kernel;
    bool same;
    of->span_count = count_spans(of->grid, &of->like.box);
    int64_t bytes = (int64_t)count_bytes(of);
    for (int beat = 0; beat < CHECK_BEATS; beat++) {
        HALO_TRY(HALO_ALLOCATE(of->after[beat], bytes, "cells of a part"));
        HALO_TRY(kernel->in_place ? HALO_ALLOCATE(of->before[beat], bytes, "cells of a part")
                                  : HALO_OK);
    }
    of->repeats = kernel->advance == NULL ? REPEATS : 1;
    HALO_TRY(do_part(of, false, &same));
    if (!same) {
        of->repeats = 1;
        HALO_TRY(do_part(of, false, &same));
    }
    of->rounds = of->repeats > 1 ? ROUNDS : ROUNDS_OF_ONE;
    return HALO_OK;
}

/* ---- all of them at once --------------------------------------------------------------------- */

/* Does a thread that has done `rounds` rounds do another one? */
static bool goes_on(const threaded_part *of, int rounds)
{
    return !atomic_load(&of->meeting->over) &&
           (rounds < of->rounds || (atomic_load(&of->meeting->satisfied) < of->threads &&
                                    rounds < of->rounds * MAX_FACTOR));
}

static void *compute(void *context)
{
    threaded_part *of = context;
    threads_meeting *meeting = of->meeting;
    int64_t seen = 0; /* rounds of others */
    int met = 0;
    bool same;
    atomic_fetch_add(&meeting->ready, 1);
    while (atomic_load(&meeting->ready) < of->threads && !atomic_load(&meeting->over)) {
    }
    for (int rounds = 0; goes_on(of, rounds);) {
        of->status = do_part(of, true, &same);
        if (of->status != HALO_OK) {
            snprintf(of->message, sizeof of->message, "%s", halo_last_message());
            atomic_store(&meeting->over, true);
        }
        int64_t others = atomic_fetch_add(&meeting->rounds, 1) - rounds++;
        met += others != seen;
        seen = others;
        if (met == MEETINGS) {
            atomic_fetch_add(&meeting->satisfied, 1);
            met++;
        }
    }
    return NULL;
}

/* Returns how many threads there were; 0: the system allows no more. */
static int compute_at_once(threaded_part *parts, int count)
{
    threads_meeting meeting = {0};
    int made = 0;
    for (bool more = true; more && made < count; made += more) {
        parts[made].meeting = &meeting;
        parts[made].threads = count;
        more = halo_thread_begin(&parts[made].thread, 0, compute, &parts[made]);
    }
    if (made < count) {
        atomic_store(&meeting.over, true);
    }
    for (int i = 0; i < made; i++) {
        halo_thread_join(&parts[i].thread);
    }
    return made < count ? 0 : made;
}

static halo_status check_parts(threaded_part *parts, int count, halo_kernel_check_report *report)
{
    for (int i = 0; i < count; i++) {
        HALO_TRY(prepare(&parts[i]));
    }
    report->threads = compute_at_once(parts, count);
    for (int i = 0; i < count; i++) {
        if (parts[i].status == HALO_ARGUMENT) {
            snprintf(report->unsafe, sizeof report->unsafe, "%s", parts[i].message);
            return HALO_OK;
        }
        HALO_TRY(parts[i].status != HALO_OK ? halo_fail(parts[i].status, "%s", parts[i].message)
                                            : HALO_OK);
    }
    return HALO_OK;
}

halo_status check_threads(const check_grid *grid, halo_kernel_check_report *report)
{
    threaded_part *parts;
    int count = check_parts_of(grid, 0, grid->kernel->depth, THREADS);
    if (HALO_SIMULATED || count < 2 || report->threads > 0 ||
        (grid->kernel->flags & HALO_KERNEL_NOT_THREAD_SAFE) != 0) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE(parts, count, "parts of a grid"));
    for (int i = 0; i < count; i++) {
        int64_t n = grid->domain.n[0];
        parts[i].grid = grid;
        parts[i].like = (check_part){.box = {.n = {n, grid->domain.n[1], grid->domain.n[2]}},
                                     .cut = {true},
                                     .depth = grid->kernel->depth,
                                     .corners = grid->kernel->corners};
        parts[i].like.box.lo[0] = n * i / count;
        parts[i].like.box.n[0] = n * (i + 1) / count - n * i / count;
    }
    halo_status status = check_parts(parts, count, report);
    for (int i = 0; i < count; i++) {
        for (int beat = 0; beat < CHECK_BEATS; beat++) {
            free(parts[i].before[beat]);
            free(parts[i].after[beat]);
        }
    }
    free(parts);
    return status;
}
