#ifndef HALOBEAT_FILTER_FILTER_H
#define HALOBEAT_FILTER_FILTER_H

#include "base/option.h"
#include "base/sample.h"
#include "core/field/field.h"
#include "core/world/watch.h"
#include "partition/cuts.h"

#include <float.h>
#include <stdbool.h>

/* Filters: operations on images that are written as steps, such as gaussian:2. A filter is a row of
 * a table and functions that compute rows. The frame (pipeline.h) does what all of them need: rings
 * of rows, edges, tiles, ranks. Internal to the kernels; everything here is local.
 *
 * A step becomes one or more parts, which are computed one after the other: opening is an erosion
 * and a dilation. Each part reads rows of what the part before has made, `depth` more on each side,
 * and every part has the edges of its own input. */

typedef struct filter_step filter_step;

/* ---- edges ----------------------------------------------------------------------------------- */

/* Samples beyond the edge of an image, by scipy.ndimage's names: code, name, and of an image
 * abcd the samples before and after it. */
#define FILTER_MODE_LIST(X)                     \
    X(REFLECT, "reflect", "d c b a", "d c b a") \
    X(MIRROR, "mirror", "d c b", "c b a")       \
    X(NEAREST, "nearest", "a a a a", "d d d d") \
    X(WRAP, "wrap", "a b c d", "a b c d")       \
    X(CONSTANT, "constant", "k k k k", "k k k k")

typedef enum {
#define FILTER_MODE_ENUM(code, ...) FILTER_##code,
    FILTER_MODE_LIST(FILTER_MODE_ENUM)
#undef FILTER_MODE_ENUM
} filter_mode;

#define FILTER_MODE_WORD(code, name, ...) "|" name
#define FILTER_MODE_WORDS                 FILTER_MODE_LIST(FILTER_MODE_WORD)

typedef struct {
    int mode;    /* filter_mode */
    double cval; /* of FILTER_CONSTANT */
    bool exact;  /* it is `whole`, of I64, of which not all are doubles */
    int64_t whole;
} filter_edge;

/* Rows of the options of a filter with edges, whose structure has a member `edge`. */
#define FILTER_EDGE_ROWS(structure)                                                      \
    {HALO_OPTION_ROW(structure, "mode", INDEX, edge.mode), .choices = FILTER_MODE_WORDS, \
     .standard = "reflect", .help = "Samples beyond the edges, by scipy's names"},       \
    {                                                                                    \
        HALO_OPTION_ROW(structure, "cval", REAL, edge.cval),                             \
            .min = -DBL_MAX, .max = DBL_MAX, .standard = "0",                            \
            .help = "Value of these samples with mode=constant"                          \
    }

/* Pure. The index from 0 to n - 1 of the sample that index i stands for; -1: the constant. */
int64_t filter_edge_index(int mode, int64_t i, int64_t n);

/* ---- parts ----------------------------------------------------------------------------------- */

/* Asks while rows are made whether the run is to end. */
typedef struct {
    const halo_world *world; /* NULL: nobody asks */
    int64_t since;           /* as of halo_watch_piece */
    halo_status status;
} filter_stop;

/* Rows that a part is to make, and what it may read. Samples are in the machine's byte order, bits
 * are words (HALO_SAMPLE_BIT); pointers are to sample 0 of a row.
 *
 * in[k * in_pitch + i] is row i of plane k: planes from depth[0] before the first of the tile, rows
 * from depth[1] before its first one, in all planes + 2 * depth planes, and rows + 2 * depth rows
 * of each. A row has depth[2] samples before and after its `width` ones, and 64 more bytes on each
 * side may be read, whose values are undefined. `out` are planes * rows rows of `width` samples,
 * of which not a byte more may be written; they do not overlap the input. */
typedef struct {
    const filter_step *step;
    const struct filter_part *part;
    void *state;        /* of the part, on this rank */
    int64_t plane, row; /* of the first row of `out`, in the whole image */
    int64_t planes;     /* 1, unless the part makes several together */
    int64_t rows, width;
    const void *const *in;
    int64_t in_pitch;
    const void *const *original; /* [planes * rows] the same rows of the step's input; NULL unless
                                  * the part asks for it */
    const void *const *second;   /* [planes * rows] the same rows of the step's second image, of
                                  * step->second.type; NULL unless the part asks for it */
    void *const *out;
    filter_stop *stop; /* NULL: it does not end before its time */
} filter_tile;

/* Asked by parts that take long, after each of some pieces of a tile that took as long as this
 * number of samples takes a simple filter. If true the run ends: the rest of the tile is left out.
 */
static inline bool filter_tile_ends(const filter_tile *tile, int64_t samples)
{
    filter_stop *stop = tile->stop;
    if (stop != NULL && stop->status == HALO_OK) {
        stop->status = halo_watch_piece(stop->world, &stop->since, samples);
    }
    return stop != NULL && stop->status != HALO_OK;
}

/* Collective: what a part that needs the whole image computes. */
typedef struct {
    halo_world *world;
    const struct filter_part *part;
    const halo_partition *strips; /* of rows, or of planes of a volume */
    const halo_domain *domain;    /* of two or three axes */
    halo_field *in;               /* this rank's strip; nothing is known of its halo */
    halo_field *out;              /* NULL if the part computes in place */
    const char *instructions;
} filter_field_call;

