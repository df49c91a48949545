#include "cli/bench/bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "core/world/memory_ask.h"
#include "kernels/heat/heat.h"
#include "kernels/synthetic/synthetic.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Add what a report says to run->last, or subtract it (`sign` -1). */
static void add_report(bench_run *run, const halo_beat_report *from, int64_t beats, int sign)
{
    const double *seconds = from->clock.seconds;
    const int64_t done[BENCH_SUMS] = {
        [BENCH_COMPUTE] = (int64_t)(1e9 * seconds[HALO_PHASE_COMPUTE]),
        [BENCH_EXCHANGE] =
            (int64_t)(1e9 * (seconds[HALO_PHASE_EXCHANGE] + seconds[HALO_PHASE_MERGE])),
        [BENCH_VOTE] = (int64_t)(1e9 * seconds[HALO_PHASE_VOTE]),
        [BENCH_WAIT] = (int64_t)(1e9 * seconds[HALO_PHASE_WAIT]),
        [BENCH_BEATS] = beats,
        [BENCH_MESSAGES] = from->messages,
        [BENCH_BYTES] = from->bytes};
    for (int s = 0; s < BENCH_SUMS; s++) {
        run->last[s] += sign * done[s];
    }
}

/* Asks whether there is memory for the blocks that a kernel has allocated since this rank held
 * `before` bytes, and not touched yet. */
static halo_status ask_since(const bench_run *run, halo_world *world, int64_t before)
{
    const int64_t *n = run->setting.domain.n;
    char what[120];
    snprintf(what, sizeof what, "%s of %" PRId64 " x %" PRId64 "%s cells", run->kernel->name,
             n[run->setting.domain.axes - 1], n[run->setting.domain.axes - 2],
             run->setting.domain.axes == HALO_AXES ? " x ..." : "");
    const halo_memory_demand demand = {.more = halo_memory_held() - before,
                                       .held = before,
                                       .what = what,
                                       .remedy = "a smaller --size"};
    return halo_memory_ask(world, &demand);
}

/* ---- stencils -------------------------------------------------------------------------------- */

static halo_status fill_stencil(const bench_run *run)
{
    const halo_view *view = halo_beat_view(run->beat, 0);
    if (run->kernel->kernel->start != NULL) {
        return run->kernel->kernel->start(halo_beat_state(run->beat), view);
    }
    halo_synthetic_fill(view);
    return HALO_OK;
}

static halo_status create_stencil(bench_run *run, halo_world *world)
{
    const bench_setting *setting = &run->setting;
    const halo_domain *domain = &setting->domain;
    const halo_kernel *kernel = run->kernel->kernel;
    halo_synthetic_options synthetic = {.rows = domain->n[0], .columns = domain->n[1], .work = 1};
    const halo_beat_options options = {.vote = "allreduce", /* which is what is predicted */
                                       .exchange = setting->mode,
                                       .beats_per_exchange = setting->depth,
                                       .kernel_options =
                                           kernel == &halo_synthetic_kernel ? &synthetic : NULL};
    halo_partition partition = {0};
    int64_t before = halo_memory_held();
    halo_status status =
        halo_agree(world, halo_partition_blocks(&partition, domain, setting->parts));
    HALO_IF_OK(status, halo_beat_create(&run->beat, world, domain, &partition, kernel, &options));
    halo_partition_free(&partition);
    HALO_TRY(status);
    HALO_TRY(ask_since(run, world, before));
    return halo_agree(world, fill_stencil(run));
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
    HALO_TRY(halo_life_create(&run->life, world, &options));
    return halo_life_soup(run->life, density, 1);
}

/* ---- beats of stencils and of Life ----------------------------------------------------------- */

static halo_beat_report get_report(const bench_run *run)
{
    return run->life != NULL ? halo_life_get_beat_report(run->life)
                             : halo_beat_get_report(run->beat);
}

static halo_status run_beats(bench_run *run, int64_t count)
{
    halo_beat_report before = get_report(run);
    HALO_TRY(run->life != NULL ? halo_life_run(run->life, count) : halo_beat_run(run->beat, count));
    halo_beat_report after = get_report(run);
    add_report(run, &before, before.beats, -1);
    add_report(run, &after, after.beats, 1);
    return HALO_OK;
}

/* ---- labelling ------------------------------------------------------------------------------- */

/* Squares of pixels are foreground or not: regions of all sizes. By global place, so that the image
 * is the same however it is cut. */
