#ifndef HALOBEAT_LABEL_STRIP_H
#define HALOBEAT_LABEL_STRIP_H

#include "core/status.h"
#include "kernels/label/rows.h"

#include <stddef.h>

/* Connected components of one strip of bit rows, by runs and union-find. Local; internal to the
 * label kernel.
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
    bool wrap;             /* the last column is a neighbour of the first */
} label_input;

/* What is known of a strip after label_strip_run. Zero-initialise it and set `rows`; buffers are
 * kept from run to run, since fresh memory costs more than labelling. */
typedef struct {
    const label_rows *rows;
    label_input input;
    int64_t runs;
    int32_t *first_run; /* [height + 1] the first run of each row */
    int32_t *labels;    /* [runs] a preliminary label for each run */
    int32_t *classes; /* [label_count] of each preliminary label: first its parent in the union-find
                       * forest; once finished, the number of its component */
    int64_t label_count;
    int64_t leads;       /* components 0 to leads - 1, in raster order of their first pixels ... */
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

/* Local. Find which runs touch: labels and their forest. HALO_MEMORY; HALO_ARGUMENT for more than
 * 2^31 runs, naming the remedy. */
halo_status label_strip_unite(label_strip *strip, const label_input *input);

/* Local. Number the components of an united strip. Those of the `count` labels in `apart`, which
 * are roots of the forest, come after all others. */
void label_strip_finish(label_strip *strip, const int32_t *apart, int64_t count);

/* Local. Both, with no component apart. */
halo_status label_strip_run(label_strip *strip, const label_input *input);

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

/* The number of a run's component, once the strip is finished. */
static inline int32_t label_strip_class(const label_strip *strip, int64_t run)
{
    return strip->classes[strip->labels[run]];
}

#endif
