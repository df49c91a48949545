#include "cli/bench/cuts.h"

#include "core/world/collect.h"
#include "partition/decomposition.h"

#include <math.h>
#include <string.h>

/* Sums over all ranks; those that took no part have nothing to add. Seconds become nanoseconds, so
 * that they can be added up exactly. */
static halo_status gather(halo_world *world, bench_tally *tally)
{
    int64_t sums[] = {(int64_t)(1e9 * tally->compute),
                      (int64_t)(1e9 * tally->exchange),
                      (int64_t)(1e9 * tally->vote),
                      (int64_t)(1e9 * tally->wait),
                      tally->beats,
                      tally->messages,
                      tally->bytes};
    HALO_TRY(halo_allreduce_sum(world, sums, sizeof sums / sizeof sums[0]));
    *tally = (bench_tally){.compute = (double)sums[0] / 1e9,
                           .exchange = (double)sums[1] / 1e9,
                           .vote = (double)sums[2] / 1e9,
                           .wait = (double)sums[3] / 1e9,
                           .beats = sums[4],
                           .messages = sums[5],
                           .bytes = sums[6]};
    return HALO_OK;
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* The most ranks that were measured with a core for each: beyond them ranks share cores, which more
 * machines would not. */
static int most_with_cores(const bench_cuts *all)
{
    int most = 0;
    for (int i = 0; i < all->machine.networks; i++) {
        int ranks = all->machine.network[i].ranks;
        most = ranks <= all->cores && ranks > most ? ranks : most;
    }
    /* Rather crowded figures than none. */
    for (int i = 0; i < all->machine.networks && most == 0; i++) {
        most = all->machine.network[i].ranks;
    }
    return most;
}

static bench_forecast forecast(const bench_outlook *outlook, const halo_workload *work,
                               const bool cut[HALO_AXES], int ranks)
{
    bench_forecast out;
    int strips[HALO_AXES];
    halo_model_best(&outlook->machine, work, cut, ranks, true, strips);
    halo_model_best(&outlook->machine, work, cut, ranks, false, out.parts);
    if (out.parts[0] == ranks) {
        halo_decomposition_parse("blocks", &work->domain, cut, ranks, work->depth * work->beats,
                                 out.parts);
    }
    out.strips_seconds = halo_model_predict(&outlook->machine, work, strips).seconds;
    out.blocks_seconds = halo_model_predict(&outlook->machine, work, out.parts).seconds;
    return out;
}

static void look_ahead(bench_cuts *all, int size)
{
    const bench_arguments *arguments = all->arguments;
    bench_outlook *outlook = &all->outlook[size];
    int ranks = most_with_cores(all);
    halo_workload work;
    bench_setting setting = {
        .domain = bench_subject_domain(arguments->subject, arguments->size[size]), .depth = 1};
    outlook->depth = setting.depth = arguments->depths.numbers[0];
    outlook->known = ranks > 0 && arguments->subject->workload(&setting, &work);
    if (!outlook->known) {
        return;
    }
    outlook->machine =
        bench_machine_figures(&all->machine, &all->list, ranks, size, outlook->depth);
    bool cut[HALO_AXES];
    for (int a = 0; a < HALO_AXES; a++) {
        cut[a] = a == 0 || (arguments->subject->blocks && a < work.domain.axes);
    }
    for (int e = 0; e <= BENCH_MOST_EXPONENT; e++) {
        outlook->at[e] = forecast(outlook, &work, cut, 1 << e);
    }
    outlook->crossing =
        halo_model_crossing(&outlook->machine, &work, INT64_C(1) << BENCH_MOST_EXPONENT);
}

void bench_cuts_predict(bench_cuts *all)
{
    for (int i = 0; i < all->count; i++) {
        bench_cut *cut = all->cuts[i];
        halo_workload work;
        cut->modelled = cut->subject->workload(&cut->setting, &work);
        if (cut->modelled) {
            halo_machine machine = bench_machine_figures(&all->machine, &all->list, cut->ranks,
                                                         cut->size, cut->setting.depth);
            cut->predicted = halo_model_predict(&machine, &work, cut->setting.parts);
        }
    }
    for (int size = 0; size < all->arguments->sizes; size++) {
        look_ahead(all, size);
    }
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool belongs(const bench_cut *cut, int size, int ranks)
{
    return cut->size == size && cut->ranks == ranks;
}

/* The one with the least median of this shape. */
static int best_of(const bench_cuts *all, int size, int ranks, const char *shape)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = all->cuts[i];
        double median = all->list.items[cut->item].spread.median;
        if (belongs(cut, size, ranks) && median < least &&
            strcmp(bench_cuts_shape(cut->setting.parts), shape) == 0) {
            best = i;
            least = median;
        }
    }
    return best;
}

static bool differ(const bench_cuts *all, int a, int b)
{
    const double *first = all->samples[a], *second = all->samples[b];
    int repeats = all->arguments->effort.repeats;
    return halo_samples_faster(first, second, repeats) ||
           halo_samples_faster(second, first, repeats);
}

bool bench_cuts_judge(const bench_cuts *all, int size, int ranks, bench_verdict *out)
{
    out->size = size;
    out->ranks = ranks;
    out->strips = best_of(all, size, ranks, "strips");
    out->blocks = best_of(all, size, ranks, "blocks");
    out->really = out->strips >= 0 && out->blocks >= 0 && differ(all, out->strips, out->blocks);
    int first = 0, many = 0;
    while (first < all->count && !belongs(all->cuts[first], size, ranks)) {
        first++;
    }
    while (first + many < all->count && belongs(all->cuts[first + many], size, ranks)) {
        many++;
    }
    for (int i = 0; i < all->count; i++) {
        out->same[i] = false;
    }
    if (many == 0) {
        return false;
    }
    out->best = first + halo_samples_fastest(all->samples + first, many,
                                             all->arguments->effort.repeats, out->same + first);
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static halo_status measure(bench_groups *groups, bench_cuts *all)
{
    HALO_TRY(bench_groups_meet(groups, bench_cuts_plan(all)));
    HALO_TRY(bench_measure(groups, all->list.items, all->list.count, &all->arguments->effort));
    for (int i = 0; i < all->count; i++) {
        all->samples[i] = all->list.items[all->cuts[i]->item].samples;
        HALO_TRY(gather(bench_groups_all(groups), &all->cuts[i]->sum));
    }
    return HALO_OK;
}

halo_status bench_cuts_run(bench_groups *groups, const bench_arguments *arguments)
{
    halo_world *world = bench_groups_all(groups);
    bench_cuts all = {.arguments = arguments, .cores = halo_world_cores(world)};
    halo_status status = measure(groups, &all);
    if (status == HALO_OK) {
        bench_cuts_predict(&all);
        status = bench_cuts_report(world, &all);
    }
    if (status == HALO_OK && arguments->plot != NULL) {
        status = halo_agree(world, halo_world_rank(world) == 0 ? bench_cuts_draw(&all) : HALO_OK);
    }
    bench_cuts_free(&all);
    return status;
}
