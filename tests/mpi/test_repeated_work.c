/* Repeated work: whatever the shares, every unit is done once with the right data. */

#include "core/master/repeated_work.h"
#include "partition/balance/share_planner.h"
#include "support/mpi_check.h"

#include <stdlib.h>
#include <string.h>

enum { UNITS = 203, BEATS = 6 };

typedef struct {
    int rank, failing;
} context;

/* The result for a unit x is x + the constant part, and x times it. The constant part that comes
 * back is the number of units done. */
static halo_status work(void *any, const halo_work_part *part)
{
    const context *c = any;
    const int64_t *in = part->units, *constant = part->constant;
    int64_t *out = part->units_back, *done = part->constant_back;
    for (int64_t i = 0; i < part->hi - part->lo; i++) {
        expect(in[i] % 1000 == part->lo + i, "unit %d is another one", (int)(part->lo + i));
        out[2 * i] = in[i] + *constant;
        out[2 * i + 1] = in[i] * *constant;
    }
    done[0] += part->hi - part->lo;
    return c->rank == c->failing ? halo_fail(HALO_FORMAT, "rank %d is tired", c->rank) : HALO_OK;
}

static void check_beat(const halo_repeated_work *w, const int64_t *units, int64_t constant,
                       const int64_t *back, const int64_t *done)
{
    halo_repeated_work_report report = halo_repeated_work_get_report(w);
    int64_t all = 0;
    bool right = true;
    for (int i = 0; i < UNITS; i++) {
        right =
            right && back[2 * i] == units[i] + constant && back[2 * i + 1] == units[i] * constant;
    }
    expect(right, "beat %d: other results", (int)report.beats);
    for (int r = 0; r < report.ranks; r++) {
        const halo_repeated_work_load *load = &report.loads[r];
        expect(load->lo == all && load->hi >= load->lo, "rank %d has units %d to %d", r,
               (int)load->lo, (int)load->hi - 1);
        expect(done[r] == load->hi - load->lo, "rank %d did %d units", r, (int)done[r]);
        all = load->hi;
    }
    expect(all == UNITS, "%d units", (int)all);
    expect(report.seconds > 0 && report.imbalance >= 0 && report.imbalance <= 1, "no times");
}

static halo_status run_beats(halo_repeated_work *w, int beats)
{
    int64_t units[UNITS], back[2 * UNITS], constant = 0, *done = calloc((size_t)all_ranks(), 8);
    halo_status status = HALO_OK;
    for (int beat = 0; beat < beats && status == HALO_OK; beat++) {
        for (int i = 0; i < UNITS; i++) {
            units[i] = 1000 * beat + i;
        }
        bool same = beat % 3 == 2;
        constant = same ? constant : 7 * (beat + 1);
        const halo_repeated_work_beat one = {.kind = beat % 2,
                                             .same_constant = same,
                                             .constant = &constant,
                                             .units = units,
                                             .units_back = back,
                                             .constants_back = done};
        status = halo_repeated_work_run(w, &one, NULL);
        if (status == HALO_OK && my_rank() == 0) {
            check_beat(w, units, constant, back, done);
        }
    }
    free(done);
    return status;
}

static const halo_repeated_work_options standard = {.units = UNITS,
                                                    .constant_out = sizeof(int64_t),
                                                    .constant_back = sizeof(int64_t),
                                                    .unit_out = sizeof(int64_t),
                                                    .unit_back = 2 * sizeof(int64_t),
                                                    .work = work,
                                                    .kinds = 2};

static void test_beats(void)
{
    static const halo_master_worker_options ways[] = {
        {0}, {.same_thread = true}, {.master_rests = true}, {.unmeasured = true}};
    for (int b = -1; b < HALO_SHARE_METHODS; b++) { /* the default, and each by its name */
        for (size_t i = 0; i < 4; i++) {
            context c = {my_rank(), -1};
            halo_repeated_work_options options = standard;
            options.context = &c;
            options.balancer = b < 0 ? NULL : halo_share_method_name((halo_share_method)b);
            options.workers = ways[i];
            halo_repeated_work *w = NULL;
            expect_ok(halo_repeated_work_create(&w, mpi_check_world(), &options));
            expect_ok(run_beats(w, BEATS));
            halo_repeated_work_destroy(&w);
        }
    }
    EXPECT_AGREED();
}

static void test_failures(void)
{
    for (int rank = 0; rank < all_ranks(); rank++) {
        context c = {my_rank(), rank};
        halo_repeated_work_options options = standard;
        options.context = &c;
        halo_repeated_work *w = NULL;
        expect_ok(halo_repeated_work_create(&w, mpi_check_world(), &options));
        expect_fails(run_beats(w, 1), HALO_FORMAT, "is tired");
        halo_repeated_work_destroy(&w);
        halo_repeated_work_destroy(&w);
    }
    EXPECT_AGREED();
}

static void test_bad_options(void)
{
    static const struct {
        int64_t units;
        size_t constant_out, unit_back;
        int kinds;
        const char *balancer, *text;
    } bad[] = {{0, 0, 8, 1, NULL, "work of 0 units; use 1 to"},
               {9, (size_t)1 << 31, 8, 1, NULL, "more than a message can have"},
               {1 << 20, 8, 1 << 20, 1, NULL, "more than a message can have"},
               {9, 8, 8, -1, NULL, "-1 kinds of beats"},
               {9, 8, 8, 1, "lb3", "lb3"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_repeated_work_options options = standard;
        options.units = bad[i].units;
        options.constant_out = bad[i].constant_out;
        options.unit_back = bad[i].unit_back;
        options.kinds = bad[i].kinds;
        options.balancer = bad[i].balancer;
        halo_repeated_work *w = NULL;
        expect_fails(halo_repeated_work_create(&w, mpi_check_world(), &options), HALO_ARGUMENT,
                     bad[i].text);
        expect(w == NULL, "something was made of bad options");
    }
    halo_repeated_work *w = NULL;
    const halo_repeated_work_beat beat = {.kind = 2};
    expect_ok(halo_repeated_work_create(&w, mpi_check_world(), &standard));
    expect_fails(halo_repeated_work_run(w, &beat, NULL), HALO_ARGUMENT, "beat of kind 2");
    halo_repeated_work_destroy(&w);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("repeated_work", {"beats", test_beats}, {"failures", test_failures},
               {"bad options", test_bad_options})
