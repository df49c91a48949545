#include "cli/bench/decomposition.h"
#include "partition/decomposition.h"

#include <math.h>

enum { SMALL = 8, MANY = 8, SHORT_MESSAGE = 1024, LONG_MESSAGE = 65536 };

/* ---- what is measured for it ----------------------------------------------------------------- */

/* Swaps and votes are repeated for so long: thousands of times. */
static const double NETWORK_SECONDS = .02;

static void add_network(bench_list *list, bench_figures *out, int ranks)
{
    int first = list->count;
    out->one = bench_add_swap(list, ranks, 1, SMALL);
    out->many = bench_add_swap(list, ranks, MANY, SMALL);
    out->kilobyte = bench_add_swap(list, ranks, 1, SHORT_MESSAGE);
    out->large = bench_add_swap(list, ranks, 1, LONG_MESSAGE);
    out->vote = bench_add_vote_by(list, ranks, "allreduce", -1);
    out->pack = bench_add_pack(list, ranks, 1, false);
    for (int i = first; i < list->count; i++) {
        list->items[i].seconds = NETWORK_SECONDS;
    }
}

/* A rank's part of a size as a domain of its own. */
static halo_domain part_of(const bench_arguments *arguments, int size, int ranks)
{
    halo_domain part = bench_kernel_domain(arguments->kernel, arguments->size[size]);
    part.n[0] = (part.n[0] + ranks - 1) / ranks;
    return part;
}

void bench_model_add(bench_cuts *all)
{
    const bench_arguments *arguments = all->arguments;
    for (int r = 0; r < arguments->ranks.count; r++) {
        int ranks = arguments->ranks.numbers[r];
        if (ranks > 1) {
            add_network(&all->list, &all->figures[r], ranks);
        }
        for (int i = 0; i < arguments->sizes * arguments->depths.count; i++) {
            int size = i / arguments->depths.count, depth = i % arguments->depths.count;
            const bench_setting setting = {.domain = part_of(arguments, size, ranks),
                                           .parts = {1, 1, 1},
                                           .depth = arguments->depths.numbers[depth],
                                           .mode = "p2p"};
            all->figures[r].cell[size][depth] = bench_add_kernel(
                &all->list, arguments->kernel, &setting, ranks, true, arguments->beats);
        }
    }
}

/* ---- what comes of it ------------------------------------------------------------------------ */

/* Differences of measurements may come out below 0. */
static double or_nothing(double seconds)
{
    return seconds > 0 ? seconds : 0;
}

/* By numbers of ranks, of a size and of a depth among those asked for. Of a network of one rank
 * nothing is known: 0. */
static halo_machine machine_of(const bench_cuts *all, int r, int size, int depth)
{
    const bench_arguments *arguments = all->arguments;
    const bench_item *items = all->list.items;
    const bench_figures *figures = &all->figures[r];
    int ranks = arguments->ranks.numbers[r], rounds = 0;
    halo_machine out = {0};
    halo_domain part = part_of(arguments, size, ranks);
    halo_workload work;
    if (bench_kernel_workload(arguments->kernel, &part, 1, &work)) {
        const int64_t *n = work.domain.n;
        out.cell_seconds = items[figures->cell[size][depth]].spread.median /
                           ((double)n[0] * (double)n[1] * (double)n[2]);
    }
    if (ranks == 1) {
        return out;
    }
    while (1 << rounds < ranks) {
        rounds++;
    }
    double one = items[figures->one].spread.median, many = items[figures->many].spread.median;
    /* Each message is sent here and received here. */
    out.post_seconds = or_nothing((many - one) / (2 * (MANY - 1)));
    out.message_seconds = or_nothing(one - 2 * out.post_seconds);
    out.byte_seconds =
        or_nothing((items[figures->large].spread.median - items[figures->kilobyte].spread.median) /
                   (LONG_MESSAGE - SHORT_MESSAGE));
    out.vote_seconds = items[figures->vote].spread.median / rounds;
    out.pack_seconds = items[figures->pack].spread.median / (double)items[figures->pack].bytes;
    return out;
}

/* The most ranks that were measured with a core for each, by their number: beyond them ranks share
 * cores, which more machines would not. Rather crowded figures than none; -1 for a rank alone. */
static int max_with_cores(const bench_cuts *all)
{
    const bench_numbers *ranks = &all->arguments->ranks;
    int max = -1, max_ranks = 0;
    for (int r = 0; r < ranks->count; r++) {
        int now = ranks->numbers[r];
        bool better = now <= all->cores && (now > max_ranks || max_ranks > all->cores);
        if (now > 1 && (max < 0 || better)) {
            max = r;
            max_ranks = now;
        }
    }
    return max;
}

static bench_forecast forecast(const bench_outlook *outlook, const halo_workload *work, int ranks)
{
    const bool cut[HALO_AXES] = {true, work->domain.axes > 1, work->domain.axes > 2};
    int strips[HALO_AXES], blocks[HALO_AXES];
    halo_model_best(&outlook->machine, work, cut, ranks, true, strips);
    halo_model_best(&outlook->machine, work, cut, ranks, false, blocks);
    if (blocks[0] == ranks) {
        halo_decomposition_parse("blocks", &work->domain, cut, ranks, work->depth * work->beats,
                                 blocks);
    }
    bench_forecast out = {
        .ranks = ranks,
        .strips_seconds = halo_model_predict(&outlook->machine, work, strips).seconds,
        .blocks_seconds = halo_model_predict(&outlook->machine, work, blocks).seconds};
    out.gain = out.strips_seconds / out.blocks_seconds;
    bench_parts_text(blocks, work->domain.axes, out.parts);
    return out;
}

static void look_ahead(bench_cuts *all, int size)
{
    const bench_arguments *arguments = all->arguments;
    bench_outlook *outlook = &all->outlook[size];
    int ranks = max_with_cores(all);
    halo_domain domain = bench_kernel_domain(arguments->kernel, arguments->size[size]);
    halo_workload work;
    bench_size_text(arguments, size, outlook->size);
    outlook->depth = arguments->depths.numbers[0];
    outlook->known =
        bench_kernel_workload(arguments->kernel, &domain, outlook->depth, &work) && ranks >= 0;
    if (!outlook->known) {
        return;
    }
    outlook->machine = machine_of(all, ranks, size, 0);
    for (int e = 0; e <= BENCH_MAX_EXPONENT; e++) {
        outlook->at[e] = forecast(outlook, &work, 1 << e);
    }
    outlook->crossing =
        halo_model_crossing(&outlook->machine, &work, INT64_C(1) << BENCH_MAX_EXPONENT);
}

void bench_model_predict(bench_cuts *all)
{
    for (int i = 0; i < all->count; i++) {
        bench_cut *cut = &all->cuts[i];
        const bench_setting *setting = &cut->setting;
        halo_workload work;
        cut->predicted = (halo_prediction){.seconds = NAN, .surface = NAN};
        if (bench_kernel_workload(all->arguments->kernel, &setting->domain, setting->depth,
                                  &work)) {
            halo_machine machine =
                machine_of(all, cut->ranks_number, cut->size_number, cut->depth_number);
            cut->predicted = halo_model_predict(&machine, &work, setting->parts);
        }
        cut->error = cut->predicted.seconds / cut->item->spread.median - 1;
    }
    for (int size = 0; size < all->arguments->sizes; size++) {
        look_ahead(all, size);
    }
}
