#ifndef HALOBEAT_CLI_BENCH_SUBJECT_H
#define HALOBEAT_CLI_BENCH_SUBJECT_H

#include "core/beat/beat.h"
#include "core/world/world.h"
#include "partition/cuts.h"
#include "partition/model.h"

/* Kernels as `halobeat bench` sees them: something that is cut into parts and beats. */

/* name, axes, cells along each axis unless a user says otherwise, help */
#define BENCH_SUBJECT_LIST(X)                                     \
    X(heat, 2, 2048, "heat on a plate: 5 points, 64-bit numbers") \
    X(heat3d, 3, 128, "heat in a cube: 7 points, 64-bit numbers") \
    X(life, 2, 4096, "Life: a bit a cell, 8 neighbours")          \
    X(label, 2, 2048, "region labelling; a beat is all of it")    \
    X(synthetic, 2, 2048, "rows of the least work: 64-bit cells")

/* One way to run one. */
typedef struct {
    halo_domain domain;
    int parts[HALO_AXES];
    int depth;        /* beats an exchange */
    const char *mode; /* of HALO_EXCHANGE_LIST */
} bench_setting;

/* What a rank has done so far. */
typedef struct {
    double compute, exchange, vote, wait; /* seconds */
    int64_t beats, messages, bytes;
} bench_tally;

typedef struct {
    const char *name, *help;
    int axes;
    int64_t usual; /* cells along each axis */

    /* Collective: make one, filled in, at beat 0. Errors as of the kernel, on all ranks. */
    halo_status (*create)(void **out, halo_world *world, const bench_setting *setting);
    /* Collective. */
    halo_status (*run)(void *subject, int64_t beats);
    /* Local. */
    bench_tally (*tally)(const void *subject);
    void (*destroy)(void **subject);

    /* Local: what the model is to know of it. False if there is no model of it. */
    bool (*workload)(const bench_setting *setting, halo_workload *out);
    /* May it be cut along all its axes, and may an exchange last for several beats? */
    bool blocks, deep;
} bench_subject;

/* Local. What a run of beats tells. */
bench_tally bench_tally_of(const halo_beat_report *report);

/* Local. NULL if there is none of this name. */
const bench_subject *bench_subject_find(const char *name);

/* Local. Their names, ending with NULL. */
const char *const *bench_subject_names(void);

/* Local. A domain of the subject's axes that is not periodic, `n` cells along each. */
halo_domain bench_subject_domain(const bench_subject *subject, const int64_t n[HALO_AXES]);

#endif
