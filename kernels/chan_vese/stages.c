#include "kernels/chan_vese/stages.h"

#include "base/memory.h"
#include "base/minmax.h"

/* Rows that a stage keeps: those of a chunk and one on each side; a power of two for their places.
 */
enum { KEPT = CHAN_VESE_ROWS + 2, BITS_A_BYTE = 8 };
_Static_assert((KEPT & (KEPT - 1)) == 0, "a power of two");

static void fill_shape(chan_vese_stages *stages, uint64_t *ends, uint64_t *all)
{
    chan_vese_shape *shape = &stages->shape;
    int64_t last = shape->width - 1;
    for (int64_t x = 0; x < shape->width; x += CHAN_VESE_WORD) {
        int64_t left = shape->width - x;
        all[x / CHAN_VESE_WORD] = left >= CHAN_VESE_WORD ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
    }
    ends[0] = 1;
    ends[last / CHAN_VESE_WORD] ^= UINT64_C(1) << last % CHAN_VESE_WORD;
    shape->ends = ends;
    shape->all = all;
}

halo_status chan_vese_stages_create(chan_vese_stages *stages, int64_t width, int smoothing)
{
    enum { OTHERS = 3 };
    int64_t words = chan_vese_words(width);
    *stages = (chan_vese_stages){.shape = {.width = width, .words = words},
                                 .passes = 2 * smoothing,
                                 .pitch = words + CHAN_VESE_WORDS};
    bool narrow = width <= CHAN_VESE_WORD;
    size_t kept = (size_t)(stages->passes + 1) * KEPT + OTHERS;
    size_t rows = kept + (narrow ? CHAN_VESE_ROWS + 2 : 0);
    HALO_TRY(HALO_ALLOCATE_LARGE(stages->memory, rows * (size_t)stages->pitch + CHAN_VESE_WORDS,
                                 "rows between two beats"));
    uint64_t *others = stages->memory + CHAN_VESE_WORDS;
    fill_shape(stages, others, others + stages->pitch);
    stages->nothing = others + 2 * stages->pitch;
    stages->wide = narrow ? others + kept * (size_t)stages->pitch : NULL;
    return HALO_OK;
}

void chan_vese_stages_free(chan_vese_stages *stages)
{
    halo_memory_free(stages->memory);
    stages->memory = NULL;
}

/* A row that a stage has made, or makes. Between two rows is a gap of 0, as outside the picture. */
static uint64_t *row_of(const chan_vese_stages *stages, int stage, int64_t y)
{
    int64_t place = (int64_t)stage * KEPT + (y & (KEPT - 1));
    return stages->nothing + (1 + place) * stages->pitch;
}

/* A narrow picture's rows have one word, and lie one after another. */
uint64_t *chan_vese_stages_row(const chan_vese_stages *stages, const halo_view *cells, int64_t y,
                               int64_t place)
{
    uint64_t *row = halo_row(cells, y);
    if (stages->wide == NULL) {
        return row;
    }
    uint64_t *wide = stages->wide + place * stages->pitch;
    wide[0] = row[0];
    return wide;
}

/* Writes back changes to what chan_vese_stages_row has returned. */
static void put_row(const chan_vese_stages *stages, const halo_view *cells, int64_t y,
                    const uint64_t *row)
{
    if (stages->wide != NULL) {
        *(uint64_t *)halo_row(cells, y) = row[0];
    }
}

static bool is_outside(const chan_vese_beat *beat, int64_t y)
{
    int64_t global = beat->cells->owned.lo[0] + y;
    return global < 0 || global >= beat->domain_rows;
}

/* Rows that a stage makes in one go: those of y to y + CHAN_VESE_ROWS - 1 that are needed and lie
 * in the picture. */
typedef struct {
    int64_t lo, hi;
} stretch;

static stretch clip(const chan_vese_beat *beat, int64_t y, int64_t lo, int64_t hi)
{
    int64_t first = beat->cells->owned.lo[0];
    lo = halo_max(halo_max(y, lo), -first);
    hi = halo_min(halo_min(y + CHAN_VESE_ROWS, hi), beat->domain_rows - first);
    return (stretch){lo, hi};
}

