/* Boundaries that move at random between runs change no result. */

#include "support/images.h"
#include "support/life_case.h"
#include "support/mixer.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64 };

/* ---- a kernel with two copies of two fields ----------------------------------------------------
 */

enum { HEIGHT = 37 };

static halo_beat *start(const halo_beat_options *options, bool periodic)
{
    return mixer_start(&mixer, mpi_check_world(), HEIGHT, periodic, options);
}

static int64_t digest(const halo_beat *beat)
{
    return mixer_digest(mpi_check_world(), beat);
}

static void test_mixer(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    uint64_t random = 3;
    for (int n = 0; n < 24; n++) {
        halo_beat_options options = {.beats_per_exchange = 1 + n % 3,
                                     .exchange = n % 2 == 0 ? "p2p" : "persistent"};
        halo_beat *still = start(&options, n % 4 < 2), *moving = start(&options, n % 4 < 2);
        int64_t beats = 0, cuts[MOST_RANKS + 1];
        while (beats < 20) {
            int64_t some = 1 + random_below(&random, 4);
            random_cuts(&random, HEIGHT, ranks, options.beats_per_exchange, cuts);
            expect(halo_beat_move(moving, cuts) == HALO_OK, "%s", halo_last_message());
            int rank = halo_world_rank(mpi_check_world());
            expect(halo_beat_view(moving, 0)->owned.n[0] == cuts[rank + 1] - cuts[rank],
                   "rows after a move");
            expect(halo_beat_run(moving, some) == HALO_OK, "%s", halo_last_message());
            beats += some;
        }
        expect(halo_beat_run(still, beats) == HALO_OK, "%s", halo_last_message());
        expect(digest(still) == digest(moving), "case %d: other cells", n);
        expect(halo_beat_reported(moving).beats == beats, "%" PRId64 " beats",
               halo_beat_reported(moving).beats);
        halo_beat_destroy(&still);
        halo_beat_destroy(&moving);
    }
    EXPECT_AGREED();
}

/* ---- Life, in place -----------------------------------------------------------------------------
 */

static void test_life(void)
{
    static const char *const rules[] = {"B3/S23", "B36/S23", "345/2/4", "B0123/S045"};
    uint64_t random = 4;
    int moves = 0, ranks = halo_world_ranks(mpi_check_world());
    for (int n = 0; n < 32; n++) {
        life_case c = {.world = mpi_check_world(),
                       .seed = random_next(&random),
                       .live = 20 + (int)random_below(&random, 30),
                       .generations = 60};
        expect(halo_life_rule_parse(rules[n % 4], &c.options.rule, NULL) == HALO_OK, "%s",
               halo_last_message());
        life_case_shape(&c, &random, n % 4 < 3 && n % 8 >= 4);
        if (life_case_start(&c)) {
            for (int part = 0; part < 6; part++) {
                int64_t cuts[MOST_RANKS + 1], rows = halo_life_size(c.life).n[HALO_LIFE_ROWS];
                random_cuts(&random, rows, ranks, halo_life_report_of(c.life).beats_per_exchange,
                            cuts);
                expect(halo_life_move(c.life, cuts) == HALO_OK, "%s: %s", c.text,
                       halo_last_message());
                expect(memcmp(halo_life_cuts(c.life), cuts, ((size_t)ranks + 1) * sizeof *cuts) ==
                           0,
                       "%s: other cuts", c.text);
                life_case_run(&c, random_below(&random, 10));
                moves++;
            }
        }
        life_case_end(&c);
    }
    expect(moves > 60, "only %d moves", moves);
    EXPECT_AGREED();
}

/* ---- moves that cannot be
 * ------------------------------------------------------------------------ */

static void test_refused(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    halo_beat_options options = {.beats_per_exchange = 3};
    halo_beat *beat = start(&options, true);
    int64_t before = digest(beat), cuts[MOST_RANKS + 1] = {0};
    for (int r = 1; r <= ranks; r++) {
        cuts[r] = HEIGHT;
    }
    cuts[ranks] = HEIGHT - 1;
    expect(halo_beat_move(beat, cuts) == HALO_ARGUMENT, "cuts that end too early");
    cuts[ranks] = HEIGHT;
    if (ranks > 1) {
        cuts[1] = HEIGHT - 2;
        expect(halo_beat_move(beat, cuts) == HALO_RANKS, "a strip of 2 rows for a halo of 3");
    }
    expect(digest(beat) == before, "a refused move has changed cells");
    expect(halo_beat_run(beat, 4) == HALO_OK, "%s", halo_last_message());
    halo_beat_destroy(&beat);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"two copies of two fields", test_mixer},
        {"Life, in place", test_life},
        {"moves that are refused", test_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "boundaries that move", tests);
}
