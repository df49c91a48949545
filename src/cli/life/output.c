#include "cli/life/output.h"

#include "app/values.h"
#include "base/memory.h"
#include "core/file/file.h"
#include "core/move/scatter_gather.h"
#include "io/npy/npy.h"
#include "io/png/png_parallel.h"
#include "kernels/life/life_part.h"
#include "kernels/life/life_rows.h"

#include <stdio.h>

enum { FLUSH_BYTES = 1 << 22, RULE_TEXT = HALO_LIFE_RULE_TEXT + HALO_LIFE_TOPOLOGY_TEXT };

/* Rows of a part of the grid, on their way to a writer. */
typedef struct {
    const life_source *source;
    progress *progress;
    halo_life_part part;
    /* While rank 0 writes a pattern. */
    halo_cells_writer *writer;
    halo_file *file;
    halo_buffer text;
    int64_t offset;
} writing;

/* Of a file's name that has one of the endings. */
static life_output kind_of(const life_source *source)
{
    static const char *const endings[] = {
#define OUTPUT_ENTRY(code, ending) ending,
        LIFE_OUTPUT_LIST(OUTPUT_ENTRY)
#undef OUTPUT_ENTRY
    };
    int kind = 0;
    while (kind < LIFE_OUTPUT_NPY && !app_ends_with(source->arguments->output, endings[kind])) {
        kind++;
    }
    return (life_output)kind;
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
    writing *w = context;
    HALO_TRY(halo_life_part_fill(&w->part, first, rows, out, pitch));
    for (int64_t i = 0; i < rows && w->part.bits > 1; i++) {
        brighten((unsigned char *)out + (size_t)i * pitch, w->part.box.n[HALO_LIFE_COLUMNS],
                 w->source->rule.states);
    }
    return HALO_OK;
}

/* A byte a cell. */
static halo_status fill_samples(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    writing *w = context;
    if (w->part.bits > 1) {
        return halo_life_part_fill(&w->part, first, rows, out, pitch);
    }
    int64_t width = w->part.box.n[HALO_LIFE_COLUMNS];
    void *row;
    HALO_TRY(halo_memory_create(&row, w->part.row_bytes + 1, "a row of cells"));
    halo_status status = HALO_OK;
    for (int64_t i = 0; i < rows && status == HALO_OK; i++) {
        status = halo_life_part_fill(&w->part, first + i, 1, row, w->part.row_bytes);
        if (status == HALO_OK) {
            halo_life_row_place(row, 1, width, (char *)out + (size_t)i * pitch, 8, 0);
        }
    }
    halo_memory_free(row);
    return status;
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(((writing *)context)->progress, done, total);
}

static halo_status write_image(writing *w)
{
    const life_arguments *arguments = w->source->arguments;
    halo_rows rows = {.progress = show_rows, .context = w};
    if (kind_of(w->source) == LIFE_OUTPUT_NPY) {
        halo_npy_header header = {.width = w->part.box.n[HALO_LIFE_COLUMNS],
                                  .height = w->part.box.n[HALO_LIFE_ROWS],
                                  .type = HALO_NPY_U8};
        rows.fill = fill_samples;
        return halo_npy_write(w->source->world, arguments->output, &header, w->part.cuts, &rows);
    }
    halo_png_header header = {.width = w->part.box.n[HALO_LIFE_COLUMNS],
                              .height = w->part.box.n[HALO_LIFE_ROWS],
                              .kind = w->part.bits == 1 ? HALO_PNG_BITS : HALO_PNG_GREY8};
    rows.fill = fill_pixels;
    return halo_png_write(w->source->world, arguments->output, &header, w->part.cuts, &rows);
}

static halo_status flush_text(writing *w, size_t enough)
{
    if (w->text.size < enough) {
        return HALO_OK;
    }
    HALO_TRY(halo_file_write(w->file, w->offset, w->text.data, w->text.size));
    w->offset += (int64_t)w->text.size;
    w->text.size = 0;
    return HALO_OK;
}

