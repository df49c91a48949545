#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/distance/distance_internal.h"

#include <string.h>

/* Squares of 16 bits: each pixel looks at its neighbours along the axis, as far as its square so
 * far. */

/* Steps for 64 pixels, in the mean, from which on whole lines are faster. */
enum { LIMIT = 64 };

static bool may_try(distance_trials *trials)
{
    bool may = trials->left == 0;
    trials->left -= !may;
    return may;
}

static void note(distance_trials *trials, bool done)
{
    enum { MOST = 32 };
    trials->pause = done ? 0 : halo_min(2 * trials->pause + 1, MOST);
    trials->left = trials->pause;
}

/* Sets what is beyond both ends of a line of `count` positions, DISTANCE_REACH of them, each of
 * `each` elements: no background, or with `edge` next to the line. */
static void set_ends(uint16_t *line, int64_t count, int64_t each, bool edge)
{
    size_t bytes = (size_t)(DISTANCE_REACH * each) * sizeof *line;
    memset(line - DISTANCE_REACH * each, UINT8_MAX, bytes);
    memset(line + count * each, UINT8_MAX, bytes);
    if (edge) {
        memset(line - each, 0, (size_t)each * sizeof *line);
        memset(line + count * each, 0, (size_t)each * sizeof *line);
    }
}

static halo_status pass_row(distance_run *run, int64_t row)
{
    const halo_distance_row out = {.row = row,
                                   .count = run->width,
                                   .type = HALO_SAMPLE_U16,
                                   .unit = run->unit,
                                   .squares = run->squares};
    run->max = halo_max(run->max, run->ops->largest(run->squares, run->width));
    return run->take(run->context, &out);
}

/* Elements from a line to the next: what is beyond its end is before the next one's beginning. */
static int64_t pitch_of(const distance_run *run)
{
    return run->words * DISTANCE_WORD + DISTANCE_REACH;
}

/* The squares of a line, which become those of the row. Behind its last pixel there are those of
 * others. */
static bool relax_row(distance_run *run, uint16_t *line)
{
    int64_t end = run->words * DISTANCE_WORD;
    int last = (int)(run->width - end + DISTANCE_WORD);
    memset(line + run->width, UINT8_MAX, (size_t)(end - run->width) * sizeof *line);
    line[run->width] = run->edge[2] ? 0 : UINT16_MAX;
    return run->ops->relax(line, 1, run->words, DISTANCE_WORD, last, run->squares, DISTANCE_WORD,
                           LIMIT);
}

/* ---- images ---------------------------------------------------------------------------------- */

static halo_status short_row(distance_run *run, int64_t layer, const uint8_t *gaps, bool *done)
{
    run->ops->square(gaps, DISTANCE_WORD, run->words, run->lines);
    *done = relax_row(run, run->lines);
    return *done ? pass_row(run, layer) : HALO_OK;
}

/* ---- volumes --------------------------------------------------------------------------------- */

/* Columns of a word of each row. */
static bool relax_columns(distance_run *run, int64_t word, const uint8_t *gaps)
{
    int64_t step = run->words * DISTANCE_WORD;
    run->ops->square(gaps + word * DISTANCE_WORD, step, run->rows, run->tall);
    return run->ops->relax(run->tall, DISTANCE_WORD, run->rows, DISTANCE_WORD, DISTANCE_WORD,
                           run->lines + word * DISTANCE_WORD, pitch_of(run), LIMIT);
}

/* A row whose squares after the second axis are those of the line. */
static halo_status short_row_of_plane(distance_run *run, int64_t row, uint16_t *line)
{
    if (may_try(&run->by_row)) {
        bool done = relax_row(run, line);
        note(&run->by_row, done);
        if (done) {
            return pass_row(run, row);
        }
    }
    return distance_exact_row(run, row, line);
}

static halo_status short_plane(distance_run *run, int64_t layer, const uint8_t *gaps, bool *done)
{
    *done = true;
    for (int64_t w = 0; w < run->words && *done; w++) {
        *done = relax_columns(run, w, gaps);
    }
    for (int64_t y = 0; y < run->rows && *done; y++) {
        HALO_TRY(short_row_of_plane(run, layer * run->rows + y, run->lines + y * pitch_of(run)));
    }
    return HALO_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

halo_status distance_short_create(distance_run *run)
{
    bool solid = run->axes == HALO_AXES;
    int64_t tall = solid ? (run->rows + 2 * DISTANCE_REACH) * DISTANCE_WORD : 0;
    int64_t lines = run->rows * pitch_of(run) + DISTANCE_REACH;
    HALO_TRY(HALO_ALLOCATE_LARGE(run->tall_memory, tall + DISTANCE_WORD, "squares of columns"));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->lines_memory, lines, "squares of a layer"));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->squares, run->words * DISTANCE_WORD, "squares of a row"));
    run->lines = run->lines_memory + DISTANCE_REACH;
    for (int64_t y = 0; y < run->rows; y++) {
        set_ends(run->lines + y * pitch_of(run), run->words * DISTANCE_WORD, 1, run->edge[2]);
    }
    if (solid) {
        run->tall = run->tall_memory + (ptrdiff_t)DISTANCE_REACH * DISTANCE_WORD;
        set_ends(run->tall, run->rows, DISTANCE_WORD, run->edge[1]);
    }
    return HALO_OK;
}

halo_status distance_short_layer(distance_run *run, int64_t layer, const uint8_t *gaps, bool *done)
{
    *done = false;
    if (!may_try(&run->by_layer)) {
        return HALO_OK;
    }
    halo_status status = run->axes == HALO_AXES ? short_plane(run, layer, gaps, done)
                                                : short_row(run, layer, gaps, done);
    note(&run->by_layer, *done);
    return status;
}

void distance_short_free(distance_run *run)
{
    halo_memory_free(run->tall_memory);
    halo_memory_free(run->lines_memory);
    halo_memory_free(run->squares);
}
