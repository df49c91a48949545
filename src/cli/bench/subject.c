#include "cli/bench/subject.h"

#include "cli/bench/subject_internal.h"
#include "kernels/heat/heat.h"
#include "kernels/synthetic/synthetic.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels that beat by themselves --------------------------------------------------------- */

typedef struct {
    const halo_kernel *kernel;
    halo_synthetic_options synthetic;
    halo_beat *beat;
} beating;

static void destroy_beating(void **subject)
{
    beating *all = *subject;
    if (all != NULL) {
        halo_beat_destroy(&all->beat);
        free(all);
        *subject = NULL;
    }
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

/* The kernel's cells before the first beat, by a state of its own. */
static halo_status fill_in(const beating *all, const halo_domain *domain)
{
    const halo_view *view = halo_beat_view(all->beat, 0);
    if (all->kernel->start == NULL) {
        fill_synthetic(view);
        return HALO_OK;
    }
    void *state = NULL;
    halo_status status = all->kernel->create(&state, domain, NULL);
    if (status == HALO_OK) {
        status = all->kernel->start(state, view);
    }
    if (state != NULL) {
        all->kernel->destroy(&state);
    }
    return status;
}

static halo_status prepare(beating *all, halo_world *world, const bench_setting *setting)
{
    const halo_domain *domain = &setting->domain;
    bool is_synthetic = all->kernel == &halo_synthetic_kernel;
    all->synthetic =
        (halo_synthetic_options){.rows = domain->n[0], .columns = domain->n[1], .work = 1};
    const halo_beat_options options = {.exchange = setting->mode,
                                       .beats_per_exchange = setting->depth,
                                       .kernel_options = is_synthetic ? &all->synthetic : NULL};
    halo_partition partition = {0};
    halo_status status =
        halo_agree(world, halo_partition_blocks(&partition, domain, setting->parts));
    if (status == HALO_OK) {
        status = halo_beat_create(&all->beat, world, domain, &partition, all->kernel, &options);
    }
    halo_partition_free(&partition);
    return status == HALO_OK ? halo_agree(world, fill_in(all, domain)) : status;
}

static halo_status create_beating(void **out, halo_world *world, const bench_setting *setting,
                                  const halo_kernel *kernel)
{
    beating *all = calloc(1, sizeof *all);
    *out = all;
    halo_status status = halo_agree(
        world, all != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a benchmark"));
    if (status == HALO_OK && all != NULL) {
        all->kernel = kernel;
        status = prepare(all, world, setting);
    }
    if (status != HALO_OK) {
        destroy_beating(out);
    }
    return status;
}

static halo_status create_heat(void **out, halo_world *world, const bench_setting *setting)
{
    return create_beating(out, world, setting, &halo_heat_kernel);
}

static halo_status create_heat3d(void **out, halo_world *world, const bench_setting *setting)
{
    return create_beating(out, world, setting, &halo_heat3d_kernel);
}

static halo_status create_synthetic(void **out, halo_world *world, const bench_setting *setting)
{
    return create_beating(out, world, setting, &halo_synthetic_kernel);
}

static halo_status run_beating(void *subject, int64_t beats)
{
    beating *all = subject;
    return halo_beat_run(all->beat, beats);
}

bench_tally bench_tally_of(const halo_beat_report *report)
{
    return (bench_tally){.compute = report->clock.seconds[HALO_PHASE_COMPUTE],
                         .exchange = report->clock.seconds[HALO_PHASE_EXCHANGE],
                         .vote = report->clock.seconds[HALO_PHASE_VOTE],
                         .wait = report->clock.seconds[HALO_PHASE_WAIT],
                         .beats = report->beats,
                         .messages = report->messages,
                         .bytes = report->bytes};
}

static bench_tally tally_beating(const void *subject)
{
    const beating *all = subject;
    halo_beat_report report = halo_beat_reported(all->beat);
    return bench_tally_of(&report);
}

/* Cells of 64 bits that read their nearest neighbours. */
static bool work_of_numbers(const bench_setting *setting, halo_workload *out)
{
    *out = (halo_workload){
        .domain = setting->domain, .cell_bytes = 8, .depth = 1, .beats = setting->depth};
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

#define BEATING(called)                                                    \
    .create = create_##called, .run = run_beating, .tally = tally_beating, \
    .destroy = destroy_beating, .workload = work_of_numbers, .blocks = true, .deep = true
#define SUBJECT_heat      BEATING(heat)
#define SUBJECT_heat3d    BEATING(heat3d)
#define SUBJECT_synthetic BEATING(synthetic)
#define OWN(called)                                                       \
    .create = bench_##called##_create, .run = bench_##called##_run,       \
    .tally = bench_##called##_tally, .destroy = bench_##called##_destroy, \
    .workload = bench_##called##_workload, .blocks = true
#define SUBJECT_life  OWN(life), .deep = true
#define SUBJECT_label OWN(label)

static const bench_subject subjects[] = {
#define SUBJECT_ENTRY(called, dimensions, cells, text) \
    {.name = #called, .help = (text), .axes = (dimensions), .usual = (cells), SUBJECT_##called},
    BENCH_SUBJECT_LIST(SUBJECT_ENTRY)
#undef SUBJECT_ENTRY
};

const bench_subject *bench_subject_find(const char *name)
{
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        if (strcmp(subjects[i].name, name) == 0) {
            return &subjects[i];
        }
    }
    return NULL;
}

const char *const *bench_subject_names(void)
{
    static const char *const names[] = {
#define SUBJECT_NAME(called, dimensions, cells, text) #called,
        BENCH_SUBJECT_LIST(SUBJECT_NAME)
#undef SUBJECT_NAME
            NULL};
    return names;
}

halo_domain bench_subject_domain(const bench_subject *subject, const int64_t n[HALO_AXES])
{
    halo_domain domain = {.axes = subject->axes, .n = {1, 1, 1}};
    for (int a = 0; a < subject->axes; a++) {
        domain.n[a] = n[a];
    }
    return domain;
}
