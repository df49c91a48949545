#include "kernels/chan_vese/stages.h"

#include "core/memory.h"

/* Rows that a stage keeps: three are read while the next is made; a power of two for its place. */
enum { KEPT = 4, BITS_A_BYTE = 8 };

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
    enum { BLOCK = CHAN_VESE_WORD * CHAN_VESE_WORDS, OTHERS = 3 };
    int64_t words = (width + BLOCK - 1) / BLOCK * CHAN_VESE_WORDS;
    *stages = (chan_vese_stages){.shape = {.width = width, .words = words},
                                 .passes = 2 * smoothing,
                                 .pitch = words + CHAN_VESE_WORDS};
    size_t rows = (size_t)(stages->passes + 1) * KEPT + OTHERS;
    void *memory;
    HALO_TRY(halo_memory_create(&memory,
                                (rows * (size_t)stages->pitch + CHAN_VESE_WORDS) * sizeof(uint64_t),
                                "rows between two beats"));
    stages->memory = memory;
    uint64_t *others = stages->memory + CHAN_VESE_WORDS;
    fill_shape(stages, others, others + stages->pitch);
    stages->nothing = others + 2 * stages->pitch;
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

static bool is_outside(const chan_vese_beat *beat, int64_t y)
{
    int64_t global = beat->cells->owned.lo[0] + y;
    return global < 0 || global >= beat->domain_rows;
}

/* At the picture's edges a row is its own neighbour. */
static void push(const chan_vese_stages *stages, const chan_vese_beat *beat, int64_t y)
{
    int64_t above = is_outside(beat, y - 1) ? y : y - 1;
    int64_t below = is_outside(beat, y + 1) ? y : y + 1;
    const uint64_t *const rows[3] = {halo_row(beat->cells, above), halo_row(beat->cells, y),
                                     halo_row(beat->cells, below)};
    int samples = beat->greys->cell_bits / BITS_A_BYTE - 1;
    beat->rows->push[samples](&stages->shape, beat->force, rows, halo_row(beat->greys, y),
                              row_of(stages, 0, y));
}

static void smooth(const chan_vese_stages *stages, const chan_vese_beat *beat, int pass, int64_t y)
{
    const uint64_t *rows[3];
    for (int i = 0; i < 3; i++) {
        int64_t of = y + i - 1;
        rows[i] = is_outside(beat, of) ? stages->nothing : row_of(stages, pass - 1, of);
    }
    /* IS SI, SI IS, IS SI, ... or the other way round. */
    bool second = (pass / 2) % 2 != 0;
    bool is_sup_inf = beat->first_is_sup_inf != second;
    uint64_t *out = row_of(stages, pass, y);
    if (is_sup_inf) {
        beat->rows->sup_inf(&stages->shape, rows, out);
    } else {
        beat->rows->inf_sup(&stages->shape, rows, out);
    }
}

static void commit(const chan_vese_stages *stages, const chan_vese_beat *beat, int64_t y,
                   chan_vese_change *change)
{
    int samples = beat->greys->cell_bits / BITS_A_BYTE - 1;
    beat->rows->commit[samples](&stages->shape, row_of(stages, stages->passes, y),
                                halo_row(beat->greys, y), halo_row(beat->cells, y), change);
}

void chan_vese_stages_run(chan_vese_stages *stages, const chan_vese_beat *beat, int64_t lo,
                          int64_t hi, chan_vese_change *change)
{
    int passes = stages->passes, lag = passes > 0 ? passes : 1; /* the force reads the row above */
    int64_t marked = lo, mark = halo_meter_piece_end(beat->meter, lo, hi);
    for (int64_t y = lo - passes; y < hi + lag; y++) {
        if (y < hi + passes && !is_outside(beat, y)) {
            push(stages, beat, y);
        }
        for (int pass = 1; pass <= passes; pass++) {
            int64_t of = y - pass, margin = passes - pass;
            if (of >= lo - margin && of < hi + margin && !is_outside(beat, of)) {
                smooth(stages, beat, pass, of);
            }
        }
        if (y - lag >= lo) {
            commit(stages, beat, y - lag, change);
        }
        if (y - lag + 1 == mark && mark < hi) {
            halo_meter_mark(beat->meter, marked, mark);
            marked = mark;
            mark = halo_meter_piece_end(beat->meter, marked, hi);
        }
    }
}
