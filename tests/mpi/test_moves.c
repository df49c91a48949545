/* Moves of boundaries that are refused. That others change no result is for test_same_bytes.c. */

#include "support/blocks.h"
#include "support/mixer.h"
#include "support/mpi_check.h"

enum { MAX_RANKS = 64 };

enum { HEIGHT = 197 };

static halo_beat *start(const halo_beat_options *options, bool periodic)
{
    return mixer_start(&mixer, mpi_check_world(), HEIGHT, periodic, options);
}

static int64_t digest(const halo_beat *beat)
{
    return mixer_digest(mpi_check_world(), beat);
}

static void test_refused(void)
{
    int ranks = all_ranks();
    halo_beat_options options = {.beats_per_exchange = 3};
    halo_beat *beat = start(&options, true);
    int64_t before = digest(beat), cuts[MAX_RANKS + 1] = {0};
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
    expect_ok(halo_beat_run(beat, 4));
    halo_beat_destroy(&beat);
    EXPECT_AGREED();
}

/* One rank's reason is everybody's, and nothing has moved. */
static void test_blocks_refused(void)
{
    int ranks = all_ranks();
    halo_domain domain = {.axes = 2, .n = {31, 29, 1}, .periodic = {true, true, false}};
    halo_partition other = even_strips(&domain);
    halo_beat *still = mixer_start_parts(mpi_check_world(), &domain, &other, NULL);
    halo_beat *beat = mixer_start_parts(mpi_check_world(), &domain, &other, NULL);
    halo_partition_free(&other);
    expect_ok(halo_partition_strips(&other, &domain, ranks + 1));
    expect(halo_beat_repartition(beat, &other) == HALO_ARGUMENT, "a part too many");
    halo_partition_free(&other);
    halo_domain smaller = domain;
    smaller.n[1]--;
    other = even_strips(&smaller);
    expect(halo_beat_repartition(beat, &other) == HALO_ARGUMENT, "a column too few");
    halo_partition_free(&other);
    expect(halo_beat_run(beat, 3) == HALO_OK && halo_beat_run(still, 3) == HALO_OK, "%s",
           halo_last_message());
    expect(digest(still) == digest(beat), "a refused move has changed cells");
    halo_beat_destroy(&beat);
    halo_beat_destroy(&still);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("moves that are refused", {"strips", test_refused}, {"blocks", test_blocks_refused})
