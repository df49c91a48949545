#include "partition/model.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { CASES = 5000 };

static const bool BOTH[HALO_AXES] = {true, true, false}, ALL[HALO_AXES] = {true, true, true};

static bool close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static void expect(const char *what, double got, double wanted)
{
    check(close_to(got, wanted), "%s: %.12g, not %.12g", what, got, wanted);
}

/* Figures that sums by hand come out even with. */
static const halo_machine MACHINE = {.cell_seconds = 1e-9,
                                     .message_seconds = 2048e-9,
                                     .post_seconds = 256e-9,
                                     .byte_seconds = .125e-9,
                                     .pack_seconds = .25e-9,
                                     .vote_seconds = 4096e-9};

static halo_workload plate(int64_t rows, int64_t columns)
{
    return (halo_workload){
        .domain = {.axes = 2, .n = {rows, columns, 1}}, .cell_bytes = 8, .depth = 1, .beats = 1};
}

/* A beat on the machine of figures by hand, in this many parts. */
static halo_prediction predict(const halo_workload *work, int rows, int columns, int layers)
{
    return halo_model_predict(&MACHINE, work, (const int[]){rows, columns, layers});
}

/* 100 rows of 1000 cells; two messages of a row; 4 rounds of a vote among 10. */
TEST("strips")
{
    halo_workload work = plate(1000, 1000);
    halo_prediction got = predict(&work, 10, 1, 1);
    expect("messages", got.messages, 2);
    expect("bytes", got.bytes, 16000);
    expect("surface", got.surface, .02);
    expect("compute", got.compute_seconds, 100000e-9);
    expect("exchange", got.exchange_seconds, (4 * 256 + 2048 + 2000) * 1e-9);
    expect("vote", got.vote_seconds, 4 * 4096e-9);
    expect("all", got.seconds, (100000 + 5072 + 16384) * 1e-9);
    /* 1003 rows: some part has 101 of them. Two strips have one neighbour each. */
    work = plate(1003, 1000);
    expect("compute", predict(&work, 10, 1, 1).compute_seconds, 101000e-9);
    expect("messages of two", predict(&work, 2, 1, 1).messages, 1);
    work.domain.periodic[0] = true;
    expect("messages of two in a ring", predict(&work, 2, 1, 1).messages, 2);
    got = predict(&work, 1, 1, 1);
    expect("messages of one", got.messages, 0);
    expect("alone", got.seconds, 1003000e-9);
}

/* Four neighbours or eight; what is not a row is packed at both ends. */
TEST("blocks")
{
    halo_workload work = plate(1000, 600);
    halo_prediction got = predict(&work, 5, 3, 1);
    expect("messages", got.messages, 4);
    expect("bytes", got.bytes, (2 * 200 + 2 * 200) * 8);
    expect("exchange", got.exchange_seconds, (8 * 256 + 2048 + 800 + 2 * .25 * 3200) * 1e-9);
    expect("all", got.seconds, (40000 + 6496 + 4 * 4096) * 1e-9);
    expect("messages beside one", predict(&work, 5, 2, 1).messages, 3);
    work.corners = true;
    got = predict(&work, 5, 3, 1);
    expect("messages with corners", got.messages, 8);
    expect("bytes with corners", got.bytes, (202 * 202 - 200 * 200) * 8);
    expect("packed with corners", got.exchange_seconds,
           (16 * 256 + 2048 + 804 * 8 * .125 + 2 * .25 * 404 * 8) * 1e-9);
    expect("corners beside one", predict(&work, 5, 2, 1).messages, 5);
}

/* A plane is contiguous, a halo along the last axis never is. */
TEST("three axes")
{
    halo_workload work = {
        .domain = {.axes = 3, .n = {90, 80, 70}}, .cell_bytes = 4, .depth = 1, .beats = 1};
    halo_prediction got = predict(&work, 9, 1, 1);
    expect("slabs", got.exchange_seconds, (4 * 256 + 2048 + 2 * 5600 * 4 * .125) * 1e-9);
    got = predict(&work, 9, 8, 1);
    expect("prisms", got.exchange_seconds,
           (8 * 256 + 2048 + 2800 * 4 * .125 + .5 * 1400 * 4) * 1e-9);
    got = predict(&work, 9, 8, 7);
    expect("cubes", got.exchange_seconds, (12 * 256 + 2048 + 600 * 4 * (.125 + .5)) * 1e-9);
    expect("cubes' surface", got.surface, .6);
    work.corners = true;
    got = predict(&work, 9, 8, 7);
    expect("cubes' neighbours", got.messages, 26);
    expect("cubes' shell", got.bytes, (12 * 12 * 12 - 1000) * 4);
}

