#include "core/quiescence/detector_internal.h"

/* Safra's algorithm (E. W. Dijkstra, Shmuel Safra's version of termination detection, EWD 998,
 * 1987). Each rank counts the messages that it has sent less those that it has received, and is
 * black since it has received one. The token adds up the counts: the sum is the number of messages
 * under way, if no message was received while the token went around, in which case a rank was black
 * and makes the token black. */

enum { WHITE, BLACK }; /* of the token, as its rank */

static void pass_if_passive(halo_detector *detector)
{
    detector_ring *ring = &detector->ring;
    if (!ring->here || detector->active) {
        return;
    }
    bool black = ring->black || ring->token.rank == BLACK;
    int64_t under_way = ring->token.amount + ring->balance;
    if (detector->rank == 0 && detector->counts.rounds > 0 && !black && under_way == 0) {
        detector_announce(detector);
        return;
    }
    if (detector->rank == 0) { /* a new round; its own count is added when it ends */
        black = false;
        under_way = 0;
    }
    ring->token.rank = black ? BLACK : WHITE;
    ring->token.amount = under_way;
    ring->black = false;
    detector_pass_token(detector);
}

static halo_detector_note count_sent(halo_detector *detector, int to)
{
    (void)to;
    detector->ring.balance++;
    return (halo_detector_note){.kind = DETECTOR_OWN};
}

static void count_received(halo_detector *detector, const halo_detector_note *note)
{
    (void)note;
    detector->ring.balance--;
    detector->ring.black = true;
}

const detector_kind halo_detector_safra = {
    .entry = {.name = "safra",
              .help =
                  "a token goes around and adds up messages sent less those received, until the "
                  "sum is 0 and none was received meanwhile",
              .right = "always",
              .sound = true},
    .begin = detector_begin_ring,
    .send = count_sent,
    .receive = count_received,
    .rest = pass_if_passive,
    .control = detector_take_token};
