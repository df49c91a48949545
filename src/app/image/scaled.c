#include "app/image/scaled.h"

#include "base/minmax.h"
#include "io/canvas/label_palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond so many pixels, a picture takes longer to read than the page is worth; beyond so many, one
 * that is held whole takes memory that the run may need. */
#define MOST_PIXELS (INT64_C(1) << 28)
#define MOST_HELD   (INT64_C(1) << 24)

/* Labels that a double holds exactly. */
#define MOST_LABELS 9007199254740992.0

enum { RGB = 3, WHITE = 255, EIGHT = 8, SIXTEEN = 16, ROWS_AT_ONCE = 32, SAMPLED = 4 };

typedef struct {
    halo_image_reader *reader;
    const halo_image_info *info;
    int channels; /* that rows have: RGB, or 1 of greys and reals */
    bool labels;
    app_scaled *out;
    double *sums;    /* [height][width][channels] of samples that are numbers, then means */
    int64_t *counts; /* [height][width] of these */
} scaling;

static halo_status open_as(scaling *s, const char *path, const halo_image_options *as,
                           halo_image_want want)
{
    halo_image_options options = as != NULL ? *as : (halo_image_options){.solid = true};
    options.want = want;
    options.volumes = true;
    HALO_TRY(halo_image_reader_open(&s->reader, path, &options));
    s->info = halo_image_reader_info(s->reader);
    s->channels = want == HALO_IMAGE_COLOURS ? RGB : 1;
    return HALO_OK;
}

/* Colours where there are any. */
static halo_status open_reader(scaling *s, const char *path, const halo_image_options *as)
{
    HALO_TRY(open_as(s, path, as, HALO_IMAGE_NUMBERS));
    if (s->info->colourful) {
        halo_image_reader_close(&s->reader);
        return open_as(s, path, as, HALO_IMAGE_COLOURS);
    }
    return HALO_OK;
}

static void describe(const scaling *s)
{
    const halo_image_info *info = s->info;
    int64_t largest = s->out->largest;
    int64_t longest = halo_max(halo_max(info->width, info->height), largest);
    *s->out =
        (app_scaled){.largest = s->out->largest,
                     .of_width = info->width,
                     .of_height = info->height,
                     .of_planes = halo_max(info->planes, 1),
                     .plane = halo_max(info->planes, 1) / 2 + 1,
                     .width = halo_max(info->width * largest / longest, 1),
                     .height = halo_max(info->height * largest / longest, 1),
                     .plain = info->bits <= EIGHT && info->axes == 2 && info->orientation == 0};
}

