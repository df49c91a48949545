/* Heat: what is known in closed form, where it begins, and rows by any instructions. */

#include "core/beat/beat.h"
#include "kernels/heat/heat.h"
#include "kernels/heat/row_ops.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- runs at random, in blocks at random ----------------------------------------------------- */

/* A run, and how. */
typedef struct {
    const halo_kernel *kernel;
    halo_domain domain;
    halo_heat_options options;
    char shape[64]; /* of the options, or empty */
    int depth;
    const char *exchange;
    char text[320]; /* all of it, for messages */
} heat_case;

typedef struct {
    halo_beat *beat;
    halo_partition partition;
} heat_run;

/* What a cell must be; `place` is global. */
typedef double heat_cell(const void *context, const int64_t place[HALO_AXES]);

static const halo_kernel *kernel_of(int axes)
{
    return axes == 2 ? &halo_heat_kernel : &halo_heat3d_kernel;
}

static heat_case heat_case_any(uint64_t *random, int n, bool may_wrap)
{
    static const char *const modes[] = {"p2p", "persistent", "neighbour", "shared"};
    heat_case c = {.domain = {.axes = 2 + n % 2, .n = {1, 1, 1}},
                   .depth = 1 + n / 2 % 4,
                   .exchange = modes[n / 3 % 4]};
    c.kernel = kernel_of(c.domain.axes);
    for (int axis = 0; axis < c.domain.axes; axis++) {
        int64_t most = n % 7 == 0 ? 4 : c.domain.axes == 2 ? 60 : 24;
        c.domain.n[axis] = 1 + random_below(random, most);
        c.domain.periodic[axis] = may_wrap && random_below(random, 2) == 0;
    }
    return c;
}

static void describe(heat_case *c, int n, const halo_partition *partition)
{
    const halo_domain *d = &c->domain;
    const int *parts = partition->parts;
    snprintf(c->text, sizeof c->text,
             "case %d: %" PRId64 "x%" PRId64 "x%" PRId64 " periodic %d%d%d in %dx%dx%d, \"%s\","
             " depth %d, %s",
             n, d->n[0], d->n[1], d->n[2], d->periodic[0], d->periodic[1], d->periodic[2], parts[0],
             parts[1], parts[2], c->shape, c->depth, c->exchange);
}

static halo_heat_options options_of(const heat_case *c)
{
    halo_heat_options options = c->options;
    options.shape = c->shape[0] != '\0' ? c->shape : NULL;
    return options;
}

static void heat_case_start(const heat_case *c, const halo_view *view)
{
    void *state = NULL;
    const halo_heat_options options = options_of(c);
    expect_ok(c->kernel->create(&state, &c->domain, &options));
    expect_ok(c->kernel->start(state, view));
    c->kernel->destroy(&state);
    expect(state == NULL, "not destroyed");
}

static bool heat_case_begin(heat_case *c, int n, uint64_t *random, heat_run *run)
{
    *run = (heat_run){0};
    halo_world *world = mpi_check_world();
    random_blocks(random, &c->domain, halo_world_ranks(world), c->depth, &run->partition);
    describe(c, n, &run->partition);
    const halo_heat_options options = options_of(c);
    halo_beat_options how = {
        .beats_per_exchange = c->depth, .exchange = c->exchange, .kernel_options = &options};
    halo_status status =
        halo_beat_create(&run->beat, world, &c->domain, &run->partition, c->kernel, &how);
    expect_case_ok(c->text, status);
    return status == HALO_OK;
}

static void heat_case_end(heat_run *run)
{
    halo_beat_destroy(&run->beat);
    halo_partition_free(&run->partition);
}

static void heat_case_advance(const heat_case *c, heat_run *run, int64_t beats)
{
    if (beats > 0) {
        expect_case_ok(c->text, halo_beat_run(run->beat, beats));
    }
}

