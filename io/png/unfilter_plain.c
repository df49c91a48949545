#include "io/png/unfilter_body.h"

#include <stdlib.h>

static inline unsigned char paeth(int left, int up, int corner)
{
    int to_left = abs(up - corner), to_up = abs(left - corner);
    int to_corner = abs(left + up - 2 * corner);
    if (to_left <= to_up && to_left <= to_corner) {
        return (unsigned char)left;
    }
    return (unsigned char)(to_up <= to_corner ? up : corner);
}

/* The first pixel's left neighbours are zero. */
static void unfilter_start(unsigned char *row, const unsigned char *above, int type, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int half = above[i] / 2, up = type == AVERAGE ? half : above[i];
        bool uses_up = type == UP || type == AVERAGE || type == PAETH;
        row[i] = (unsigned char)(row[i] + (uses_up ? up : 0));
    }
}

/* A row of a filter type that has predicted `value` for byte i. */
#define UNFILTER(filter, value)                         \
    case filter:                                        \
        for (size_t i = first; i < bytes; i++) {        \
            row[i] = (unsigned char)(row[i] + (value)); \
        }                                               \
        break;

static void unfilter_row(unsigned char *row, const unsigned char *above, size_t bytes, size_t step)
{
    int type = row[-1];
    size_t first = step < bytes ? step : bytes;
    unfilter_start(row, above, type, first);
    switch (type) {
        UNFILTER(SUB, row[i - step])
        UNFILTER(UP, above[i])
        UNFILTER(AVERAGE, (row[i - step] + above[i]) / 2)
        UNFILTER(PAETH, paeth(row[i - step], above[i], above[i - step]))
    default:
        break;
    }
}

static void unfilter_plain(unsigned char *first, int64_t rows, size_t bytes, int step)
{
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = first + (size_t)i * (bytes + 1);
        unfilter_row(row, row - (bytes + 1), bytes, (size_t)step);
    }
}

const halo_png_unfilter_ops halo_png_unfilter_ops_plain = {unfilter_plain};
