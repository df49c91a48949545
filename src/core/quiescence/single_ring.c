#include "core/quiescence/detector_internal.h"

/* One pass of a token, from each rank to the next once it is passive (lectures on termination
 * detection; the same in B. Wilkinson and M. Allen, Parallel Programming, 1999). It tells nothing
 * about a rank that a message makes active again after the token has left it. */

static void pass_if_passive(halo_detector *detector)
{
    detector_ring *ring = &detector->ring;
    if (ring->here && !detector->active) {
        detector_pass_token(detector);
    }
}

static void take_token(halo_detector *detector, const halo_detector_note *token)
{
    if (detector->rank == 0) {
        detector_announce(detector);
    } else {
        detector_take_token(detector, token);
    }
}

const detector_kind halo_detector_single_ring = {
    .entry = {.name = "single-ring",
              .help = "one pass of a token around all ranks, each of which waits until it is "
                      "passive",
              .right = "if no rank becomes active again after it was passive"},
    .begin = detector_begin_ring,
    .rest = pass_if_passive,
    .control = take_token};
