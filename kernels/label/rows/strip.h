#ifndef HALOBEAT_LABEL_STRIP_H
#define HALOBEAT_LABEL_STRIP_H

#include "core/world/watch.h"
#include "kernels/label/rows/row_ops.h"
#include "kernels/label/rows/value_ops.h"
#include "kernels/label/rows/value_source.h"

#include <stddef.h>

/* Connected components of one box of bit rows (a strip of the image, or a block), by runs and
 * union-find. Local; internal to the label kernel. An image of two axes is one plane.
 *
 * Method: run starts and adjacency of runs by bit operations, which give the links between two rows
 * as a list without a branch per pixel; union-find with Rem's splicing (Patwary, Blair, Manne:
 * Experiments on union-find algorithms, 2010), in which the smaller label wins, so that components
 * are in raster order of their first pixel. Links implied by others are omitted.
 *
 * With 26 neighbours any two voxels of a 2 x 2 x 2 cube touch, so that a run of the union of 2 x 2
 * rows is in one component: only these runs are linked, a quarter of the rows (the idea of
 * block-based labelling: C. Grana, D. Borghesani, R. Cucchiara, Optimized block-based connected
 * components labeling with decision trees, 2010). */

typedef struct {
    const uint64_t *bits;  /* first word of the first row; bits past the width are 0 */
    ptrdiff_t pitch;       /* bytes from row to row */
    ptrdiff_t plane_pitch; /* bytes from plane to plane */
    int64_t planes, rows;  /* rows of a plane */
    int64_t height;        /* planes * rows; row r is row r % rows of plane r / rows */
    int64_t width;         /* pixels */
    int order;             /* maximum number of axes along which neighbours differ: 1 for 4 and 6
                            * neighbours, 2 for 8 and 18, 3 for 26 */
    const char *values;    /* values that also decide which neighbours are connected; or NULL */
    ptrdiff_t value_pitch, value_plane_pitch; /* bytes from row to row, and from plane to plane */
    const label_value_source *source; /* reads the values where rows of them are not contiguous; or
                                       * NULL: they are */
    halo_label_near near;
    bool has_background;                     /* near.background is a value of the type: */
    _Alignas(8) unsigned char background[8]; /* this one, of the type */
    bool folded;                             /* link runs of 2 x 2 rows; requires order 3 */
    bool transposed; /* rows of the strip are columns of the image (transposed.h), in one plane */
    int row_axis, column_axis; /* transposed: axes of the image (planes, rows, columns) along which
                                * the strip's rows, and its columns, follow each other */
    bool periodic;             /* the last column is a neighbour of the first */
    bool periodic_rows;        /* the last row of a plane is a neighbour of the first */
    int64_t front, top, left;  /* position of the first pixel in the image: plane, row, column */
    int64_t image_rows;        /* rows of the image's planes */
    int64_t image_width;       /* pixels of its rows */
} label_input;

/* A linker finds and labels the runs of bands (linker.h). */
typedef struct label_linker label_linker;

/* Vector loops read and write whole vectors past the end of what they were asked for. */
enum { LABEL_SLACK = 64 };

/* First pixels of components, a bit each in the raster order of the image. */
typedef struct {
    uint64_t *pixels; /* [words] */
    int32_t *before;  /* [words + 1] how many there are before each word */
    int64_t words;
} label_firsts;

/* The components of a strip, complete after label_strip_finish. Zero-initialise it and set `ops`.
 * Buffers are kept from run to run, since allocating memory costs more than labelling.
 *
 * A band is the unit of runs: a row, or 2 x 2 rows if they are folded. */