/* At the picture's edges a row is its own neighbour. */
static void push(const chan_vese_stages *stages, const chan_vese_beat *beat, stretch at)
{
    chan_vese_chunk chunk = {.count = at.hi - at.lo};
    for (int64_t i = 0; i < chunk.count + 2; i++) {
        int64_t y = at.lo + i - 1;
        bool beyond = is_outside(beat, y);
        chunk.in[i] = chan_vese_stages_row(stages, beat->cells,
                                           !beyond  ? y
                                           : i == 0 ? y + 1
                                                    : y - 1,
                                           i);
    }
    for (int64_t i = 0; i < chunk.count; i++) {
        chunk.out[i] = row_of(stages, 0, at.lo + i);
    }
    chan_vese_drawn_rows(beat->drawn, beat->greys, at.lo, &chunk);
    beat->ops->push(&stages->shape, &chunk);
}

static void smooth(const chan_vese_stages *stages, const chan_vese_beat *beat, int pass, stretch at)
{
    chan_vese_chunk chunk = {.count = at.hi - at.lo};
    for (int64_t i = 0; i < chunk.count + 2; i++) {
        int64_t y = at.lo + i - 1;
        chunk.in[i] = is_outside(beat, y) ? stages->nothing : row_of(stages, pass - 1, y);
    }
    for (int64_t i = 0; i < chunk.count; i++) {
        chunk.out[i] = row_of(stages, pass, at.lo + i);
    }
    /* IS SI, SI IS, IS SI, ... or the other way round. */
    bool second = (pass / 2) % 2 != 0;
    bool is_sup_inf = beat->first_is_sup_inf != second;
    if (is_sup_inf) {
        beat->ops->sup_inf(&stages->shape, &chunk);
    } else {
        beat->ops->inf_sup(&stages->shape, &chunk);
    }
}

static void commit(const chan_vese_stages *stages, const chan_vese_beat *beat, stretch at,
                   chan_vese_change *change)
{
    int samples = beat->greys->cell_bits / BITS_A_BYTE - 1;
    chan_vese_return rows = {.count = at.hi - at.lo, .place = beat->cells->owned.lo[0] + at.lo};
    for (int64_t i = 0; i < rows.count; i++) {
        rows.fresh[i] = row_of(stages, stages->passes, at.lo + i);
        rows.greys[i] = halo_row(beat->greys, at.lo + i);
        rows.cells[i] = chan_vese_stages_row(stages, beat->cells, at.lo + i, i);
    }
    beat->ops->commit[samples](&stages->shape, &rows, change);
    for (int64_t i = 0; i < rows.count; i++) {
        put_row(stages, beat->cells, at.lo + i, rows.cells[i]);
    }
}

void chan_vese_stages_run(chan_vese_stages *stages, const chan_vese_beat *beat, int64_t lo,
                          int64_t hi, chan_vese_change *change)
{
    int passes = stages->passes, lag = passes > 0 ? passes : 1; /* the force reads the row above */
    int64_t marked = lo, mark = halo_row_cost_piece_end(beat->row_cost, lo, hi);
    for (int64_t y = lo - passes; y < hi + lag; y += CHAN_VESE_ROWS) {
        stretch at = clip(beat, y, lo - passes, hi + passes);
        if (at.lo < at.hi) {
            push(stages, beat, at);
        }
        for (int pass = 1; pass <= passes; pass++) {
            int64_t margin = passes - pass;
            at = clip(beat, y - pass, lo - margin, hi + margin);
            if (at.lo < at.hi) {
                smooth(stages, beat, pass, at);
            }
        }
        at = clip(beat, y - lag, lo, hi);
        commit(stages, beat, at, change);
        if (at.hi >= mark && at.hi < hi) {
            halo_row_cost_mark(beat->row_cost, marked, at.hi);
            marked = at.hi;
            mark = halo_row_cost_piece_end(beat->row_cost, marked, hi);
        }
    }
}
