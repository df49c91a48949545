/* Heat: what is known in closed form, where it begins, and rows by any instructions. That cells are
 * the same in any parts is for test_same_bytes.c. */

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

/* A function that returns the expected value of a cell; `place` is global. */
typedef double heat_cell(const void *context, const int64_t place[HALO_AXES]);

static double cell_at(const halo_view *view, const int64_t at[HALO_AXES])
{
    const double *row =
        view->axes == 3 ? halo_row_of_plane(view, at[0], at[1]) : halo_row(view, at[0]);
    return row[at[view->axes - 1]];
}

static double find_error(const halo_view *view, heat_cell *expected, const void *context)
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

/* Cells of a domain in blocks at random, at the beginning and after some beats; `beats` is where
 * `expected` finds how many were done. */
static void check(const halo_domain *domain, const halo_heat_options *options, int64_t todo,
                  uint64_t *random, heat_cell *expected, const void *context, int64_t *beats)
{
    const halo_kernel *kernel = domain->axes == 2 ? &halo_heat_kernel : &halo_heat3d_kernel;
    halo_partition partition;
    halo_beat *beat = NULL;
    void *state = NULL;
    char text[160];
    const halo_beat_options how = {.kernel_options = options};
    snprintf(text, sizeof text, "%" PRId64 "x%" PRId64 "x%" PRId64 " periodic %d%d%d, \"%s\"",
             domain->n[0], domain->n[1], domain->n[2], domain->periodic[0], domain->periodic[1],
             domain->periodic[2], options->shape != NULL ? options->shape : "");
    random_blocks(random, domain, all_ranks(), 1, &partition);
    expect_case_ok(text,
                   halo_beat_create(&beat, mpi_check_world(), domain, &partition, kernel, &how));
    halo_partition_free(&partition);
    const halo_view *view = halo_beat_view(beat, 0);
    expect_case_ok(text, kernel->create(&state, domain, options));
    expect_case_ok(text, kernel->start(state, view));
    kernel->destroy(&state);
    *beats = 0;
    double error = find_error(view, expected, context);
    expect(error < 1e-12, "%s: %g off at the beginning", text, error);
    if (todo > 0) {
        *beats = todo;
        expect_case_ok(text, halo_beat_run(beat, todo));
        error = find_error(halo_beat_view(beat, 0), expected, context);
        expect(error < 1e-12, "%s: %g off after %" PRId64 " beats", text, error, todo);
    }
    halo_beat_destroy(&beat);
}

static halo_domain any_domain(uint64_t *random, int n, bool may_wrap)
{
    halo_domain domain = {.axes = 2 + n % 2, .n = {1, 1, 1}};
    for (int axis = 0; axis < domain.axes; axis++) {
        domain.n[axis] = 1 + random_below(random, n % 7 == 0 ? 4 : domain.axes == 2 ? 60 : 24);
        domain.periodic[axis] = may_wrap && random_below(random, 2) == 0;
    }
    return domain;
}

/* ---- a linear field, and a constant every beat ----------------------------------------------- */

static double linear_cell(const void *context, const int64_t place[HALO_AXES])
{
    const int64_t *beats = context;
    return (double)(place[0] + 2 * place[1] + 3 * place[2] + 3 * *beats);
}

