#include "cli/bench/cuts.h"
#include "partition/decomposition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_cuts_parts(const int parts[HALO_AXES], int axes, char text[BENCH_PARTS_SIZE])
{
    int used = 0;
    for (int a = 0; a < axes && a < HALO_AXES; a++) {
        used += snprintf(text + used, (size_t)(BENCH_PARTS_SIZE - used), "%s%d", a > 0 ? "x" : "",
                         parts[a]);
    }
}

void bench_cuts_size(const halo_domain *domain, char text[BENCH_PARTS_SIZE])
{
    const int n[HALO_AXES] = {(int)domain->n[0], (int)domain->n[1], (int)domain->n[2]};
    bench_cuts_parts(n, domain->axes, text);
}

const char *bench_cuts_shape(const int parts[HALO_AXES])
{
    return parts[1] == 1 && parts[2] == 1 ? "strips" : "blocks";
}

/* ---- running one ----------------------------------------------------------------------------- */

static halo_status open_cut(void *context, halo_world *world)
{
    bench_cut *cut = context;
    cut->running = NULL;
    return cut->subject->create(&cut->running, world, &cut->setting);
}

static halo_status run_cut(void *context, int64_t times, double *spent)
{
    (void)spent;
    bench_cut *cut = context;
    bench_tally before = cut->subject->tally(cut->running);
    HALO_TRY(cut->subject->run(cut->running, times));
    bench_tally after = cut->subject->tally(cut->running);
    cut->last = (bench_tally){.compute = after.compute - before.compute,
                              .exchange = after.exchange - before.exchange,
                              .vote = after.vote - before.vote,
                              .wait = after.wait - before.wait,
                              .beats = after.beats - before.beats,
                              .messages = after.messages - before.messages,
                              .bytes = after.bytes - before.bytes};
    return HALO_OK;
}

static void close_cut(void *context, bool counts)
{
    bench_cut *cut = context;
    if (cut->running != NULL) {
        cut->subject->destroy(&cut->running);
    }
    if (counts) {
        cut->sum.compute += cut->last.compute;
        cut->sum.exchange += cut->last.exchange;
        cut->sum.vote += cut->last.vote;
        cut->sum.wait += cut->last.wait;
        cut->sum.beats += cut->last.beats;
        cut->sum.messages += cut->last.messages;
        cut->sum.bytes += cut->last.bytes;
    }
}

/* ---- finding all ----------------------------------------------------------------------------- */

static bool is_there(const bench_cuts *all, int size, int ranks, const bench_setting *setting)
{
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = all->cuts[i];
        if (cut->size == size && cut->ranks == ranks && cut->setting.depth == setting->depth &&
            strcmp(cut->setting.mode, setting->mode) == 0 &&
            memcmp(cut->setting.parts, setting->parts, sizeof setting->parts) == 0) {
            return true;
        }
    }
    return false;
}

static halo_status add(bench_cuts *all, int size, int ranks, const bench_setting *setting)
{
    bench_item item = {.open = open_cut,
                       .run = run_cut,
                       .close = close_cut,
                       .ranks = ranks,
                       .multiple = setting->depth,
                       .fixed = all->arguments->beats};
    bench_label label = {.measure = "beat", .bytes = NAN, .base = -1};
    size_t count = (size_t)all->count + 1;
    bench_cut **cuts = realloc(all->cuts, count * sizeof(bench_cut *));
    all->cuts = cuts != NULL ? cuts : all->cuts;
    bench_cut *cut = cuts != NULL ? bench_list_add(&all->list, &item, &label, sizeof *cut) : NULL;
    if (cut == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a list of decompositions");
    }
    *cut = (bench_cut){.subject = all->arguments->subject,
                       .setting = *setting,
                       .size = size,
                       .ranks = ranks,
                       .item = all->list.count - 1};
    all->cuts[all->count++] = cut;
    return HALO_OK;
}

