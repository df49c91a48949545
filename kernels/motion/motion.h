#ifndef HALOBEAT_MOTION_MOTION_H
#define HALOBEAT_MOTION_MOTION_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "kernels/cluster/cluster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Motion between grey frames by cluster matching (D. P. Kottke and Y. Sun, Motion estimation via
 * cluster matching, 1994, as used by the paper on LB1 and LB2): clusters of a frame, pixels of
 * similar position and grey, are located in the next frame. For each cluster, candidates are the
 * best six positions of a search over the whole radius on reduced frames. (They replace the
 * features of clusters of the next frame, which mislead where that frame is clustered differently.)
 * The best candidate is refined by steps of a pixel, then compared with the results of neighbouring
 * clusters, three times; the last step is a fraction of a pixel. Pieces of clusters are then
 * refined in the same way.
 *
 * Rank 0 is the master and also works. It sends every rank the whole later frame (the constant
 * part), and divides the clusters with their pixels among the ranks (the proportional part). Each
 * beat of a pair of frames divides them again, into shares that a balancer plans from measured
 * times. Costs are integers, and ties are resolved in a fixed order, so that results are the same
 * bytes on any number of ranks, with any balancer and instruction set. */
typedef struct halo_motion halo_motion;

enum { HALO_MOTION_ONE = 256 }; /* units of vectors per pixel */

/* name, source of a pixel's flow */
#define HALO_MOTION_FLOW_LIST(X)                              \
    X(fine, "found by small pieces of clusters, the default") \
    X(cluster, "its cluster's vector")

/* Options. Zero-initialise it: 0 means the default. */
typedef struct {
    int clusters;             /* 1 to 65535, at most the number of pixels; 0 means 64 */
    int radius;               /* maximum motion on each axis in pixels, to 1024; 0 means 64 */
    bool zero_radius;         /* use a radius of 0: only fractions of a pixel are searched */
    double weight;            /* weight of grey against position in the clusters' distance; 0
                               * means 1 */
    bool place_only;          /* use a weight of 0: grey is ignored */
    int64_t cluster_beats;    /* maximum beats of clustering for the first frame, 0 means 20; a
                               * quarter of it for later frames */
    const char *flow;         /* a name of HALO_MOTION_FLOW_LIST; NULL: "fine" */
    const char *engine;       /* of clustering, as in halo_cluster_options */
    const char *instructions; /* "avx512", "avx2" or "plain"; NULL: the best of this machine */
    const char *balancer;     /* a name of HALO_SHARE_METHOD_LIST (share_planner.h), which divides
                               * pieces of clusters; NULL: "none" */
} halo_motion_options;

/* The motion of one cluster of the earlier frame. */
typedef struct {
    int64_t pixels;   /* 0: an empty cluster, all other members are 0 */
    int32_t x, y;     /* centroid in the earlier frame, in 256ths of a pixel */
    int32_t u, v;     /* motion to the right and down, in 256ths of a pixel */
    int64_t cost;     /* sum of absolute grey differences for the motion in whole pixels: over
                       * its own pixels three times, and over those around them in tiles of 16 x
                       * 16 once */
    int64_t compared; /* number of terms in that sum; pixels that would leave the frame are not
                       * included */
} halo_motion_vector;

/* A cluster's sums at the beginning of a frame: all that is needed to continue a sequence from
 * there. */
typedef halo_cluster_record halo_motion_centre;

/* One rank in one beat. The master's fixed seconds are those of sending. */
typedef struct {
    int64_t clusters, pixels, pieces; /* its share. A piece is the part of a cluster in a square
                                       * of 16 x 16 pixels; balancers count pieces, since each
                                       * costs as much as its whole square */
    double share;             /* pieces that were planned for it; whole clusters are assigned */
    double compute_seconds;   /* without waiting and transfer */
    double transfer_seconds;  /* until its acknowledgement */
    double predicted_seconds; /* transfer and computing, predicted before the beat; 0: unknown */
    double fixed, per_piece;  /* the balancer's line after the beat, in seconds; 0: unknown */
} halo_motion_load;

/* One beat of master and workers. */
typedef struct {
    int64_t pair;                  /* 0 for the first two frames */
    const char *name;              /* the kind of beat: "match", "spread", ... */
    double seconds;                /* from the first message to the last result */
    double predicted_seconds;      /* of the slowest rank; 0: unknown */
    double imbalance;              /* index of load imbalance of computing and transfer */
    const halo_motion_load *loads; /* [ranks] */
} halo_motion_beat;