static halo_status begin_pattern(writing *w)
{
    const life_source *source = w->source;
    char name[HALO_LIFE_RULE_TEXT], grid[HALO_LIFE_TOPOLOGY_TEXT] = "", rule[RULE_TEXT];
    halo_life_rule_print(&source->rule, name);
    bool rle = kind_of(source) == LIFE_OUTPUT_RLE;
    if (rle) {
        HALO_TRY(halo_life_topology_print(source->edges, &w->part.grid, grid));
    }
    snprintf(rule, sizeof rule, "%s%s", name, grid);
    halo_cells_header header = {.width = w->part.box.n[HALO_LIFE_COLUMNS],
                                .height = w->part.box.n[HALO_LIFE_ROWS],
                                .rule = rule,
                                .placed = true,
                                .x = w->part.box.lo[HALO_LIFE_COLUMNS],
                                .y = w->part.box.lo[HALO_LIFE_ROWS],
                                .generation = halo_life_generation(w->part.life),
                                .states = source->rule.states};
    HALO_TRY(
        halo_cells_writer_create(&w->writer, rle ? HALO_CELLS_RLE : HALO_CELLS_CELLS, &header));
    return halo_cells_writer_begin(w->writer, &w->text);
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    writing *w = context;
    HALO_TRY(halo_cells_writer_rows(w->writer, &w->text, rows, data, pitch));
    progress_update(w->progress, first + rows, w->part.box.n[HALO_LIFE_ROWS]);
    return flush_text(w, FLUSH_BYTES);
}

/* Rank 0 writes: text depends on all that stands before it. */
static halo_status write_pattern(writing *w, halo_clock *clock)
{
    halo_world *world = w->source->world;
    bool writes = halo_world_rank(world) == 0;
    HALO_TRY(halo_agree(world, writes ? begin_pattern(w) : HALO_OK));
    HALO_TRY(halo_file_create(&w->file, world, w->source->arguments->output));
    halo_status status = HALO_OK;
    if (w->part.box.n[HALO_LIFE_ROWS] > 0) {
        halo_rows rows = {.fill = halo_life_part_fill, .context = &w->part};
        status = halo_rows_gather(world, w->part.cuts, 0, w->part.box.n[HALO_LIFE_ROWS],
                                  w->part.row_bytes, &rows, take_rows, w, clock);
    }
    if (status == HALO_OK && writes) {
        status = halo_cells_writer_end(w->writer, &w->text);
        status = status == HALO_OK ? flush_text(w, 1) : status;
    }
    return halo_file_commit(&w->file, status);
}

halo_status life_output_check(const life_source *source)
{
    const life_arguments *arguments = source->arguments;
    if (arguments->output == NULL) {
        return HALO_OK;
    }
    if (kind_of(source) == LIFE_OUTPUT_CELLS && source->rule.states > 2) {
        char rule[HALO_LIFE_RULE_TEXT];
        halo_life_rule_print(&source->rule, rule);
        return halo_fail(HALO_ARGUMENT,
                         "a .cells file has dead and live cells only, and the rule %s has %d "
                         "states; use -o FILE.rle",
                         rule, source->rule.states);
    }
    char grid[HALO_LIFE_TOPOLOGY_TEXT];
    return kind_of(source) == LIFE_OUTPUT_RLE
               ? halo_life_topology_print(source->edges, &source->box, grid)
               : HALO_OK;
}

/* A pattern is its live cells; a picture has at least one pixel. */
static halo_life_box part_of(const life_source *source, const halo_life_box *grid,
                             const halo_life_box *live)
{
    life_output kind = kind_of(source);
    static const halo_life_edge growing[] = {HALO_LIFE_GROW, HALO_LIFE_GROW};
    bool pattern = kind == LIFE_OUTPUT_RLE || kind == LIFE_OUTPUT_CELLS;
    return halo_life_part_box(grid, pattern ? growing : source->edges, live,
                              kind == LIFE_OUTPUT_PNG);
}

halo_status life_output_write(const life_source *source, halo_life *life,
                              const halo_life_census *census, progress *shown, halo_clock *clock)
{
    writing w = {.source = source, .progress = shown};
    halo_life_box grid = halo_life_size(life);
    halo_life_box part = part_of(source, &grid, &census->live);
    life_output kind = kind_of(source);
    halo_status status;
    HALO_TRY_OR(done, halo_life_stage(life));
    HALO_TRY_OR(done, halo_life_part_begin(&w.part, source->world, life, &part, 0));
    if (kind == LIFE_OUTPUT_RLE || kind == LIFE_OUTPUT_CELLS) {
        status = write_pattern(&w, clock);
    } else {
        halo_stretch stretch = halo_clock_begin(source->world);
        status = write_image(&w);
        halo_clock_end(clock, HALO_PHASE_ENCODE, stretch, source->world);
    }
done:
    halo_cells_writer_destroy(&w.writer);
    halo_buffer_free(&w.text);
    halo_life_part_end(&w.part);
    return status;
}
