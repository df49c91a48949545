/* Heat: what is known in closed form, and where it begins. */

#include "kernels/heat/heat.h"
#include "support/heat_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- a linear field, and a constant every beat ------------------------------------------------
 */

typedef struct {
    double added;
} linear;

static double linear_cell(const void *context, const int64_t place[HALO_AXES])
{
    const linear *field = context;
    return (double)(place[0] + 2 * place[1] + 3 * place[2]) + field->added;
}

static void test_linear(void)
{
    uint64_t random = 5;
    for (int n = 0; n < 60; n++) {
        heat_case c = heat_case_any(&random, n, false);
        int64_t beats = 1 + random_below(&random, 20);
        snprintf(c.options, sizeof c.options, "shape=linear,source=3");
        heat_run run;
        if (heat_case_begin(&c, n, &random, &run)) {
            heat_case_start(&c, halo_beat_view(run.beat, 0));
            linear field = {0};
            double error = heat_case_error(halo_beat_view(run.beat, 0), linear_cell, &field);
            expect(error == 0, "%s: %g off at the beginning", c.text, error);
            heat_case_advance(&c, &run, beats);
            field.added = 3 * (double)beats;
            error = heat_case_error(halo_beat_view(run.beat, 0), linear_cell, &field);
            expect(error == 0, "%s: %g off after %" PRId64 " beats", c.text, error, beats);
        }
        heat_case_end(&run);
    }
    EXPECT_AGREED();
}

/* ---- eigenmodes -------------------------------------------------------------------------------
 */

typedef struct {
    const halo_domain *domain;
    int64_t wave[HALO_AXES];
    int64_t beats;
} mode;

static double mode_angle(const mode *m, int axis)
{
    const double pi = acos(-1);
    double n = (double)m->domain->n[axis], k = (double)m->wave[axis];
    return m->domain->periodic[axis] ? 2 * pi * k / n : pi * k / (n + 1);
}

static double mode_cell(const void *context, const int64_t place[HALO_AXES])
{
    const mode *m = context;
    int axes = m->domain->axes;
    double value = 1, mean = 0;
    for (int axis = 0; axis < axes; axis++) {
        double angle = mode_angle(m, axis), cell = (double)place[axis];
        value *= m->domain->periodic[axis] ? cos(angle * cell) : sin(angle * (cell + 1));
        mean += cos(angle) / axes;
    }
    return value * pow(axes == 2 ? mean : 0.25 + 0.75 * mean, (double)m->beats);
}

static void test_modes(void)
{
    uint64_t random = 9;
    for (int n = 0; n < 60; n++) {
        heat_case c = heat_case_any(&random, n, true);
        mode m = {.domain = &c.domain};
        char *at = c.options, *stop = c.options + sizeof c.options;
        at += snprintf(at, (size_t)(stop - at), "shape=mode:");
        for (int axis = 0; axis < c.domain.axes; axis++) {
            m.wave[axis] = 1 + random_below(&random, c.domain.n[axis]);
            at +=
                snprintf(at, (size_t)(stop - at), "%s%" PRId64, axis > 0 ? "x" : "", m.wave[axis]);
        }
        heat_run run;
        if (heat_case_begin(&c, n, &random, &run)) {
            heat_case_start(&c, halo_beat_view(run.beat, 0));
            double error = heat_case_error(halo_beat_view(run.beat, 0), mode_cell, &m);
            expect(error < 1e-12, "%s: %g off at the beginning", c.text, error);
            m.beats = 1 + random_below(&random, 30);
            heat_case_advance(&c, &run, m.beats);
            error = heat_case_error(halo_beat_view(run.beat, 0), mode_cell, &m);
            expect(error < 1e-12, "%s: %g off after %" PRId64 " beats", c.text, error, m.beats);
        }
        heat_case_end(&run);
    }
    EXPECT_AGREED();
}

/* ---- where it begins --------------------------------------------------------------------------
 */

static double square_cell(const void *context, const int64_t place[HALO_AXES])
{
    const halo_domain *d = context;
    bool hot = true, edge = false;
    for (int axis = 0; axis < d->axes; axis++) {
        hot = hot && 3 * place[axis] >= d->n[axis] && 3 * place[axis] < 2 * d->n[axis];
        edge = edge || place[axis] == 0 || place[axis] == d->n[axis] - 1;
    }
    return edge ? -2.5 : hot ? 1 : 0;
}

static void test_square(void)
{
    uint64_t random = 17;
    heat_case c = {.domain = {.axes = 3, .n = {13, 14, 15}},
                   .kernel = &halo_heat3d_kernel,
                   .options = "edge=-2.5",
                   .depth = 1,
                   .exchange = "p2p"};
    heat_run run;
    if (heat_case_begin(&c, 0, &random, &run)) {
        heat_case_start(&c, halo_beat_view(run.beat, 0));
        double error = heat_case_error(halo_beat_view(run.beat, 0), square_cell, &c.domain);
        expect(error == 0, "%s: %g off", c.text, error);
    }
    heat_case_end(&run);
    EXPECT_AGREED();
}

static void test_refused(void)
{
    static const halo_heat_options bad[] = {
        {.shape = ""},          {.shape = "round"},    {.shape = "mode:3"},
        {.shape = "mode:3x"},   {.shape = "mode:0x1"}, {.shape = "mode:1x2x3"},
        {.shape = "mode:1x2 "}, {.edge = ""},          {.edge = "cold"},
        {.edge = "1x"},         {.source = NAN},       {.source = INFINITY},
        {.instructions = "mmx"}};
    static const halo_heat_options good[] = {
        {0}, {.edge = "-1e3", .source = .5}, {.instructions = "plain"}, {.shape = "linear"}};
    halo_domain domain = {.axes = 2, .n = {5, 6, 1}};
    void *state = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect(halo_heat_kernel.create(&state, &domain, &bad[i]) == HALO_ARGUMENT,
               "bad options %zu are taken", i);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        expect(halo_heat_kernel.create(&state, &domain, &good[i]) == HALO_OK,
               "good options %zu are not taken", i);
        halo_heat_kernel.destroy(&state);
    }
    domain.periodic[1] = true;
    expect(halo_heat_kernel.create(&state, &domain, &good[3]) == HALO_ARGUMENT,
           "a linear field that goes round");
    expect(halo_heat_kernel.create(&state, &domain, NULL) == HALO_OK, "no options");
    halo_heat_kernel.destroy(&state);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a linear field and a constant every beat", test_linear},
        {"eigenmodes", test_modes},
        {"where it begins", test_square},
        {"options that will not do", test_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "heat", tests);
}