typedef struct {
    const label_row_ops *ops;
    const label_value_ops *value_ops; /* NULL if values are not compared */
    const halo_world *world;          /* that watches (halo_watch_work); or NULL */
    label_input input;
    const label_linker *linker; /* set by label_strip_count */
    int64_t runs;
    int64_t most_runs;          /* of a band */
    int64_t bands, plane_bands; /* in total, and per plane (or pair of planes) */
    int32_t *first_run;         /* [bands + 1] the first run of each */
    int32_t *first_label; /* [height + 1] the first name (see below) that begins in each row */
    int32_t *labels;      /* [runs] a preliminary label for each run */
    int32_t *classes;     /* [label_count] for each preliminary label: at first its parent in the
                           * union-find forest (folded or transposed: the name of its component);
                           * at the end the
                           * number of its component */
    int64_t label_count;
    /* Names of components before the strip is finished, ascending in raster order of their first
     * pixels: the label of the root, or for folded and transposed rows numbers from 0. */
    int64_t names;
    const int32_t *class_of; /* [names] at the end: the component of each name; NULL if these are
                              * the same numbers */
    int64_t representatives; /* components 0 to representatives - 1, in raster order of their
                              * first pixels, ... */
    int64_t class_count;     /* ... followed by those named to label_strip_finish, in that order */
    int32_t *aliases;        /* [alias_count] the labels of these */
    int64_t alias_count;
    /* Buffers, and their sizes in entries. */
    uint64_t *folds;     /* [bands * words] the union of each 2 x 2 rows */
    uint64_t *begins;    /* [bands * begin_words] with values: the first pixel of each run of a row;
                          * with equal values followed by its pixels that are equal to those in the
                          * plane before, and by those equal to the ones in the row before */
    int64_t begin_words; /* of all these rows of bits */
    uint32_t places;     /* with equal values: the label_places that a band may be linked to */
    uint32_t next_places; /* the same for corner_band, which is the next one */
    int64_t corner_band;
    uint64_t *masks;      /* rows of bits, the first of them zeroes */
    int32_t *plane_label; /* for folded rows: the first label of each pair of planes */
    int32_t *renamed;     /* [names] for folded rows, and transposed ones, if some are aliases */
    label_firsts firsts;  /* for transposed ones */
    label_links links;
    int64_t link_room, band_room, row_room, run_room, class_room, fold_room, begin_room, mask_room,
        plane_room, name_room, stretch_room;
} label_strip;

/* Local. Finds only the runs, and allocates their labels and as many components: for methods that
 * label in another way. HALO_ARGUMENT, HALO_MEMORY, HALO_CANCELLED. */
halo_status label_strip_count(label_strip *strip, const label_input *input);

/* Local, after counting runs. Bytes of the tables that are allocated but not touched: labels begin
 * with some of the runs only, of which few are those of aliases, and links between two rows are no
 * more than their runs. Before the strip is united the number of labels is a guess. */
int64_t label_strip_untouched(const label_strip *strip);

/* Local, after counting runs. Finds which runs touch: labels and their forest. HALO_MEMORY,
 * HALO_CANCELLED. */
halo_status label_strip_unite(label_strip *strip);

/* Local, after uniting. Frees the memory of links between rows, which the next count takes anew:
 * for strips that take long. */
void label_strip_release_links(label_strip *strip);

/* Local. Room for label_strip_finish with `count` aliases. HALO_MEMORY. */
halo_status label_strip_prepare(label_strip *strip, int64_t count);

/* Local. Numbers the components of a united strip. Those of the `count` names in `aliases`, from
 * label_strip_root, follow all others. */
void label_strip_finish(label_strip *strip, const int32_t *aliases, int64_t count);

/* Local. Accepts a zeroed strip. */
void label_strip_free(label_strip *strip);

/* Row `y` of plane `z`. */
static inline const uint64_t *label_input_row_of(const label_input *input, int64_t z, int64_t y)
{
    return (const uint64_t *)(const void *)((const char *)input->bits + z * input->plane_pitch +
                                            y * input->pitch);
}

/* Row `r` of all. */
static inline const uint64_t *label_input_row(const label_input *input, int64_t r)
{
    return input->planes <= 1 ? label_input_row_of(input, 0, r)
                              : label_input_row_of(input, r / input->rows, r % input->rows);
}

static inline int64_t label_input_words(const label_input *input)
{
    return (input->width + 63) / 64;
}

/* The raster index in the image of local row `r`, and the reverse. */
static inline int64_t label_input_global(const label_input *input, int64_t r)
{
    return input->planes <= 1 ? input->front * input->image_rows + input->top + r
                              : (input->front + r / input->rows) * input->image_rows + input->top +
                                    r % input->rows;
}

static inline int64_t label_input_local(const label_input *input, int64_t row)
{
    int64_t z = row / input->image_rows - input->front, y = row % input->image_rows - input->top;
    return z * input->rows + y;
}

/* A row, and the runs that its pixels belong to. */
typedef struct {
    const uint64_t *bits;
    const uint64_t *runs;   /* the row whose runs have the labels */
    const uint64_t *begins; /* the first pixels of the runs, if these have no gaps; or NULL */
    const int32_t *labels;  /* [count] of these runs */
    int64_t count;
    int64_t band;
} label_row;

/* Row `y` of plane `z`. */
static inline label_row label_strip_row_of(const label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    label_row row = {.bits = label_input_row_of(input, z, y), .band = z * input->rows + y};
    row.runs = row.bits;
    if (input->folded) {
        row.band = z / 2 * strip->plane_bands + y / 2;
        row.runs = strip->folds + row.band * label_input_words(input);
    }
    if (input->values != NULL) {
        row.begins = strip->begins + row.band * strip->begin_words;
    }
    row.labels = strip->labels + strip->first_run[row.band];
    row.count = strip->first_run[row.band + 1] - strip->first_run[row.band];
    return row;
}

