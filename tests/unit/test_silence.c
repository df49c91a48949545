/* Which ranks are silent, from signs at given times. */
#include "core/world/silence.h"
#include "support/unit_check.h"

static const halo_silence_limits ENDLESS = {5, 0}, PATIENT = {5, 20}, HASTY = {5, 3};
static const halo_sign SIGN = {.beat = 7, .phase = "computing"};

/* States of a peer that gave signs at 0, 1, ... until 10, looked at every second up to 40: when
 * each began, -1: never. */
typedef struct {
    int silent, lost;
} history;

static history watch(const halo_silence_limits *limits, bool heard)
{
    halo_peer peer = {0};
    history found = {-1, -1};
    for (int now = 0; now <= 40; now++) {
        if (heard && now <= 10) {
            NEAR(halo_silence_heard(&peer, &SIGN, now), 0, 0);
        }
        bool changed = halo_silence_look(&peer, limits, now);
        if (changed) {
            *(peer.state == HALO_PEER_LOST ? &found.lost : &found.silent) = now;
        }
    }
    return found;
}

TEST("silence is found once, and lasts as long as patience")
{
    static const struct {
        const halo_silence_limits *limits;
        bool heard;
        history expected;
    } cases[] = {{&ENDLESS, true, {16, -1}},
                 {&PATIENT, true, {16, 31}},
                 {&HASTY, true, {-1, 14}},
                 {&PATIENT, false, {-1, -1}}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        history found = watch(cases[c].limits, cases[c].heard);
        check(found.silent == cases[c].expected.silent && found.lost == cases[c].expected.lost,
              "case %zu: silent at %d, lost at %d", c, found.silent, found.lost);
    }
}

TEST("a peer that answers again")
{
    halo_peer peer = {0};
    halo_silence_heard(&peer, &SIGN, 1);
    CU_ASSERT_TRUE(halo_silence_look(&peer, &PATIENT, 7));
    CU_ASSERT_FALSE(halo_silence_look(&peer, &PATIENT, 8));
    NEAR(halo_silence_heard(&peer, &(halo_sign){.beat = 9, .phase = "voting"}, 11), 10, 0);
    CU_ASSERT_EQUAL(peer.state, HALO_PEER_ALIVE);
    CU_ASSERT_EQUAL(peer.sign.beat, 9);
    CU_ASSERT_STRING_EQUAL(peer.sign.phase, "voting");
    NEAR(halo_silence_heard(&peer, &SIGN, 12), 0, 0);
    /* Who is lost stays lost: the job has been ended for it. */
    CU_ASSERT_TRUE(halo_silence_look(&peer, &PATIENT, 33));
    halo_silence_heard(&peer, &SIGN, 34);
    CU_ASSERT_EQUAL(peer.state, HALO_PEER_LOST);
}

TEST("a watcher that stood still itself blames nobody")
{
    halo_peer peers[2] = {{0}};
    halo_silence_heard(&peers[0], &SIGN, 1);
    halo_silence_heard(&peers[1], &SIGN, 3);
    halo_silence_excuse(peers, 2, 100);
    CU_ASSERT_FALSE(halo_silence_look(&peers[0], &PATIENT, 104));
    CU_ASSERT_FALSE(halo_silence_look(&peers[1], &PATIENT, 107));
    CU_ASSERT_TRUE(halo_silence_look(&peers[0], &PATIENT, 107));
}
