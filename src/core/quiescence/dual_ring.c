#include "core/quiescence/detector_internal.h"

/* A token, white or black, goes around until it comes back white (E. W. Dijkstra, W. H. J. Feijen,
 * A. J. M. van Gasteren, Derivation of a termination detection algorithm for distributed
 * computations, 1983; in the lectures as the ring in two passes). A rank that sends a message to a
 * lower one becomes black, makes the token black and is then white. The token sees no messages:
 * one that is still under way when it passes makes a rank active behind it. */

enum { WHITE, BLACK }; /* of the token, as its amount */

static void pass_if_passive(halo_detector *detector)
{
    detector_ring *ring = &detector->ring;
    if (!ring->here || detector->active) {
        return;
    }
    if (detector->rank == 0 && detector->counts.rounds > 0 && ring->token.amount == WHITE) {
        detector_announce(detector);
        return;
    }
    ring->token.amount = detector->rank > 0 && (ring->black || ring->token.amount == BLACK);
    ring->black = false;
    detector_pass_token(detector);
}

static halo_detector_note blacken(halo_detector *detector, int to)
{
    detector->ring.black = detector->ring.black || to < detector->rank;
    return (halo_detector_note){.kind = DETECTOR_OWN};
}

const detector_kind halo_detector_dual_ring = {
    .entry = {.name = "dual-ring",
              .help =
                  "a token goes around until none of the ranks has sent a message to a lower one "
                  "since it passed",
              .right =
                  "if sends are synchronous: a rank is not passive before what it has sent has "
                  "been received",
              .synchronous = true},
    .begin = detector_begin_ring,
    .send = blacken,
    .rest = pass_if_passive,
    .control = detector_take_token};