static double cell_at(const halo_view *view, const int64_t at[HALO_AXES])
{
    const double *row =
        view->axes == 3 ? halo_row_of_plane(view, at[0], at[1]) : halo_row(view, at[0]);
    return row[at[view->axes - 1]];
}

static double heat_case_error(const halo_view *view, heat_cell *expected, const void *context)
{
    const halo_box *owned = &view->owned;
    double worst = 0;
    int64_t at[HALO_AXES], place[HALO_AXES];
    for (at[0] = 0; at[0] < owned->n[0]; at[0]++) {
        for (at[1] = 0; at[1] < owned->n[1]; at[1]++) {
            for (at[2] = 0; at[2] < owned->n[2]; at[2]++) {
                for (int axis = 0; axis < HALO_AXES; axis++) {
                    place[axis] = owned->lo[axis] + at[axis];
                }
                double error = fabs(cell_at(view, at) - expected(context, place));
                worst = error <= worst ? worst : isnan(error) ? HUGE_VAL : error;
            }
        }
    }
    return worst;
}

/* ---- a linear field, and a constant every beat ----------------------------------------------- */

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
        snprintf(c.shape, sizeof c.shape, "linear");
        c.options.source = 3;
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

/* ---- eigenmodes ------------------------------------------------------------------------------ */

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
        char *at = c.shape, *stop = c.shape + sizeof c.shape;
        at += snprintf(at, (size_t)(stop - at), "mode:");
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

/* ---- where it begins ------------------------------------------------------------------------- */

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
                   .options = {.edge = "-2.5"},
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
    expect_ok(halo_heat_kernel.create(&state, &domain, NULL));
    halo_heat_kernel.destroy(&state);
    EXPECT_AGREED();
}

/* Every set of instructions, past the caches and not, on rows that begin and end within a vector.
 */
enum { ROWS = 9, MARGIN = 3, COLUMNS = 203, PITCH = 256, CELLS = (ROWS + 2 * MARGIN) * PITCH };

typedef void update(const heat_sheet *sheet);

static void expect_alike(const char *name, update *some, update *plain, heat_sheet sheet, int first)
{
    static double wanted[CELLS], out[CELLS];
    memset(wanted, 0, sizeof wanted);
    memset(out, 0, sizeof out);
    sheet.out = wanted + MARGIN * PITCH + first;
    plain(&sheet);
    sheet.out = out + MARGIN * PITCH + first;
    some(&sheet);
    expect(memcmp(out, wanted, sizeof out) == 0, "%s: other cells from column %d on", name, first);
    sheet.stream = true;
    some(&sheet);
    expect(memcmp(out, wanted, sizeof out) == 0, "%s: others past the caches, from column %d on",
           name, first);
}

static void test_rows(void)
{
    static double in[CELLS];
    uint64_t random = 21;
    for (int i = 0; i < CELLS; i++) {
        in[i] = (double)random_below(&random, 1 << 20) / 3;
    }
    for (const halo_isa_variant *v = heat_row_variants; v != NULL; v = halo_isa_next(v)) {
        const heat_row_ops *ops = v->ops;
        const char *name = halo_isa_name(v->isa);
        for (int first = 1; halo_isa_supported(v->isa) && first < 20; first++) {
            heat_sheet sheet = {.in = in + MARGIN * PITCH + first,
                                .in_pitch = PITCH,
                                .out_pitch = PITCH,
                                .in_plane = 2 * PITCH,
                                .rows = ROWS,
                                .columns = first % 3 == 0 ? first : COLUMNS + first,
                                .source = first % 5 == 0 ? 0.7 : 0};
            expect_alike(name, ops->five, heat_row_ops_plain.five, sheet, first);
            expect_alike(name, ops->seven, heat_row_ops_plain.seven, sheet, first);
        }
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("heat", {"a linear field and a constant every beat", test_linear},
               {"eigenmodes", test_modes}, {"where it begins", test_square},
               {"options that will not do", test_refused},
               {"any instructions, past the caches or not", test_rows})
