/* The costs of rows of the synthetic kernel, and work whose result is known without doing it. */

#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"
#include "kernels/synthetic/synthetic.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <math.h>

/* ---- work ------------------------------------------------------------------------------------ */

static uint64_t work(int64_t row, int64_t beat, int64_t steps)
{
    return synthetic_chains_share(row, beat, 0, steps, false);
}

static void check_jump(int64_t row, int64_t beat, int64_t steps)
{
    check(work(row, beat, steps) == synthetic_chains_share(row, beat, 0, steps, true),
          "row %" PRId64 ", beat %" PRId64 ", %" PRId64 " steps", row, beat, steps);
}

TEST("jumps and plain steps")
{
    uint64_t random = 1;
    for (int64_t steps = 0; steps < 300; steps++) {
        check_jump(steps, 2, steps);
    }
    for (int n = 0; n < 300; n++) {
        int64_t row = random_below(&random, INT32_MAX), beat = random_below(&random, INT64_MAX);
        check_jump(row, beat, random_below(&random, 30000));
    }
}

TEST("rows, beats and steps differ")
{
    enum { ROWS = 12, BEATS = 6, STEPS = 5, ALL = ROWS * BEATS * STEPS };
    uint64_t seen[ALL];
    int n = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        for (int64_t beat = 0; beat < BEATS; beat++) {
            check(work(row, beat, 0) == 0, "something from nothing");
            for (int64_t steps = 1; steps <= STEPS; steps++) {
                seen[n] = work(row, beat, steps);
                for (int m = 0; m < n; m++) {
                    check(seen[m] != seen[n], "%d and %d are the same", m, n);
                }
                n++;
            }
        }
    }
}

/* ---- profiles -------------------------------------------------------------------------------- */

static synthetic_profile made(const char *text, int64_t rows, int64_t work)
{
    synthetic_profile profile;
    SUCCEEDS(synthetic_profile_read(&profile, text, rows, work));
    return profile;
}

