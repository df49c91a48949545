#include "cli/bench/decomposition.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "partition/decomposition.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_parts_text(const int parts[HALO_AXES], int axes, char text[BENCH_TEXT_SIZE])
{
    int used = 0;
    for (int a = 0; a < axes && a < HALO_AXES; a++) {
        used += snprintf(text + used, (size_t)(BENCH_TEXT_SIZE - used), "%s%d", a > 0 ? "x" : "",
                         parts[a]);
    }
}

void bench_size_text(const bench_arguments *arguments, int size, char text[BENCH_TEXT_SIZE])
{
    const int64_t *n = arguments->size[size];
    const int cells[HALO_AXES] = {(int)n[0], (int)n[1], (int)n[2]};
    bench_parts_text(cells, arguments->kernel->axes, text);
}

/* ---- finding all ways to cut ----------------------------------------------------------------- */

static bool is_there(const bench_cuts *all, const bench_cut *wanted)
{
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = &all->cuts[i];
        if (cut->size_number == wanted->size_number && cut->ranks_number == wanted->ranks_number &&
            cut->setting.depth == wanted->setting.depth &&
            strcmp(cut->setting.mode, wanted->setting.mode) == 0 &&
            strcmp(cut->parts, wanted->parts) == 0) {
            return true;
        }
    }
    return false;
}

static halo_status add(bench_cuts *all, const bench_cut *cut, int ranks)
{
    HALO_TRY(halo_grow(&all->cuts, &all->room, all->count, sizeof *all->cuts,
                       "a list of decompositions"));
    bench_add_kernel(&all->list, all->arguments->kernel, &cut->setting, ranks, false,
                     all->arguments->beats);
    HALO_FAIL_IF(all->list.failed, HALO_MEMORY, "out of memory: a list of decompositions");
    all->cuts[all->count++] = *cut;
    return HALO_OK;
}

/* Add a cut unless it is there. Parts must be as deep as the halo that is taken from them. */
static halo_status plan_cut(bench_cuts *all, bench_cut *cut)
{
    const bench_setting *setting = &cut->setting;
    int ranks = all->arguments->ranks.numbers[cut->ranks_number];
    cut->kernel = all->arguments->kernel->name;
    cut->shape = setting->parts[1] == 1 && setting->parts[2] == 1 ? "strips" : "blocks";
    bench_size_text(all->arguments, cut->size_number, cut->size);
    bench_parts_text(setting->parts, setting->domain.axes, cut->parts);
    if (is_there(all, cut)) {
        return HALO_OK;
    }
    halo_partition partition;
    HALO_TRY(halo_partition_blocks(&partition, &setting->domain, setting->parts));
    halo_status status = halo_partition_check_depth(&partition, setting->depth);
    halo_partition_free(&partition);
    HALO_FAIL_IF(status == HALO_RANKS, HALO_ARGUMENT,
                 "--size %s is too small for %d ranks (%s parts) and --depth %d: a part must be %d "
                 "cells; use a larger size, fewer ranks or less depth",
                 cut->size, ranks, cut->parts, setting->depth, setting->depth);
    return status == HALO_OK ? add(all, cut, ranks) : status;
}

/* One shape at all depths, by all modes. Parts of a shape such as 2x3 that is meant for other ranks
 * than these are left out. */
static halo_status plan_shape(bench_cuts *all, int size, int ranks, const char *shape, bool *used)
{
    const bench_arguments *arguments = all->arguments;
    const bench_kernel *kernel = arguments->kernel;
    const bool axes[HALO_AXES] = {true, kernel->axes > 1, kernel->axes > 2};
    int modes = arguments->modes.count;
    for (int i = 0; i < arguments->depths.count * modes; i++) {
        bench_cut cut = {.size_number = size,
                         .ranks_number = ranks,
                         .depth_number = i / modes,
                         .setting = {.domain = bench_kernel_domain(kernel, arguments->size[size]),
                                     .parts = {1, 1, 1},
                                     .depth = arguments->depths.numbers[i / modes],
                                     .mode = arguments->modes.text[i % modes]}};
        halo_status status = halo_decomposition_parse(shape, &cut.setting.domain, axes,
                                                      arguments->ranks.numbers[ranks],
                                                      cut.setting.depth, cut.setting.parts);
        if (status == HALO_ARGUMENT && isdigit((unsigned char)shape[0])) {
            return HALO_OK;
        }
        HALO_TRY(status);
        *used = true;
        HALO_TRY(plan_cut(all, &cut));
    }
    return HALO_OK;
}

