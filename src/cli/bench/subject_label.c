#include "base/random.h"
#include "cli/bench/subject_internal.h"
#include "kernels/label/label.h"

#include <stdlib.h>

/* Squares of pixels are foreground or not: regions of all sizes. */
enum { SQUARE = 8, WORD = 64 };

typedef struct {
    halo_label *label;
    halo_field *foreground;
    bench_tally tally;
} labelling;

void bench_label_destroy(void **subject)
{
    labelling *all = *subject;
    if (all != NULL) {
        halo_label_destroy(&all->label);
        halo_field_destroy(&all->foreground);
        free(all);
        *subject = NULL;
    }
}

/* By global place, so that the image is the same however it is cut. */
static void fill_foreground(const halo_view *view)
{
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

static halo_status prepare(labelling *all, halo_world *world, const bench_setting *setting)
{
    halo_partition partition = {0};
    halo_status status = halo_partition_blocks(&partition, &setting->domain, setting->parts);
    if (status == HALO_OK) {
        halo_box owned = halo_partition_box(&partition, halo_world_rank(world));
        status = halo_field_create(&all->foreground, &setting->domain, &owned, HALO_BIT, 0);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        fill_foreground(halo_field_view(all->foreground));
        const halo_label_options options = {.exchange = setting->mode};
        status = halo_label_create(&all->label, world, &setting->domain, &partition, &options);
    }
    halo_partition_free(&partition);
    return status;
}

halo_status bench_label_create(void **out, halo_world *world, const bench_setting *setting)
{
    labelling *all = calloc(1, sizeof *all);
    *out = all;
    halo_status status = halo_agree(
        world, all != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a benchmark"));
    if (status == HALO_OK && all != NULL) {
        status = prepare(all, world, setting);
    }
    if (status != HALO_OK) {
        bench_label_destroy(out);
    }
    return status;
}

/* The report is that of one run. */
static void count(labelling *all)
{
    const halo_label_report *report = halo_label_report_of(all->label);
    const double *seconds = report->clock.seconds;
    all->tally.compute += seconds[HALO_PHASE_COMPUTE];
    all->tally.exchange += seconds[HALO_PHASE_EXCHANGE] + seconds[HALO_PHASE_MERGE];
    all->tally.vote += seconds[HALO_PHASE_VOTE];
    all->tally.wait += seconds[HALO_PHASE_WAIT];
    all->tally.messages += report->messages;
    all->tally.bytes += report->bytes;
    all->tally.beats++;
}

halo_status bench_label_run(void *subject, int64_t beats)
{
    labelling *all = subject;
    for (int64_t i = 0; i < beats; i++) {
        HALO_TRY(halo_label_run(all->label, halo_field_view(all->foreground), NULL));
        count(all);
    }
    return HALO_OK;
}

bench_tally bench_label_tally(const void *subject)
{
    const labelling *all = subject;
    return all->tally;
}

/* A labelling is no beat: what its merging takes depends on the image. */
bool bench_label_workload(const bench_setting *setting, halo_workload *out)
{
    (void)setting;
    (void)out;
    return false;
}
