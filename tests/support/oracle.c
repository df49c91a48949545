#include "support/oracle.h"

#include "support/need.h"

#include <stdlib.h>

typedef struct {
    const image *from;
    bool periodic[2];
    int connectivity;
    int64_t *stack; /* pixels whose neighbours are still to be looked at */
    int64_t depth;
    int64_t largest; /* pixel of the region being filled */
} flood;

/* The pixel at (y, x), or -1 if there is none. */
static int64_t pixel_at(const flood *f, int64_t y, int64_t x)
{
    int64_t height = f->from->height, width = f->from->width;
    if (f->periodic[0]) {
        y = (y + height) % height;
    }
    if (f->periodic[1]) {
        x = (x + width) % width;
    }
    return y < 0 || y >= height || x < 0 || x >= width ? -1 : y * width + x;
}

static void visit(flood *f, int64_t pixel, int64_t number, int64_t *scan)
{
    if (pixel >= 0 && f->from->foreground[pixel] && scan[pixel] == 0) {
        scan[pixel] = number;
        f->stack[f->depth++] = pixel;
        f->largest = pixel > f->largest ? pixel : f->largest;
    }
}

static int64_t fill(flood *f, int64_t first, int64_t number, int64_t *scan)
{
    int64_t area = 0;
    visit(f, first, number, scan);
    while (f->depth > 0) {
        int64_t pixel = f->stack[--f->depth];
        int64_t y = pixel / f->from->width, x = pixel % f->from->width;
        area++;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                if (f->connectivity == 8 || dy == 0 || dx == 0) {
                    visit(f, pixel_at(f, y + dy, x + dx), number, scan);
                }
            }
        }
    }
    return area;
}

oracle oracle_make(const image *from, int connectivity, const bool periodic[2])
{
    int64_t pixels = from->width * from->height;
    oracle made = {0, need_zeroed((size_t)pixels, sizeof(int64_t)),
                   need_zeroed((size_t)pixels, sizeof(int64_t)),
                   need_zeroed((size_t)pixels + 1, sizeof(int64_t))};
    int64_t *largest = need_zeroed((size_t)pixels + 1, sizeof(int64_t)); /* by scan number */
    flood f = {from,
               {periodic[0], periodic[1]},
               connectivity,
               need_zeroed((size_t)pixels, sizeof(int64_t)),
               0,
               0};
    for (int64_t pixel = 0; pixel < pixels; pixel++) {
        if (from->foreground[pixel] && made.scan[pixel] == 0) {
            f.largest = -1;
            made.regions++;
            made.area[made.regions] = fill(&f, pixel, made.regions, made.scan);
            largest[made.regions] = f.largest;
        }
    }
    for (int64_t pixel = 0; pixel < pixels; pixel++) {
        made.seed[pixel] = made.scan[pixel] > 0 ? largest[made.scan[pixel]] + 1 : 0;
    }
    free(largest);
    free(f.stack);
    return made;
}

void oracle_free(oracle *made)
{
    free(made->scan);
    free(made->seed);
    free(made->area);
    *made = (oracle){0};
}