/* The report. Members about beats are set on rank 0 only. */
typedef struct {
    int64_t pairs;                /* pairs of frames done */
    int64_t clustering_beats;     /* beats of clustering in all frames */
    int64_t beats;                /* beats of master and workers in all pairs */
    const halo_motion_beat *last; /* rank 0: the beats of the last pair, [last_beats]; NULL on
                                   * other ranks */
    int64_t last_beats;
    double imbalance;        /* mean over all beats with work except the first, which had no
                              * measurements to balance by */
    int64_t messages, bytes; /* sent by this rank to others in these beats */
    const char *instructions;
    halo_clock clock; /* of this rank: clustering and matching are COMPUTE, transfers EXCHANGE */
} halo_motion_report;

/* Collective. Creates a motion estimation for frames of this domain (2 axes, not periodic) with
 * cells of 8 or 16 bits. The world must outlive it; `options` may be NULL, its strings need not
 * outlive the call. The caller destroys it. HALO_ARGUMENT, HALO_MEMORY, HALO_TRANSPORT; the same on
 * all ranks. */
halo_status halo_motion_create_sized(halo_motion **out, halo_world *world,
                                     const halo_domain *domain, int cell_bits,
                                     const halo_motion_options *options, size_t options_bytes);
#define halo_motion_create(...) halo_motion_create_sized(__VA_ARGS__, sizeof(halo_motion_options))

/* Local. Bytes that this rank will allocate to process `pairs` pairs of frames: for rows sent to
 * rank 0, for clusters and, on rank 0, for their pieces, whose number grows with the number of
 * clusters. Memory already allocated is not included. For one pair it is less: the later frame is
 * allocated after clusters are found. */
int64_t halo_motion_later(const halo_motion *motion, int64_t pairs);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_motion_destroy(halo_motion **motion);

/* Local. This rank's strip of the next frame, to be filled in before halo_motion_next. It is the
 * same memory for every frame; the frame before is stored elsewhere. */
const halo_view *halo_motion_view(const halo_motion *motion);

/* Local. Cuts [ranks + 1] of frames and flow: rank r has rows cuts[r] to cuts[r + 1] - 1. */
const int64_t *halo_motion_cuts(const halo_motion *motion);

/* Collective. Processes the frame in the view. The first frame has nothing to compare with;
 * afterwards vectors and flow are those from the frame before to this one. HALO_MEMORY,
 * HALO_TRANSPORT; the same on all ranks. After a failure the object can only be destroyed. */
halo_status halo_motion_next(halo_motion *motion);

/* Local, after the second frame. The motion of the clusters of the earlier frame, [clusters], the
 * same on all ranks. Valid until the next frame. */
const halo_motion_vector *halo_motion_vectors(const halo_motion *motion);

/* Local. The options it was created with, with defaults in place of 0; `engine` and `instructions`
 * are NULL. Owned by the object. */
const halo_motion_options *halo_motion_options_of(const halo_motion *motion);

/* Local, after the second frame. Writes the flow of this rank's local rows `first` to
 * `first + rows - 1` to `out`: a pair (u, v) of floats per pixel, right and down in pixels, as in
 * Middlebury's files; row i begins at (char *)out + i * pitch. */
void halo_motion_flow(const halo_motion *motion, int64_t first, int64_t rows, float *out,
                      size_t pitch);

/* Local. The centres that the clustering of the last frame begins with, [clusters], the same on all
 * ranks: together with the pixels of that frame all that a checkpoint needs. NULL before the second
 * frame. */
const halo_motion_centre *halo_motion_centres(const halo_motion *motion);

/* Collective, before the first frame: continues a sequence. The next frame must be the one that the
 * centres [clusters] belong to, the later frame of pair `pairs` - 1. Arguments are the same on all
 * ranks. Results are those of an uninterrupted sequence. HALO_ARGUMENT for impossible centres. */
halo_status halo_motion_restore(halo_motion *motion, const halo_motion_centre *centres,
                                int64_t pairs);

/* Local. The report, owned by the object. */
const halo_motion_report *halo_motion_get_report(const halo_motion *motion);

#endif
