#include "partition/balance/share_planner.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/option.h"
#include "partition/balance/share_link_internal.h"

#include <stdlib.h>
#include <string.h>

/* A beat against the one after it. */
static const double memory = .5;

typedef struct {
    double cost, work; /* seconds, and units by the cost of their kinds */
    share_link link;
} worker;

struct halo_share_planner {
    halo_share_options options;
    worker *workers;     /* [ranks] */
    double *kinds_cost;  /* [kinds]: seconds a unit on a rank of relative cost 1; 0: not known */
    double latest;       /* of the last beat's kind */
    halo_lb_line *lines; /* [ranks] */
};

#define METHOD_NAME(code, name, help) #name,
static const char *const method_names[] = {HALO_SHARE_METHOD_LIST(METHOD_NAME)};
#undef METHOD_NAME

halo_status halo_share_method_find(halo_share_method *out, const char *name)
{
    int found;
    HALO_TRY(
        halo_names_find("balancer", method_names, HALO_NAMES_COUNT(method_names), name, &found));
    *out = (halo_share_method)found;
    return HALO_OK;
}

const char *halo_share_method_name(halo_share_method method)
{
    return method_names[method];
}

halo_status halo_share_planner_create_sized(halo_share_planner **out,
                                            const halo_share_options *given, size_t given_bytes)
{
    halo_share_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_share_options"));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "balancing workers"));
    halo_share_planner *p = *out;
    halo_status status;
    p->options = options;
    HALO_TRY_OR(failed, HALO_ALLOCATE(p->workers, options.ranks, "costs of workers"));
    HALO_TRY_OR(failed, HALO_ALLOCATE(p->kinds_cost, options.kinds, "costs of beats"));
    HALO_TRY_OR(failed, HALO_ALLOCATE(p->lines, options.ranks, "speeds of workers"));
    return HALO_OK;
failed:
    halo_share_planner_destroy(out);
    return status;
}

void halo_share_planner_destroy(halo_share_planner **planner)
{
    if (*planner != NULL) {
        free((*planner)->workers);
        free((*planner)->kinds_cost);
        free((*planner)->lines);
        free(*planner);
        *planner = NULL;
    }
}

/* ---- links ----------------------------------------------------------------------------------- */

void share_link_add(share_link *link, double bytes, double seconds)
{
    link->weight = memory * link->weight + 1;
    link->bytes = memory * link->bytes + bytes;
    link->seconds = memory * link->seconds + seconds;
    link->squares = memory * link->squares + bytes * bytes;
    link->products = memory * link->products + bytes * seconds;
}

void share_link_line(const share_link *link, double *delays, double *per_byte)
{
    double scatter = link->weight * link->squares - link->bytes * link->bytes;
    double mean = link->weight > 0 ? link->seconds / link->weight : 0;
    *delays = mean;
    *per_byte = 0;
    /* Sizes that differ by less than a hundredth tell nothing of speed. */
    if (scatter > 1e-4 * link->bytes * link->bytes) {
        double slope = (link->weight * link->products - link->bytes * link->seconds) / scatter;
        *per_byte = slope > 0 ? slope : 0;
        *delays = mean - *per_byte * link->bytes / link->weight;
        if (*delays < 0) {
            *delays = 0;
            *per_byte = link->products / link->squares;
        }
    }
}

/* ---- what is known --------------------------------------------------------------------------- */

static double relative_cost(const worker *w)
{
    return w->work > 0 ? w->cost / w->work : 1;
}

static double cost_of(const halo_share_planner *planner, int kind)
{
    return planner->kinds_cost[kind] > 0 ? planner->kinds_cost[kind] : planner->latest;
}

bool halo_share_planner_knows(const halo_share_planner *planner, int kind)
{
    return planner->kinds_cost[kind] > 0;
}

/* LB1 takes all of a rank's time as its units'. */
static double seconds_of(const halo_share_planner *planner, const halo_share_time *time)
{
    double transfer = time->transfer > 0 ? time->transfer : time->acknowledged;
    return time->computing + (planner->options.method == HALO_SHARE_LB1 ? transfer : 0);
}

static void learn_link(share_link *link, const halo_share_time *time)
{
    if (time->bytes_out > 0 && time->acknowledged > 0) {
        share_link_add(link, time->bytes_out, time->acknowledged);
    }
    if (time->bytes_out > 0 && time->transfer > 0) {
        share_link_add(link, time->bytes_out + time->bytes_back, time->transfer);
    }
}

