#ifndef HALOBEAT_BENCH_BENCH_H
#define HALOBEAT_BENCH_BENCH_H

#include "base/status.h"
#include "core/world/world.h"

#include <stddef.h>
#include <stdint.h>

/* The benchmark program: `bench NAME [KEY=VALUE ...]` measures one thing once, on the ranks it is
 * started with, and prints lines of KEY=VALUE words. The scripts in this folder run it in turn with
 * other programs and take medians. */

/* name, its keys, pin ranks to cores, function, what it measures */
#define BENCH_LIST(X)                                                                              \
    X(chan_vese, "picture size beats smoothing instructions", true,                                \
      "morphological Chan-Vese from the checkerboard on; picture: a name below or a grey PNG "     \
      "file")                                                                                      \
    X(cluster, "picture weight beats clusters engine instructions moves", false,                   \
      "k-means of a grey PNG file from the rectangles on; moves=1: boundaries move")               \
    X(graph, "kind scale method quota sources save", true,                                         \
      "distances in a random graph of 2^scale vertices; kind: rmat or grid; save: a file of it")   \
    X(label, "size repeats kind instructions", false,                                              \
      "labelling of the pictures below in memory, in turn with OpenCV where it was found")         \
    X(life, "size rule instructions depth seconds", true,                                          \
      "generations of a dense soup on a torus")                                                    \
    X(motion, "frames rows columns count clusters radius flow balancer instructions engine out",   \
      false, "motion between frames of 8 bits, one after another in a file; out: the last flow")   \
    X(paths, "costs size neighbours quota instructions save", true,                                \
      "distances from the middle of a raster; costs: smooth, noise, maze or blocks; save: a file " \
      "of them")                                                                                   \
    X(picture, "name size out kind", false, "nothing; writes a picture as a PNG: grey, or binary") \
    X(plan, "quick", false, "how long balancers take to plan: loads in, cuts out, on one core")    \
    X(gradient, "side bits sigma instructions repeats", false,                                     \
      "the gradient that contours move on")                                                        \
    X(points, "side contours points window beats instructions", false,                             \
      "rings of points, contours x contours of them, around disks they do not reach")              \
    X(stencil, "size seconds programs", true,                                                      \
      "heat: the built-in kernel (heat[:K]), 20 lines of a user (user[:K]), by hand (hand)")       \
    X(volumes, "size repeats kind neighbours instructions dump", true,                             \
      "labelling of volumes in memory; kind: noise_10, noise_30, noise_50, blur_3, blur_8, "       \
      "porous, cells or voronoi; dump: a file of its bytes")                                       \
    X(walk, "picture size axes walkers steps flow conductivity instructions", true,                \
      "random walkers in one of the pictures below, on each rank all of them")

typedef struct {
    halo_world *world;
    int rank, ranks;
    int count;
    char **words;           /* [count] KEY=VALUE */
    double wall, processor; /* seconds between bench_begin and bench_end: of the slowest rank;
                             * summed over all ranks */
    double own_wall, own_processor; /* of this rank */
} bench;

#define BENCH_FUNCTION(name, keys, pins, help) void bench_##name(bench *b);
BENCH_LIST(BENCH_FUNCTION)
#undef BENCH_FUNCTION

/* Local. The value of a key, or `otherwise`. */
const char *bench_text(const bench *b, const char *key, const char *otherwise);
int64_t bench_integer(const bench *b, const char *key, int64_t otherwise);
double bench_real(const bench *b, const char *key, double otherwise);

/* Local. If `status` is a failure, ends the program on all ranks with the last message. */
void bench_check(halo_status status, const char *what);

/* Local. Allocates memory, never NULL; the caller frees it. */
void *bench_allocate(size_t bytes);

/* Collective. The time between these is measured, in b->wall and so on. */
void bench_begin(bench *b);
void bench_end(bench *b);

/* Local. Rank 0 prints KEY=VALUE words, followed by the number of ranks. */
void bench_print(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