/* Three beats an exchange: 100 + 102 + 104 rows are computed, with one vote for all. */
TEST("several beats an exchange")
{
    halo_workload work = plate(1000, 1000);
    work.beats = 3;
    halo_prediction got = predict(&work, 10, 1, 1);
    expect("compute", got.compute_seconds, 102000e-9);
    expect("bytes", got.bytes, 16000);
    expect("messages", got.messages, 2. / 3);
    expect("vote", got.vote_seconds, 16384e-9 / 3);
    CU_ASSERT_TRUE(isinf(predict(&work, 334, 1, 1).seconds));
    CU_ASSERT_FALSE(isinf(predict(&work, 333, 1, 1).seconds));
    work.depth = 2;
    got = predict(&work, 10, 10, 1);
    expect("blocks' cells", got.compute_seconds, (100 * 100 + 104 * 104 + 108 * 108) / 3e9);
    expect("blocks' corners", got.messages, 8 / 3.);
    expect("blocks' halo", got.surface, (112 * 112 - 10000) / 10000.);
    /* More parts than cells: those beyond are empty. */
    work = plate(10, 10);
    expect("a row each", predict(&work, 50, 1, 1).compute_seconds, 10e-9);
}

/* Messages that travel while there is something to compute cost nothing. */
TEST("computing while messages travel")
{
    halo_workload work = plate(1000, 1000);
    halo_machine machine = MACHINE;
    machine.overlap = 1;
    halo_prediction got = halo_model_predict(&machine, &work, (const int[]){10, 1, 1});
    expect("hidden", got.exchange_seconds, 4 * 256e-9);
    machine.overlap = .5;
    got = halo_model_predict(&machine, &work, (const int[]){10, 1, 1});
    expect("half hidden", got.exchange_seconds, (4 * 256 + 4048 / 2.) * 1e-9);
    machine.overlap = 1; /* of 3 rows one needs no halo */
    got = halo_model_predict(&machine, &work, (const int[]){334, 1, 1});
    expect("hidden by a row", got.exchange_seconds, (4 * 256 + 4048 - 1000) * 1e-9);
    got = halo_model_predict(&machine, &work, (const int[]){1000, 1, 1});
    expect("hidden by nothing", got.exchange_seconds, (4 * 256 + 4048) * 1e-9);
    work.beats = 2; /* rows 97 wide at the first beat, 96 - 2 at the last */
    got = halo_model_predict(
        &(halo_machine){.cell_seconds = 1e-9, .message_seconds = 1, .overlap = 1}, &work,
        (const int[]){10, 1, 1});
    expect("hidden by a superstep", got.exchange_seconds, (1 - (96 + 94) * 1000e-9) / 2);
}

static halo_workload random_work(uint64_t *random)
{
    halo_workload work = {.cell_bytes = 1 + (int)random_below(random, 8),
                          .depth = 1 + (int)random_below(random, 3),
                          .beats = 1 + (int)random_below(random, 4),
                          .corners = random_below(random, 2) == 1,
                          .domain = {.axes = 2 + (int)random_below(random, 2), .n = {1, 1, 1}}};
    for (int a = 0; a < work.domain.axes; a++) {
        work.domain.n[a] = 1 + random_below(random, 3000);
        work.domain.periodic[a] = random_below(random, 2) == 1;
    }
    return work;
}

static halo_machine random_machine(uint64_t *random)
{
    return (halo_machine){.cell_seconds = 1e-12 * (double)random_below(random, 5000),
                          .message_seconds = 1e-9 * (double)random_below(random, 100000),
                          .post_seconds = 1e-9 * (double)random_below(random, 1000),
                          .byte_seconds = 1e-12 * (double)random_below(random, 10000),
                          .pack_seconds = 1e-12 * (double)random_below(random, 1000),
                          .vote_seconds = 1e-9 * (double)random_below(random, 100000)};
}

