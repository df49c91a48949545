#include "core/quiescence/detector_internal.h"

/* Every message is acknowledged (E. W. Dijkstra, C. S. Scholten, Termination detection for
 * diffusing computations, 1980): at once, but for the one that made a rank active, whose sender is
 * its parent. That one is acknowledged when the rank is passive and all that it has sent has been
 * acknowledged. So ranks that are not finished are a tree with rank 0 at its root. All ranks are
 * active at the beginning, as if rank 0 had sent each of them a message. */

static void begin(halo_detector *detector)
{
    detector->tree.engaged = true;
    detector->tree.missing = detector->rank == 0 ? detector->ranks - 1 : 0;
}

static halo_detector_note sign(halo_detector *detector, int to)
{
    (void)to;
    detector->tree.missing++;
    return (halo_detector_note){.kind = DETECTOR_OWN, .rank = detector->rank};
}

static void take_message(halo_detector *detector, const halo_detector_note *note)
{
    detector_tree *tree = &detector->tree;
    if (tree->engaged) {
        detector_put(detector, note->rank, &(halo_detector_note){.kind = DETECTOR_OWN});
    } else {
        tree->engaged = true;
        tree->parent = note->rank;
    }
}

static void take_acknowledgement(halo_detector *detector, const halo_detector_note *note)
{
    (void)note;
    detector->tree.missing--;
    detector_leave_tree(detector);
}

const detector_kind halo_detector_ack_tree = {
    .entry = {.name = "ack-tree",
              .help =
                  "every message is acknowledged; that which made a rank active when it and all "
                  "ranks under it have finished",
              .right = "always",
              .sound = true},
    .begin = begin,
    .send = sign,
    .receive = take_message,
    .rest = detector_leave_tree,
    .control = take_acknowledgement};
