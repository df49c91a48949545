#ifndef HALOBEAT_LABEL_PAINT_H
#define HALOBEAT_LABEL_PAINT_H

#include "kernels/label/label.h"
#include "kernels/label/paint/colours.h"
#include "kernels/label/rows/strip.h"

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
    /* For transposed strips: a few rows of the image that are painted, and the place of the next
     * ones in the strip's rows. */
    char *tile; /* [tile_bytes] */
    size_t tile_bytes;
    halo_label_paint tile_as;
    int64_t tile_begin, tile_end; /* pixels of the strip, in the raster order of the image */
    int64_t cursor;               /* column of the strip */
    int64_t *cursor_run;          /* the run that is there, or the next one */
} label_painter;

/* Rows of the image that are painted at a time, at most: columns of a transposed strip. */
enum { LABEL_TILE_COLUMNS = 4096 };

/* The size and the largest number of pixels of a format, and how a row is painted: the numbers of
 * its runs are painter->values, 32 bits each, or 64 where numbers are wide. */
typedef struct {
    void (*row)(label_painter *painter, const label_strip *strip, const label_row *row,
                int64_t width, void *out);
    size_t bytes;
    int64_t max; /* number that fits; 0 for any */
} label_paint_format;

/* The format, and the numbers of a row's runs. */
const label_paint_format *label_paint_format_of(halo_label_paint as);
void label_painter_look_up(label_painter *painter, const label_strip *strip, const label_row *row);

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

/* Local. The same for a transposed strip, whose image has rows of one pixel or of as many as the
 * strip has rows. HALO_MEMORY. */
halo_status label_painter_transposed(label_painter *painter, const label_strip *strip,
                                     halo_label_paint as, int64_t first, int64_t rows, void *out,
                                     size_t pitch);

/* Local. Accepts a zeroed painter. */
void label_painter_free(label_painter *painter);

#endif
