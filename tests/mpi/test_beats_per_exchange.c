#include "core/beat/beats_per_exchange.h"
#include "core/world/collect.h"
#include "support/mixer.h"
#include "support/mpi_check.h"
#include "support/virtual_clock.h"

#include <inttypes.h>
#include <mpi.h>
#include <string.h>

static const int STRIPS[HALO_AXES] = {4, 1, 1};

static halo_workload plate(int64_t rows, int64_t columns)
{
    return (halo_workload){
        .domain = {.axes = 2, .n = {rows, columns, 1}}, .cell_bytes = 8, .depth = 1, .beats = 1};
}

/* Measurements are the same on all ranks, and some time passes. */
static void test_measured(void)
{
    halo_workload work = plate(4000, 100);
    halo_machine machine = {.cell_seconds = 1e-9};
    expect_ok(halo_beats_per_exchange_measure(mpi_check_world(), &work, STRIPS, 1, 500, &machine));
    bool alone = all_ranks() == 1;
    expect((machine.message_seconds > 0) != alone && (machine.vote_seconds > 0) != alone,
           "a message of %g s, a vote of %g s", machine.message_seconds, machine.vote_seconds);
    int beats = halo_model_best_beats(&machine, &work, STRIPS, 1, 500);
    int64_t ends[] = {beats, -beats};
    expect(halo_allreduce_max(mpi_check_world(), ends, 2) == HALO_OK && ends[0] == -ends[1],
           "%" PRId64 " beats here, %" PRId64 " there", ends[0], -ends[1]);
    expect_ok(halo_beats_per_exchange_measure(mpi_check_world(), &work, STRIPS, 7, 7, &machine));
    expect(machine.message_seconds <= 0, "measured for nothing");
    EXPECT_AGREED();
}

/* On the clock of the test, whoever has to wait for it in truth. */
static double cell_seconds, message_seconds;

int MPI_Irecv(void *data, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    virtual_clock_pass(message_seconds);
    return PMPI_Irecv(data, count, type, source, tag, comm, request);
}

static halo_status mix_slowly(halo_step *step)
{
    virtual_clock_pass(cell_seconds * (double)halo_box_cells(&step->todo));
    return mixer.step(step);
}

/* A depth that is chosen, and chosen again while it runs, changes no cell: where messages take
 * little time, or much, or cells so much that halos should not be computed. */
static void test_depth_that_is_chosen(void)
{
    enum { ROWS = 40, BEATS = 150 };
    /* More than messages, in which ranks look at the clock once or more often. */
    static const double cells[] = {1e-6, 0, 1e-3};
    halo_kernel slow = mixer;
    int64_t rows = (int64_t)ROWS * all_ranks();
    slow.step = mix_slowly;
    for (int n = 0; n < 3; n++) {
        const halo_beat_options one = {.beats_per_exchange = 1};
        const halo_beat_options automatic = {.beats_per_exchange = HALO_BEATS_PER_EXCHANGE_AUTO};
        halo_beat *known = mixer_start(&mixer, mpi_check_world(), rows, n == 1, &one);
        virtual_clock_start(1e-6, 0);
        cell_seconds = cells[n];
        message_seconds = n == 1 ? 1e-3 : 0;
        halo_beat *chosen = mixer_start(&slow, mpi_check_world(), rows, n == 1, &automatic);
        int first = halo_beat_beats_per_exchange(chosen);
        expect_ok(halo_beat_run(known, BEATS));
        expect_ok(halo_beat_run(chosen, BEATS));
        virtual_clock_stop();
        int last = halo_beat_beats_per_exchange(chosen);
        expect(mixer_digest(mpi_check_world(), known) == mixer_digest(mpi_check_world(), chosen),
               "other cells with a depth of %d, then %d", first, last);
        expect(halo_beat_get_report(chosen).beats == BEATS, "not all beats");
        /* On two ranks the first depth costs less than the tenth that fields are made for. What
         * threads read of each other has no messages whose time could be set. */
        bool on_threads = strcmp(halo_world_transport(mpi_check_world()), "threads") == 0;
        expect(on_threads                  ? last >= 1
               : all_ranks() == 1          ? last == 8
               : n == 1                    ? last > first
               : n == 2 && all_ranks() > 2 ? last < first
                                           : last <= first && first < 16,
               "case %d: depth %d, then %d", n, first, last);
        halo_beat_destroy(&known);
        halo_beat_destroy(&chosen);
    }
    EXPECT_AGREED();
}