/* A figure that is worse never makes a beat faster, and one that is twice as bad costs at most
 * twice as much. */
TEST("worse figures")
{
    uint64_t random = 1;
    for (int i = 0; i < CASES; i++) {
        halo_workload work = random_work(&random);
        halo_machine machine = random_machine(&random);
        double overlap = (double)random_below(&random, 3) / 2;
        int parts[HALO_AXES] = {1, 1, 1};
        for (int a = 0; a < work.domain.axes; a++) {
            parts[a] = 1 + (int)random_below(&random, 40);
        }
        machine.overlap = overlap;
        double before = halo_model_predict(&machine, &work, parts).seconds;
        double *figures = &machine.cell_seconds;
        double *worse = figures + random_below(&random, 6);
        *worse *= 2;
        double after = halo_model_predict(&machine, &work, parts).seconds;
        check(after >= before * (1 - 1e-12) &&
                  (overlap > 0 || isinf(before) || after <= 2 * before * (1 + 1e-12)),
              "case %d: %.9g s become %.9g", i, before, after);
        halo_workload larger = work;
        larger.domain.n[random_below(&random, work.domain.axes)] *= 2;
        machine.overlap = 0;
        before = halo_model_predict(&machine, &work, parts).seconds;
        after = halo_model_predict(&machine, &larger, parts).seconds;
        check(isinf(before) || after >= before, "case %d: a larger domain takes %.9g s, not %.9g",
              i, after, before);
    }
}

/* The least over all triples, tried one by one. */
static double min_of_all(const halo_machine *machine, const halo_workload *work, int ranks,
                         const bool cut[HALO_AXES])
{
    double min = INFINITY;
    for (int a = 1; a <= ranks; a++) {
        for (int b = 1; a * b <= ranks; b++) {
            int c = ranks / (a * b);
            bool may = a * b * c == ranks && (a == 1 || cut[0]) && (b == 1 || cut[1]) &&
                       (c == 1 || cut[2]);
            if (may) {
                min = fmin(min, halo_model_predict(machine, work, (const int[]){a, b, c}).seconds);
            }
        }
    }
    return min;
}

TEST("the best of all")
{
    uint64_t random = 2;
    for (int i = 0; i < CASES / 10; i++) {
        halo_workload work = random_work(&random);
        halo_machine machine = random_machine(&random);
        int ranks = 1 + (int)random_below(&random, 300);
        const bool *cut = work.domain.axes == 3 ? ALL : BOTH;
        int best[HALO_AXES];
        halo_model_best(&machine, &work, cut, ranks, false, best);
        check(best[0] * best[1] * best[2] == ranks, "%d x %d x %d of %d ranks", best[0], best[1],
              best[2], ranks);
        double found = halo_model_predict(&machine, &work, best).seconds;
        double min = min_of_all(&machine, &work, ranks, cut);
        check(found == min || (isinf(found) && isinf(min)),
              "case %d: %d x %d x %d take %.9g s, others %.9g", i, best[0], best[1], best[2], found,
              min);
    }
}

TEST("axes left whole")
{
    halo_workload work = plate(1000, 1000);
    const bool columns[HALO_AXES] = {false, true, false};
    int best[HALO_AXES];
    halo_model_best(&MACHINE, &work, columns, 12, false, best);
    CU_ASSERT_TRUE(best[0] == 1 && best[1] == 12 && best[2] == 1);
    halo_model_best(&MACHINE, &work, BOTH, 12, true, best);
    CU_ASSERT_TRUE(best[0] == 12 && best[1] == 1 && best[2] == 1);
    /* If both cost the same, strips are chosen. */
    const halo_machine nothing = {0};
    halo_model_best(&nothing, &work, BOTH, 12, false, best);
    CU_ASSERT_TRUE(best[0] == 12);
}