/* A reduction is what a part has to know of all samples of its input before it computes rows: `end`
 * leaves what it finds in the options of the step. */
typedef struct {
    /* Local. HALO_MEMORY. */
    halo_status (*create)(void **state, const struct filter_part *part, const char *instructions);
    /* Local. Takes some rows, a view of two or three axes: all of this rank's, one after the other.
     */
    void (*add)(void *state, const halo_view *rows);
    /* Collective, after all rows. *again: all are to be added once more. HALO_MEMORY,
     * HALO_TRANSPORT. */
    halo_status (*end)(void *state, halo_world *world, bool *again);
    void (*destroy)(void *state); /* accepts NULL */
} filter_reduction;

typedef struct filter_part {
    void (*rows)(const filter_tile *tile);
    /* The state of a rank; NULL: it has none. `instructions` as of halo_isa_pick. Tiles come in the
     * order of their rows. */
    halo_status (*create)(void **state, const filter_step *step, const struct filter_part *part,
                          const char *instructions);
    void (*destroy)(void *state);
    halo_sample_type in, out;
    int64_t depth[HALO_AXES]; /* planes, rows, columns on each side */
    int64_t planes; /* of a volume, that it makes together, if memory allows it; 0: it is called for
                     * each one */
    filter_edge edge;
    bool original;   /* it reads rows of the step's input, too */
    bool second;     /* it reads rows of the step's second image, which is an image, no number */
    const void *own; /* what the filter's `resolve` says to its other functions */
    int index;       /* from 0, of the parts of the step; -1: of its `spread` */
    const filter_step *step;
    /* A part that needs the whole image: instead of `rows`. Strips have at least `depth` layers,
     * for halos of its own. */
    halo_status (*field)(const filter_field_call *call);
    bool in_place;                     /* its result is where its input was, of the same type */
    const filter_reduction *reduction; /* it has `rows`, once this has ended; `field` does
                                        * both for a field */
} filter_part;

/* ---- filters --------------------------------------------------------------------------------- */

/* Sets of types. */
#define FILTER_TYPE(code) (1U << HALO_SAMPLE_##code)
enum {
    FILTER_REALS = FILTER_TYPE(F32) | FILTER_TYPE(F64),
    FILTER_ANY = (1U << HALO_SAMPLE_TYPES) - 1,
    FILTER_NUMBERS = FILTER_ANY & ~FILTER_TYPE(BIT),
    FILTER_WHOLE = FILTER_NUMBERS & ~FILTER_REALS,
};

typedef struct {
    const char *name, *help;
    const char *authority; /* whose definition it has: "scipy.ndimage.gaussian_filter" */
    const char *examples; /* "a|b": steps, of which the first is shown; tests compute all of them */
    const halo_option *params; /* the values of a step stand for the first ones, in their order */
    size_t params_bytes;
    unsigned takes; /* set of types */
    unsigned gives; /* set of those that dtype= may ask for, besides that of the samples */
    bool real;   /* results are reals: float32 unless samples are reals, or dtype= says otherwise;
                  * otherwise of the type of the samples */
    bool bits;   /* results are bits, whatever samples are */
    bool second; /* its first option is a second image: params begin with a filter_other */
    /* Is each result a mean of the samples of a window, by weights that depend on places alone?
     * NULL: no. */
    bool (*smooths)(const struct filter_step *step);
    /* Sets step->parts from step->params and the shape of the image. HALO_ARGUMENT. */
    halo_status (*resolve)(filter_step *step);
} halo_filter;

enum { FILTER_MOST_PARTS = 4 };

/* The second image of a step, of the shape of the first. Whoever resolves the chain sets all but
 * the name before. */
typedef struct {
    const char *name; /* as the step has it, whose text it belongs to; NULL: there is none */
    /* Local. Writes row `y` of plane `z`, in the machine's byte order, for any rows, mostly in
     * order. NULL: it is not known. */
    halo_status (*row)(void *context, int64_t z, int64_t y, void *out);
    void *context;
    halo_sample_type type; /* not BIT: bits are 0 and 1 of U8 */
    int axes;
    int64_t n[HALO_AXES]; /* as of the step */
} filter_second;

/* A step of a chain, for images of one shape and type. */
struct filter_step {
    const halo_filter *filter;
    int number;   /* from 1 */
    void *params; /* a structure of the filter's options */
    char *text;   /* which texts in it belong to */
    halo_sample_type in, out;
    bool typed;           /* `out` was given */
    int axes;             /* of the image: 1 to 3 */
    int64_t n[HALO_AXES]; /* planes, rows, columns */
    int parts;
    filter_part part[FILTER_MOST_PARTS];
    filter_second second;
    bool spreads; /* its input are bits, which it does not take: `in` is the type of numbers */
    filter_part spread; /* that this part makes of them, before the others */
};

/* The table, ended by NULL, and its rows by name; NULL if there is none. */
extern const halo_filter *const filter_table[];
const halo_filter *filter_find(const char *name, size_t length);

/* The same; HALO_ARGUMENT, with the filter that may have been meant, if there is none. */
halo_status filter_named(const char *name, size_t length, const halo_filter **out);

/* HALO_ARGUMENT: "step 3, median:-1: ...", by printf's rules. */
halo_status filter_refuse(const filter_step *step, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a part, with the types of the step, to those that there are. */
filter_part *filter_add_part(filter_step *step, const filter_part *part);

#endif
