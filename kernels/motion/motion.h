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
 * cluster matching, 1994, as the paper on LB1 and LB2 has it): the clusters of a frame, pixels
 * alike in place and grey, are found again in the next. A cluster tries the best six places of a
 * search over the whole radius on smaller frames (they take the place of other clusters' features,
 * which lead astray where the next frame's clusters come out otherwise), the best is refined by
 * steps of a pixel, then tried against what neighbouring clusters found, three times over; last
 * comes the fraction of a pixel. Pieces of clusters go on from there in the same way.
 *
 * Rank 0 is the master: it hands every rank the later frame whole (the constant part) and shares
 * out the clusters with their pixels (the proportional part), itself a worker as well; each of a
 * pair's beats hands them out anew, in shares that a balancer plans from measured times. Costs are
 * integers and ties go to the first in a fixed order, so that results are the same bytes on any
 * number of ranks, with any balancer and any instruction set. */
typedef struct halo_motion halo_motion;

enum { HALO_MOTION_ONE = 256 }; /* of vectors' units in a pixel */

/* name, how the clusters are shared out */
#define HALO_MOTION_BALANCER_LIST(X)                             \
    X(none, "as many pieces on every rank")                      \
    X(lb1, "by pieces a second, transfer taken as part of them") \
    X(lb2, "by pieces a second and the fixed cost of what every rank is sent")

/* name, what a pixel's flow is */
#define HALO_MOTION_FLOW_LIST(X)                              \
    X(fine, "found by small pieces of clusters, the default") \
    X(cluster, "its cluster's vector")

/* Zero-initialise it: 0 means the default. */
typedef struct {
    int clusters;             /* 1 to 65535, at most the frame's pixels; 0: 64 */
    int radius;               /* most pixels right or left, up or down, to 1024; 0: 64 */
    bool still;               /* a radius of 0: fractions of a pixel are found and no more */
    double weight;            /* of grey against place in the clusters' distance; 0: 1 */
    bool place_only;          /* a weight of 0: grey does not count */
    int64_t cluster_beats;    /* most beats of clustering for the first frame; 0: 20. A quarter
                               * of them for the others */
    const char *flow;         /* a name of the flow list; NULL: "fine" */
    const char *engine;       /* of clustering, as in halo_cluster_options */
    const char *instructions; /* "avx512", "avx2", "plain", or NULL for the best here */
    const char *balancer;     /* a name of the balancer list; NULL: "none" */
} halo_motion_options;

/* What became of one cluster of the earlier frame. */
typedef struct {
    int64_t pixels;   /* 0: an empty cluster, all else is 0 */
    int32_t x, y;     /* centroid in the earlier frame, in 256ths of a pixel */
    int32_t u, v;     /* it moved right, down: 256ths of a pixel */
    int64_t cost;     /* sum of absolute grey differences when moved by whole pixels: of its pixels
                       * three times, and of those around them in tiles of 16 x 16 once */
    int64_t compared; /* how many that is a sum of; what would leave the frame is not in it */
} halo_motion_vector;

/* Where a frame's clustering begins. What a sequence needs to go on from a frame, and no more. */
typedef halo_cluster_record halo_motion_centre;

/* One rank in one beat. The master's fixed seconds are those of handing out. */
typedef struct {
    int64_t clusters, pixels, pieces; /* its share: a piece is what a cluster has in a square of 16
                                       * x 16 pixels, whose cost is the square's; they are what
                                       * balancers count */
    double share;             /* pieces that were planned for it; whole clusters are handed out */
    double compute_seconds;   /* no waiting, no transfer in it */
    double transfer_seconds;  /* to its acknowledgement */
    double predicted_seconds; /* transfer and computing, before the beat; 0 while not known */
    double fixed, per_piece;  /* seconds, the balancer's line after the beat; 0 while not known */
} halo_motion_load;

/* One beat of master and workers. */
typedef struct {
    int64_t pair;                  /* 0 for the first two frames */
    const char *name;              /* "match", "spread", ...: of its kind */
    double seconds;                /* from handing out to the last result */
    double predicted_seconds;      /* of the last to finish; 0 while not known */
    double imbalance;              /* index of load imbalance: of computing and transfer */
    const halo_motion_load *loads; /* [ranks] */
} halo_motion_beat;

/* On all ranks; what is said of beats is there on rank 0 only. */
typedef struct {
    int64_t pairs;                /* done */
    int64_t clustering_beats;     /* in all frames */
    int64_t beats;                /* of master and workers, in all pairs */
    const halo_motion_beat *last; /* those of the last pair, [last_beats]; NULL on other ranks */
    int64_t last_beats;
    double imbalance;        /* mean over all beats with work but the first, which nobody could
                              * balance */
    int64_t messages, bytes; /* sent by this rank to others, in those beats */
    const char *instructions;
    halo_clock clock; /* of this rank: clustering and matching are COMPUTE, transfers EXCHANGE */
} halo_motion_report;

/* Collective. For frames of this domain (2 axes, not periodic), whose cells have 8 or 16 bits. The
 * world must outlive it; `options` may be NULL, its strings need not outlive the call.
 * HALO_ARGUMENT, HALO_MEMORY, HALO_MPI: on all ranks. */
halo_status halo_motion_create(halo_motion **out, halo_world *world, const halo_domain *domain,
                               int cell_bits, const halo_motion_options *options);

/* Local. Bytes that this rank will allocate to process `pairs` pairs of frames: for rows on their
 * way to rank 0, for clusters and, on rank 0, for their pieces, whose number grows with that of
 * clusters. What it holds now is not counted. One pair takes less: its later frame is allocated
 * only after clusters are found. */
int64_t halo_motion_later(const halo_motion *motion, int64_t pairs);

/* Local. Accepts a pointer to NULL. */
void halo_motion_destroy(halo_motion **motion);

/* Local. Where the next frame's rows of this rank go, before halo_motion_next: a strip, the same
 * memory for every frame; the frame before is kept elsewhere. */
const halo_view *halo_motion_view(const halo_motion *motion);

/* Local. Rank r has rows cuts[r] to cuts[r + 1] - 1 of frames and flow: [ranks + 1]. */
const int64_t *halo_motion_cuts(const halo_motion *motion);

/* Collective. The next frame is in the view. With the first one there is nothing to compare;
 * afterwards vectors and flow are those from the frame before to this one. HALO_MEMORY, HALO_MPI:
 * on all ranks, and only halo_motion_destroy is of use then. */
halo_status halo_motion_next(halo_motion *motion);

/* Local, after the second frame. Clusters of the earlier frame, [clusters], the same on all ranks.
 * Valid until the next frame. */
const halo_motion_vector *halo_motion_vectors(const halo_motion *motion);

/* Local. Valid as long as the motion: what it was created with, and the defaults for what was 0;
 * `engine` and `instructions` are NULL. */
const halo_motion_options *halo_motion_options_of(const halo_motion *motion);

/* Local, after the second frame. Flow of this rank's local rows `first` to `first + rows - 1`: a
 * pair (u, v) of floats a pixel, right and down in pixels, as in Middlebury's files; row i goes to
 * (char *)out + i * pitch. */
void halo_motion_flow(const halo_motion *motion, int64_t first, int64_t rows, float *out,
                      size_t pitch);

/* Local. Where the clustering of the last frame begins, [clusters], the same on all ranks: with
 * that frame's pixels all that a checkpoint needs. Before the second frame there is nothing to
 * keep: NULL. */
const halo_motion_centre *halo_motion_centres(const halo_motion *motion);

/* Collective, before the first frame, which is to be the one that the centres were kept with, the
 * later one of pair `pairs` - 1. The same on all ranks: [clusters]. HALO_ARGUMENT where they make
 * no sense. What follows is as if the sequence had never been interrupted. */
halo_status halo_motion_restore(halo_motion *motion, const halo_motion_centre *centres,
                                int64_t pairs);

/* Local. */
const halo_motion_report *halo_motion_get_report(const halo_motion *motion);

#endif