/* The first power of two at which some blocks beat strips, and none before it. */
TEST("the crossing")
{
    uint64_t random = 3;
    int found = 0;
    for (int i = 0; i < CASES / 50; i++) {
        halo_workload work = random_work(&random);
        halo_machine machine = random_machine(&random);
        int64_t crossing = halo_model_crossing(&machine, &work, 256), wanted = 0;
        for (int ranks = 256; ranks >= 1; ranks /= 2) {
            double strips = halo_model_predict(&machine, &work, (const int[]){ranks, 1, 1}).seconds;
            const bool *cut = work.domain.axes == 3 ? ALL : BOTH;
            wanted = min_of_all(&machine, &work, ranks, cut) < strips ? ranks : wanted;
        }
        check(crossing == wanted, "case %d: %" PRId64 " instead of %" PRId64, i, crossing, wanted);
        found += crossing > 1;
    }
    check(found > CASES / 200, "only %d cases cross", found);
}

/* By hand: with free messages blocks win as soon as they send less, with dear ones never before a
 * row is all there is. */
TEST("the crossing by hand")
{
    halo_workload work = plate(4096, 4096);
    const halo_machine bytes_only = {.byte_seconds = 1e-9};
    /* 2 x 2 sends two half sides where strips in the middle send two whole ones. */
    CU_ASSERT_EQUAL(halo_model_crossing(&bytes_only, &work, 1 << 20), 4);
    const halo_machine posts_only = {.post_seconds = 1e-6};
    /* 2 x 2 sends as many messages as strips in the middle, 4 x 2 more: never fewer. */
    CU_ASSERT_EQUAL(halo_model_crossing(&posts_only, &work, 4096), 0);
    /* Beyond 4096 strips have no more rows to share. */
    const halo_machine cells = {.cell_seconds = 1e-9};
    CU_ASSERT_EQUAL(halo_model_crossing(&cells, &work, 1 << 20), 8192);
    CU_ASSERT_EQUAL(halo_model_crossing(&cells, &work, 4096), 0);
    halo_machine usual = halo_machine_ordinary();
    int64_t crossing = halo_model_crossing(&usual, &work, 1 << 20);
    check(crossing > 4 && crossing <= 8192, "crossing at %" PRId64, crossing);
}

/* Against all numbers of beats, one after another: on networks of 0 to 100 ms, for cells of .1 ns
 * to 1 us. */
TEST("the best number of beats")
{
    static const double latencies[] = {0, 1e-6, 1e-3, 1e-2, 1e-1};
    uint64_t random = 7;
    for (int n = 0; n < 400; n++) {
        double latency = latencies[n % 5];
        halo_machine machine = {.cell_seconds = 1e-10 * pow(10, (double)random_below(&random, 5)),
                                .message_seconds = latency,
                                .vote_seconds = latency * (double)random_below(&random, 3),
                                .byte_seconds = 1e-10 * (double)random_below(&random, 100),
                                .overlap = (double)random_below(&random, 3) / 2};
        halo_workload work = random_work(&random);
        int parts[HALO_AXES] = {1 + (int)random_below(&random, 8), 1, 1};
        int min = 1 + (int)random_below(&random, 8), max = min + (int)random_below(&random, 400);
        double best = INFINITY;
        for (work.beats = min; work.beats <= max; work.beats++) {
            best = fmin(best, halo_model_predict(&machine, &work, parts).seconds);
        }
        work.beats = halo_model_best_beats(&machine, &work, parts, min, max);
        double got = halo_model_predict(&machine, &work, parts).seconds;
        check(work.beats >= min && work.beats <= max, "%d beats of %d to %d", work.beats, min, max);
        check(got <= 1.02 * best, "%d beats take %g s, others %g", work.beats, got, best);
    }
    const halo_machine far = {.cell_seconds = 1e-9, .message_seconds = .1, .vote_seconds = .1};
    halo_workload work = plate(4000, 1000);
    int best = halo_model_best_beats(&far, &work, (const int[]){4, 1, 1}, 8, 1000);
    check(best >= 470 && best <= 630, "%d beats for .3 s of waiting and 1 us a row", best);
    check(halo_model_best_beats(&far, &work, (const int[]){4, 1, 1}, 8, 256) == 256, "limited");
    check(halo_model_best_beats(&far, &work, (const int[]){4, 1, 1}, 1500, 2000) == 1500,
          "where no number is possible");
}