void halo_share_planner_learn(halo_share_planner *planner, const halo_share_beat *beat,
                              const halo_share_time *times)
{
    double seconds = 0, work = 0;
    for (int r = 0; r < planner->options.ranks; r++) {
        if (times[r].units > 0) {
            seconds += seconds_of(planner, &times[r]);
            work += times[r].units * relative_cost(&planner->workers[r]);
        }
        learn_link(&planner->workers[r].link, &times[r]);
    }
    if (!(seconds > 0 && work > 0)) {
        return;
    }
    double cost = seconds / work, *known = &planner->kinds_cost[beat->kind];
    for (int r = 0; r < planner->options.ranks; r++) {
        worker *w = &planner->workers[r];
        if (times[r].units > 0) {
            w->cost = memory * w->cost + seconds_of(planner, &times[r]) / cost;
            w->work = memory * w->work + times[r].units;
        }
    }
    *known = *known > 0 ? memory * *known + (1 - memory) * cost : cost;
    planner->latest = *known;
}

/* The master sends all the others' parts before it works, about all units among them. */
static halo_lb_line masters_line(const halo_share_planner *planner, const halo_share_beat *beat,
                                 double cost)
{
    double delays, per_byte, others = planner->options.ranks - 1;
    share_link_line(&planner->workers[0].link, &delays, &per_byte);
    double bytes = beat->constant_out * others + beat->unit_out * beat->units;
    return (halo_lb_line){delays + per_byte * bytes, cost};
}

/* Return the seconds that a worker is expected to take for one unit, as LB2 would measure them. */
static halo_lb_line workers_line(const worker *w, const halo_share_beat *beat, double cost)
{
    double delays, per_byte, bytes = beat->constant_out + beat->constant_back;
    share_link_line(&w->link, &delays, &per_byte);
    bytes += beat->unit_out + beat->unit_back;
    const halo_lb_measured measured = {.units = 1,
                                       .constant_out = beat->constant_out,
                                       .constant_back = beat->constant_back,
                                       .unit_out = beat->unit_out,
                                       .unit_back = beat->unit_back,
                                       .transfer_seconds = delays + per_byte * bytes,
                                       .compute_seconds = cost,
                                       .delay_seconds = delays / 2};
    return halo_lb2_line(&measured);
}

void halo_share_planner_lines(const halo_share_planner *planner, const halo_share_beat *beat,
                              halo_lb_line *lines)
{
    double kinds = cost_of(planner, beat->kind);
    for (int r = 0; r < planner->options.ranks; r++) {
        double cost = kinds * relative_cost(&planner->workers[r]);
        if (kinds <= 0 || planner->options.method == HALO_SHARE_LB1) {
            lines[r] = (halo_lb_line){0, cost};
        } else if (r == 0 && planner->options.master_works) {
            lines[r] = masters_line(planner, beat, cost);
        } else {
            lines[r] = workers_line(&planner->workers[r], beat, cost);
        }
    }
}

/* ---- shares ---------------------------------------------------------------------------------- */

void halo_share_planner_plan(halo_share_planner *planner, const halo_share_beat *beat,
                             double *shares)
{
    if (planner->options.method == HALO_SHARE_NONE || cost_of(planner, beat->kind) <= 0) {
        for (int r = 0; r < planner->options.ranks; r++) {
            shares[r] = beat->units / planner->options.ranks;
        }
        return;
    }
    halo_share_planner_lines(planner, beat, planner->lines);
    halo_lb_share(planner->lines, planner->options.ranks, beat->units, beat->min_units, shares);
}

typedef struct {
    int64_t units, index;
} piece;

static int largest_first(const void *a, const void *b)
{
    const piece *one = a, *two = b;
    int order = (one->units < two->units) - (one->units > two->units);
    return order != 0 ? order : (one->index > two->index) - (one->index < two->index);
}

halo_status halo_shares_deal(const int64_t *units, int64_t count, const double *shares, int ranks,
                             int32_t *owners)
{
    piece *pieces = NULL;
    double *left = NULL;
    halo_status status;
    HALO_TRY_OR(done, HALO_ALLOCATE(pieces, count, "pieces of work"));
    HALO_TRY_OR(done, HALO_ALLOCATE(left, ranks, "shares of workers"));
    memcpy(left, shares, (size_t)ranks * sizeof *left);
    for (int64_t i = 0; i < count; i++) {
        pieces[i] = (piece){units[i], i};
    }
    qsort(pieces, (size_t)count, sizeof *pieces, largest_first);
    for (int64_t i = 0; i < count; i++) {
        int max = 0;
        for (int r = 1; r < ranks; r++) {
            max = left[r] > left[max] ? r : max;
        }
        owners[pieces[i].index] = max;
        left[max] -= (double)pieces[i].units;
    }
done:
    free(pieces);
    free(left);
    return status;
}
