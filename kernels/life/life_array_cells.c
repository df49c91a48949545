#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/life/life_array_internal.h"
#include "kernels/life/life_rows.h"

#include <inttypes.h>
#include <string.h>

/* Cells from arrays and to them, some rows at a time: bits change their place within words. */

enum { WORD = 64, BYTE = 8, LEAST_ROWS = 64 /* a square of bits, for arrays in Fortran's order */ };

static size_t pitch_of(int64_t width, int bits)
{
    return (size_t)((width + WORD - 1) / WORD) * (size_t)bits * (WORD / BYTE);
}

halo_status life_kept_create(life_kept *kept, const halo_life_box *box, int states)
{
    const int64_t *n = box->n;
    kept->box = *box;
    kept->bits = states > 2 ? BYTE : 1;
    kept->pitch = pitch_of(n[HALO_LIFE_COLUMNS], kept->bits);
    kept->rows = NULL;
    size_t bytes;
    HALO_FAIL_IF(__builtin_mul_overflow(kept->pitch, (size_t)n[HALO_LIFE_ROWS], &bytes),
                 HALO_MEMORY,
                 "a grid of %" PRId64 " x %" PRId64 " cells is more than addresses can count",
                 n[HALO_LIFE_COLUMNS], n[HALO_LIFE_ROWS]);
    void *rows;
    HALO_TRY(halo_memory_create(&rows, bytes, "the cells of a grid"));
    kept->rows = rows;
    return HALO_OK;
}

halo_status life_array_share(const halo_world *world, int64_t rows, int64_t *first, int64_t *end)
{
    int rank = halo_world_rank(world);
    halo_domain domain = {.axes = 1, .n = {rows, 1, 1}};
    halo_partition strips;
    HALO_TRY(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    *first = strips.cuts[0][rank];
    *end = strips.cuts[0][rank + 1];
    halo_partition_free(&strips);
    return HALO_OK;
}

/* A rank's rows of an array, some at a time. */
typedef struct {
    const life_kept *kept;
    array_call *call;
    const halo_world *world;
    halo_array array;
    int64_t place[HALO_LIFE_AXES]; /* of the array's first cell, from that of the box */
    halo_view rows;                /* the present ones */
    void *buffer, *part;           /* memory of those; a row that is cut off */
    int64_t most;                  /* rows at a time */
    /* States of a type other than bytes: */
    int states; /* of the rule */
    array_reader reader;
    double *reals; /* a row */
} passage;

typedef halo_status pass_rows(passage *p);

static halo_status begin(passage *p)
{
    const size_t wanted = 1 << 20; /* bytes, which stay in the cache */
    size_t pitch = pitch_of(p->array.n[1], p->kept->bits);
    p->most = halo_max(LEAST_ROWS, (int64_t)(wanted / pitch));
    p->most = halo_min(p->most, p->array.n[0]);
    p->rows = (halo_view){.axes = 2, .cell_bits = p->kept->bits, .stride = {(ptrdiff_t)pitch}};
    p->rows.stride[1] = p->kept->bits / BYTE;
    p->rows.owned.n[1] = p->array.n[1];
    p->rows.owned.n[2] = 1;
    HALO_TRY(halo_memory_create(&p->buffer, pitch * (size_t)p->most, "rows of cells"));
    p->rows.origin = p->buffer;
    return halo_memory_create(&p->part, pitch, "a row of cells");
}

static halo_status pass_all(passage *p, pass_rows *pass)
{
    int64_t first, end;
    HALO_TRY(life_array_share(p->world, p->array.n[0], &first, &end));
    halo_status status = HALO_OK;
    for (int64_t y = first; y < end && status == HALO_OK; y += p->most) {
        p->rows.owned.lo[0] = y;
        p->rows.owned.n[0] = halo_min(p->most, end - y);
        array_call_phase(p->call, p->world,
                         (double)(y + p->rows.owned.n[0] - first) / (double)(end - first));
        status = pass(p);
        if (status == HALO_OK && array_call_watch(p->call, p->world, y - first, end - first)) {
            status = array_call_stop();
        }
    }
    return status;
}

static halo_status run(passage *p, const int64_t place[HALO_LIFE_AXES], pass_rows *pass)
{
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        p->place[axis] = place[axis] - p->kept->box.lo[axis];
    }
    halo_status status = array_cells(&p->array) > 0 ? begin(p) : HALO_OK;
    HALO_IF_OK(status, pass_all(p, pass));
    halo_memory_free(p->buffer);
    halo_memory_free(p->part);
    return status;
}

/* ---- from an array --------------------------------------------------------------------------- */

/* A byte that is true may have any value but 0. */
static void make_ones(const halo_view *rows)
{
    for (int64_t y = 0; y < rows->owned.n[0]; y++) {
        uint8_t *row = halo_row(rows, y);
        for (int64_t x = 0; x < rows->owned.n[1]; x++) {
            row[x] = row[x] != 0;
        }
    }
}

