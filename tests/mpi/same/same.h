#ifndef HALOBEAT_TESTS_SAME_H
#define HALOBEAT_TESTS_SAME_H

#include "core/beat/beat.h"
#include "support/need.h"
#include "support/ways.h"

/* The kernels of test_same_bytes.c, each with a reference that does not use ranks. */

/* Collective. One run in the given way, of a case made from `random`, the same on all ranks. Checks
 * are noted by expect of mpi_check.h. */
typedef void same_run(const way *w, uint64_t *random, way_tally *all);

same_run same_plate, same_plate_whole, same_heat, same_heat3d, same_pair, same_mixer, same_bits,
    same_layers, same_advance;
same_run same_synthetic, same_chan_vese, same_cluster, same_snake;
same_run same_life, same_life_grows, same_label, same_motion;

/* ---- kernels of the heartbeat --------------------------------------------------------------- */

typedef struct beat_case beat_case;

typedef struct {
    /* Local. Domain, kernel, options, beats and the reference, at beat 0. */
    void (*make)(beat_case *c, uint64_t *random);
    void (*end)(beat_case *c);
    /* Collective. Sets the reference's cells, before the first beat or when another run is
     * continued; `before` is that run, or NULL. */
    void (*begin)(beat_case *c, halo_beat *beat, const halo_beat *before);
    /* Local. One beat of the reference: cells and `changed`. */
    void (*step)(beat_case *c);
    /* Collective. Notes all differences from the reference. */
    void (*check)(beat_case *c, const halo_beat *beat);
    /* Local; may be NULL. Called before and after each run, which does `beats` beats (0: until it
     * is steady), and after `supersteps`. */
    void (*before_run)(beat_case *c, const halo_beat *beat, int64_t beats);
    void (*after_run)(beat_case *c, const halo_beat *beat, int64_t supersteps);
} beat_kernel;

struct beat_case {
    const beat_kernel *how;
    way way; /* without what this kernel does not support */
    int min; /* minimum cells of a part along an axis that is cut; set by `make` */
    halo_domain domain;
    halo_kernel kernel;
    const void *options;
    int64_t beats;    /* to be done; 0: until it is steady */
    bool strips;      /* it can be cut into strips only */
    bool stays;       /* cuts may move between runs only */
    int64_t done;     /* beats of the reference */
    int64_t restored; /* beats done when it was last restored */
    int64_t changed;  /* by the last beat */
    void *reference;
    char text[480];
};

/* Collective. The same_run of these kernels. */
void same_beats(const beat_kernel *how, const way *w, uint64_t *random, way_tally *all);

#endif
