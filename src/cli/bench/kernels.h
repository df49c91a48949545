#ifndef HALOBEAT_CLI_BENCH_KERNELS_H
#define HALOBEAT_CLI_BENCH_KERNELS_H

#include "cli/bench/measure.h"
#include "core/beat/beat.h"
#include "kernels/label/label.h"
#include "kernels/life/life.h"
#include "partition/cuts.h"
#include "partition/model.h"

/* Kernels as `halobeat bench` sees them: something that is cut into parts and beats. */

/* name, axes, cells along each axis by default, may an exchange last for several beats?, help */
#define BENCH_KERNEL_LIST(X)                                            \
    X(heat, 2, 2048, true, "heat on a plate: 5 points, 64-bit numbers") \
    X(heat3d, 3, 128, true, "heat in a cube: 7 points, 64-bit numbers") \
    X(life, 2, 4096, true, "Life: a bit a cell, 8 neighbours")          \
    X(label, 2, 2048, false, "region labelling; a beat is all of it")   \
    X(synthetic, 2, 2048, true, "rows of the least work: 64-bit cells")

/* One way to run one. */
typedef struct {
    halo_domain domain;
    int parts[HALO_AXES];
    int depth;        /* beats an exchange */
    const char *mode; /* of HALO_EXCHANGE_LIST */
} bench_setting;

/* What ranks have done so far: nanoseconds and counts, which can be added up exactly. */
enum {
    BENCH_COMPUTE,
    BENCH_EXCHANGE,
    BENCH_VOTE,
    BENCH_WAIT,
    BENCH_BEATS,
    BENCH_MESSAGES,
    BENCH_BYTES,
    BENCH_SUMS
};
typedef struct {
    int64_t sum[BENCH_SUMS];
} bench_tally;

/* What a kernel that runs consists of; what it does not need is NULL. */
typedef struct {
    halo_beat *beat;
    halo_life *life;
    halo_label *label;
    halo_field *lit;
    bench_tally tally;
} bench_state;

struct bench_run;

typedef struct {
    const char *name, *help;
    int axes;
    int64_t size; /* cells along each axis */
    bool deep;    /* may an exchange last for several beats? */
    const halo_kernel *kernel;
    /* Collective: make one, filled in, at beat 0. Errors as of the kernel, on all ranks. */
    halo_status (*create)(struct bench_run *run, halo_world *world);
    /* Collective: run beats, and bring run->state.tally up to date. */
    halo_status (*beats)(bench_state *state, int64_t count);
    int cells_in_byte; /* as the model counts cells: 0 if there is no model of it, 1 for cells of
                        * 64 bits, 8 for bits */
} bench_kernel;

enum {
#define BENCH_KERNEL_ENUM(name, axes, cells, deep, help) BENCH_KERNEL_##name,
    BENCH_KERNEL_LIST(BENCH_KERNEL_ENUM)
#undef BENCH_KERNEL_ENUM
        BENCH_KERNELS
};
extern const bench_kernel bench_kernels[BENCH_KERNELS];

/* The context of an item. */
typedef struct bench_run {
    const bench_kernel *kernel;
    bench_setting setting;
    bool alone; /* every rank runs all of the domain for itself: no neighbours, nothing to wait for;
                 * the time is that of computing */
    halo_world *world; /* of a rank alone */
    bench_state state;
    bench_tally last;    /* of this rank, in the last run */
    bench_tally counted; /* in all counted repeats */
} bench_run;

/* Local. Add running a kernel; returns the item's place. `fixed` as in bench_item. */
int bench_add_kernel(bench_list *list, const bench_kernel *kernel, const bench_setting *setting,
                     int ranks, bool alone, int64_t fixed);

/* Local. A domain of the kernel's axes that is not periodic, `n` cells along each. */
halo_domain bench_kernel_domain(const bench_kernel *kernel, const int64_t n[HALO_AXES]);

/* Local. What the model is to know of it. False if there is no model of it. */
bool bench_kernel_workload(const bench_kernel *kernel, const halo_domain *domain, int depth,
                           halo_workload *out);

#endif
