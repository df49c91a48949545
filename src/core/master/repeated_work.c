#include "core/master/repeated_work.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "partition/balance/balance.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A message begins with the range of its units. */
typedef struct {
    int64_t lo, hi;
} range;

struct halo_repeated_work {
    halo_world *world;
    halo_repeated_work_options options;
    halo_master_worker *workers;
    bool same_thread; /* a master that works looks for messages between pieces of its units */
    int first;        /* of the ranks that work: 1 if the master rests */
    void *constant;   /* as it came */
    size_t back_room; /* bytes of the constant part back, filled up to 8 */

    /* Rank 0. */
    halo_share_planner *planner;
    halo_repeated_work_load *loads; /* [ranks] */
    halo_master_worker_time *times; /* [ranks] */
    halo_share_time *shared;        /* [ranks] */
    halo_lb_line *lines;            /* [ranks] */
    double *shares;                 /* [ranks] */
    int64_t *counts;                /* [ranks] */
    void **messages, **backs;       /* [ranks] of bytes, aligned to 8, as long as for all units */
    size_t *bytes, *back_bytes;     /* [ranks] */
    halo_repeated_work_report report;
};

/* ---- making ---------------------------------------------------------------------------------- */

void halo_repeated_work_destroy(halo_repeated_work **out)
{
    halo_repeated_work *w = *out;
    if (w == NULL) {
        return;
    }
    for (int r = 0; r < halo_world_ranks(w->world); r++) {
        if (w->messages != NULL) {
            halo_memory_free(w->messages[r]);
        }
        if (w->backs != NULL) {
            halo_memory_free(w->backs[r]);
        }
    }
    halo_master_worker_destroy(&w->workers);
    halo_share_planner_destroy(&w->planner);
    halo_memory_free(w->constant);
    void *all[] = {w->loads,  w->times,    w->shared, w->lines, w->shares,
                   w->counts, w->messages, w->backs,  w->bytes, w->back_bytes};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    free(w);
    *out = NULL;
}

static size_t out_room(const halo_repeated_work *w)
{
    return sizeof(range) + (size_t)w->options.units * w->options.unit_out;
}

static size_t back_room(const halo_repeated_work *w)
{
    return w->back_room + (size_t)w->options.units * w->options.unit_back;
}

static halo_status check(const halo_repeated_work_options *o)
{
    if (o->units < 1 || o->units > INT_MAX) {
        return halo_fail(HALO_ARGUMENT, "work of %lld units; use 1 to %d", (long long)o->units,
                         INT_MAX);
    }
    if (o->kinds < 0 || o->kinds > INT_MAX / 2) {
        return halo_fail(HALO_ARGUMENT, "%d kinds of beats; use 1 or more, or 0 for one", o->kinds);
    }
    size_t most = INT_MAX - sizeof(range) - 8;
    size_t parts[] = {o->constant_out, o->constant_back, o->unit_out, o->unit_back};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t times = i < 2 ? 1 : (size_t)o->units;
        if (parts[i] > (i == 1 || i == 3 ? most / 2 : most) / times) {
            return halo_fail(HALO_ARGUMENT,
                             "%zu units of %zu bytes are more than a message can have (2^31 - 1, "
                             "half of that for each part that comes back); use less data",
                             times, parts[i]);
        }
    }
    return HALO_OK;
}

static halo_status create_tables(halo_repeated_work *w)
{
    size_t ranks = (size_t)halo_world_ranks(w->world);
    HALO_TRY(HALO_ALLOCATE(w->loads, ranks, "loads of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->times, ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->shared, ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->lines, ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->shares, ranks, "shares of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->counts, ranks, "shares of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->messages, ranks, "messages to ranks"));
    HALO_TRY(HALO_ALLOCATE(w->backs, ranks, "messages of ranks"));
    HALO_TRY(HALO_ALLOCATE(w->bytes, ranks, "messages to ranks"));
    HALO_TRY(HALO_ALLOCATE(w->back_bytes, ranks, "messages of ranks"));
    for (size_t r = 0; r < ranks; r++) {
        HALO_TRY(halo_memory_create(&w->messages[r], out_room(w), "messages to ranks"));
        HALO_TRY(halo_memory_create(&w->backs[r], back_room(w) + 1, "messages of ranks"));
    }
    return HALO_OK;
}

static halo_status create(halo_repeated_work **out, halo_world *world,
                          const halo_repeated_work_options *options)
{
    halo_share_method method;
    HALO_TRY(check(options));
    HALO_TRY(
        halo_share_method_find(&method, options->balancer != NULL ? options->balancer : "lb2"));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "repeated work"));
    halo_repeated_work *w = *out;
    int ranks = halo_world_ranks(world);
    w->world = world;
    w->options = *options;
    w->options.kinds = options->kinds > 0 ? options->kinds : 1;
    w->first = options->workers.master_rests && ranks > 1 ? 1 : 0;
    w->back_room = (options->constant_back + 7) / 8 * 8;
    w->report.ranks = ranks;
    HALO_TRY(halo_memory_create(&w->constant, options->constant_out + 1, "the constant part"));
    if (halo_world_rank(world) > 0) {
        return HALO_OK;
    }
    const halo_share_options shares = {.method = method,
                                       .ranks = ranks - w->first,
                                       .kinds = w->options.kinds,
                                       .master_works = w->first == 0};
    HALO_TRY(halo_share_planner_create(&w->planner, &shares));
    return create_tables(w);
}

