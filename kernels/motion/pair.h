#ifndef HALOBEAT_MOTION_PAIR_H
#define HALOBEAT_MOTION_PAIR_H

#include "core/master/master_worker.h"
#include "kernels/motion/motion.h"
#include "kernels/motion/task.h"
#include "partition/balance/share_planner.h"

/* One pair of frames on all ranks: the beats in which the master divides clusters. Internal to the
 * motion kernel. */

enum { MOTION_SPREADS = 3, MOTION_PLACES = 4, MOTION_BEATS = 1 + MOTION_SPREADS + MOTION_PLACES };

typedef struct {
    halo_world *world;
    halo_master_worker *workers;
    halo_share_planner *planner;  /* rank 0 */
    motion_match_context context; /* frames are owned by the caller */
    motion_frame *coming;         /* becomes the later frame when its cells have arrived */
    void *cells;                  /* cells of the later frame as sent: [bytes] on every rank */
    size_t bytes;
    int cell_bits;
    bool fine; /* also beats for pieces */

    /* Rank 0. */
    motion_parts parts;
    halo_motion_beat beats[MOTION_BEATS];
    halo_motion_load *loads; /* [MOTION_BEATS][ranks] */
    int64_t done, pairs;
    halo_buffer *messages, *backs; /* [ranks] */
    void **message_places, **back_places;
    size_t *message_bytes, *back_bytes; /* [ranks] */
    halo_master_worker_time *times;     /* [ranks] */
    halo_share_time *share_times;       /* [ranks] */
    halo_lb_line *lines;                /* [ranks] */
    double *shares;                     /* [ranks] */
    int64_t *units, *cursors;           /* [clusters], [ranks] */
    int32_t *owners;                    /* [clusters] */
    double imbalance_sum;
    int64_t imbalances;
} motion_pair;

/* Local. Sets the remaining members, after world, context, cells and so on are set. HALO_MEMORY. */
halo_status motion_pair_create(motion_pair *pair, halo_share_method method, int clusters);

/* Local. Accepts a zeroed pair. */
void motion_pair_free(motion_pair *pair);

/* Collective. Does the beats of one pair: rank 0 has the parts of the earlier frame and the cells
 * of the later one. Afterwards rank 0's parts have their motion. */
halo_status motion_pair_run(motion_pair *pair, halo_clock *clock);

#endif
