#include "base/memory.h"
#include "cli/life/source.h"
#include "core/move/scatter_gather.h"
#include "kernels/life/life_rows.h"
#include "kernels/life/soup.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a pattern on their way into the grid. */
typedef struct {
    life_source *source;
    halo_life *life;
    int64_t down, right; /* where the pattern's first cell goes, from the grid's first cell on */
    size_t pitch;        /* of the grid's rows */
    int64_t band_rows;
    void *band;    /* [band_rows * pitch] */
    void *row;     /* of the pattern; for soups */
    int64_t *cuts; /* [ranks + 1], the grid's, in rows of the pattern */
    uint64_t chance;
} filling;

/* The grid's cuts, in rows of the pattern. */
static halo_status cut_pattern(filling *f)
{
    int ranks = halo_world_ranks(f->source->world);
    const int64_t *of_grid = halo_life_cuts(f->life);
    int64_t height = f->source->n[HALO_LIFE_ROWS];
    f->cuts = calloc((size_t)ranks + 1, sizeof *f->cuts);
    if (f->cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the rows of a pattern");
    }
    for (int r = 0; r <= ranks; r++) {
        int64_t cut = of_grid[r] - f->down;
        f->cuts[r] = cut < 0 ? 0 : cut > height ? height : cut;
    }
    return HALO_OK;
}

static halo_status begin(filling *f, life_source *source, halo_life *life)
{
    *f = (filling){.source = source,
                   .life = life,
                   .down = source->pattern_lo[HALO_LIFE_ROWS] - source->box.lo[HALO_LIFE_ROWS],
                   .right =
                       source->pattern_lo[HALO_LIFE_COLUMNS] - source->box.lo[HALO_LIFE_COLUMNS],
                   .pitch = halo_life_row_bytes(life),
                   .chance = halo_random_chance(source->arguments->pattern.soup.density)};
    HALO_TRY(cut_pattern(f));
    f->band_rows = LIFE_MOST_BAND_BYTES / (int64_t)f->pitch + 1;
    HALO_TRY(halo_memory_create(&f->band, (size_t)f->band_rows * f->pitch, "a band of rows"));
    size_t bytes = halo_cells_row_bytes(source->n[HALO_LIFE_COLUMNS], source->cell_bits);
    return halo_memory_create(&f->row, bytes > 0 ? bytes : 1, "a row of the pattern");
}

static void end(filling *f)
{
    halo_memory_free(f->band);
    halo_memory_free(f->row);
    free(f->cuts);
}

/* A row of the pattern becomes row `i` of the band, whose cells around it are dead. */
static void place_row(filling *f, const void *row, int64_t i)
{
    halo_life_row_place(row, f->source->cell_bits, f->source->n[HALO_LIFE_COLUMNS],
                        (char *)f->band + (size_t)i * f->pitch, halo_life_cell_bits(f->life),
                        f->right);
}

/* Rows from a file or a checkpoint, `first` counted in the pattern. */
static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    filling *f = context;
    for (int64_t done = 0; done < rows;) {
        int64_t some = rows - done < f->band_rows ? rows - done : f->band_rows;
        memset(f->band, 0, (size_t)some * f->pitch);
        for (int64_t i = 0; i < some; i++) {
            place_row(f, (const char *)data + (size_t)(done + i) * pitch, i);
        }
        HALO_TRY(halo_life_put_rows(f->life, f->down + first + done, some, f->band, f->pitch));
        done += some;
    }
    return HALO_OK;
}

static halo_status read_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    life_source *source = ((filling *)context)->source;
    int64_t height = source->n[HALO_LIFE_ROWS];
    HALO_TRY(halo_cells_reader_rows(source->reader, rows, out, pitch));
    progress_update(source->progress, first + rows, height);
    return first + rows < height ? HALO_OK : halo_cells_reader_finish(source->reader);
}

static halo_status fill_soup(filling *f)
{
    const life_source *source = f->source;
    const life_soup *soup = &source->arguments->pattern.soup;
    int rank = halo_world_rank(source->world);
    int64_t first = f->cuts[rank], last = f->cuts[rank + 1];
    for (int64_t done = first; done < last;) {
        int64_t some = last - done < f->band_rows ? last - done : f->band_rows;
        memset(f->band, 0, (size_t)some * f->pitch);
        for (int64_t i = 0; i < some; i++) {
            life_soup_row(soup->seed, f->chance, done + i, source->n[HALO_LIFE_COLUMNS], f->row);
            place_row(f, f->row, i);
        }
        HALO_TRY(halo_life_put_rows(f->life, f->down + done, some, f->band, f->pitch));
        done += some;
        progress_update(source->progress, done - first, last - first);
    }
    return HALO_OK;
}

static halo_status fill(filling *f, halo_clock *clock)
{
    life_source *source = f->source;
    halo_status status = HALO_OK;
    if (source->checkpoint != NULL || source->arguments->pattern.is_soup) {
        halo_stretch stretch = halo_clock_begin(source->world);
        status = source->checkpoint != NULL
                     ? halo_checkpoint_read(source->checkpoint, f->cuts, take_rows, f)
                     : halo_agree(source->world, fill_soup(f));
        halo_clock_end(clock, HALO_PHASE_DECODE, stretch, source->world);
    } else if (source->n[HALO_LIFE_ROWS] > 0 && source->n[HALO_LIFE_COLUMNS] > 0) {
        size_t bytes = halo_cells_row_bytes(source->n[HALO_LIFE_COLUMNS], source->cell_bits);
        status = halo_rows_scatter(source->world, f->cuts, bytes, read_rows, take_rows, f, clock);
    }
    return status;
}

halo_status life_source_fill(life_source *source, halo_life *life, halo_clock *clock)
{
    filling f;
    halo_status status = halo_agree(source->world, begin(&f, source, life));
    if (status == HALO_OK) {
        progress_phase(source->progress, "reading");
        status = fill(&f, clock);
    }
    end(&f);
    life_source_close(source);
    halo_life_set_generation(life, source->generation);
    return status;
}
