#ifndef HALOBEAT_WALK_H
#define HALOBEAT_WALK_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Random walkers in a medium of fluid and solid cells. At each step a walker looks at one of the
 * neighbours of its cell, each with the same chance, and goes there unless it is solid ("blind
 * ant"). What a solid that conducts, and a flow, change is said below. Walkers begin anywhere in
 * the fluid with the same chance.
 *
 * What a walker does depends on the seed, its number and the step alone: all functions give the
 * same numbers on every machine, in whatever order walkers are computed. Random numbers are those
 * of base/random.h. All functions are local. Axes are x, y, z. */

enum { HALO_WALK_AXES = 3, HALO_WALK_MAX_STEPS = 1 << 26, HALO_WALK_TASK = 1024 };

/* What is beyond the edges along an axis. */
#define HALO_WALK_EDGES_LIST(X)                                                         \
    X(PERIODIC, periodic, "the medium begins again: its opposite edges are neighbours") \
    X(REFLECTING, reflecting, "walls")                                                  \
    X(MIRRORED, mirrored, "the medium's mirror image, and then the medium again")

typedef enum {
#define HALO_WALK_EDGES_ENUM(code, name, help) HALO_WALK_##code,
    HALO_WALK_EDGES_LIST(HALO_WALK_EDGES_ENUM)
#undef HALO_WALK_EDGES_ENUM
} halo_walk_edges;

/* How walls are kept. A word for four cells in a row serves two steps; bits serve one, but an
 * eighth of the memory, which is faster where words would not fit in a processor's cache. */
typedef enum { HALO_WALK_AUTO, HALO_WALK_WORDS, HALO_WALK_TILES } halo_walk_form;

/* Zero-initialised fields mean the default. */
typedef struct {
    int axes;                  /* 2 or 3 */
    int64_t n[HALO_WALK_AXES]; /* cells, along z 1 where there are two axes */
    halo_walk_edges edges[HALO_WALK_AXES];
    const uint64_t *fluid; /* rows along x, of whole words, [n[2]][n[1]]: a bit a cell, lowest
                            * first, those behind the last cell 0 */
    /* Of the solid, where 1 is that of the fluid. 0: walkers stay out of it. Otherwise they begin
     * anywhere, and hop between two cells with a chance in proportion to the harmonic mean of
     * theirs, 1 / (2 axes) where both have the larger one. */
    double conductivity;
    /* Cells a step along x, on average over rows y without any solid, which are channels: the
     * profile of each is a parabola that is 0 at its edges. At a step, a walker goes along x with
     * chances that differ by the velocity at its y. */
    double flow;
    uint64_t seed;
    const char *instructions; /* NULL: the best */
    halo_walk_form form;      /* how the medium is kept; walkers do the same */
} halo_walk_options;

typedef struct halo_walk halo_walk;

/* Copies the medium. HALO_ARGUMENT for a medium without fluid or too large to count its cells in 31
 * bits, for a flow that is too fast or has no channel, and unknown instructions; HALO_MEMORY. */
halo_status halo_walk_create(halo_walk **out, const halo_walk_options *options);

/* Could it be made, as far as that can be told without the medium's cells (`fluid` is not read)?
 * The same errors. */
halo_status halo_walk_check(const halo_walk_options *options);

/* Accepts a pointer to NULL. */
void halo_walk_destroy(halo_walk **walk);

typedef struct {
    int64_t cells, fluid;     /* of the medium as given */
    int64_t started;          /* cells where walkers may begin */
    int64_t table_bytes;      /* what the walkers read */
    double free_slope;        /* mean squared displacement along an axis in a step, in the fluid */
    double fastest;           /* velocity of the flow: cells a step */
    int64_t flow_rows;        /* rows with a flow */
    const char *instructions; /* that serve */
} halo_walk_facts;
halo_walk_facts halo_walk_describe(const halo_walk *walk);

/* Bytes that halo_walk_create takes, at most: while it works, and for the walk's lifetime. */
void halo_walk_bytes(const halo_walk_options *options, int64_t *working, int64_t *kept);

/* What is recorded of many walkers: sums of their displacements along each axis, in cells, and of
 * all products of two of these: x, y, xx, xy, yy, or x, y, z, xx, xy, xz, yy, yz, zz. */
enum { HALO_WALK_SUMS = 9 };
static inline int halo_walk_sums(int axes)
{
    return axes + axes * (axes + 1) / 2;
}

/* Walkers `first` to `first + count - 1`, 1 to HALO_WALK_TASK of them, take `steps` steps, 1 to
 * HALO_WALK_MAX_STEPS. After each `every` steps, and after the last one, their sums are added to
 * the next record of `sums` [ceil(steps / every)][halo_walk_sums]. `first` to the last are numbers
 * that differ in their lower 32 bits alone. */
void halo_walk_run(const halo_walk *walk, int64_t first, int count, int64_t steps, int64_t every,
                   int64_t *sums);

/* The way of walker `number` of `steps` steps: places [steps + 1][3], x, y, z from the first edge
 * of the medium, without end where it repeats. */
void halo_walk_trace(const halo_walk *walk, int64_t number, int64_t steps,
                     int32_t (*places)[HALO_WALK_AXES]);

#endif
