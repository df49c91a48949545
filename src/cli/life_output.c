#include "cli/life_output.h"

#include "cli/life_cells.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/stream.h"
#include "io/npy.h"
#include "io/png_parallel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 22, RULE_TEXT = HALO_LIFE_RULE_TEXT + LIFE_TOPOLOGY_TEXT };

/* Rows of a part of the grid, on their way to a writer. */
typedef struct {
    const life_source *source;
    halo_life *life;
    progress *progress;
    halo_life_box grid, part;
    int bits;
    void *whole; /* a row of the grid */
    /* While rank 0 writes a pattern. */
    halo_cells_writer *writer;
    halo_file *file;
    halo_buffer text;
    int64_t offset;
} cutting;

static int64_t rows_above(const cutting *c)
{
    return c->part.lo[HALO_LIFE_ROWS] - c->grid.lo[HALO_LIFE_ROWS];
}

/* Row `row` of the grid (from its first one), cut out. */
static halo_status cut_row(cutting *c, int64_t row, void *out)
{
    size_t pitch = halo_life_row_bytes(c->life);
    HALO_TRY(halo_life_get_rows(c->life, row, 1, c->whole, pitch));
    life_cells_crop(c->whole, c->bits, c->grid.n[HALO_LIFE_COLUMNS],
                    c->part.lo[HALO_LIFE_COLUMNS] - c->grid.lo[HALO_LIFE_COLUMNS],
                    c->part.n[HALO_LIFE_COLUMNS], out);
    return HALO_OK;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    cutting *c = context;
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(cut_row(c, first + i, (char *)out + (size_t)i * pitch));
    }
    return HALO_OK;
}

/* States as brightness: live cells white, dying ones darker than half, so that who reads the
 * picture as a pattern finds the live ones. */
static void brighten(unsigned char *cells, int64_t count, int states)
{
    for (int64_t i = 0; i < count; i++) {
        int state = cells[i];
        cells[i] =
            (unsigned char)(state <= 1 ? 255 * state : 127 * (states - state) / (states - 1));
    }
}

static halo_status fill_pixels(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    cutting *c = context;
    HALO_TRY(fill_rows(c, rows_above(c) + first, rows, out, pitch));
    for (int64_t i = 0; i < rows && c->bits > 1; i++) {
        brighten((unsigned char *)out + (size_t)i * pitch, c->part.n[HALO_LIFE_COLUMNS],
                 c->source->rule.states);
    }
    return HALO_OK;
}

/* A byte a cell, and no byte more: rows of an array follow each other. */
static halo_status fill_samples(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    cutting *c = context;
    int64_t width = c->part.n[HALO_LIFE_COLUMNS];
    void *row;
    HALO_TRY(halo_memory_create(&row, halo_cells_row_bytes(width, c->bits) + 1, "a row of cells"));
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        unsigned char *to = (unsigned char *)out + (size_t)i * pitch;
        status = cut_row(c, rows_above(c) + first + i, row);
        memset(to, 0, (size_t)width);
        if (status == HALO_OK) {
            life_cells_place(row, c->bits, width, to, 8, 0);
        }
    }
    halo_memory_free(row);
    return status;
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(((cutting *)context)->progress, done, total);
}

