/* Frames whose motion is known, and what flow makes of them:
 *   flow_tool make NAME-%d.png FRAMES U V WIDTH HEIGHT BITS   all of it moves by (U, V) a frame
 *   flow_tool error FILE.flo U V                               mean end-point error in pixels
 *   flow_tool same FILE.flo FILE.npy                           is it the same flow? */
#include "io/flow/flo.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a scene without end ------------------------------------------------------------------- */

/* 0 to 255, as if by chance (the mixer of splitmix64). */
static int64_t noise(int64_t x, int64_t y, int octave)
{
    uint64_t z = (uint64_t)x * 0x9e3779b97f4a7c15u + (uint64_t)y * 0xd1b54a32d192ed03u +
                 (uint64_t)octave * 0xabc98388fb8fac03u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int64_t)((z ^ (z >> 31)) & 255);
}

static int64_t cell_of(int64_t place, int64_t side)
{
    return place >= 0 ? place / side : -((side - 1 - place) / side);
}

/* Noise on a grid, straight in between. */
static int64_t smooth(int64_t x, int64_t y, int64_t side, int octave)
{
    int64_t cx = cell_of(x, side), cy = cell_of(y, side), fx = x - cx * side, fy = y - cy * side;
    int64_t top = noise(cx, cy, octave) * (side - fx) + noise(cx + 1, cy, octave) * fx;
    int64_t low = noise(cx, cy + 1, octave) * (side - fx) + noise(cx + 1, cy + 1, octave) * fx;
    return (top * (side - fy) + low * fy) / (side * side);
}

static int64_t scene(int64_t x, int64_t y)
{
    return (4 * smooth(x, y, 37, 0) + 3 * smooth(x, y, 11, 1) + smooth(x, y, 3, 2)) / 8;
}

/* ---- making -------------------------------------------------------------------------------- */

typedef struct {
    int64_t width, height;
    int bits;
} frame_size;

static bool write_frame(const char *path, const frame_size *size, int64_t left, int64_t top)
{
    halo_png_header header = {.width = size->width,
                              .height = size->height,
                              .kind = size->bits == 16 ? HALO_PNG_GREY16 : HALO_PNG_GREY8};
    size_t pitch = halo_png_row_bytes(&header);
    unsigned char *rows = malloc(pitch * (size_t)size->height);
    halo_buffer out = {0};
    halo_png_encoder *encoder = NULL;
    halo_png_sums all = {1, 0};
    for (int64_t i = 0; rows != NULL && i < size->width * size->height; i++) {
        int64_t value = scene(left + i % size->width, top + i / size->width);
        if (size->bits == 16) {
            ((uint16_t *)(void *)rows)[i] = (uint16_t)(value * 257);
        } else {
            rows[i] = (unsigned char)value;
        }
    }
    bool good = rows != NULL && halo_png_encoder_create(&encoder, &header) == HALO_OK &&
                halo_png_begin(encoder, &out) == HALO_OK;
    int64_t step = halo_png_idat_rows(&header);
    for (int64_t b = 0; good && b * step < size->height; b++) {
        halo_png_sums sums;
        good = halo_png_idat(encoder, &out, rows + (size_t)(b * step) * pitch, pitch, b, &sums) ==
               HALO_OK;
        all = halo_png_sums_join(all, sums);
    }
    good = good && halo_png_end(encoder, &out, all.adler) == HALO_OK;
    FILE *file = good ? fopen(path, "wb") : NULL;
    good = file != NULL && fwrite(out.data, 1, out.size, file) == out.size;
    good = (file == NULL || fclose(file) == 0) && good;
    halo_png_encoder_destroy(&encoder);
    halo_buffer_free(&out);
    free(rows);
    return good;
}

static int make(char **arguments)
{
    const char *place = strstr(arguments[0], "%d");
    const frame_size size = {strtoll(arguments[4], NULL, 10), strtoll(arguments[5], NULL, 10),
                             (int)strtol(arguments[6], NULL, 10)};
    int64_t frames = strtoll(arguments[1], NULL, 10), u = strtoll(arguments[2], NULL, 10);
    int64_t v = strtoll(arguments[3], NULL, 10);
    bool good = place != NULL;
    for (int64_t i = 0; good && i < frames; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%.*s%" PRId64 "%s", (int)(place - arguments[0]), arguments[0],
                 i, place + 2);
        good = write_frame(path, &size, 1000 - i * u, 1000 - i * v);
    }
    return good ? 0 : 1;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static halo_buffer read_file(const char *path)
{
    halo_buffer all = {0};
    char part[4096];
    FILE *file = fopen(path, "rb");
    size_t got;
    while (file != NULL && (got = fread(part, 1, sizeof part, file)) > 0) {
        if (halo_buffer_append(&all, part, got) != HALO_OK) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return all;
}

/* The pairs of a file with the right head and length, on a little-endian machine. */
static float *read_flow(const char *path, int64_t *width, int64_t *height)
{
    halo_buffer file = read_file(path), head = {0};
    int32_t size[2] = {0};
    if (file.size >= HALO_FLO_HEAD) {
        memcpy(size, file.data + 4, sizeof size);
    }
    size_t bytes = HALO_FLO_PAIR * (size_t)size[0] * (size_t)size[1];
    float *pairs = malloc(bytes);
    if (halo_flo_begin(&head, size[0], size[1]) != HALO_OK || file.size != head.size + bytes ||
        memcmp(file.data, head.data, head.size) != 0 || pairs == NULL) {
        fprintf(stderr, "%s is no .flo file, or damaged\n", path);
        exit(1);
    }
    memcpy(pairs, file.data + head.size, bytes);
    *width = size[0];
    *height = size[1];
    halo_buffer_free(&head);
    halo_buffer_free(&file);
    return pairs;
}

static int print_error(char **arguments)
{
    int64_t width, height;
    float *pairs = read_flow(arguments[0], &width, &height);
    double u = strtod(arguments[1], NULL), v = strtod(arguments[2], NULL), sum = 0;
    for (int64_t i = 0; i < width * height; i++) {
        sum += hypot((double)pairs[2 * i] - u, (double)pairs[2 * i + 1] - v);
    }
    printf("%.4f\n", sum / (double)(width * height));
    free(pairs);
    return 0;
}

static int same(char **arguments)
{
    int64_t width, height;
    float *pairs = read_flow(arguments[0], &width, &height);
    halo_buffer file = read_file(arguments[1]);
    halo_npy_header header;
    bool swapped = true;
    size_t head;
    bool equal = halo_npy_parse_axes(file.data, file.size, arguments[1], &header, &swapped,
                                     &head) == HALO_OK &&
                 !swapped && header.axes == 3 && header.planes == height && header.width == 2 &&
                 header.height == width * height && header.type == HALO_SAMPLE_F32 &&
                 file.size == head + 8 * (size_t)(width * height) &&
                 memcmp(file.data + head, pairs, 8 * (size_t)(width * height)) == 0;
    halo_buffer_free(&file);
    free(pairs);
    return equal ? 0 : 1;
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        int count;
        int (*run)(char **arguments);
    } tools[] = {{"make", 9, make}, {"error", 5, print_error}, {"same", 4, same}};
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (count == tools[i].count && strcmp(arguments[1], tools[i].name) == 0) {
            return tools[i].run(arguments + 2);
        }
    }
    fprintf(stderr, "flow_tool: unknown arguments\n");
    return 2;
}
