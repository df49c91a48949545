#include "app/batch/batch_internal.h"
#include "app/frame_internal.h"
#include "app/image/scaled.h"
#include "app/outputs.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "io/array/picture.h"
#include "io/array/png_parallel.h"
#include "io/canvas/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A contact sheet: the results of all images, small, in rows of cells with the images' names. Each
 * rank draws rows of cells, for which it reads the files of the results: a row at a time is in its
 * memory, and the sheet has the same bytes for any number of ranks. */

enum {
    SIDE = 192,              /* pixels of a small picture, at most */
    GAP = 12,                /* between cells */
    CAPTION = 6,             /* rows between a picture and its name */
    CELL_WIDTH = SIDE + GAP, /* with the gap on its left */
    CELL_HEIGHT = GAP + SIDE + CAPTION + HALO_CANVAS_TEXT_HEIGHT,
    LETTERS = SIDE / HALO_CANVAS_TEXT_STEP,
    MOST_COLUMNS = 16,
    MOST_IMAGES = 2048, /* pictures of more than 2^15 rows cannot be seen everywhere */
    RGB = 3
};

static const unsigned char paper[RGB] = {255, 255, 255}, ink[RGB] = {32, 32, 32},
                           shade[RGB] = {232, 232, 232}, red[RGB] = {192, 32, 32};

typedef struct {
    const char *path; /* of the result; "": there is none */
    const char *name;
} cell;

typedef struct {
    const app_batch *batch;
    bool labels;
    halo_buffer text; /* of all cells: path and name of each, each followed by a 0 byte */
    cell *cells;
    int64_t count, columns, rows, width, height;
    int64_t band; /* the row of cells that is drawn; -1: none */
    unsigned char *pixels;
} sheet;

/* ---- what is shown --------------------------------------------------------------------------- */

/* The first output that is a picture, or else the first that is an array; NULL: there is none. */
static const app_output *find_output(const app_run *run)
{
    const app_output *array = NULL, *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        const char *path = app_output_path(run, output);
        if (path == NULL || !batch_name_varies(path)) {
            continue;
        }
        if (halo_picture_is_one(path)) {
            return output;
        }
        array = array == NULL && halo_array_is_one(path) ? output : array;
    }
    return array;
}

halo_status batch_check_sheet(const app_batch *batch)
{
    const char *path = app_batch_arguments(batch->run)->sheet;
    return HALO_REQUIRE(path == NULL || find_output(batch->run) != NULL, HALO_ARGUMENT,
                        "--contact-sheet shows the results of images; name one that is an image, "
                        "such as -o '{name}.png'");
}

static halo_status add_text(sheet *s, const char *text)
{
    return halo_buffer_append(&s->text, text, strlen(text) + 1);
}

/* On rank 0. Images that were left out after a signal have no cell. */
static halo_status list_cells(sheet *s, const app_output *output)
{
    const app_batch *batch = s->batch;
    char path[BATCH_NAME_SIZE];
    for (int64_t i = 0; i < batch->count && s->count < MOST_IMAGES; i++) {
        const batch_result *result = &batch->results[i];
        if (result->facts == NULL && result->error == NULL) {
            continue;
        }
        const char *image = batch->image[i], *slash = strrchr(image, '/');
        int64_t number = batch->watched ? result->number : i;
        bool has = result->error == NULL && batch_name_print(app_output_path(batch->run, output),
                                                             image, number, path) == HALO_OK;
        HALO_TRY(add_text(s, has ? path : ""));
        HALO_TRY(add_text(s, slash != NULL && slash[1] != '\0' ? slash + 1 : image));
        s->count++;
    }
    if (s->count == MOST_IMAGES && batch->count > MOST_IMAGES) {
        app_warn(batch->run, "the contact sheet shows the first %d of %" PRId64 " images",
                 MOST_IMAGES, batch->count);
    }
    return HALO_OK;
}

static halo_status find_cells(sheet *s)
{
    const char *at = (const char *)s->text.data, *end = at + s->text.size;
    HALO_TRY(HALO_ALLOCATE(s->cells, s->count + 1, "a contact sheet"));
    for (int64_t i = 0; i < s->count && at < end; i++) {
        s->cells[i].path = at;
        at += strlen(at) + 1;
        s->cells[i].name = at;
        at += strlen(at) + 1;
    }
    return HALO_OK;
}