static void fill_foreground(const halo_view *view)
{
    enum { SQUARE = 8, WORD = 64 };
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        uint64_t *row = halo_row(view, y);
        uint64_t stream = (uint64_t)(view->owned.lo[0] + y) / SQUARE;
        uint64_t foreground = 0;
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            int64_t column = view->owned.lo[1] + x;
            if (x == 0 || column % SQUARE == 0) {
                foreground = halo_random_at(1, stream, column / SQUARE) >> 31;
            }
            row[x / WORD] |= foreground << (x % WORD);
        }
    }
}

static halo_status create_label(bench_run *run, halo_world *world)
{
    const bench_setting *setting = &run->setting;
    halo_partition partition = {0};
    int64_t before = halo_memory_held();
    halo_status status = halo_partition_blocks(&partition, &setting->domain, setting->parts);
    if (status == HALO_OK) {
        halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
        status = halo_field_create(&run->foreground, &setting->domain, &owned, HALO_BIT, 0);
    }
    status = halo_agree(world, status);
    HALO_IF_OK(status, ask_since(run, world, before));
    if (status == HALO_OK) {
        fill_foreground(halo_field_view(run->foreground));
        const halo_label_options options = {.exchange = setting->mode};
        status = halo_label_create(&run->label, world, &setting->domain, &partition, &options);
    }
    halo_partition_free(&partition);
    return status;
}

/* A beat is a labelling, and the kernel's report is that of the last one. */
static halo_status run_label(bench_run *run, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_label_run(run->label, halo_field_view(run->foreground), NULL));
        add_report(run, halo_label_get_report(run->label), 1, 1);
    }
    return HALO_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

#define STENCIL(called)                                                              \
    .kernel = &halo_##called##_kernel, .create = create_stencil, .beats = run_beats, \
    .cells_in_byte = 1
#define KERNEL_heat      STENCIL(heat)
#define KERNEL_heat3d    STENCIL(heat3d)
#define KERNEL_synthetic STENCIL(synthetic)
#define KERNEL_life      .create = create_life, .beats = run_beats, .cells_in_byte = 8
/* A labelling is no beat: what its merging takes depends on the image. */
#define KERNEL_label .create = create_label, .beats = run_label

const bench_kernel bench_kernels[] = {
#define KERNEL_ENTRY(called, dimensions, cells, is_deep, text) \
    {.name = #called, .axes = (dimensions), .size = (cells), .deep = (is_deep), KERNEL_##called},
    BENCH_KERNEL_LIST(KERNEL_ENTRY)
#undef KERNEL_ENTRY
        {0}};

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

static halo_status open_alone(bench_run *run, halo_world *world)
{
    HALO_TRY(halo_world_create_alone(&run->world, world));
    return run->kernel->create(run, run->world);
}

static halo_status open_kernel(void *context, halo_world *world)
{
    bench_run *run = context;
    return run->alone ? halo_agree(world, open_alone(run, world)) : run->kernel->create(run, world);
}

static halo_status run_kernel(void *context, int64_t times, double *spent)
{
    bench_run *run = context;
    memset(run->last, 0, sizeof run->last);
    HALO_TRY(run->kernel->beats(run, times));
    if (run->alone) {
        *spent = (double)run->last[BENCH_COMPUTE] / 1e9;
    }
    return HALO_OK;
}

static void count_kernel(void *context)
{
    bench_run *run = context;
    for (int s = 0; s < BENCH_SUMS; s++) {
        run->counted[s] += run->last[s];
    }
}

static void close_kernel(void *context)
{
    bench_run *run = context;
    halo_beat_destroy(&run->beat);
    halo_life_destroy(&run->life);
    halo_label_destroy(&run->label);
    halo_field_destroy(&run->foreground);
    halo_world_destroy(&run->world);
}

int bench_add_kernel(bench_list *list, const bench_kernel *kernel, const bench_setting *setting,
                     int ranks, bool alone, int64_t fixed)
{
    static const bench_operations operations = {sizeof(bench_run), open_kernel, run_kernel,
                                                count_kernel, close_kernel};
    bench_run run = {.kernel = kernel, .setting = *setting, .alone = alone};
    char measure[BENCH_TEXT_SIZE], way[BENCH_TEXT_SIZE];
    snprintf(measure, sizeof measure, "beat of %s%s", kernel->name, alone ? " alone" : "");
    snprintf(way, sizeof way, "depth %d", setting->depth);
    bench_item item = bench_item_of(&operations, &run, ranks, -1, 0, 0);
    item.multiple = setting->depth;
    item.fixed = fixed;
    return bench_list_add(list, measure, way, &item);
}