halo_status halo_repeated_work_create_sized(halo_repeated_work **out, halo_world *world,
                                            const halo_repeated_work_options *given,
                                            size_t given_bytes)
{
    halo_repeated_work_options options;
    *out = NULL;
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_repeated_work_options");
    HALO_IF_OK(status, create(out, world, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_master_worker_create(&(*out)->workers, world, &options.workers);
    }
    if (status == HALO_OK) {
        status = halo_master_worker_reserve((*out)->workers, out_room(*out), back_room(*out));
        (*out)->same_thread = !halo_master_worker_has_thread((*out)->workers);
    }
    if (status != HALO_OK) {
        halo_repeated_work_destroy(out);
    }
    return status;
}

/* ---- a beat on the master -------------------------------------------------------------------- */

static halo_share_beat describe(const halo_repeated_work *w, const halo_repeated_work_beat *beat)
{
    const halo_repeated_work_options *o = &w->options;
    int workers = w->report.ranks - w->first;
    return (halo_share_beat){.kind = beat->kind,
                             .units = (double)o->units,
                             .constant_out = (double)sizeof(range) +
                                             (beat->same_constant ? 0 : (double)o->constant_out),
                             .constant_back = (double)w->back_room,
                             .unit_out = (double)o->unit_out,
                             .unit_back = (double)o->unit_back,
                             /* A rank that gets nothing is not measured any more. */
                             .min_units = o->units >= workers ? 1 : 0};
}

static void plan(halo_repeated_work *w, const halo_share_beat *described)
{
    int workers = w->report.ranks - w->first;
    bool known = halo_share_planner_knows(w->planner, described->kind);
    halo_share_planner_plan(w->planner, described, w->shares);
    halo_share_planner_lines(w->planner, described, w->lines);
    if (!known) { /* whole units are dealt by lines */
        for (int i = 0; i < workers; i++) {
            w->lines[i] = (halo_lb_line){0, 1};
        }
    }
    halo_lb_whole(w->lines, workers, w->options.units, w->shares, w->counts);
    int64_t lo = 0;
    for (int r = 0; r < w->report.ranks; r++) {
        halo_repeated_work_load *load = &w->loads[r];
        int i = r - w->first;
        *load = (halo_repeated_work_load){.lo = lo, .hi = i < 0 ? lo : lo + w->counts[i]};
        if (i >= 0 && known) {
            load->predicted =
                w->lines[i].fixed + w->lines[i].per_unit * (double)(load->hi - load->lo);
        }
        lo = load->hi;
    }
}

static void pack(halo_repeated_work *w, const halo_repeated_work_beat *beat)
{
    size_t unit_out = w->options.unit_out, unit_back = w->options.unit_back;
    for (int r = 0; r < w->report.ranks; r++) {
        const halo_repeated_work_load *load = &w->loads[r];
        const range part = {load->lo, load->hi};
        size_t units = (size_t)(load->hi - load->lo), data = units * unit_out;
        memcpy(w->messages[r], &part, sizeof part);
        if (data > 0) {
            memcpy((char *)w->messages[r] + sizeof part,
                   (const char *)beat->units + (size_t)load->lo * unit_out, data);
        }
        w->bytes[r] = sizeof part + data;
        w->back_bytes[r] = w->back_room + units * unit_back;
    }
}

static void unpack(const halo_repeated_work *w, const halo_repeated_work_beat *beat)
{
    size_t unit_back = w->options.unit_back, constant_back = w->options.constant_back;
    for (int r = 0; r < w->report.ranks; r++) {
        const halo_repeated_work_load *load = &w->loads[r];
        size_t data = (size_t)(load->hi - load->lo) * unit_back;
        if (data > 0) {
            memcpy((char *)beat->units_back + (size_t)load->lo * unit_back,
                   (const char *)w->backs[r] + w->back_room, data);
        }
        if (constant_back > 0) {
            memcpy((char *)beat->constants_back + (size_t)r * constant_back, w->backs[r],
                   constant_back);
        }
    }
}

static void learn(halo_repeated_work *w, const halo_share_beat *described)
{
    double others = 0, *finished = w->shares; /* not needed any more */
    int workers = w->report.ranks - w->first;
    w->report.seconds = 0;
    for (int r = w->first; r < w->report.ranks; r++) {
        halo_repeated_work_load *load = &w->loads[r];
        const halo_master_worker_time *t = &w->times[r];
        load->time = *t;
        finished[r - w->first] = t->finished;
        others += (double)t->bytes_out;
        w->report.seconds = t->finished > w->report.seconds ? t->finished : w->report.seconds;
        w->shared[r - w->first] = (halo_share_time){.units = (double)(load->hi - load->lo),
                                                    .bytes_out = (double)t->bytes_out,
                                                    .bytes_back = (double)t->bytes_back,
                                                    .acknowledged = t->acknowledged,
                                                    .transfer = t->transfer,
                                                    .computing = t->computing};
    }
    if (w->first == 0) {
        w->shared[0].bytes_out = others;
    }
    w->report.imbalance = halo_load_imbalance(finished, workers);
    if (!w->options.workers.unmeasured) {
        halo_share_planner_learn(w->planner, described, w->shared);
        halo_share_planner_lines(w->planner, described, w->lines);
    }
    for (int i = 0; i < workers && !w->options.workers.unmeasured; i++) {
        w->loads[i + w->first].after = w->lines[i];
    }
}

/* ---- a beat on all ranks --------------------------------------------------------------------- */

/* A master without a thread does its units in pieces, between which it looks for messages. */
static halo_status work_in_pieces(halo_repeated_work *w, halo_work_part part, int64_t pieces)
{
    const halo_work_part all = part;
    for (int64_t i = 0; i < pieces; i++) {
        int64_t units = all.hi - all.lo, from = units * i / pieces, to = units * (i + 1) / pieces;
        part.lo = all.lo + from;
        part.hi = all.lo + to;
        part.units = (const char *)all.units + (size_t)from * w->options.unit_out;
        part.units_back = (char *)all.units_back + (size_t)from * w->options.unit_back;
        HALO_TRY(w->options.work(w->options.context, &part));
        halo_master_worker_progress(w->workers);
    }
    return HALO_OK;
}

static halo_status work_message(void *context, const void *message, size_t bytes, void *back,
                                size_t back_bytes)
{
    enum { PIECES = 32 };
    halo_repeated_work *w = context;
    range units;
    (void)bytes;
    (void)back_bytes;
    memcpy(&units, message, sizeof units);
    memset(back, 0, w->back_room);
    const halo_work_part part = {.lo = units.lo,
                                 .hi = units.hi,
                                 .constant = w->constant,
                                 .units = (const char *)message + sizeof units,
                                 .constant_back = back,
                                 .units_back = (char *)back + w->back_room};
    bool aligned = w->options.unit_out % 8 == 0 && w->options.unit_back % 8 == 0;
    bool pieces = aligned && w->same_thread && halo_world_rank(w->world) == 0;
    if (units.hi == units.lo) {
        return HALO_OK;
    }
    return work_in_pieces(w, part, pieces ? halo_min(PIECES, units.hi - units.lo) : 1);
}

halo_status halo_repeated_work_run(halo_repeated_work *w, const halo_repeated_work_beat *beat,
                                   halo_clock *clock)
{
    halo_clock unused = {{0}};
    bool master = halo_world_rank(w->world) == 0, constant = !beat->same_constant;
    if (beat->kind < 0 || beat->kind >= w->options.kinds) {
        return halo_fail(HALO_ARGUMENT, "beat of kind %d; use 0 to %d", beat->kind,
                         w->options.kinds - 1);
    }
    clock = clock != NULL ? clock : &unused;
    halo_share_beat described = describe(w, beat);
    if (master) {
        halo_stretch stretch = halo_clock_begin(w->world);
        plan(w, &described);
        w->report.plan_seconds += halo_clock_end(clock, HALO_PHASE_BALANCE, stretch, w->world);
        pack(w, beat);
        if (constant && w->options.constant_out > 0) {
            memcpy(w->constant, beat->constant, w->options.constant_out);
        }
    }
    const halo_master_worker_beat messages = {.constant = w->constant,
                                              .constant_bytes =
                                                  constant ? w->options.constant_out : 0,
                                              .messages = (const void *const *)w->messages,
                                              .bytes = w->bytes,
                                              .back_bytes = w->back_bytes,
                                              .backs = w->backs,
                                              .times = w->times,
                                              .work = work_message,
                                              .context = w};
    HALO_TRY(halo_master_worker_run(w->workers, &messages, clock));
    w->report.beats++;
    if (master) {
        unpack(w, beat);
        halo_stretch stretch = halo_clock_begin(w->world);
        learn(w, &described);
        w->report.plan_seconds += halo_clock_end(clock, HALO_PHASE_BALANCE, stretch, w->world);
    }
    return HALO_OK;
}

void halo_repeated_work_get_report_sized(const halo_repeated_work *work,
                                         halo_repeated_work_report *report, size_t report_bytes)
{
    halo_repeated_work_report own = work->report;
    own.loads = work->loads;
    halo_report_give(report, report_bytes, &own, sizeof own);
}