/* A halo deeper than the beats that are left takes memory, and gives nothing. */
static void test_few_beats_left(void)
{
    const halo_beat_options options = {
        .beats_per_exchange = HALO_BEATS_PER_EXCHANGE_AUTO, .first_beat = 10, .last_beat = 13};
    halo_beat *beat =
        mixer_start(&mixer, mpi_check_world(), (int64_t)40 * all_ranks(), false, &options);
    int depth = halo_beat_beats_per_exchange(beat);
    expect(depth >= 1 && depth <= 3, "a depth of %d for 3 beats", depth);
    halo_beat_destroy(&beat);
    EXPECT_AGREED();
}

static int max_beats(const halo_kernel *kernel, int64_t rows, int64_t columns, int parts,
                     bool moves)
{
    halo_domain domain = {.axes = 2, .n = {rows, columns, 1}};
    halo_partition partition;
    expect_ok(halo_partition_blocks(&partition, &domain, (int[]){parts, 1, 1}));
    int beats = halo_beats_per_exchange_max(kernel, &domain, &partition, moves);
    halo_partition_free(&partition);
    return beats;
}

static halo_status ride(void *state, int64_t *sums, bool agreed)
{
    (void)state, (void)sums, (void)agreed;
    return HALO_OK;
}

static void test_max(void)
{
    halo_kernel plain = {.depth = 1, .cell_bits = {64}}, far = {.depth = 2, .cell_bits = {64}};
    halo_kernel sums = {.depth = 1, .cell_bits = {64}, .beat = ride};
    expect(max_beats(&plain, 1000, 1000, 4, false) == 250, "as deep as a strip");
    expect(max_beats(&far, 1000, 1000, 4, false) == 125, "half, two cells far");
    expect(max_beats(&plain, 1000, 1000, 4, true) == 62, "a quarter, where strips move");
    expect(max_beats(&plain, 100000, 10, 4, false) == 1024, "enough");
    expect(max_beats(&plain, 1000, 1000, 1, false) == 8, "alone");
    expect(max_beats(&sums, 1000, 1000, 4, false) == 1, "sums of every beat");
    /* 64 MiB or half of a strip: 400 rows of 1 MiB take 100 more, 50 on each side. */
    expect(max_beats(&plain, 800, 1 << 17, 4, false) == 50, "memory");
    EXPECT_AGREED();
}

static int default_beats(const halo_kernel *kernel, int axes, int64_t n, int parts, bool moves)
{
    halo_domain domain = {.axes = axes, .n = {n, axes > 1 ? n : 1, axes > 2 ? n : 1}};
    halo_partition partition;
    expect_ok(halo_partition_blocks(&partition, &domain, (int[]){parts, 1, 1}));
    int beats = halo_beats_per_exchange_default(kernel, &domain, &partition, moves);
    halo_partition_free(&partition);
    return beats;
}

static halo_status advance(halo_advance *advance)
{
    (void)advance;
    return HALO_OK;
}

static void test_default(void)
{
    halo_kernel plain = {.depth = 1}, far = {.depth = 2}, sums = {.depth = 1, .beat = ride};
    halo_kernel in_place = {.depth = 1, .in_place = true};
    halo_kernel ahead = {.depth = 1, .in_place = true, .advance = advance};
    expect(default_beats(&plain, 2, 10, 1, false) == 8, "alone");
    expect(default_beats(&plain, 3, 10, 1, false) == 4, "alone in three axes");
    expect(default_beats(&plain, 2, 256, 2, false) == 8, "128 rows a strip");
    expect(default_beats(&plain, 2, 254, 2, false) == 4, "127 rows a strip");
    expect(default_beats(&plain, 2, 40, 2, false) == 1, "20 rows a strip");
    expect(default_beats(&far, 2, 256, 2, false) == 4, "two cells far");
    expect(default_beats(&plain, 2, 256, 2, true) == 2, "strips that move");
    expect(default_beats(&sums, 2, 1000, 1, false) == 1, "sums of every beat");
    expect(default_beats(&in_place, 2, 1000, 1, false) == 1, "in place");
    expect(default_beats(&ahead, 2, 1000, 1, false) == 8, "several at once in place");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("depth", {"figures are agreed", test_measured},
               {"default numbers of beats", test_default}, {"largest numbers of beats", test_max},
               {"the same cells", test_depth_that_is_chosen},
               {"few beats left", test_few_beats_left})