/* HALO_ARGUMENT for parts that are smaller than the halo, or that no number of ranks fits. */
static halo_status plan(bench_cuts *all)
{
    const bench_arguments *arguments = all->arguments;
    int groups = arguments->sizes * arguments->ranks.count;
    HALO_TRY(HALO_ALLOCATE(all->winners, groups, "a list of decompositions"));
    bool used[BENCH_MAX_ENTRIES] = {false};
    for (int i = 0; i < groups; i++) {
        bench_winner *winner = &all->winners[all->winner_count];
        winner->first = all->count;
        for (int s = 0; s < arguments->shapes.count; s++) {
            HALO_TRY(plan_shape(all, i / arguments->ranks.count, i % arguments->ranks.count,
                                arguments->shapes.text[s], &used[s]));
        }
        winner->count = all->count - winner->first;
        all->winner_count += winner->count > 0;
    }
    for (int s = 0; s < arguments->shapes.count; s++) {
        HALO_FAIL_IF(!used[s], HALO_ARGUMENT,
                     "--shapes %s: no number of ranks that is measured has as many parts; use "
                     "strips, blocks or auto, or other --ranks",
                     arguments->shapes.text[s]);
    }
    bench_model_add(all);
    return HALO_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The one of this shape with the lowest median. */
static const bench_cut *best_of(const bench_cuts *all, const bench_winner *winner,
                                const char *shape)
{
    const bench_cut *best = NULL;
    for (int i = winner->first; i < winner->first + winner->count; i++) {
        const bench_cut *cut = &all->cuts[i];
        if (strcmp(cut->shape, shape) == 0 &&
            (best == NULL || cut->item->spread.median < best->item->spread.median)) {
            best = cut;
        }
    }
    return best;
}

static void compare(bench_cuts *all, bench_winner *winner, const double **samples, bool *same)
{
    bench_cut *cuts = all->cuts + winner->first;
    for (int i = 0; i < winner->count; i++) {
        samples[i] = cuts[i].item->samples;
    }
    int best = halo_samples_fastest(samples, winner->count, all->arguments->effort.repeats, same);
    for (int i = 0; i < winner->count; i++) {
        cuts[i].best = i == best ? "best" : same[i] ? "same" : "";
    }
    winner->best = &cuts[best];
    winner->strips = best_of(all, winner, "strips");
    winner->blocks = best_of(all, winner, "blocks");
    winner->differ = winner->strips != NULL && winner->blocks != NULL &&
                     bench_items_differ(winner->strips->item, winner->blocks->item);
}

static halo_status compare_all(bench_cuts *all)
{
    bool *same = NULL;
    const double **samples;
    halo_status status = HALO_ALLOCATE(samples, all->count, "who wins");
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, HALO_ALLOCATE(same, all->count, "who wins"));
    for (int i = 0; i < all->winner_count; i++) {
        compare(all, &all->winners[i], samples, same);
    }
done:
    free(samples);
    free(same);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Means over all ranks, and of messages and bytes sums; those that took no part have nothing to
 * add. */
static halo_status gather(halo_world *world, const bench_item *item, bench_cut *out)
{
    bench_run *run = item->context;
    int64_t *sum = run->counted;
    HALO_TRY(halo_allreduce_sum(world, sum, BENCH_SUMS));
    for (int s = 0; s < BENCH_SUMS; s++) {
        double unit = s == BENCH_MESSAGES || s == BENCH_BYTES ? item->ranks : 1e-9;
        out->mean[s] = (double)sum[s] / (double)sum[BENCH_BEATS] * unit;
    }
    out->item = item;
    return HALO_OK;
}

static halo_status run(bench_groups *groups, bench_cuts *all)
{
    HALO_TRY(bench_groups_agree(groups, plan(all)));
    HALO_TRY(bench_measure(groups, &all->list, &all->arguments->effort));
    for (int i = 0; i < all->count; i++) {
        HALO_TRY(gather(groups->all, &all->list.items[i], &all->cuts[i]));
    }
    HALO_TRY(bench_groups_agree(groups, compare_all(all)));
    bench_model_predict(all);
    return bench_cuts_report(groups->all, all);
}

halo_status bench_decomposition(bench_groups *groups, const bench_arguments *arguments)
{
    bench_cuts *all;
    halo_status status = HALO_ALLOCATE(all, 1, "a list of decompositions");
    status = bench_groups_agree(groups, status);
    if (status == HALO_OK && all != NULL) {
        all->arguments = arguments;
        all->cores = halo_world_cores(groups->all);
        status = run(groups, all);
    }
    if (all != NULL) {
        bench_list_free(&all->list);
        free(all->cuts);
        free(all->winners);
    }
    free(all);
    return status;
}