TEST("what rows cost, and a hot spot that moves")
{
    static const struct {
        const char *text;
        int64_t work, beat, count, steps[5];
    } cases[] = {
        {NULL, 7, 3, 3, {7, 7, 7}},
        {"constant", 7, 3, 3, {7, 7, 7}},
        {"linear", 10, 5, 5, {10, 15, 20, 25, 30}},
        {"linear:ratio=2", 10, 0, 4, {10, 13, 16, 20}},
        {"linear:ratio=9", 10, 0, 1, {10}},
        {"step:ratio=2.5", 10, 0, 4, {10, 10, 25, 25}},
        {"step:at=.25,ratio=4", 1, 8, 4, {1, 4, 4, 4}},
        {"step:at=0", 1, 0, 2, {3, 3}},
        {"step:at=1", 1, 0, 2, {1, 1}},
        {"hot:width=.5", 1, 0, 4, {3, 3, 1, 1}},
        {"hot:width=.5", 1, 1, 4, {1, 3, 3, 1}},
        {"hot:width=.5", 1, 3, 4, {3, 1, 1, 3}},
        {"hot:width=.5,speed=.5", 1, 3, 4, {1, 3, 3, 1}},
        {"hot:width=.5,speed=.25", 1, 3, 4, {3, 3, 1, 1}},
        {"hot:width=.5,speed=0", 1, 77, 4, {3, 3, 1, 1}},
        {"hot:width=.5,speed=6.5", 1, 2, 4, {1, 3, 3, 1}},
        {"hot:width=0", 1, 2, 4, {1, 1, 3, 1}},
        {"hot:width=1", 1, 2, 4, {3, 3, 3, 3}},
        /* The product of these beats with the speed is beyond 64 bits; 2^60, 10^6 and 2^58 are 1
         * modulo 3. */
        {"hot:width=.1,speed=1000000", 1, INT64_C(1) << 60, 3, {1, 3, 1}},
        {"hot:width=.1,speed=.25", 1, INT64_C(1) << 60, 3, {1, 3, 1}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        synthetic_profile profile = made(cases[i].text, cases[i].count, cases[i].work);
        for (int64_t row = 0; row < cases[i].count; row++) {
            int64_t steps = synthetic_profile_steps(&profile, row, cases[i].beat);
            check(steps == cases[i].steps[row], "case %zu: row %" PRId64 " takes %" PRId64 " steps",
                  i, row, steps);
        }
    }
}

TEST("random costs")
{
    enum { ROWS = 20000, TENTHS = 10 };
    int64_t found[TENTHS] = {0}, same = 0;
    synthetic_profile profile = made("random:ratio=2,seed=5", ROWS, 999);
    synthetic_profile other = made("random:ratio=2,seed=6", ROWS, 999);
    for (int64_t row = 0; row < ROWS; row++) {
        int64_t steps = synthetic_profile_steps(&profile, row, row);
        check(steps >= 999 && steps <= 2 * 999, "%" PRId64 " steps", steps);
        check(steps == synthetic_profile_steps(&profile, row, 0), "not fixed in time");
        found[(steps - 999) / 100] += 1;
        same += steps == synthetic_profile_steps(&other, row, row);
    }
    for (int tenth = 0; tenth < TENTHS; tenth++) {
        /* Five standard deviations of a binomial distribution are 212. */
        check(found[tenth] > 1788 && found[tenth] < 2212, "%" PRId64 " rows in tenth %d",
              found[tenth], tenth);
    }
    check(same < 60, "%" PRId64 " rows are the same with another seed", same);
}

/* Half as many rows with each sixteenth of the ratio more: at most one in 2^k costs k of them or
 * more, and the straight lines between these are the mean 1.5. */
TEST("exponential costs")
{
    enum { ROWS = 20000, PART = 1000, HALVES = 5 };
    int64_t beyond[HALVES] = {0}, sum = 0;
    synthetic_profile profile = made("exponential:ratio=17", ROWS, PART);
    for (int64_t row = 0; row < ROWS; row++) {
        int64_t extra = synthetic_profile_steps(&profile, row, row) - PART;
        check(extra >= 0 && extra <= 16 * PART, "%" PRId64 " steps", extra);
        for (int k = 0; k < HALVES; k++) {
            beyond[k] += extra >= k * PART;
        }
        sum += extra;
    }
    for (int k = 0; k < HALVES; k++) {
        double expected = ROWS / (double)(1 << k);
        check(fabs((double)beyond[k] - expected) < 5 * sqrt(expected),
              "%" PRId64 " rows cost %d parts or more", beyond[k], k);
    }
    check(fabs((double)sum / ROWS / PART - 1.5) < .05, "%g parts on average",
          (double)sum / ROWS / PART);
}

/* A height at each tenth of the rows, and straight lines in between. */
TEST("costs that go up and down")
{
    enum { ROWS = 1000, WIDTH = 100, WORK = 500 };
    synthetic_profile profile = made("hills:ratio=9", ROWS, WORK);
    synthetic_profile other = made("hills:ratio=9,seed=2", ROWS, WORK);
    int64_t low = INT64_MAX, high = 0, same = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        int64_t steps = synthetic_profile_steps(&profile, row, row);
        int64_t first = row / WIDTH * WIDTH, along = row % WIDTH;
        int64_t from = synthetic_profile_steps(&profile, first, 0);
        int64_t to = synthetic_profile_steps(&profile, first + WIDTH, 0);
        check(steps == from + (to - from) * along / WIDTH, "row %" PRId64 ": %" PRId64 " steps",
              row, steps);
        check(steps >= WORK && steps <= 9 * WORK, "%" PRId64 " steps", steps);
        low = steps < low ? steps : low;
        high = steps > high ? steps : high;
        same += steps == synthetic_profile_steps(&other, row, 0);
    }
    check(high > 3 * low, "from %" PRId64 " to %" PRId64 " steps", low, high);
    check(same < ROWS / 20, "%" PRId64 " rows are the same with another seed", same);
}

