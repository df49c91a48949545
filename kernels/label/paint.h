#ifndef HALOBEAT_LABEL_PAINT_H
#define HALOBEAT_LABEL_PAINT_H

#include "kernels/label/label.h"
#include "kernels/label/strip.h"

/* From preliminary labels to pixels. Internal to the label kernel. */
typedef struct {
    const int32_t *table; /* number of each preliminary label, where all fit in 31 bits ... */
    int32_t add;          /* ... less this */
    const int64_t *wide;  /* otherwise: the numbers themselves, and `table` is NULL */
    bool seeds;           /* pixels are painted one less than their number */
    int64_t max;          /* number */
    /* Buffers. */
    int32_t *own_table;
    int64_t *own_wide;
    int64_t class_room, wide_room;
    char *values, *narrow; /* a value for each run of a row */
    int64_t value_room;
    int64_t band; /* the values are those of, or -1 */
} label_painter;

/* Local. Component c is called add + c, save those from strip->representatives on, which are called
 * aliases[c - representatives]; all fit in 31 bits. Uses up the strip's classes: nothing but
 * painting can follow. */
halo_status label_painter_shift(label_painter *painter, label_strip *strip, int64_t add,
                                const int64_t *aliases, int64_t max);

/* Local. numbers[c] is the number of component c ([class_count]); 0 paints it background.
 * `max`: the largest of all numbers. May use up the strip's classes, as above. */
halo_status label_painter_prepare(label_painter *painter, label_strip *strip,
                                  const int64_t *numbers, bool seeds, int64_t max);

/* Local. See halo_label_paint_rows. */
halo_status label_painter_rows(label_painter *painter, const label_strip *strip,
                               halo_label_paint as, int64_t first, int64_t rows, void *out,
                               size_t pitch);

/* Local. Accepts a zeroed painter. */
void label_painter_free(label_painter *painter);

#endif
