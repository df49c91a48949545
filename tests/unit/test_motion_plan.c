/* Functions of motion that need no frames: names of files, figures, predictions. */

#include "base/filename_pattern.h"
#include "kernels/motion/motion_figures.h"
#include "kernels/motion/motion_predict.h"
#include "support/unit_check.h"

TEST("names with numbers")
{
    static const struct {
        const char *text;
        int64_t number;
        const char *name;
    } cases[] = {{"frame-%04d.png", 7, "frame-0007.png"},
                 {"frame-%04d.png", 123456, "frame-123456.png"},
                 {"%d", 0, "0"},
                 {"a%3db", 5, "a005b"},
                 {"50%-%d%", 12, "50%-12%"},
                 {"100%.png", 3, "100%.png"},
                 {"%s%n.png", 3, "%s%n.png"},
                 {"%-4d", 3, "%-4d"},
                 {"%018d", INT64_C(123), "000000000000000123"}};
    char out[FILENAME_SIZE];
    for (size_t i = 0; i < COUNT(cases); i++) {
        filename_pattern name;
        SUCCEEDS(halo_filename_parse(&name, cases[i].text));
        check(strcmp(halo_filename_print(&name, cases[i].number, out), cases[i].name) == 0,
              "\"%s\" is \"%s\"", cases[i].text, out);
    }
    filename_pattern name;
    CU_ASSERT_EQUAL(halo_filename_parse(&name, "%d-%04d"), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_filename_parse(&name, "%019d"), HALO_ARGUMENT);
    CU_ASSERT_EQUAL(halo_filename_parse(&name, "%99999999999999999999d"), HALO_ARGUMENT);
}

TEST("figures of vectors")
{
    const halo_motion_vector vectors[] = {
        {.pixels = 30, .u = 3 * 256, .v = -4 * 256, .cost = 60, .compared = 20},
        {.pixels = 0},
        {.pixels = 10, .u = 0, .v = 0, .cost = 40, .compared = 10},
        {.pixels = 20, .u = -256 * 10, .v = 0, .cost = 0, .compared = 20}};
    const halo_motion_load loads[][2] = {
        {{.pieces = 3, .compute_seconds = 1, .clusters = 2}, {.pieces = 1}},
        {{.pieces = 2, .compute_seconds = 4, .clusters = 1}, {.pieces = 4}}};
    const halo_motion_beat beats[] = {
        {.seconds = 2, .predicted_seconds = 1, .imbalance = .5, .loads = loads[0]},
        {.seconds = 5, .predicted_seconds = 0, .imbalance = .1, .loads = loads[1]}};
    const halo_motion_report report = {.last = beats, .last_beats = 2},
                             elsewhere = {.last_beats = 2};
    halo_motion_figures figures;
    SUCCEEDS(halo_motion_figures_of(&figures, vectors, 4, &elsewhere));
    CU_ASSERT_EQUAL(figures.beats, 2);
    NEAR(figures.seconds, 0, 0);
    SUCCEEDS(halo_motion_figures_of(&figures, vectors, 4, &report));
    CU_ASSERT_EQUAL(figures.beats, 2);
    NEAR(figures.seconds, 7, 1e-12);
    NEAR(figures.predicted_seconds, 1, 1e-12);
    NEAR(figures.imbalance, .3, 1e-12);
    halo_motion_load first = halo_motion_load_of(&report, 2, 0);
    CU_ASSERT_EQUAL(first.clusters, 3);
    NEAR(first.compute_seconds, 5, 1e-12);
    NEAR(first.share, .5, 1e-12);
    CU_ASSERT_EQUAL(figures.empty, 1);
    NEAR(figures.mean, (30 * 5 + 20 * 10) / 60.0, 1e-12);
    NEAR(figures.median, 5, 1e-12);
    NEAR(figures.max, 10, 1e-12);
    NEAR(figures.right, (30 * 3 - 20 * 10) / 60.0, 1e-12);
    NEAR(figures.down, -2, 1e-12);
    NEAR(figures.difference, 2, 1e-12);
    const halo_motion_figures two[] = {{.mean = 1, .max = 7, .beats = 2, .seconds = 3},
                                       {.mean = 4, .max = 5, .beats = 1, .seconds = 2}};
    halo_motion_figures all = halo_motion_figures_join(two, 2);
    NEAR(all.mean, 2.5, 1e-12);
    NEAR(all.max, 7, 1e-12);
    CU_ASSERT_EQUAL(all.beats, 3);
    NEAR(all.seconds, 5, 1e-12);
    NEAR(halo_motion_figures_join(two, 0).mean, 0, 0);
}

