#include "cli/bench/kernels.h"

#include "base/random.h"
#include "kernels/heat/heat.h"
#include "kernels/synthetic/synthetic.h"

#include <math.h>
#include <stdio.h>

/* ---- kernels that beat by themselves --------------------------------------------------------- */

static bench_tally tally_of(const halo_clock *clock, int64_t beats, int64_t messages, int64_t bytes)
{
    const double *seconds = clock->seconds;
    return (bench_tally){{[BENCH_COMPUTE] = (int64_t)(1e9 * seconds[HALO_PHASE_COMPUTE]),
                          [BENCH_EXCHANGE] = (int64_t)(1e9 * (seconds[HALO_PHASE_EXCHANGE] +
                                                              seconds[HALO_PHASE_MERGE])),
                          [BENCH_VOTE] = (int64_t)(1e9 * seconds[HALO_PHASE_VOTE]),
                          [BENCH_WAIT] = (int64_t)(1e9 * seconds[HALO_PHASE_WAIT]),
                          [BENCH_BEATS] = beats,
                          [BENCH_MESSAGES] = messages,
                          [BENCH_BYTES] = bytes}};
}

static void fill_synthetic(const halo_view *view)
{
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        uint64_t *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            row[x] = halo_synthetic_cell(view->owned.lo[0] + y, view->owned.lo[1] + x, 0);
        }
    }
}

static halo_status fill(const bench_run *run)
{
    const halo_view *view = halo_beat_view(run->state.beat, 0);
    if (run->kernel->kernel->start != NULL) {
        return run->kernel->kernel->start(halo_beat_state(run->state.beat), view);
    }
    fill_synthetic(view);
    return HALO_OK;
}

static halo_status create_beat(bench_run *run, halo_world *world)
{
    const bench_setting *setting = &run->setting;
    const halo_domain *domain = &setting->domain;
    const halo_kernel *kernel = run->kernel->kernel;
    halo_synthetic_options synthetic = {.rows = domain->n[0], .columns = domain->n[1], .work = 1};
    const halo_beat_options options = {.exchange = setting->mode,
                                       .beats_per_exchange = setting->depth,
                                       .kernel_options =
                                           kernel == &halo_synthetic_kernel ? &synthetic : NULL};
    halo_partition partition = {0};
    halo_status status =
        halo_agree(world, halo_partition_blocks(&partition, domain, setting->parts));
    if (status == HALO_OK) {
        status = halo_beat_create(&run->state.beat, world, domain, &partition, kernel, &options);
    }
    halo_partition_free(&partition);
    return status == HALO_OK ? halo_agree(world, fill(run)) : status;
}

static halo_status run_beat(bench_state *state, int64_t count)
{
    HALO_TRY(halo_beat_run(state->beat, count));
    halo_beat_report report = halo_beat_get_report(state->beat);
    state->tally = tally_of(&report.clock, report.beats, report.messages, report.bytes);
    return HALO_OK;
}

/* ---- Life ------------------------------------------------------------------------------------ */

static halo_status create_life(bench_run *run, halo_world *world)
{
    static const double density = .35;
    const bench_setting *setting = &run->setting;
    halo_life_options options = {
        .box = {.n = {setting->domain.n[0], setting->domain.n[1]}},
        .edges = {HALO_LIFE_DEAD, HALO_LIFE_DEAD},
        .parts = {setting->parts[0], setting->parts[1]},
        .beats_per_exchange = setting->depth,
        .exchange = setting->mode,
    };
    HALO_TRY(halo_agree(world, halo_life_rule_parse("B3/S23", &options.rule, NULL)));
    HALO_TRY(halo_life_create(&run->state.life, world, &options));
    return halo_life_soup(run->state.life, density, 1);
}

static halo_status run_life(bench_state *state, int64_t count)
{
    HALO_TRY(halo_life_run(state->life, count));
    halo_life_report report = halo_life_get_report(state->life);
    state->tally = tally_of(&report.beats.clock, report.beats.beats, report.beats.messages,
                            report.beats.bytes);
    return HALO_OK;
}

/* ---- labelling ------------------------------------------------------------------------------- */

/* Squares of pixels are lit or not: regions of all sizes. By global place, so that the image is the
 * same however it is cut. */
static void light(const halo_view *view)
{
    enum { SQUARE = 8, WORD = 64 };
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        uint64_t *row = halo_row(view, y);
        uint64_t stream = (uint64_t)(view->owned.lo[0] + y) / SQUARE;
        uint64_t lit = 0;
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            int64_t column = view->owned.lo[1] + x;
            if (x == 0 || column % SQUARE == 0) {
                lit = halo_random_at(1, stream, column / SQUARE) >> 31;
            }
            row[x / WORD] |= lit << (x % WORD);
        }
    }
}

static halo_status create_label(bench_run *run, halo_world *world)
{
    const bench_setting *setting = &run->setting;
    halo_partition partition = {0};
    halo_status status = halo_partition_blocks(&partition, &setting->domain, setting->parts);
    if (status == HALO_OK) {
        halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
        status = halo_field_create(&run->state.lit, &setting->domain, &owned, HALO_BIT, 0);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        light(halo_field_view(run->state.lit));
        const halo_label_options options = {.exchange = setting->mode};
        status =
            halo_label_create(&run->state.label, world, &setting->domain, &partition, &options);
    }
    halo_partition_free(&partition);
    return status;
}

