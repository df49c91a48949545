#ifndef HALOBEAT_BENCH_BENCH_H
#define HALOBEAT_BENCH_BENCH_H

#include "base/status.h"
#include "core/beat/beat.h"
#include "core/world/world.h"

#include <sched.h> /* with _GNU_SOURCE */
#include <stddef.h>
#include <stdint.h>

/* The benchmark program: `bench NAME [threads=N] [KEY=VALUE ...]` measures one thing once, on N
 * threads, or else on the ranks of MPI that mpiexec has started, and prints lines of KEY=VALUE
 * words. The scripts in this folder run it in turn with other programs and take medians. */

/* name, its keys, pin ranks to cores, what it measures */
#define BENCH_LIST(X)                                                                              \
    X(chan_vese, "picture size beats smoothing instructions", true,                                \
      "morphological Chan-Vese from the checkerboard on; picture: a name below or a grey PNG "     \
      "file")                                                                                      \
    X(cluster, "picture weight beats clusters engine instructions moves", false,                   \
      "k-means of a grey PNG file from the rectangles on; moves=1: boundaries move")               \
    X(clustering, "", false,                                                                       \
      "the clustering of tests/sim by a master and workers, with each balancer; not on threads")   \
    X(filters, "steps type axes size repeats instructions dump", true,                             \
      "filters of noise in memory; type: uint8, uint16 or float32; dump: a file of the noise")     \
    X(graph, "kind scale method quota sources save", true,                                         \
      "distances in a random graph of 2^scale vertices; kind: rmat or grid; save: a file of it")   \
    X(label, "size repeats kind instructions", true,                                               \
      "labelling of the pictures below in memory, in turn with OpenCV where it was found")         \
    X(life, "size rule instructions depth seconds", true,                                          \
      "generations of a dense soup on a torus")                                                    \
    X(memory, "seconds cells", true,                                                               \
      "reading, writing, copying by all ranks at once, and first touch; cells=1: what cells cost") \
    X(motion, "frames rows columns count clusters radius flow balancer instructions engine out",   \
      false, "motion between frames of 8 bits, one after another in a file; out: the last flow")   \
    X(paths, "costs size neighbours quota instructions save", true,                                \
      "distances from the middle of a raster; costs: smooth, noise, maze or blocks; save: a file " \
      "of them")                                                                                   \
    X(picture, "name size out kind", false, "nothing; writes a picture as a PNG: grey, or binary") \
    X(plan, "parts rows plans", false,                                                             \
      "how long balancers take to plan: loads in, cuts out, on one core")                          \
    X(gradient, "side bits sigma instructions repeats", false,                                     \
      "the gradient that contours move on")                                                        \
    X(points, "side contours points window beats instructions", false,                             \
      "rings of points, contours x contours of them, around disks they do not reach")              \
    X(repeated, "batches", false, "what balancing costs a master and its worker: two ranks")       \
    X(stencil, "size seconds programs", true,                                                      \
      "heat: the built-in kernel (heat[:K]), 20 lines of a user (user[:K]), by hand with MPI "     \
      "(hand)")                                                                                    \
    X(termination, "runs first", false,                                                            \
      "messages and delay of termination detectors, from the end until all ranks know; first: "    \
      "the "                                                                                       \
      "number of the first run, which decides who sends what")                                     \
    X(volumes, "size repeats kind neighbours instructions dump", true,                             \
      "labelling of volumes in memory; kind: noise_10, noise_30, noise_50, blur_3, blur_8, "       \
      "porous, cells or voronoi; dump: a file of its bytes")                                       \
    X(wait, "work seconds", false, "a vote after `work` microseconds, by each policy of waiting")  \
    X(walk, "picture size axes walkers steps flow conductivity instructions", true,                \
      "random walkers in one of the pictures below, on each rank all of them")                     \
    X(watershed, "size kind neighbours seeds radius save instructions", true,                      \
      "basins of minima, or of `seeds` points, in one of the pictures below; kind=volume: of "     \
      "noise blurred by this radius; save: files of image and markers")

typedef struct {
    halo_world *world;
    int rank, ranks;
    int count;
    char **words;           /* [count] KEY=VALUE */
    double wall, processor; /* seconds between bench_begin and bench_end: of the slowest rank;
                             * summed over all ranks */
    double own_wall, own_processor; /* of this rank */
    bool threads;                   /* are ranks threads? */
    cpu_set_t cores;                /* of the process at first */
} bench;

#define BENCH_FUNCTION(name, keys, pins, help) void bench_##name(bench *b);
BENCH_LIST(BENCH_FUNCTION)
#undef BENCH_FUNCTION

/* Local. The value of a key, or `otherwise`. */
const char *bench_text(const bench *b, const char *key, const char *otherwise);
int64_t bench_integer(const bench *b, const char *key, int64_t otherwise);
double bench_real(const bench *b, const char *key, double otherwise);

/* Collective. The sum of `value`, a figure of the process, over all processes: of ranks that are
 * threads it counts once. */
int64_t bench_sum_processes(const bench *b, int64_t value);

/* Local. If `status` is a failure, ends the program on all ranks with the last message. */
void bench_check(halo_status status, const char *what);

/* Local. Allocates memory, never NULL; the caller frees it. */
void *bench_allocate(size_t bytes);

/* Collective. The time between these is measured, in b->wall and so on. */
void bench_begin(bench *b);
void bench_end(bench *b);

/* The work that is measured, done `times` times; collective where it communicates. */
typedef halo_status bench_work(void *context, int64_t times);

/* Collective. Do the work so often, and measure it. */
void bench_run(bench *b, bench_work *work, void *context, int64_t times);

/* Collective. Does it more and more often, which warms up. Returns how many times, a multiple of
 * `multiple`, take about `seconds`. */
int64_t bench_times(bench *b, double seconds, int64_t multiple, bench_work *work, void *context);

/* Collective. `seconds` of this rank are what was measured, in place of all that passed. */
void bench_spent(bench *b, double seconds);

/* Local. Rank 0 prints KEY=VALUE words, followed by the number of ranks. */
void bench_print(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Local. The same behind ns and cpu_ns: nanoseconds that passed, and on the processors of all ranks
 * together, for each of `units`. */
void bench_print_ns(const bench *b, double units, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Local. A core for this rank, if there are enough for all of them, or all of the process. */
void bench_pin(const bench *b, bool to_one);

/* Collective. A run of the kernel in strips of equal height. */
halo_beat *bench_create_beat(bench *b, const halo_domain *domain, const halo_kernel *kernel,
                             const halo_beat_options *options);

/* Local. Copies this rank's rows of `cells`, which are all of the domain's first plane, without
 * gaps. */
void bench_fill_rows(const halo_view *view, const void *cells);

/* Local. Writes a file on rank 0, for a peer; none if `path` is NULL. */
void bench_save(const bench *b, const char *path, const void *data, size_t bytes);

#endif