static void test_linear(void)
{
    const halo_heat_options options = {.shape = "linear", .source = 3};
    uint64_t random = 5;
    for (int n = 0; n < 20; n++) {
        int64_t beats;
        halo_domain domain = any_domain(&random, n, false);
        check(&domain, &options, 1 + random_below(&random, 20), &random, linear_cell, &beats,
              &beats);
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
    for (int n = 0; n < 30; n++) {
        char shape[64];
        halo_domain domain = any_domain(&random, n, true);
        mode m = {.domain = &domain};
        int length = snprintf(shape, sizeof shape, "mode:");
        for (int axis = 0; axis < domain.axes; axis++) {
            m.wave[axis] = 1 + random_below(&random, domain.n[axis]);
            length += snprintf(shape + length, sizeof shape - (size_t)length, "%s%" PRId64,
                               axis > 0 ? "x" : "", m.wave[axis]);
        }
        const halo_heat_options options = {.shape = shape};
        check(&domain, &options, 1 + random_below(&random, 30), &random, mode_cell, &m, &m.beats);
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
    const halo_heat_options options = {.edge = "-2.5"};
    const halo_domain domain = {.axes = 3, .n = {13, 14, 15}};
    uint64_t random = 17;
    int64_t beats;
    check(&domain, &options, 0, &random, square_cell, &domain, &beats);
    EXPECT_AGREED();
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Every set of instructions, past the caches and not, on rows that begin and end within a vector.
 */
enum { ROWS = 9, MARGIN = 3, COLUMNS = 203, PITCH = 256, CELLS = (ROWS + 2 * MARGIN) * PITCH };

typedef void update(const heat_sheet *sheet);

static const size_t cell_bytes[HEAT_TYPES] = {sizeof(double), sizeof(float)};

/* Cell (MARGIN, first) of a sheet. */
static void *cell_of(void *cells, heat_type type, int first)
{
    return (char *)cells + (size_t)(MARGIN * PITCH + first) * cell_bytes[type];
}

static void expect_alike(const char *name, heat_type type, update *some, update *plain,
                         heat_sheet sheet, int first)
{
    static PER_RANK double wanted[CELLS], out[CELLS];
    memset(wanted, 0, sizeof wanted);
    memset(out, 0, sizeof out);
    sheet.out = cell_of(wanted, type, first);
    plain(&sheet);
    sheet.out = cell_of(out, type, first);
    some(&sheet);
    expect(memcmp(out, wanted, sizeof out) == 0, "%s: other cells of type %d from column %d on",
           name, type, first);
    sheet.stream = true;
    some(&sheet);
    expect(memcmp(out, wanted, sizeof out) == 0,
           "%s: others of type %d past the caches, from column %d on", name, type, first);
}

/* Cells that move by more than a half, one of them from a number to none. */
static void expect_moved(const heat_row_ops *ops, const char *name, heat_type type,
                         heat_sheet sheet, int first)
{
    static PER_RANK double moved[CELLS];
    memcpy(moved, (const char *)sheet.in - (size_t)(MARGIN * PITCH + first) * cell_bytes[type],
           sizeof moved);
    sheet.out = cell_of(moved, type, first);
    int64_t wanted = 0;
    for (int64_t y = 0; y < sheet.rows; y++) {
        for (int64_t x = 0; x < sheet.columns; x++) {
            double by = x % 3 == 0 ? 0.25 : x % 3 == 1 ? 0.5 : y == 1 ? NAN : -0.75;
            if (type == HEAT_FLOAT) {
                ((float *)sheet.out)[y * PITCH + x] += (float)by;
            } else {
                ((double *)sheet.out)[y * PITCH + x] += by;
            }
            wanted += x % 3 == 2;
        }
    }
    expect(ops->moved[type](&sheet, 0.5) == wanted, "%s: other cells of type %d have moved", name,
           type);
}

static void fill_cells(void *cells, heat_type type)
{
    uint64_t random = 21;
    for (int i = 0; i < CELLS; i++) {
        int64_t third = random_below(&random, 1 << 20);
        if (type == HEAT_FLOAT) {
            ((float *)cells)[i] = (float)third / 4;
        } else {
            ((double *)cells)[i] = (double)third / 4;
        }
    }
}

static void test_type(heat_type type)
{
    static PER_RANK double in[CELLS];
    fill_cells(in, type);
    for (const halo_isa_variant *v = heat_row_variants; v != NULL; v = halo_isa_next(v)) {
        const heat_row_ops *ops = v->ops;
        const char *name = halo_isa_name(v->isa);
        for (int first = 1; halo_isa_supported(v->isa) && first < 36; first++) {
            heat_sheet sheet = {.in = cell_of(in, type, first),
                                .in_pitch = PITCH,
                                .out_pitch = PITCH,
                                .in_plane = 2 * PITCH,
                                .rows = ROWS,
                                .columns = first % 3 == 0 ? first : COLUMNS + first % 20,
                                .source = first % 5 == 0 ? 0.7 : 0};
            expect_alike(name, type, ops->five[type], heat_row_ops_plain.five[type], sheet, first);
            expect_alike(name, type, ops->seven[type], heat_row_ops_plain.seven[type], sheet,
                         first);
            expect_moved(ops, name, type, sheet, first);
        }
    }
}

static void test_rows(void)
{
    test_type(HEAT_DOUBLE);
    test_type(HEAT_FLOAT);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("heat", {"a linear field and a constant every beat", test_linear},
               {"eigenmodes", test_modes}, {"where it begins", test_square},
               {"any instructions, past the caches or not", test_rows})