/* The sum is the same at every beat, and facts tell it. */
TEST("the same sum at every beat")
{
    static const char *const texts[] = {"constant",
                                        "linear:ratio=7",
                                        "step:at=.3",
                                        "hot",
                                        "hot:width=.37,speed=17.3,ratio=40",
                                        "random",
                                        "exponential:ratio=100",
                                        "hills:width=.3"};
    for (size_t t = 0; t < COUNT(texts); t++) {
        for (int64_t rows = 1; rows < 60; rows += 7) {
            synthetic_profile profile = made(texts[t], rows, 100);
            for (int64_t beat = 0; beat < 200; beat += 3) {
                int64_t sum = 0;
                for (int64_t row = 0; row < rows; row++) {
                    sum += synthetic_profile_steps(&profile, row, beat);
                }
                check(sum == synthetic_profile_sum(&profile),
                      "%s: %" PRId64 " steps in %" PRId64 " rows at beat %" PRId64, texts[t], sum,
                      rows, beat);
            }
        }
    }
}

TEST("facts")
{
    halo_synthetic_options options = {.rows = 10, .columns = 4, .profile = "hot:ratio=2.5"};
    halo_synthetic_facts facts;
    SUCCEEDS(halo_synthetic_describe(&options, &facts));
    CU_ASSERT_STRING_EQUAL(facts.profile, "hot:ratio=2.5,width=0.1,speed=1");
    CU_ASSERT(facts.work == HALO_SYNTHETIC_WORK && facts.steps == 9 * 1000 + 2500);
    options.profile = NULL;
    options.work = 12;
    SUCCEEDS(halo_synthetic_describe(&options, &facts));
    CU_ASSERT_STRING_EQUAL(facts.profile, "constant");
    CU_ASSERT_EQUAL(facts.steps, 120);
}

/* Every shape's text with all its keys is read as the same profile again. */
TEST("text and back")
{
    static const char *const texts[] = {"constant",
                                        "linear:ratio=1e1",
                                        "step:at=0.123456,ratio=999.999999",
                                        "hot:speed=.000001,width=.5",
                                        "random:seed=999999999999999,ratio=1.0",
                                        "exponential:seed=3,ratio=2.5",
                                        "hills:seed=999999999999999,width=.123456,ratio=999"};
    for (size_t t = 0; t < COUNT(texts); t++) {
        char once[HALO_SYNTHETIC_PROFILE_SIZE], twice[HALO_SYNTHETIC_PROFILE_SIZE];
        synthetic_profile first = made(texts[t], 100, 50);
        synthetic_profile_write(&first, once);
        synthetic_profile second = made(once, 100, 50);
        synthetic_profile_write(&second, twice);
        check(strcmp(once, twice) == 0, "%s is not %s", once, twice);
        for (int64_t row = 0; row < 100; row++) {
            check(synthetic_profile_steps(&first, row, 70) ==
                      synthetic_profile_steps(&second, row, 70),
                  "%s: row %" PRId64, texts[t], row);
        }
    }
}

/* ---- what will not do ------------------------------------------------------------------------ */

TEST("text that will not do")
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "constant, linear, step, hot, random, exponential, hills"},
        {"lin", "no profile 'lin'"},
        {"linearly", "no profile"},
        {" linear", "no profile"},
        {"ratio=3", "no profile"},
        {"constant:ratio=3", "it has none"},
        {"constant:", "no option ''"},
        {"linear:at=.5", "it has ratio"},
        {"linear:rati=5", "no option 'rati'"},
        {"linear:ratio at=5", "no option 'ratio at'"},
        {"step:at", "at=N"},
        {"step:at=", "at=N"},
        {"step:at=.5,", "no option ''"},
        {"step:at=.5,,ratio=2", "no option ''"},
        {"step:=3", "no option ''"},
        {"hot:seed=1", "it has ratio width speed"},
    };
    static const char *const values[] = {
        "linear:ratio=.999", "linear:ratio=1001", "linear:ratio=nan", "linear:ratio=inf",
        "linear:ratio=0x3",  "linear:ratio= 3",   "linear:ratio=3 ",  "linear:ratio=3x",
        "linear:ratio=3:",   "linear:ratio=-2",   "step:at=-.1",      "step:at=1.1",
        "hot:width=2",       "hot:speed=-1",      "hot:speed=2e6",    "random:seed=-1",
        "random:seed=1.5",   "random:seed=1e16",  "linear:ratio=1e",  "linear:ratio==3",
        "linear:ratio=+3"};
    char longest[202];
    synthetic_profile profile;
    for (size_t i = 0; i < COUNT(cases); i++) {
        FAILS(HALO_ARGUMENT, cases[i].words,
              synthetic_profile_read(&profile, cases[i].text, 100, 10));
    }
    for (size_t v = 0; v < COUNT(values); v++) {
        FAILS(HALO_ARGUMENT, "=N with N a ", synthetic_profile_read(&profile, values[v], 100, 10));
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    FAILS(HALO_ARGUMENT, "201 characters", synthetic_profile_read(&profile, longest, 100, 10));
}

