#include "core/quiescence/detector_internal.h"

/* Energy goes along with every message, and back to where it is from when a rank has finished (the
 * fixed energy of the lectures; F. Mattern, Global quiescence detection based on credit
 * distribution and recovery, 1989; S.-T. Huang, Detecting termination of distributed computations
 * by external agents, 1989). When all energy that rank 0 has given away is back, and it is passive,
 * nothing is left that could be active.
 *
 * Energy is a number of units, and sums are exact. Rank 0 gives SHARE units with a message; who
 * holds energy gives half of it. A rank with one unit left cannot halve it: it keeps it, and gives
 * energy of its own with its messages, SHARE units each, of which it knows how much others have. It
 * returns what it keeps when it is passive and all of its own energy is back. So ranks with energy
 * of their own stand under those whose energy they keep, as a tree with rank 0 at its root, and
 * energy never runs out. */

static const int64_t SHARE = INT64_C(1) << 32;

/* All ranks are active at the beginning, with energy of rank 0. */
static void begin(halo_detector *detector)
{
    detector->tree.engaged = true;
    detector->tree.held = detector->rank > 0 ? SHARE : 0;
    detector->tree.missing = detector->rank == 0 ? (detector->ranks - 1) * SHARE : 0;
}

/* Gives a share of its own. After 2^31 shares that have not come back, shares are of one unit. */
static halo_detector_note give_own(halo_detector *detector)
{
    detector_tree *tree = &detector->tree;
    int64_t amount = tree->missing <= INT64_MAX - SHARE ? SHARE : 1;
    detector->counts.renewals += detector->rank > 0;
    tree->missing += amount;
    return (halo_detector_note){.kind = DETECTOR_OWN, .rank = detector->rank, .amount = amount};
}

static halo_detector_note give(halo_detector *detector, int to)
{
    detector_tree *tree = &detector->tree;
    (void)to;
    if (tree->held < 2) {
        return give_own(detector);
    }
    int64_t amount = tree->held / 2;
    tree->held -= amount;
    return (halo_detector_note){.kind = DETECTOR_OWN, .rank = tree->parent, .amount = amount};
}

static void take_message(halo_detector *detector, const halo_detector_note *note)
{
    detector_tree *tree = &detector->tree;
    if (note->rank == detector->rank) {
        tree->missing -= note->amount;
    } else if (!tree->engaged) {
        tree->engaged = true;
        tree->parent = note->rank;
        tree->held = note->amount;
    } else if (detector->rank > 0 && note->rank == tree->parent) {
        tree->held += note->amount;
    } else {
        const halo_detector_note back = {.kind = DETECTOR_OWN, .amount = note->amount};
        detector_put(detector, note->rank, &back);
    }
}

static void take_back(halo_detector *detector, const halo_detector_note *note)
{
    detector->tree.missing -= note->amount;
    detector_leave_tree(detector);
}

const detector_kind halo_detector_fixed_energy = {
    .entry = {.name = "fixed-energy",
              .help = "energy goes along with messages and is returned by ranks that are passive, "
                      "until all of it is back",
              .right = "always",
              .sound = true},
    .begin = begin,
    .send = give,
    .receive = take_message,
    .rest = detector_leave_tree,
    .control = take_back};
