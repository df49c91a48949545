#ifndef HALOBEAT_LABEL_STRIP_H
#define HALOBEAT_LABEL_STRIP_H

#include "base/status.h"
#include "kernels/label/row_ops.h"

#include <stddef.h>

/* Connected components of one rectangle of bit rows (a strip of the image, or a block), by runs and
 * union-find. Local; internal to the label kernel.
 *
 * Method: run starts and run adjacency by bit algebra, so that the links between two rows come out
 * as a list without a branch per pixel; union-find with Rem's splicing (Patwary, Blair, Manne:
 * Experiments on union-find algorithms, 2010), where the smaller label wins, so that components
 * come out in raster order of their first pixel. */

typedef struct {
    const uint64_t *bits;  /* first word of the first row; bits from the width on are zero */
    ptrdiff_t pitch;       /* bytes from row to row */
    int64_t height, width; /* pixels */
    bool diagonal;         /* 8-connected */
    bool periodic;         /* the last column is a neighbour of the first */
    int64_t top, left;     /* where in the image the first pixel lies */
    int64_t image_width;   /* pixels of the image's rows */
} label_input;

/* What is known of a strip after label_strip_finish. Zero-initialise it and set `rows`; buffers are
 * kept from run to run, since fresh memory costs more than labelling. */
typedef struct {
    const label_row_ops *ops;
    label_input input;
    int64_t runs;
    int32_t *first_run;   /* [height + 1] the first run of each row */
    int32_t *first_label; /* [height + 1] the first label that begins in each row */
    int32_t *labels;      /* [runs] a preliminary label for each run */
    int32_t *classes; /* [label_count] of each preliminary label: first its parent in the union-find
                       * forest; once finished, the number of its component */
    int64_t label_count;
    int64_t representatives; /* components 0 to representatives - 1, in raster order of their first
                                pixels ... */
    int64_t class_count; /* ... and those that were named to label_strip_finish, in that order */
    int32_t *apart;      /* [apart_count] the labels of these */
    int64_t apart_count;
    /* Buffers, and their sizes in entries. */
    label_links links;
    int64_t link_room, row_room, run_room;
} label_strip;

/* Local. Only find the runs, and make room for their labels and as many components: for methods
 * that label in another way. Errors as below. */
halo_status label_strip_count(label_strip *strip, const label_input *input);

/* Local, of counted runs. Bytes of the tables for them that nothing touches: labels begin with some
 * of the runs, of which hardly any is apart. Before they are united, how many begin is a guess. */
int64_t label_strip_untouched(const label_strip *strip);

/* Local, of counted runs. Find which ones touch: labels and their forest. HALO_MEMORY. */
halo_status label_strip_unite(label_strip *strip);

/* Local. Number the components of an united strip. Those of the `count` labels in `apart`, which
 * are roots of the forest, come after all others. */
void label_strip_finish(label_strip *strip, const int32_t *apart, int64_t count);

/* Local. Accepts a zeroed strip. */
void label_strip_free(label_strip *strip);

static inline const uint64_t *label_input_row(const label_input *input, int64_t y)
{
    return (const uint64_t *)(const void *)((const char *)input->bits + y * input->pitch);
}

static inline int64_t label_input_words(const label_input *input)
{
    return (input->width + 63) / 64;
}

/* The root of a run's component, before the strip is finished. */
static inline int32_t label_strip_root(const label_strip *strip, int64_t run)
{
    int32_t label = strip->labels[run];
    while (strip->classes[label] != label) {
        label = strip->classes[label];
    }
    return label;
}

/* A component goes by a key that is the same on all ranks, made from the label of its first run:
 * the place of a pixel in the first pixel's row, as many columns from the left of the strip or
 * block as other labels begin in that row before it (so that it lies inside, whatever their
 * widths). So the smallest key of a region is that of its first pixel in raster order, also among
 * blocks side by side, and says which rank owns it. */
static inline int64_t label_strip_key(const label_strip *strip, int32_t label)
{
    const int32_t *first_label = strip->first_label;
    int64_t row = 0, end = strip->input.height;
    while (end - row > 1) {
        int64_t middle = row + (end - row) / 2;
        bool begun = first_label[middle] <= label;
        row = begun ? middle : row;
        end = begun ? end : middle;
    }
    const label_input *input = &strip->input;
    return (input->top + row) * input->image_width + input->left + label - first_label[row];
}

/* The label behind a key of this strip. */
static inline int32_t label_strip_of_key(const label_strip *strip, int64_t key)
{
    const label_input *input = &strip->input;
    int64_t row = key / input->image_width - input->top;
    return strip->first_label[row] + (int32_t)(key % input->image_width - input->left);
}

#endif