static bool is_byte(const halo_array *array)
{
    return array->type == HALO_SAMPLE_U8 || array->type == HALO_SAMPLE_I8 ||
           array->type == HALO_SAMPLE_BIT;
}

/* Elements of other types become bytes, if they are states. */
static halo_status convert_rows(passage *p)
{
    int64_t width = p->array.n[1];
    for (int64_t y = 0; y < p->rows.owned.n[0]; y++) {
        int64_t at = p->rows.owned.lo[0] + y;
        uint8_t *states = halo_row(&p->rows, y);
        halo_sample_to_doubles(p->array.type, array_reader_row(&p->reader, 0, at), 0, width,
                               p->reals);
        for (int64_t x = 0; x < width; x++) {
            double value = p->reals[x];
            states[x] = value >= 0 && value < p->states ? (uint8_t)value : 0;
            HALO_FAIL_IF(!(value >= states[x] && value <= states[x]), HALO_ARGUMENT,
                         "the cell at column %" PRId64 ", row %" PRId64 " of the array has state "
                         "%.15g, but the rule's states are 0 to %d; use a rule with more",
                         x, at, value, p->states - 1);
        }
    }
    return HALO_OK;
}

static halo_status take_rows(passage *p)
{
    const halo_view *rows = &p->rows;
    int bits = p->kept->bits;
    if (bits == 1) {
        HALO_TRY(array_nonzero(p->call, p->world, &p->array, rows));
    } else if (p->reals != NULL) {
        HALO_TRY(convert_rows(p));
    } else {
        array_get_box(&p->array, &rows->owned, rows);
        if (p->array.type == HALO_SAMPLE_BIT) {
            make_ones(rows);
        }
    }
    for (int64_t y = 0; y < rows->owned.n[0]; y++) {
        halo_life_row_place(halo_row(rows, y), bits, rows->owned.n[1],
                            life_kept_row(p->kept, p->place[0] + rows->owned.lo[0] + y), bits,
                            p->place[1]);
    }
    return HALO_OK;
}

halo_status life_kept_take(life_kept *kept, array_call *call, const halo_world *world,
                           const halo_array *array, int states, const int64_t place[HALO_LIFE_AXES])
{
    passage p = {.kept = kept, .call = call, .world = world, .array = *array, .states = states};
    halo_status status = HALO_OK;
    if (kept->bits > 1 && !is_byte(array)) {
        const halo_array solid = array_with_axes(array, HALO_AXES);
        status = array_reader_create(&p.reader, &solid);
        HALO_IF_OK(status, HALO_ALLOCATE_LARGE(p.reals, array->n[1], "a row of states"));
    }
    HALO_IF_OK(status, run(&p, place, take_rows));
    array_reader_free(&p.reader);
    halo_memory_free(p.reals);
    return status;
}

/* ---- to an array ----------------------------------------------------------------------------- */

/* Cells of the array inside the box: first to end - 1, of row `y` of the array. */
static bool find_part(const passage *p, int64_t y, int64_t *first, int64_t *end)
{
    const int64_t *n = p->kept->box.n;
    int64_t row = p->place[0] + y;
    *first = halo_max(0, -p->place[1]);
    *end = halo_min(p->array.n[1], n[HALO_LIFE_COLUMNS] - p->place[1]);
    return row >= 0 && row < n[HALO_LIFE_ROWS] && *first < *end;
}

static halo_status give_rows(passage *p)
{
    const halo_view *rows = &p->rows;
    const life_kept *kept = p->kept;
    for (int64_t y = 0; y < rows->owned.n[0]; y++) {
        int64_t first, end, from = rows->owned.lo[0] + y;
        void *row = halo_row(rows, y);
        memset(row, 0, (size_t)rows->stride[0]);
        if (find_part(p, from, &first, &end)) {
            void *part = first == 0 ? row : p->part;
            halo_life_row_crop(life_kept_row(kept, p->place[0] + from), kept->bits,
                               kept->box.n[HALO_LIFE_COLUMNS], p->place[1] + first, end - first,
                               part);
            if (first > 0) {
                halo_life_row_place(part, kept->bits, end - first, row, kept->bits, first);
            }
        }
    }
    if (kept->bits == 1) {
        array_put_bits(&p->array, rows);
    } else {
        array_put_box(&p->array, &rows->owned, rows);
    }
    return HALO_OK;
}

halo_status life_kept_give(const life_kept *kept, array_call *call, const halo_world *world,
                           const halo_array *array, const int64_t place[HALO_LIFE_AXES])
{
    passage p = {.kept = kept, .call = call, .world = world, .array = *array};
    return run(&p, place, give_rows);
}
