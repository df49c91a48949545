#ifndef HALOBEAT_WALK_H
#define HALOBEAT_WALK_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Random walkers in a porous medium of fluid and solid cells. In each step a walker chooses one of
 * the neighbours of its cell, each with the same probability, and moves there unless it is solid
 * ("blind ant"). A solid that conducts, and a flow, change this as described below. Walkers start
 * anywhere in the fluid with uniform probability.
 *
 * A walker depends on the seed, its number and the step only: results are the same on every
 * machine, in whatever order walkers are computed. Random numbers are those of base/random.h. All
 * functions are local. Axes are x, y, z. */

enum { HALO_WALK_AXES = 3, HALO_WALK_MAX_STEPS = 1 << 26, HALO_WALK_TASK = 1024 };

/* The medium beyond the edges along an axis. */
#define HALO_WALK_EDGES_LIST(X)                                                         \
    X(PERIODIC, periodic, "the medium begins again: its opposite edges are neighbours") \
    X(REFLECTING, reflecting, "walls")                                                  \
    X(MIRRORED, mirrored, "the medium's mirror image, and then the medium again")

typedef enum {
#define HALO_WALK_EDGES_ENUM(code, name, help) HALO_WALK_##code,
    HALO_WALK_EDGES_LIST(HALO_WALK_EDGES_ENUM)
#undef HALO_WALK_EDGES_ENUM
} halo_walk_edges;

/* Their names, in the order of the list. */
extern const char *const *const halo_walk_edge_names;
enum { HALO_WALK_EDGE_KINDS = HALO_WALK_MIRRORED + 1 };

/* Edges along all axes, or along each of `count` axes. Zero-initialise it:
 * periodic. */
typedef struct {
    halo_walk_edges along[HALO_WALK_AXES]; /* where one is given for all axes, it is in each */
    int count;                             /* of those given */
} halo_walk_edge_choice;

/* Parses "periodic", or "periodic,mirrored", into a halo_walk_edge_choice: a halo_option_parse.
 * HALO_ARGUMENT, without a message. */
halo_status halo_walk_parse_edges(const char *text, void *into);

/* How walls are stored. A word for four cells in a row serves two steps. Bits serve one step, in an
 * eighth of the memory, which is faster if words do not fit in the processor's cache. */
typedef enum { HALO_WALK_AUTO, HALO_WALK_WORDS, HALO_WALK_TILES } halo_walk_form;

/* Options. Zero-initialise it: 0 means the default. */
typedef struct {
    int axes;                  /* 2 or 3 */
    int64_t n[HALO_WALK_AXES]; /* number of cells; 1 along z in a medium of two axes */
    halo_walk_edges edges[HALO_WALK_AXES];
    const uint64_t *fluid; /* [n[2]][n[1]] rows along x, each of whole words: a bit per cell,
                            * least significant first, bits past the last cell 0 */
    /* Conductivity of the solid, relative to the fluid's. 0: walkers do not enter it. Otherwise
     * they start anywhere, and move between two cells with a probability in proportion to the
     * harmonic mean of the cells' conductivities, 1 / (2 axes) where both have the larger one. */
    double conductivity;
    /* Mean velocity, in cells per step along x, over the rows y without any solid, which form
     * channels: the profile in each channel is a parabola that is 0 at its edges. In each step a
     * walker's probabilities along x differ by the velocity at its y. */
    double flow;
    uint64_t seed;
    const char *instructions; /* NULL: the best of this machine */
    halo_walk_form form;      /* does not change results */
    /* Sizes of a cell along the axes, all above 0. A hop along an axis then has a chance in
     * proportion to 1 / size^2, so that walkers diffuse alike in all directions. All 0: cells are
     * cubes. */
    double spacing[HALO_WALK_AXES];
} halo_walk_options;

typedef struct halo_walk halo_walk;

/* Creates a walk; the medium is copied. The caller destroys it. HALO_ARGUMENT for a medium without
 * fluid or with too many cells for 31-bit indices, for a flow that is too fast or has no channel,
 * and for unknown instruction sets; HALO_MEMORY. */
halo_status halo_walk_create_sized(halo_walk **out, const halo_walk_options *options,
                                   size_t options_bytes);
#define halo_walk_create(...) halo_walk_create_sized(__VA_ARGS__, sizeof(halo_walk_options))

/* Checks options as far as possible without the medium's cells (`fluid` is not read). Errors as
 * above. */
halo_status halo_walk_check_sized(const halo_walk_options *options, size_t options_bytes);
#define halo_walk_check(...) halo_walk_check_sized(__VA_ARGS__, sizeof(halo_walk_options))

/* Frees the walk and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_walk_destroy(halo_walk **walk);

typedef struct {
    int64_t cells, fluid;     /* cells of the medium as given */
    int64_t started;          /* cells in which walkers may start */
    int64_t table_bytes;      /* bytes that the walkers read */
    double free_slope;        /* mean squared displacement along x per step, in the fluid alone, in
                               * cells; along all axes if cells are cubes */
    double fastest;           /* maximum velocity of the flow, in cells per step */
    int64_t flow_rows;        /* number of rows with flow */
    const char *instructions; /* the instruction set in use */
    double free_slopes[HALO_WALK_AXES]; /* the same as free_slope along each axis */
} halo_walk_facts;

/* The facts of a walk. */
void halo_walk_describe_sized(const halo_walk *walk, halo_walk_facts *facts, size_t facts_bytes);
static inline halo_walk_facts halo_walk_describe(const halo_walk *walk)
{
    halo_walk_facts halo_filled;
    halo_walk_describe_sized(walk, &halo_filled, sizeof(halo_walk_facts));
    return halo_filled;
}

/* Sets the maximum bytes that halo_walk_create allocates: while it works, and for the lifetime of
 * the walk. */
void halo_walk_bytes_sized(const halo_walk_options *options, int64_t *working, int64_t *kept,
                           size_t options_bytes);
#define halo_walk_bytes(...) halo_walk_bytes_sized(__VA_ARGS__, sizeof(halo_walk_options))

/* A record of many walkers: sums of their displacements along each axis, in cells, and of all
 * products of two of these: x, y, xx, xy, yy, or x, y, z, xx, xy, xz, yy, yz, zz. */
enum { HALO_WALK_SUMS = 9 };
static inline int halo_walk_sums(int axes)
{
    return axes + axes * (axes + 1) / 2;
}

/* Walkers `first` to `first + count - 1` (1 to HALO_WALK_TASK of them) do `steps` steps, 1 to
 * HALO_WALK_MAX_STEPS. After each `every` steps, and after the last step, their sums are added to
 * the next record of `sums` [ceil(steps / every)][halo_walk_sums]. The numbers of these walkers
 * must differ in their lower 32 bits only. */
void halo_walk_run(const halo_walk *walk, int64_t first, int count, int64_t steps, int64_t every,
                   int64_t *sums);

/* Writes the path of walker `number`: its positions [steps + 1][3], x, y, z from the first edge of
 * the medium, not wrapped at periodic edges. */
void halo_walk_trace(const halo_walk *walk, int64_t number, int64_t steps,
                     int32_t (*places)[HALO_WALK_AXES]);

/* The cell of the medium, 0 to n - 1, at `place` of such a path along one axis, and in *copy the
 * number of the copy of the medium that the walker is in there: 0 is the medium itself. */
int64_t halo_walk_fold(halo_walk_edges edges, int64_t n, int64_t place, int64_t *copy);

#endif
