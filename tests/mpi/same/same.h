#ifndef HALOBEAT_TESTS_SAME_H
#define HALOBEAT_TESTS_SAME_H

#include "core/beat/beat.h"
#include "support/ways.h"

/* The kernels of test_same_bytes.c, each beside a reference that does without ranks. */

/* Collective. One run in the given way, of a case that `random` makes, the same on all ranks.
 * Checks are noted by expect of mpi_check.h. */
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
    /* Collective. The reference's cells, before the first beat or when another run is gone on from;
     * `before` is that run, or NULL. */
    void (*begin)(beat_case *c, halo_beat *beat, const halo_beat *before);
    /* Local. One beat of the reference: cells, `changed`. */
    void (*step)(beat_case *c);
    /* Collective. Note whatever is not as the reference has it. */
    void (*check)(beat_case *c, const halo_beat *beat);
    /* Local; may be NULL. Before and after each run, which is to take `beats`, 0 for until it
     * settles, and after `supersteps`. */
    void (*before_run)(beat_case *c, const halo_beat *beat, int64_t beats);
    void (*after_run)(beat_case *c, const halo_beat *beat, int64_t supersteps);
} beat_kernel;

struct beat_case {
    const beat_kernel *how;
    way way; /* less what this kernel cannot */
    int min; /* cells of a part along an axis that is cut; set once made */
    halo_domain domain;
    halo_kernel kernel;
    const void *options;
    int64_t beats;    /* to be done; 0: until it settles */
    bool strips;      /* are all that it can be cut into */
    bool stays;       /* boundaries may move between runs only */
    int64_t done;     /* beats of the reference */
    int64_t restored; /* beats that were done when it was last gone on from */
    int64_t changed;  /* by the last of them */
    void *reference;
    char text[480];
};

/* Collective. The same_run of any of them. */
void same_beats(const beat_kernel *how, const way *w, uint64_t *random, way_tally *all);

/* Local. Memory of zeros; ends the program when it is out. */
void *same_memory(size_t count, size_t size);

#endif