/* The kernel's report is that of one run. */
static halo_status run_label(bench_state *state, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_label_run(state->label, halo_field_view(state->lit), NULL));
        const halo_beat_report *report = halo_label_get_report(state->label);
        bench_tally one = tally_of(&report->clock, 1, report->messages, report->bytes);
        for (int s = 0; s < BENCH_SUMS; s++) {
            state->tally.sum[s] += one.sum[s];
        }
    }
    return HALO_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

#define BEAT(called) \
    .kernel = &halo_##called##_kernel, .create = create_beat, .beats = run_beat, .cells_in_byte = 1
#define KERNEL_heat      BEAT(heat)
#define KERNEL_heat3d    BEAT(heat3d)
#define KERNEL_synthetic BEAT(synthetic)
#define KERNEL_life      .create = create_life, .beats = run_life, .cells_in_byte = 8
/* A labelling is no beat: what its merging takes depends on the image. */
#define KERNEL_label .create = create_label, .beats = run_label

const bench_kernel bench_kernels[BENCH_KERNELS] = {
#define KERNEL_ENTRY(called, dimensions, cells, is_deep, text) \
    {.name = #called,                                          \
     .help = (text),                                           \
     .axes = (dimensions),                                     \
     .size = (cells),                                          \
     .deep = (is_deep),                                        \
     KERNEL_##called},
    BENCH_KERNEL_LIST(KERNEL_ENTRY)
#undef KERNEL_ENTRY
};

halo_domain bench_kernel_domain(const bench_kernel *kernel, const int64_t n[HALO_AXES])
{
    halo_domain domain = {.axes = kernel->axes, .n = {1, 1, 1}};
    for (int a = 0; a < kernel->axes; a++) {
        domain.n[a] = n[a];
    }
    return domain;
}

bool bench_kernel_workload(const bench_kernel *kernel, const halo_domain *domain, int depth,
                           halo_workload *out)
{
    int in_byte = kernel->cells_in_byte;
    *out = (halo_workload){.domain = *domain, .cell_bytes = 8, .depth = 1, .beats = depth};
    if (in_byte > 1) {
        /* The model counts bytes: eight cells of a row are one to it, with eight neighbours. */
        int64_t *columns = &out->domain.n[1];
        *columns = (*columns + in_byte - 1) / in_byte;
        out->cell_bytes = 1;
        out->corners = true;
    }
    return in_byte > 0;
}

/* ---- as items -------------------------------------------------------------------------------- */

static halo_status open_alone(bench_run *run)
{
    HALO_TRY(halo_world_create(&run->world, MPI_COMM_SELF, NULL));
    return run->kernel->create(run, run->world);
}

static halo_status open_kernel(void *context, halo_world *world)
{
    bench_run *run = context;
    return run->alone ? halo_agree(world, open_alone(run)) : run->kernel->create(run, world);
}

static halo_status run_kernel(void *context, int64_t times, double *spent)
{
    bench_run *run = context;
    bench_tally before = run->state.tally;
    HALO_TRY(run->kernel->beats(&run->state, times));
    for (int s = 0; s < BENCH_SUMS; s++) {
        run->last.sum[s] = run->state.tally.sum[s] - before.sum[s];
    }
    if (run->alone) {
        *spent = (double)run->last.sum[BENCH_COMPUTE] / 1e9;
    }
    return HALO_OK;
}

static void count_kernel(void *context)
{
    bench_run *run = context;
    for (int s = 0; s < BENCH_SUMS; s++) {
        run->counted.sum[s] += run->last.sum[s];
    }
}

static void close_kernel(void *context)
{
    bench_run *run = context;
    halo_beat_destroy(&run->state.beat);
    halo_life_destroy(&run->state.life);
    halo_label_destroy(&run->state.label);
    halo_field_destroy(&run->state.lit);
    run->state = (bench_state){0};
    halo_world_destroy(&run->world);
}

int bench_add_kernel(bench_list *list, const bench_kernel *kernel, const bench_setting *setting,
                     int ranks, bool alone, int64_t fixed)
{
    static const bench_operations operations = {
        .open = open_kernel, .run = run_kernel, .count = count_kernel, .close = close_kernel};
    halo_box box = {.n = {setting->domain.n[0], setting->domain.n[1], setting->domain.n[2]}};
    char measure[BENCH_TEXT_SIZE], way[BENCH_TEXT_SIZE];
    snprintf(measure, sizeof measure, "beat of %s%s", kernel->name, alone ? " alone" : "");
    snprintf(way, sizeof way, "depth %d", setting->depth);
    bench_item item = bench_item_of(&operations, ranks, -1, measure, way);
    item.amount = (double)halo_box_cells(&box);
    item.unit = "cell";
    item.multiple = setting->depth;
    item.fixed = fixed;
    const bench_run run = {.kernel = kernel, .setting = *setting, .alone = alone};
    return bench_list_add(list, &item, &run, sizeof run);
}
