#ifndef HALOBEAT_LABEL_PAINT_H
#define HALOBEAT_LABEL_PAINT_H

#include "kernels/label/colours.h"
#include "kernels/label/label.h"
#include "kernels/label/strip.h"

/* Converting preliminary labels to pixels. Internal to the label kernel. */
typedef struct {
    const int32_t *table; /* [label_count] number of each preliminary label, less `add`, if all
                           * fit in 31 bits */
    int32_t add;          /* added to the entries of `table` */
    const int64_t *wide;  /* otherwise: the numbers themselves, with `table` NULL */
    bool seeds;           /* pixels are painted as their number minus 1 */
    int64_t max;          /* maximum number */
    label_colours colours;
    /* Buffers. */
    int32_t *own_table;
    int64_t *own_wide;
    int64_t class_room, wide_room;
    char *values, *narrow; /* a value for each run of a row */
    int64_t value_room;
    int64_t band; /* band of the values, or -1 */
} label_painter;

/* Local. Component c has the number add + c, except those from strip->representatives on, which
 * have aliases[c - representatives]; all fit in 31 bits. Overwrites the strip's classes: only
 * painting may follow. */
halo_status label_painter_shift(label_painter *painter, label_strip *strip, int64_t add,
                                const int64_t *aliases, int64_t max);

/* Local. numbers[c], [class_count], is the number of component c; 0 paints it as background. `max`
 * is the maximum of all numbers. May overwrite the strip's classes, as above. */
halo_status label_painter_prepare(label_painter *painter, label_strip *strip,
                                  const int64_t *numbers, bool seeds, int64_t max);

/* Local. See halo_label_paint_rows. */
halo_status label_painter_rows(label_painter *painter, const label_strip *strip,
                               halo_label_paint as, int64_t first, int64_t rows, void *out,
                               size_t pitch);

/* Local. Accepts a zeroed painter. */
void label_painter_free(label_painter *painter);

#endif
