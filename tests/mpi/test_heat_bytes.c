/* Heat: the same bytes however the domain is cut and whatever the processor's instructions. */

#include "kernels/heat/row_ops.h"
#include "support/heat_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole grid, cell by cell, on every rank. */

typedef struct {
    const halo_domain *domain;
    double source;
    bool held;
    double *now, *next;
} whole;

static int64_t place_of(const halo_domain *d, const int64_t place[HALO_AXES])
{
    return (place[0] * d->n[1] + place[1]) * d->n[2] + place[2];
}

/* What stands `step` cells further along an axis; beyond an edge 0. */
static double beside(const whole *w, const int64_t place[HALO_AXES], int axis, int step)
{
    int64_t there[HALO_AXES] = {place[0], place[1], place[2]}, n = w->domain->n[axis];
    there[axis] += step;
    if (w->domain->periodic[axis]) {
        there[axis] = (there[axis] + n) % n;
    }
    return there[axis] < 0 || there[axis] >= n ? 0 : w->now[place_of(w->domain, there)];
}

static double pair(const whole *w, const int64_t place[HALO_AXES], int axis)
{
    return beside(w, place, axis, -1) + beside(w, place, axis, 1);
}

static double next_cell(const whole *w, const int64_t place[HALO_AXES])
{
    const halo_domain *d = w->domain;
    double here = w->now[place_of(d, place)];
    for (int axis = 0; w->held && axis < d->axes; axis++) {
        bool edge = place[axis] == 0 || place[axis] == d->n[axis] - 1;
        if (edge && !d->periodic[axis]) {
            return here + w->source;
        }
    }
    double rest = pair(w, place, d->axes - 2) + pair(w, place, d->axes - 1);
    if (d->axes == 2) {
        return 0.25 * rest + w->source;
    }
    rest += pair(w, place, 0);
    double own = 0.25 * here, others = 0.125 * rest;
    return own + others + w->source;
}

static void advance_whole(whole *w, int64_t beats)
{
    const int64_t *n = w->domain->n;
    int64_t at[HALO_AXES];
    for (; beats > 0; beats--) {
        for (at[0] = 0; at[0] < n[0]; at[0]++) {
            for (at[1] = 0; at[1] < n[1]; at[1]++) {
                for (at[2] = 0; at[2] < n[2]; at[2]++) {
                    w->next[place_of(w->domain, at)] = next_cell(w, at);
                }
            }
        }
        double *before = w->now;
        w->now = w->next;
        w->next = before;
    }
}

static double whole_cell(const void *context, const int64_t place[HALO_AXES])
{
    const whole *w = context;
    return w->now[place_of(w->domain, place)];
}

/* Numbers whose sums are rounded. */
static double rough(const void *context, const int64_t place[HALO_AXES])
{
    const whole *w = context;
    uint64_t state = (uint64_t)place_of(w->domain, place);
    return (double)(random_next(&state) >> 11) / 9007199254740992.0 - 0.5;
}

static void make_whole(whole *w, const heat_case *c)
{
    const int64_t *n = c->domain.n;
    halo_box all = {.n = {n[0], n[1], n[2]}};
    size_t cells = (size_t)halo_box_cells(&all);
    *w = (whole){.domain = &c->domain,
                 .source = strstr(c->options, "source") != NULL ? 0.3 : 0,
                 .held = strstr(c->options, "held") != NULL,
                 .now = calloc(cells, sizeof(double)),
                 .next = calloc(cells, sizeof(double))};
    if (w->now == NULL || w->next == NULL) {
        abort();
    }
    ptrdiff_t row = (ptrdiff_t)(n[c->domain.axes - 1] * (int64_t)sizeof(double));
    halo_view view = {.origin = w->now,
                      .stride = {c->domain.axes == 2 ? row : row * (ptrdiff_t)n[1], row},
                      .owned = all,
                      .axes = c->domain.axes};
    heat_case_fill(&view, rough, w);
}

static void choose_options(heat_case *c, int n)
{
    static const char *const edges[] = {"", ",edge=held", ",source=0.3", ",edge=held,source=0.3"};
    int last = 0;
    while (heat_row_variants[last].isa != HALO_ISA_PLAIN) {
        last++;
    }
    halo_isa isa = heat_row_variants[n % (last + 1)].isa;
    const char *name = halo_isa_name(halo_isa_supported(isa) ? isa : HALO_ISA_PLAIN);
    snprintf(c->options, sizeof c->options, "instructions=%s%s", name, edges[n / 4 % 4]);
}

static void test_bytes(void)
{
    uint64_t random = 3;
    for (int n = 0; n < 150; n++) {
        heat_case c = heat_case_any(&random, n, true);
        int64_t beats = 1 + random_below(&random, 9);
        choose_options(&c, n);
        heat_run run;
        whole w;
        make_whole(&w, &c);
        if (heat_case_begin(&c, n, &random, &run)) {
            heat_case_fill(halo_beat_view(run.beat, 0), rough, &w);
            heat_case_advance(&c, &run, beats);
            advance_whole(&w, beats);
            double error = heat_case_error(halo_beat_view(run.beat, 0), whole_cell, &w);
            expect(error == 0, "%s: %g off after %" PRId64 " beats", c.text, error, beats);
        }
        heat_case_end(&run);
        free(w.now);
        free(w.next);
    }
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

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"the same bytes however it is cut", test_bytes},
        {"any instructions, past the caches or not", test_rows},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "heat_bytes", tests);
}