/* LB2's own formula (all finish together: T = (N + sum of f / c) / sum of 1 / c), and what the
 * others make of the same ranks. */
TEST("predictions")
{
    const halo_motion_load loads[] = {
        {.pieces = 100, .transfer_seconds = .1, .compute_seconds = .1},
        {.pieces = 50, .transfer_seconds = .2, .compute_seconds = .1},
        {.pieces = 150, .transfer_seconds = .05, .compute_seconds = .6}};
    double seconds[HALO_SHARE_METHODS] = {0};
    SUCCEEDS(halo_motion_predict(loads, 3, seconds));
    NEAR(seconds[HALO_SHARE_NONE], .05 + .004 * 100, 1e-9);
    double end = (300 + .1 / .001 + .2 / .002 + .05 / .004) / (1 / .001 + 1 / .002 + 1 / .004);
    NEAR(seconds[HALO_SHARE_LB2], end, 1e-9);
    double speeds[] = {100 / .2, 50 / .3, 150 / .65}, all = speeds[0] + speeds[1] + speeds[2];
    double last = fmax(fmax(.1 + .001 * 300 * speeds[0] / all, .2 + .002 * 300 * speeds[1] / all),
                       .05 + .004 * 300 * speeds[2] / all);
    NEAR(seconds[HALO_SHARE_LB1], last, 1e-9);
    CU_ASSERT(end < last && last < .45);
    SUCCEEDS(halo_motion_predict(loads, 3, seconds)); /* beats add up */
    NEAR(seconds[HALO_SHARE_LB2], 2 * end, 1e-9);
}

/* A rank that costs more than it brings gets nothing; one without pieces is like all others. */
TEST("predictions for strange ranks")
{
    const halo_motion_load far[] = {{.pieces = 10, .compute_seconds = .1},
                                    {.pieces = 10, .compute_seconds = .1, .transfer_seconds = 50}};
    double seconds[HALO_SHARE_METHODS] = {0};
    SUCCEEDS(halo_motion_predict(far, 2, seconds));
    NEAR(seconds[HALO_SHARE_LB2], 50, 1e-6);
    NEAR(seconds[HALO_SHARE_NONE], 50.1, 1e-6);
    const halo_motion_load free_one[] = {{.pieces = 20, .compute_seconds = 2},
                                         {.pieces = 0, .transfer_seconds = 1}};
    memset(seconds, 0, sizeof seconds);
    SUCCEEDS(halo_motion_predict(free_one, 2, seconds));
    NEAR(seconds[HALO_SHARE_NONE], 2, 1e-9);
    NEAR(seconds[HALO_SHARE_LB2], 1.5, 1e-9);
    const halo_motion_load idle[2] = {{0}, {0}}, quick[2] = {{.pieces = 3}, {.pieces = 1}};
    memset(seconds, 0, sizeof seconds);
    SUCCEEDS(halo_motion_predict(idle, 2, seconds));
    SUCCEEDS(halo_motion_predict(quick, 2, seconds));
    for (halo_share_method b = 0; b < HALO_SHARE_METHODS; b++) {
        check(seconds[b] >= 0 && seconds[b] < 1e-6, "%s takes %g s", halo_share_method_name(b),
              seconds[b]);
    }
    CU_ASSERT_STRING_EQUAL(halo_share_method_name(HALO_SHARE_LB2), "lb2");
}