/* Parts must be as deep as the halo that is taken from them. */
static halo_status check(const bench_setting *setting, int ranks)
{
    halo_partition partition;
    HALO_TRY(halo_partition_blocks(&partition, &setting->domain, setting->parts));
    halo_status status = halo_partition_check_depth(&partition, setting->depth);
    halo_partition_free(&partition);
    if (status != HALO_RANKS) {
        return status;
    }
    char size[BENCH_PARTS_SIZE], parts[BENCH_PARTS_SIZE];
    bench_cuts_size(&setting->domain, size);
    bench_cuts_parts(setting->parts, setting->domain.axes, parts);
    return halo_fail(
        HALO_ARGUMENT,
        "--size %s is too small for %d ranks (%s parts) and --depth %d: a part must be "
        "%d cells; use a larger size, fewer ranks or less depth",
        size, ranks, parts, setting->depth, setting->depth);
}

/* Parts of a shape such as 2x3 that is meant for other ranks than these are left out. */
static halo_status find_parts(const bench_subject *subject, const char *shape, int ranks,
                              bench_setting *setting, bool *fits)
{
    bool cut[HALO_AXES];
    for (int a = 0; a < HALO_AXES; a++) {
        cut[a] = a == 0 || (subject->blocks && a < setting->domain.axes);
    }
    *fits = true;
    halo_status status = halo_decomposition_parse(shape, &setting->domain, cut, ranks,
                                                  setting->depth, setting->parts);
    if (status == HALO_ARGUMENT && shape[0] >= '0' && shape[0] <= '9') {
        *fits = false;
        return HALO_OK;
    }
    return status;
}

static halo_status plan_shape(bench_cuts *all, const char *shape, int size, int ranks, bool *used)
{
    const bench_arguments *arguments = all->arguments;
    for (int i = 0; i < arguments->depths.count * arguments->modes.count; i++) {
        bench_setting setting = {
            .domain = bench_subject_domain(arguments->subject, arguments->size[size]),
            .parts = {1, 1, 1},
            .depth = arguments->depths.numbers[i / arguments->modes.count],
            .mode = arguments->modes.text[i % arguments->modes.count]};
        bool fits;
        HALO_TRY(find_parts(arguments->subject, shape, ranks, &setting, &fits));
        if (!fits) {
            return HALO_OK;
        }
        *used = true;
        if (!is_there(all, size, ranks, &setting)) {
            HALO_TRY(check(&setting, ranks));
            HALO_TRY(add(all, size, ranks, &setting));
        }
    }
    return HALO_OK;
}

halo_status bench_cuts_plan(bench_cuts *all)
{
    const bench_arguments *arguments = all->arguments;
    bool used[BENCH_MOST_ENTRIES] = {false};
    for (int size = 0; size < arguments->sizes; size++) {
        for (int r = 0; r < arguments->ranks.count; r++) {
            for (int s = 0; s < arguments->shapes.count; s++) {
                HALO_TRY(plan_shape(all, arguments->shapes.text[s], size,
                                    arguments->ranks.numbers[r], &used[s]));
            }
        }
    }
    for (int s = 0; s < arguments->shapes.count; s++) {
        if (!used[s]) {
            return halo_fail(HALO_ARGUMENT,
                             "--shapes %s: no number of ranks that is measured has so many parts; "
                             "use strips, blocks or auto, or other --ranks",
                             arguments->shapes.text[s]);
        }
    }
    bench_machine_list(&all->machine, &all->list, arguments);
    all->samples = calloc((size_t)all->count, sizeof *all->samples);
    return all->list.failed || all->samples == NULL
               ? halo_fail(HALO_MEMORY, "out of memory: a list of decompositions")
               : HALO_OK;
}

void bench_cuts_free(bench_cuts *all)
{
    bench_machine_free(&all->machine);
    bench_list_free(&all->list);
    free(all->cuts);
    free(all->samples);
    all->cuts = NULL;
    all->samples = NULL;
}