halo_status app_scaled_look(const char *path, const halo_image_options *as, app_scaled *out)
{
    scaling s = {.out = out};
    HALO_TRY(open_reader(&s, path, as));
    describe(&s);
    halo_image_reader_close(&s.reader);
    return HALO_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static double sample_of(const scaling *s, const void *row, int64_t place)
{
    int bits = s->info->cell_bits;
    return bits > SIXTEEN ? ((const double *)row)[place]
           : bits > EIGHT ? (double)((const uint16_t *)row)[place]
                          : (double)((const unsigned char *)row)[place];
}

/* Distance of the rows and pixels that are read for a dot: large pictures are sampled, SAMPLED
 * times along each axis. */
static int64_t step_of(int64_t from, int64_t to)
{
    return halo_max(1, from / (to * SAMPLED));
}

static void add_row(const scaling *s, const void *row, int64_t y)
{
    int64_t step = step_of(s->out->of_width, s->out->width);
    if (y % step_of(s->out->of_height, s->out->height) != 0) {
        return;
    }
    const app_scaled *out = s->out;
    int64_t line = y * out->height / out->of_height;
    for (int64_t x = 0; x < out->of_width; x += step) {
        int64_t dot = line * out->width + x * out->width / out->of_width;
        bool number = !s->labels || s->counts[dot] == 0;
        for (int c = 0; c < s->channels; c++) {
            number = number && isfinite(sample_of(s, row, x * s->channels + c));
        }
        for (int c = 0; number && c < s->channels; c++) {
            s->sums[dot * s->channels + c] += sample_of(s, row, x * s->channels + c);
        }
        s->counts[dot] += number;
    }
}

/* Readers without random access are asked for all rows before the plane, too. */
static halo_status read_rows(const scaling *s, void *rows, size_t pitch)
{
    int64_t height = s->info->height, begin = (s->out->plane - 1) * height;
    int64_t first = s->info->random_access ? begin : 0;
    for (int64_t y = first; y < begin + height; y += ROWS_AT_ONCE) {
        int64_t count = halo_min(ROWS_AT_ONCE, begin + height - y);
        HALO_TRY(halo_image_reader_rows(s->reader, y, count, rows, pitch));
        for (int64_t i = halo_max(begin - y, 0); i < count; i++) {
            add_row(s, (const char *)rows + (size_t)i * pitch, y + i - begin);
        }
    }
    return HALO_OK;
}

/* ---- painting -------------------------------------------------------------------------------- */

/* As outputs of labels in colours have them. */
static void paint_labels(const scaling *s, unsigned char *pixels)
{
    unsigned char palette[RGB * HALO_LABEL_PALETTE_COLOURS];
    halo_label_palette(palette);
    for (int64_t i = 0; i < s->out->width * s->out->height; i++) {
        int64_t label = (int64_t)fmin(fmax(s->sums[i], 0), MOST_LABELS);
        int64_t colour = label > 0 ? (label - 1) % (HALO_LABEL_PALETTE_COLOURS - 1) + 1 : 0;
        memcpy(pixels + i * RGB, palette + colour * RGB, RGB);
    }
}

/* The samples that become black and white. */
static void find_range(const scaling *s, double range[2])
{
    bool greys = s->info->cell_bits == EIGHT || s->channels == RGB;
    range[0] = greys ? 0 : INFINITY;
    range[1] = greys ? (double)(s->info->cell_bits == SIXTEEN ? UINT16_MAX : WHITE) : -INFINITY;
    for (int64_t i = 0; !greys && i < s->out->width * s->out->height; i++) {
        if (s->counts[i] > 0) {
            range[0] = fmin(range[0], s->sums[i]);
            range[1] = fmax(range[1], s->sums[i]);
        }
    }
}

static void paint(const scaling *s, unsigned char *pixels)
{
    static const unsigned char none[RGB] = {0xc0, 0x20, 0xa0};
    double range[2];
    int64_t dots = s->out->width * s->out->height;
    for (int64_t i = 0; i < dots * s->channels; i++) {
        s->sums[i] /= (double)halo_max(s->counts[i / s->channels], 1);
    }
    find_range(s, range);
    double scale = range[1] > range[0] ? WHITE / (range[1] - range[0]) : 0;
    for (int64_t i = 0; i < dots; i++) {
        for (int c = 0; c < RGB; c++) {
            double sample = s->sums[i * s->channels + (s->channels == RGB ? c : 0)];
            pixels[i * RGB + c] =
                s->counts[i] > 0 ? (unsigned char)lround((sample - range[0]) * scale) : none[c];
        }
    }
}

static halo_status scale(scaling *s, unsigned char **pixels)
{
    describe(s);
    int64_t planes = s->info->random_access ? 1 : s->out->plane;
    int64_t most = s->info->held ? MOST_HELD : MOST_PIXELS;
    HALO_FAIL_IF(s->info->height > 0 && s->info->width > most / s->info->height / planes,
                 HALO_ARGUMENT, "a picture of that size is not read again for a small one");
    size_t dots = (size_t)(s->out->width * s->out->height);
    size_t pitch = (halo_image_row_bytes(s->info) + EIGHT - 1) / EIGHT * EIGHT;
    s->sums = calloc(dots * (size_t)s->channels, sizeof *s->sums);
    s->counts = calloc(dots, sizeof *s->counts);
    void *rows = malloc(pitch * ROWS_AT_ONCE);
    *pixels = malloc(dots * RGB);
    halo_status status = s->sums != NULL && s->counts != NULL && rows != NULL && *pixels != NULL
                             ? read_rows(s, rows, pitch)
                             : halo_fail(HALO_MEMORY, "out of memory: a small picture");
    if (status == HALO_OK) {
        (s->labels ? paint_labels : paint)(s, *pixels);
    }
    free(s->sums);
    free(s->counts);
    free(rows);
    return status;
}

halo_status app_scaled_read(const char *path, const halo_image_options *as, bool labels,
                            app_scaled *out, unsigned char **pixels)
{
    scaling s = {.out = out, .labels = labels};
    *pixels = NULL;
    halo_status status = open_reader(&s, path, as);
    HALO_IF_OK(status, scale(&s, pixels));
    halo_image_reader_close(&s.reader);
    if (status != HALO_OK) {
        free(*pixels);
        *pixels = NULL;
    }
    return status;
}