/* Row `r` of all. */
static inline label_row label_strip_row(const label_strip *strip, int64_t r)
{
    int64_t rows = strip->input.rows;
    return strip->input.planes <= 1 ? label_strip_row_of(strip, 0, r)
                                    : label_strip_row_of(strip, r / rows, r % rows);
}

/* Prefetches what a later row has. A row of a volume is a cache line or two, which the hardware
 * does not prefetch: each pass would wait for memory once per row. The function must be inlined:
 * GCC takes a function that only prefetches for one without effects, and omits the call. */
__attribute__((always_inline)) static inline void label_strip_prefetch(const label_strip *strip,
                                                                       const label_row *row)
{
    enum { AHEAD = 8, WORDS = 8, LABELS = 16 };
    const label_input *input = &strip->input;
    if (input->planes <= 1) {
        return;
    }
    int64_t words = label_input_words(input);
    const char *bits = (const char *)row->bits + AHEAD * input->pitch;
    const uint64_t *runs =
        row->begins != NULL ? row->begins + AHEAD * strip->begin_words : row->runs + AHEAD * words;
    for (int64_t i = 0; i < words; i += WORDS) {
        __builtin_prefetch(bits + i * (int64_t)sizeof *runs);
        __builtin_prefetch(runs + i);
    }
    for (int64_t i = 0; i < row->count; i += LABELS) {
        __builtin_prefetch(row->labels + AHEAD * row->count + i);
    }
}

/* Do classes hold names of components before the strip is finished? Those of a single row have the
 * order of their labels. */
static inline bool label_strip_is_named(const label_strip *strip)
{
    return strip->input.folded || (strip->input.transposed && strip->input.rows > 1);
}

/* At the end: the component of a name. */
static inline int32_t label_strip_class_of(const label_strip *strip, int32_t name)
{
    return strip->class_of != NULL ? strip->class_of[name] : name;
}

/* The name of a run's component before the strip is finished. */
static inline int32_t label_strip_root(const label_strip *strip, int32_t label)
{
    if (label_strip_is_named(strip)) {
        return strip->classes[label];
    }
    while (strip->classes[label] != label) {
        label = strip->classes[label];
    }
    return label;
}

/* The last row whose first label is not greater than `name`. Searched from row `near` on, in steps
 * that double: names that are asked for one after the other are mostly of the same or close rows.
 */
static inline int64_t label_strip_row_of_name(const label_strip *strip, int32_t name, int64_t near)
{
    const int32_t *first_label = strip->first_label;
    int64_t row = near, end = near + 1, height = strip->input.height;
    for (int64_t step = 1; end < height && first_label[end] <= name; step *= 2) {
        row = end;
        end = end + step < height ? end + step : height;
    }
    for (int64_t step = 1; row > 0 && first_label[row] > name; step *= 2) {
        end = row;
        row = row > step ? row - step : 0;
    }
    while (end - row > 1) {
        int64_t middle = row + (end - row) / 2;
        bool begun = first_label[middle] <= name;
        row = begun ? middle : row;
        end = begun ? end : middle;
    }
    return row;
}

/* The key of a component of a transposed strip: the raster index in the image of its first pixel in
 * the strip; and the name of a key (transposed.c). */
int64_t label_transposed_key(const label_strip *strip, int32_t name);
int32_t label_transposed_of_key(const label_strip *strip, int64_t key);

/* The key of a component, derived from its name, which is the same on all ranks: the index of a
 * pixel in the row of its first pixel, in the column that is as far from the left of the strip or
 * block as there are names before it that begin in the same row (so that it is always inside). The
 * minimum key of a region is therefore that of its first pixel in raster order, also with blocks
 * side by side, and determines the rank that owns it. `near`: a row to begin the search at, 0 at
 * first; afterwards the name's row. */
static inline int64_t label_strip_key(const label_strip *strip, int32_t name, int64_t *near)
{
    const label_input *input = &strip->input;
    if (input->transposed && input->rows > 1) {
        return label_transposed_key(strip, name);
    }
    int64_t row = label_strip_row_of_name(strip, name, *near);
    *near = row;
    return label_input_global(input, row) * input->image_width + input->left + name -
           strip->first_label[row];
}

/* The name of a key of this strip. */
static inline int32_t label_strip_of_key(const label_strip *strip, int64_t key)
{
    const label_input *input = &strip->input;
    if (input->transposed && input->rows > 1) {
        return label_transposed_of_key(strip, key);
    }
    int64_t row = label_input_local(input, key / input->image_width);
    return strip->first_label[row] + (int32_t)(key % input->image_width - input->left);
}

#endif
