#include "cli/bench/machine.h"

#include "cli/bench/kinds.h"
#include "cli/bench/messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 8, MANY = 8, SHORT_MESSAGE = 1024, LONG_MESSAGE = 65536 };

/* Thousands of messages. */
static const double NETWORK_SECONDS = .02;

/* ---- what a cell costs ----------------------------------------------------------------------- */

/* A rank's part as a domain of its own: no neighbours, nothing to wait for. */
typedef struct {
    const bench_subject *subject;
    bench_setting setting;
    halo_world *alone;
    void *running;
} cost_probe;

static void close_cost(void *context, bool counts)
{
    (void)counts;
    cost_probe *probe = context;
    if (probe->running != NULL) {
        probe->subject->destroy(&probe->running);
    }
    halo_world_destroy(&probe->alone);
}

static halo_status prepare(cost_probe *probe)
{
    HALO_TRY(halo_world_create(&probe->alone, MPI_COMM_SELF, NULL));
    return probe->subject->create(&probe->running, probe->alone, &probe->setting);
}

static halo_status open_cost(void *context, halo_world *world)
{
    cost_probe *probe = context;
    probe->running = NULL;
    halo_status status = halo_agree(world, prepare(probe));
    if (status != HALO_OK) {
        close_cost(probe, false);
    }
    return status;
}

static halo_status run_cost(void *context, int64_t times, double *spent)
{
    cost_probe *probe = context;
    double before = probe->subject->tally(probe->running).compute;
    HALO_TRY(probe->subject->run(probe->running, times));
    *spent = probe->subject->tally(probe->running).compute - before;
    return HALO_OK;
}

int bench_add_cost(bench_list *list, const bench_subject *subject, const halo_domain *domain,
                   int ranks, int depth)
{
    bench_item item = {
        .open = open_cost, .run = run_cost, .close = close_cost, .ranks = ranks, .multiple = depth};
    halo_box box = {.n = {domain->n[0], domain->n[1], domain->n[2]}};
    bench_label label = {
        .bytes = NAN, .amount = (double)halo_box_cells(&box), .unit = "cell", .base = -1};
    snprintf(label.measure, sizeof label.measure, "beat of %s alone", subject->name);
    snprintf(label.way, sizeof label.way, "depth %d", depth);
    cost_probe *probe = bench_list_add(list, &item, &label, sizeof *probe);
    if (probe != NULL) {
        probe->subject = subject;
        probe->setting =
            (bench_setting){.domain = *domain, .parts = {1, 1, 1}, .depth = depth, .mode = "p2p"};
    }
    return list->count - 1;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bench_network list_network(bench_list *list, int ranks)
{
    bench_network network = {.ranks = ranks};
    network.few = bench_add_swap(list, ranks, 1, SMALL);
    network.many = bench_add_swap(list, ranks, MANY, SMALL);
    network.short_ = bench_add_swap(list, ranks, 1, SHORT_MESSAGE);
    network.long_ = bench_add_swap(list, ranks, 1, LONG_MESSAGE);
    network.vote = bench_add_vote(list, ranks, "allreduce");
    network.pack = bench_add_pack(list, ranks, 1, false);
    for (int i = network.few; i <= network.pack && !list->failed; i++) {
        list->items[i].seconds = NETWORK_SECONDS;
    }
    return network;
}

/* Cells of a domain as the model counts them; 0 if there is no model. */
static double model_cells(const bench_subject *subject, const halo_domain *domain)
{
    const bench_setting setting = {.domain = *domain, .depth = 1};
    halo_workload work;
    if (!subject->workload(&setting, &work)) {
        return 0;
    }
    return (double)work.domain.n[0] * (double)work.domain.n[1] * (double)work.domain.n[2];
}

void bench_machine_list(bench_machine *out, bench_list *list, const bench_arguments *arguments)
{
    *out = (bench_machine){0};
    int most = arguments->ranks.count * arguments->sizes * arguments->depths.count;
    out->cost = calloc((size_t)most, sizeof *out->cost);
    if (out->cost == NULL) {
        list->failed = true;
        return;
    }
    for (int r = 0; r < arguments->ranks.count; r++) {
        int ranks = arguments->ranks.numbers[r];
        if (ranks > 1) {
            out->network[out->networks++] = list_network(list, ranks);
        }
        for (int i = 0; i < arguments->sizes * arguments->depths.count; i++) {
            bench_cost *cost = &out->cost[out->costs++];
            *cost = (bench_cost){.ranks = ranks,
                                 .size = i / arguments->depths.count,
                                 .depth = arguments->depths.numbers[i % arguments->depths.count]};
            halo_domain part =
                bench_subject_domain(arguments->subject, arguments->size[cost->size]);
            part.n[0] = (part.n[0] + ranks - 1) / ranks;
            cost->cells = model_cells(arguments->subject, &part);
            cost->item = bench_add_cost(list, arguments->subject, &part, ranks, cost->depth);
            if (!list->failed) {
                list->items[cost->item].fixed = arguments->beats;
            }
        }
    }
}

void bench_machine_free(bench_machine *machine)
{
    free(machine->cost);
    *machine = (bench_machine){0};
}

static double seconds_of(const bench_list *list, int item)
{
    return list->items[item].spread.median;
}

/* Differences of measurements may come out below 0. */
static double at_least_nothing(double seconds)
{
    return seconds > 0 ? seconds : 0;
}

static int rounds_of(int ranks)
{
    int rounds = 0;
    while (1 << rounds < ranks) {
        rounds++;
    }
    return rounds;
}

static void add_network(halo_machine *out, const bench_network *network, const bench_list *list)
{
    double few = seconds_of(list, network->few), many = seconds_of(list, network->many);
    /* Each message is sent here and received here. */
    out->post_seconds = at_least_nothing((many - few) / (2 * (MANY - 1)));
    out->message_seconds = at_least_nothing(few - 2 * out->post_seconds);
    out->byte_seconds =
        at_least_nothing((seconds_of(list, network->long_) - seconds_of(list, network->short_)) /
                         (LONG_MESSAGE - SHORT_MESSAGE));
    out->vote_seconds = seconds_of(list, network->vote) / rounds_of(network->ranks);
    out->pack_seconds = seconds_of(list, network->pack) / list->labels[network->pack].bytes;
}

halo_machine bench_machine_figures(const bench_machine *machine, const bench_list *list, int ranks,
                                   int size, int depth)
{
    halo_machine out = {0};
    for (int i = 0; i < machine->networks; i++) {
        if (machine->network[i].ranks == ranks) {
            add_network(&out, &machine->network[i], list);
        }
    }
    for (int i = 0; i < machine->costs; i++) {
        const bench_cost *cost = &machine->cost[i];
        if (cost->ranks == ranks && cost->size == size && cost->depth == depth && cost->cells > 0) {
            out.cell_seconds = seconds_of(list, cost->item) / cost->cells;
        }
    }
    return out;
}