TEST("numbers that will not do")
{
    static const struct {
        int64_t rows, columns, work;
        const char *profile;
    } cases[] = {{0, 1, 1, NULL},
                 {-1, 1, 1, NULL},
                 {INT64_C(1) << 31, 1, 1, NULL},
                 {1, 0, 1, NULL},
                 {1, INT64_C(1) << 31, 1, NULL},
                 {1, 1, -1, NULL},
                 {1, 1, INT64_C(1000000001), NULL},
                 {1, 1, INT64_C(500000001), "linear:ratio=2"},
                 {1, 1, INT64_MAX, "linear:ratio=1000"},
                 {1, 1, INT64_MAX, "hills:ratio=1000"},
                 {INT64_MAX, INT64_MAX, INT64_MAX, "random"}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        halo_synthetic_options options = {.rows = cases[c].rows,
                                          .columns = cases[c].columns,
                                          .work = cases[c].work,
                                          .profile = cases[c].profile};
        check(halo_synthetic_describe(&options, NULL) == HALO_ARGUMENT, "case %zu is taken", c);
        check(halo_last_message()[0] != '\0', "case %zu: no message", c);
    }
    /* The largest that will do. */
    halo_synthetic_options max = {
        .rows = 2147483647, .columns = 2147483647, .work = 1000000, .profile = "linear:ratio=1000"};
    synthetic_profile profile;
    SUCCEEDS(synthetic_profile_of(&profile, &max));
    CU_ASSERT_EQUAL(synthetic_profile_steps(&profile, 2147483646, 0), 1000000000);
    max.profile = "hot:speed=1e6,width=0,ratio=1000";
    SUCCEEDS(synthetic_profile_of(&profile, &max));
    CU_ASSERT_EQUAL(synthetic_profile_steps(&profile, 1000000, 1), 1000000000);
}

/* ---- what a simulated machine is charged ----------------------------------------------------- */

TEST("flops")
{
    halo_synthetic_options options = {
        .rows = 4, .columns = 100, .work = 50, .profile = "hot:width=.25,ratio=5"};
    halo_domain domain = {.axes = 2, .n = {4, 100, 1}};
    const halo_kernel *kernel = &halo_synthetic_kernel;
    void *state = NULL;
    SUCCEEDS(kernel->create(&state, &domain, &options));
    double cold = kernel->row_flops(state, 2, 1), hot = kernel->row_flops(state, 1, 1);
    CU_ASSERT_EQUAL(cold, kernel->row_flops(state, 1, 2));
    CU_ASSERT_EQUAL(hot - cold, 4 * 50 * 2 * SYNTHETIC_CHAINS);
    CU_ASSERT_TRUE(cold >= 50 * 2 * SYNTHETIC_CHAINS + 100);
    kernel->destroy(&state);
    CU_ASSERT_PTR_NULL(state);
    domain.n[0] = 5;
    CU_ASSERT_EQUAL(kernel->create(&state, &domain, &options), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(kernel->create(&state, &domain, NULL), HALO_ARGUMENT);
    CU_ASSERT_PTR_NULL(state);
}
