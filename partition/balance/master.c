#include "partition/balance/master.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A beat against the one after it. */
static const double memory = .5;

typedef struct {
    double cost, work; /* seconds, and units by the cost of their kinds */
    halo_master_link link;
} worker;

struct halo_master {
    halo_master_method method;
    int ranks, kinds;
    worker *workers;     /* [ranks] */
    double *kinds_cost;  /* [kinds]: seconds a unit on a rank of relative cost 1; 0: not known */
    double latest;       /* of the last beat's kind */
    halo_lb_line *lines; /* [ranks] */
};

halo_status halo_master_create(halo_master **out, halo_master_method method, int ranks, int kinds)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "balancing workers"));
    halo_master *m = *out;
    halo_status status;
    m->method = method;
    m->ranks = ranks;
    m->kinds = kinds;
    HALO_TRY_OR(failed, HALO_ALLOCATE(m->workers, ranks, "costs of workers"));
    HALO_TRY_OR(failed, HALO_ALLOCATE(m->kinds_cost, kinds, "costs of beats"));
    HALO_TRY_OR(failed, HALO_ALLOCATE(m->lines, ranks, "speeds of workers"));
    return HALO_OK;
failed:
    halo_master_destroy(out);
    return status;
}

void halo_master_destroy(halo_master **master)
{
    if (*master != NULL) {
        free((*master)->workers);
        free((*master)->kinds_cost);
        free((*master)->lines);
        free(*master);
        *master = NULL;
    }
}

/* ---- links ----------------------------------------------------------------------------------- */

void halo_master_link_add(halo_master_link *link, double bytes, double seconds)
{
    link->weight = memory * link->weight + 1;
    link->bytes = memory * link->bytes + bytes;
    link->seconds = memory * link->seconds + seconds;
    link->squares = memory * link->squares + bytes * bytes;
    link->products = memory * link->products + bytes * seconds;
}

void halo_master_link_line(const halo_master_link *link, double *delays, double *per_byte)
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

static double cost_of(const halo_master *master, int kind)
{
    return master->kinds_cost[kind] > 0 ? master->kinds_cost[kind] : master->latest;
}

bool halo_master_knows(const halo_master *master, int kind)
{
    return master->kinds_cost[kind] > 0;
}

/* LB1 takes all of a rank's time as its units'. */
static double seconds_of(const halo_master *master, const halo_master_time *time)
{
    return time->computing + (master->method == HALO_MASTER_LB1 ? time->acknowledged : 0);
}

void halo_master_learn(halo_master *master, const halo_master_beat *beat,
                       const halo_master_time *times)
{
    double seconds = 0, work = 0;
    for (int r = 0; r < master->ranks; r++) {
        const halo_master_time *t = &times[r];
        if (t->units > 0) {
            seconds += seconds_of(master, t);
            work += t->units * relative_cost(&master->workers[r]);
        }
        if (t->bytes > 0) {
            halo_master_link_add(&master->workers[r].link, t->bytes, t->acknowledged);
        }
    }
    if (!(seconds > 0 && work > 0)) {
        return;
    }
    double cost = seconds / work, *known = &master->kinds_cost[beat->kind];
    for (int r = 0; r < master->ranks; r++) {
        worker *w = &master->workers[r];
        if (times[r].units > 0) {
            w->cost = memory * w->cost + seconds_of(master, &times[r]) / cost;
            w->work = memory * w->work + times[r].units;
        }
    }
    *known = *known > 0 ? memory * *known + (1 - memory) * cost : cost;
    master->latest = *known;
}

void halo_master_lines(const halo_master *master, const halo_master_beat *beat, halo_lb_line *lines)
{
    double cost = cost_of(master, beat->kind);
    for (int r = 0; r < master->ranks; r++) {
        const worker *w = &master->workers[r];
        lines[r] = (halo_lb_line){0, cost * relative_cost(w)};
        if (master->method == HALO_MASTER_LB1 || cost <= 0) {
            continue;
        }
        double delays, per_byte;
        halo_master_link_line(&w->link, &delays, &per_byte);
        if (r == 0) { /* sends all the others' parts, about all units among them */
            double bytes = beat->constant_out * (master->ranks - 1) + beat->unit_out * beat->units;
            lines[r].fixed = delays + per_byte * bytes;
        } else {
            lines[r].fixed = delays + per_byte * (beat->constant_out + beat->constant_back);
            lines[r].per_unit += per_byte * (beat->unit_out + beat->unit_back);
        }
    }
}

/* ---- shares ---------------------------------------------------------------------------------- */

void halo_master_plan(halo_master *master, const halo_master_beat *beat, double *shares)
{
    if (master->method == HALO_MASTER_NONE || cost_of(master, beat->kind) <= 0) {
        for (int r = 0; r < master->ranks; r++) {
            shares[r] = beat->units / master->ranks;
        }
        return;
    }
    halo_master_lines(master, beat, master->lines);
    halo_lb_share(master->lines, master->ranks, beat->units, 0, shares);
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

halo_status halo_master_deal(const int64_t *units, int64_t count, const double *shares, int ranks,
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