/* As many rows as columns, up to a width. */
static void find_size(sheet *s)
{
    s->columns = 1;
    while (s->columns < MOST_COLUMNS && s->columns * s->columns < s->count) {
        s->columns++;
    }
    s->rows = halo_max(1, (s->count + s->columns - 1) / s->columns);
    s->width = s->columns * CELL_WIDTH + GAP;
    s->height = s->rows * CELL_HEIGHT + GAP;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static halo_canvas part_of(const halo_canvas *canvas, int64_t x, int64_t y, int64_t width,
                           int64_t rows)
{
    return (halo_canvas){.rows = rows,
                         .width = width,
                         .pixels = canvas->pixels + (size_t)y * canvas->pitch + RGB * (size_t)x,
                         .pitch = canvas->pitch};
}

/* In the middle of its cell; one with few pixels has larger dots. */
static void draw_picture(const halo_canvas *canvas, int64_t x, const app_scaled *scaled,
                         const unsigned char *pixels)
{
    int64_t dots = halo_max(1, SIDE / halo_max(scaled->width, scaled->height));
    int64_t width = dots * scaled->width, height = dots * scaled->height;
    const halo_canvas part =
        part_of(canvas, x + (SIDE - width) / 2, GAP + (SIDE - height) / 2, width, height);
    for (int64_t i = 0; i < height; i++) {
        unsigned char *row = part.pixels + (size_t)i * part.pitch;
        const unsigned char *from = pixels + RGB * (size_t)(i / dots * scaled->width);
        for (int64_t k = 0; k < width; k++) {
            memcpy(row + RGB * k, from + RGB * (k / dots), RGB);
        }
    }
}

static void draw_missing(const halo_canvas *canvas, int64_t x, const char *why)
{
    int64_t length = halo_canvas_text_length(why) * HALO_CANVAS_TEXT_STEP;
    halo_canvas_text(canvas, x + (SIDE - length) / 2, GAP + SIDE / 2, why, red);
}

static halo_status draw_cell(const sheet *s, const halo_canvas *canvas, const cell *of, int64_t x)
{
    char name[BATCH_NAME_SIZE];
    app_scaled scaled = {.largest = SIDE};
    unsigned char *pixels = NULL;
    const halo_canvas box = part_of(canvas, x, GAP, SIDE, SIDE);
    halo_canvas_fill(&box, shade);
    halo_status status = of->path[0] != '\0'
                             ? app_scaled_read(of->path, NULL, s->labels, &scaled, &pixels)
                             : HALO_FORMAT;
    if (status == HALO_OK) {
        draw_picture(canvas, x, &scaled, pixels);
    } else {
        draw_missing(canvas, x, of->path[0] != '\0' ? "cannot be shown" : "failed");
    }
    free(pixels);
    halo_canvas_text_shorten(of->name, LETTERS, name, sizeof name);
    int64_t left = x + (SIDE - halo_canvas_text_length(name) * HALO_CANVAS_TEXT_STEP) / 2;
    halo_canvas_text(canvas, left, GAP + SIDE + CAPTION, name, ink);
    return status == HALO_MEMORY ? status : HALO_OK;
}

static halo_status draw_band(sheet *s, int64_t band)
{
    const halo_canvas canvas = {.rows = CELL_HEIGHT,
                                .width = s->width,
                                .pixels = s->pixels,
                                .pitch = RGB * (size_t)s->width};
    halo_canvas_fill(&canvas, paper);
    for (int64_t i = 0; i < s->columns && band * s->columns + i < s->count; i++) {
        HALO_TRY(draw_cell(s, &canvas, &s->cells[band * s->columns + i], GAP + i * CELL_WIDTH));
    }
    s->band = band;
    return HALO_OK;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    sheet *s = context;
    size_t bytes = RGB * (size_t)s->width;
    for (int64_t i = 0; i < rows; i++) {
        int64_t band = (first + i) / CELL_HEIGHT, row = (first + i) % CELL_HEIGHT;
        unsigned char *to = (unsigned char *)out + (size_t)i * pitch;
        if (band >= s->rows) { /* the margin below */
            memset(to, paper[0], bytes);
            continue;
        }
        HALO_TRY(band != s->band ? draw_band(s, band) : HALO_OK);
        memcpy(to, s->pixels + (size_t)row * bytes, bytes);
    }
    return HALO_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Ranks have whole rows of cells. */
static halo_status create(sheet *s, int64_t **cuts)
{
    int ranks = halo_world_ranks(s->batch->run->world);
    HALO_TRY(find_cells(s));
    HALO_TRY(HALO_ALLOCATE(*cuts, ranks + 1, "a contact sheet"));
    for (int r = 0; r < ranks; r++) {
        (*cuts)[r] = s->rows * r / ranks * CELL_HEIGHT;
    }
    (*cuts)[ranks] = s->height;
    return HALO_ALLOCATE_LARGE(s->pixels, RGB * (size_t)(s->width * CELL_HEIGHT),
                               "a contact sheet");
}

static halo_status write_sheet(sheet *s, const char *path, const app_output *output)
{
    halo_world *world = s->batch->run->world;
    bool root = halo_world_rank(world) == 0;
    int64_t *cuts = NULL;
    HALO_TRY(halo_bcast_buffer(world, root ? list_cells(s, output) : HALO_OK, &s->text));
    HALO_TRY(halo_bcast(world, &s->count, sizeof s->count, 0));
    find_size(s);
    const halo_png_header header = {.width = s->width, .height = s->height, .kind = HALO_PNG_RGB8};
    const halo_rows rows = {.fill = fill_rows, .context = s};
    halo_status status = halo_agree(world, create(s, &cuts));
    HALO_IF_OK(status, halo_png_write(world, path, &header, cuts, &rows));
    free(cuts);
    return status;
}

halo_status batch_write_sheet(app_batch *batch)
{
    const char *path = app_batch_arguments(batch->run)->sheet;
    if (path == NULL) {
        return HALO_OK;
    }
    const app_output *output = find_output(batch->run);
    sheet s = {.batch = batch, .labels = app_output_has_labels(batch->run, output), .band = -1};
    progress_phase(&batch->run->progress, "contact sheet");
    halo_status status = write_sheet(&s, path, output);
    progress_end(&batch->run->progress);
    halo_buffer_free(&s.text);
    halo_memory_free(s.pixels);
    free(s.cells);
    return status;
}
