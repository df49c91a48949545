/* Filter types, and groups of rows: included by each unfilter_*.c. No include guard on purpose. */

#include "io/png/unfilter.h"

#include <stdbool.h>

enum { NONE, SUB, UP, AVERAGE, PAETH };

typedef void group_function(unsigned char *first, size_t bytes, int step);

/* Without Sub, Average and Paeth pixels are independent, and one row at a time is faster. */
static inline bool has_chains(const unsigned char *first, int64_t rows, size_t bytes)
{
    for (int64_t i = 0; i < rows; i++) {
        int type = *(first + (size_t)i * (bytes + 1) - 1);
        if (type == SUB || type == AVERAGE || type == PAETH) {
            return true;
        }
    }
    return false;
}

/* Calls walk(d, step) with `step`, the bytes of a pixel, as a compile-time constant. */
#define UNFILTER_WALK(walk, d, step) \
    switch (step) {                  \
    case 1:                          \
        walk(d, 1);                  \
        break;                       \
    case 2:                          \
        walk(d, 2);                  \
        break;                       \
    case 3:                          \
        walk(d, 3);                  \
        break;                       \
    case 4:                          \
        walk(d, 4);                  \
        break;                       \
    case 6:                          \
        walk(d, 6);                  \
        break;                       \
    default:                         \
        walk(d, 8);                  \
        break;                       \
    }

/* Rows of fewer pixels are ends of diagonals only, and faster one at a time. */
enum { SHORT_ROW = 8 };

/* Processes as many whole groups of rows as there are. Returns the number of rows done. */
static inline int64_t unfilter_groups(unsigned char *first, int64_t rows, size_t bytes, int step,
                                      int64_t lanes, group_function *unfilter_group)
{
    int64_t done = 0;
    for (; done + lanes <= rows; done += lanes) {
        unsigned char *group = first + (size_t)done * (bytes + 1);
        if (bytes >= (size_t)(SHORT_ROW * step) && has_chains(group, lanes, bytes)) {
            unfilter_group(group, bytes, step);
        } else {
            halo_png_unfilter_ops_plain.unfilter(group, lanes, bytes, step);
        }
    }
    return done;
}