/* The grid's cuts, in rows of the part. */
static halo_status cut_part(const cutting *c, int64_t **cuts)
{
    halo_world *world = c->source->world;
    const int64_t *of_grid = halo_life_cuts(c->life);
    *cuts = calloc((size_t)halo_world_ranks(world) + 1, sizeof **cuts);
    HALO_TRY(
        halo_agree(world, *cuts != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: cuts")));
    int64_t rows = c->part.n[HALO_LIFE_ROWS];
    for (int r = 0; r <= halo_world_ranks(world); r++) {
        int64_t cut = of_grid[r] - rows_above(c);
        (*cuts)[r] = cut < 0 ? 0 : cut > rows ? rows : cut;
    }
    return HALO_OK;
}

static halo_status write_image(cutting *c, const int64_t *cuts)
{
    const life_arguments *arguments = c->source->arguments;
    halo_rows rows = {.progress = show_rows, .context = c};
    if (arguments->output_kind == LIFE_OUTPUT_NPY) {
        halo_npy_header header = {.width = c->part.n[HALO_LIFE_COLUMNS],
                                  .height = c->part.n[HALO_LIFE_ROWS],
                                  .type = HALO_NPY_U8};
        rows.fill = fill_samples;
        return halo_npy_write(c->source->world, arguments->output, &header, cuts, &rows);
    }
    halo_png_header header = {.width = c->part.n[HALO_LIFE_COLUMNS],
                              .height = c->part.n[HALO_LIFE_ROWS],
                              .kind = c->bits == 1 ? HALO_PNG_BITS : HALO_PNG_GREY8};
    rows.fill = fill_pixels;
    return halo_png_write(c->source->world, arguments->output, &header, cuts, &rows);
}

static halo_status flush_text(cutting *c, size_t enough)
{
    if (c->text.size < enough) {
        return HALO_OK;
    }
    HALO_TRY(halo_file_write(c->file, c->offset, c->text.data, c->text.size));
    c->offset += (int64_t)c->text.size;
    c->text.size = 0;
    return HALO_OK;
}

static halo_status begin_pattern(cutting *c)
{
    const life_source *source = c->source;
    char name[HALO_LIFE_RULE_TEXT], grid[LIFE_TOPOLOGY_TEXT] = "", rule[RULE_TEXT];
    halo_life_rule_print(&source->rule, name);
    if (source->arguments->output_kind == LIFE_OUTPUT_RLE) {
        HALO_TRY(life_topology_print(source->edges, &c->grid, grid));
    }
    snprintf(rule, sizeof rule, "%s%s", name, grid);
    halo_cells_header header = {.width = c->part.n[HALO_LIFE_COLUMNS],
                                .height = c->part.n[HALO_LIFE_ROWS],
                                .rule = rule,
                                .placed = true,
                                .x = c->part.lo[HALO_LIFE_COLUMNS],
                                .y = c->part.lo[HALO_LIFE_ROWS],
                                .generation = halo_life_generation(c->life),
                                .states = source->rule.states};
    HALO_TRY(halo_cells_writer_create(
        &c->writer,
        source->arguments->output_kind == LIFE_OUTPUT_RLE ? HALO_CELLS_RLE : HALO_CELLS_CELLS,
        &header));
    return halo_cells_writer_begin(c->writer, &c->text);
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    cutting *c = context;
    HALO_TRY(halo_cells_writer_rows(c->writer, &c->text, rows, data, pitch));
    progress_update(c->progress, first - rows_above(c) + rows, c->part.n[HALO_LIFE_ROWS]);
    return flush_text(c, FLUSH_BYTES);
}

/* Rank 0 writes: text depends on all that stands before it. */
static halo_status write_pattern(cutting *c, halo_clock *clock)
{
    halo_world *world = c->source->world;
    bool writes = halo_world_rank(world) == 0;
    HALO_TRY(halo_agree(world, writes ? begin_pattern(c) : HALO_OK));
    HALO_TRY(halo_file_create(&c->file, world, c->source->arguments->output));
    halo_status status = HALO_OK;
    if (c->part.n[HALO_LIFE_ROWS] > 0) {
        halo_rows rows = {.fill = fill_rows, .context = c};
        status = halo_stream_collect(world, halo_life_cuts(c->life), rows_above(c),
                                     c->part.n[HALO_LIFE_ROWS],
                                     halo_cells_row_bytes(c->part.n[HALO_LIFE_COLUMNS], c->bits),
                                     &rows, take_rows, c, clock);
    }
    if (status == HALO_OK && writes) {
        status = halo_cells_writer_end(c->writer, &c->text);
        status = status == HALO_OK ? flush_text(c, 1) : status;
    }
    return halo_file_commit(&c->file, status);
}

halo_status life_output_check(const life_source *source)
{
    const life_arguments *arguments = source->arguments;
    if (arguments->output == NULL) {
        return HALO_OK;
    }
    if (arguments->output_kind == LIFE_OUTPUT_CELLS && source->rule.states > 2) {
        char rule[HALO_LIFE_RULE_TEXT];
        halo_life_rule_print(&source->rule, rule);
        return halo_fail(HALO_ARGUMENT,
                         "a .cells file has dead and live cells only, and the rule %s has %d "
                         "states; use -o FILE.rle",
                         rule, source->rule.states);
    }
    char grid[LIFE_TOPOLOGY_TEXT];
    return arguments->output_kind == LIFE_OUTPUT_RLE
               ? life_topology_print(source->edges, &source->box, grid)
               : HALO_OK;
}

/* Which part of the grid is written. A picture has at least one pixel. */
static halo_life_box part_of(const life_source *source, const halo_life_box *grid,
                             const halo_life_census *census)
{
    life_output kind = source->arguments->output_kind;
    halo_life_box part = census->live;
    bool empty = part.n[0] == 0;
    bool pattern = kind == LIFE_OUTPUT_RLE || kind == LIFE_OUTPUT_CELLS;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        if (empty) {
            part.lo[a] = grid->lo[a];
            part.n[a] = kind == LIFE_OUTPUT_PNG ? 1 : 0;
        }
        if (!pattern && source->edges[a] != HALO_LIFE_GROW) {
            part.lo[a] = grid->lo[a];
            part.n[a] = grid->n[a];
        }
    }
    return part;
}

halo_status life_output_write(const life_source *source, halo_life *life,
                              const halo_life_census *census, progress *shown, halo_clock *clock)
{
    cutting c = {.source = source,
                 .life = life,
                 .progress = shown,
                 .grid = halo_life_size(life),
                 .bits = halo_life_cell_bits(life)};
    c.part = part_of(source, &c.grid, census);
    life_output kind = source->arguments->output_kind;
    int64_t *cuts = NULL;
    halo_status status = halo_memory_create(&c.whole, halo_life_row_bytes(life), "a row of cells");
    HALO_TRY_OR(done, halo_agree(source->world, status));
    if (kind == LIFE_OUTPUT_RLE || kind == LIFE_OUTPUT_CELLS) {
        status = write_pattern(&c, clock);
        goto done;
    }
    HALO_TRY_OR(done, cut_part(&c, &cuts));
    halo_stretch stretch = halo_clock_begin(source->world);
    status = write_image(&c, cuts);
    halo_clock_end(clock, HALO_PHASE_ENCODE, stretch, source->world);
done:
    halo_cells_writer_destroy(&c.writer);
    halo_buffer_free(&c.text);
    halo_memory_free(c.whole);
    free(cuts);
    return status;
}
