#include "kernels/motion/pair.h"

#include "base/memory.h"
#include "kernels/motion/pack.h"
#include "partition/balance/balance.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define KIND_NAME(code, name) name,
    MOTION_KIND_LIST(KIND_NAME)
#undef KIND_NAME
};

void motion_pair_free(motion_pair *pair)
{
    int ranks = pair->world != NULL ? halo_world_ranks(pair->world) : 0;
    for (int r = 0; r < ranks; r++) {
        if (pair->messages != NULL) {
            halo_buffer_free(&pair->messages[r]);
        }
        if (pair->backs != NULL) {
            halo_buffer_free(&pair->backs[r]);
        }
    }
    halo_master_worker_destroy(&pair->workers);
    halo_share_planner_destroy(&pair->planner);
    motion_match_context_free(&pair->context);
    motion_parts_free(&pair->parts);
    void *all[] = {pair->loads,       pair->messages,      pair->backs,      pair->message_places,
                   pair->back_places, pair->message_bytes, pair->back_bytes, pair->times,
                   pair->share_times, pair->lines,         pair->shares,     pair->units,
                   pair->cursors,     pair->owners};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
}

halo_status motion_pair_create(motion_pair *pair, halo_share_method method, int clusters)
{
    size_t ranks = (size_t)halo_world_ranks(pair->world);
    HALO_TRY(HALO_ALLOCATE(pair->loads, ranks * MOTION_BEATS, "loads of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->messages, ranks, "messages to ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->backs, ranks, "messages of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->message_places, ranks, "messages to ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->back_places, ranks, "messages of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->message_bytes, ranks, "messages to ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->back_bytes, ranks, "messages of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->times, ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->share_times, ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->lines, ranks, "times of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->shares, ranks, "shares of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->cursors, ranks, "messages of ranks"));
    HALO_TRY(HALO_ALLOCATE(pair->units, clusters, "pieces of clusters"));
    HALO_TRY(HALO_ALLOCATE(pair->owners, clusters, "ranks of clusters"));
    const halo_share_options shares = {
        .method = method, .ranks = (int)ranks, .kinds = MOTION_BEATS, .master_works = true};
    return halo_share_planner_create(&pair->planner, &shares);
}

/* ---- a beat on the master ------------------------------------------------------------------ */

typedef struct {
    motion_batch batch;
    int round;
    bool first; /* of the pair: the later frame goes with it */
    halo_share_beat planned;
} beat_plan;

/* Shares, and whose each cluster is. */
static halo_status plan(motion_pair *pair, beat_plan *beat, halo_motion_load *loads)
{
    motion_parts *parts = &pair->parts;
    int ranks = halo_world_ranks(pair->world);
    motion_choose(parts, &beat->batch, beat->round, pair->units);
    int64_t units = 0;
    for (int k = 0; k < parts->clusters; k++) {
        units += pair->units[k];
    }
    beat->planned = (halo_share_beat){
        .kind = (int)pair->done,
        .units = (double)units,
        .constant_out = beat->first ? (double)pair->bytes : 0,
        .unit_out = sizeof(motion_piece),
        .unit_back = beat->batch.kind == MOTION_PLACE ? sizeof(motion_found) : 0,
    };
    halo_share_planner_plan(pair->planner, &beat->planned, pair->shares);
    halo_share_planner_lines(pair->planner, &beat->planned, pair->lines);
    HALO_TRY(halo_shares_deal(pair->units, parts->clusters, pair->shares, ranks, pair->owners));
    for (int r = 0; r < ranks; r++) {
        loads[r] = (halo_motion_load){.share = pair->shares[r]};
    }
    for (int k = 0; k < parts->clusters; k++) {
        halo_motion_load *load = &loads[pair->owners[k]];
        load->clusters += pair->units[k] > 0 ? 1 : 0;
        load->pieces += pair->units[k];
    }
    bool known = halo_share_planner_knows(pair->planner, beat->planned.kind);
    for (int r = 0; r < ranks; r++) {
        const halo_lb_line *line = &pair->lines[r];
        loads[r].predicted_seconds =
            known ? line->fixed + line->per_unit * (double)loads[r].pieces : 0;
    }
    return HALO_OK;
}

static halo_status pack(motion_pair *pair, beat_plan *beat, const halo_motion_load *loads)
{
    int ranks = halo_world_ranks(pair->world);
    for (int r = 0; r < ranks; r++) {
        beat->batch.tasks = loads[r].clusters;
        pair->messages[r].size = pair->backs[r].size = 0;
        pair->cursors[r] = 0;
        HALO_TRY(halo_buffer_append(&pair->messages[r], &beat->batch, sizeof beat->batch));
    }
    for (int k = 0; k < pair->parts.clusters; k++) {
        int r = pair->owners[k];
        if (pair->units[k] > 0) {
            HALO_TRY(motion_pack(&pair->parts, &beat->batch, beat->round, k, &pair->messages[r]));
            pair->cursors[r] += motion_findings(&beat->batch, pair->units[k]);
        }
    }
    for (int r = 0; r < ranks; r++) {
        size_t room = (size_t)(pair->cursors[r] + 1) * sizeof(motion_found);
        HALO_TRY(halo_buffer_reserve(&pair->backs[r], room));
        pair->message_places[r] = pair->messages[r].data;
        pair->back_places[r] = pair->backs[r].data;
        pair->message_bytes[r] = pair->messages[r].size;
        pair->back_bytes[r] = (size_t)pair->cursors[r] * sizeof(motion_found);
        pair->cursors[r] = 0;
    }
    return HALO_OK;
}

static void unpack(motion_pair *pair, const beat_plan *beat)
{
    for (int k = 0; k < pair->parts.clusters; k++) {
        int r = pair->owners[k];
        if (pair->units[k] > 0) {
            const motion_found *all = pair->back_places[r], *next = all + pair->cursors[r];
            pair->cursors[r] = motion_unpack(&pair->parts, &beat->batch, k, next) - all;
        } else if (beat->batch.kind != MOTION_PLACE) {
            pair->parts.table[k].changed = false;
        }
    }
}

/* Record the times of the beat, for the balancer and for the report. */
static void note(motion_pair *pair, const beat_plan *beat, halo_motion_beat *out,
                 halo_motion_load *loads)
{
    int ranks = halo_world_ranks(pair->world);
    double others = 0, *seconds = pair->shares; /* not needed any more */
    *out = (halo_motion_beat){
        .pair = pair->pairs, .name = kind_names[beat->batch.kind], .loads = loads};
    for (int r = 0; r < ranks; r++) {
        const halo_master_worker_time *t = &pair->times[r];
        loads[r].compute_seconds = t->computing;
        loads[r].transfer_seconds = t->acknowledged;
        seconds[r] = t->computing + t->acknowledged;
        others += (double)t->bytes_out;
        pair->share_times[r] = (halo_share_time){.units = (double)loads[r].pieces,
                                                 .bytes_out = (double)t->bytes_out,
                                                 .bytes_back = (double)t->bytes_back,
                                                 .transfer = t->transfer,
                                                 .acknowledged = t->acknowledged,
                                                 .computing = t->computing};
        out->seconds = t->finished > out->seconds ? t->finished : out->seconds;
        double predicted = loads[r].predicted_seconds;
        out->predicted_seconds =
            predicted > out->predicted_seconds ? predicted : out->predicted_seconds;
    }
    pair->share_times[0].bytes_out = others;
    out->imbalance = halo_load_imbalance(seconds, ranks);
    halo_share_planner_learn(pair->planner, &beat->planned, pair->share_times);
    halo_share_planner_lines(pair->planner, &beat->planned, pair->lines);
    for (int r = 0; r < ranks; r++) {
        loads[r].fixed = pair->lines[r].fixed;
        loads[r].per_piece = pair->lines[r].per_unit;
    }
    if ((pair->pairs > 0 || pair->done > 0) && beat->planned.units > 0) {
        pair->imbalance_sum += out->imbalance;
        pair->imbalances++;
    }
}

/* ---- a beat on all ranks ------------------------------------------------------------------- */

typedef struct {
    motion_pair *pair;
    bool first;
} work_context;

static halo_status work(void *context, const void *message, size_t bytes, void *back,
                        size_t back_bytes)
{
    work_context *w = context;
    (void)bytes;
    (void)back_bytes;
    if (w->first) {
        motion_frame_fill(w->pair->coming, w->pair->cells, w->pair->cell_bits);
    }
    motion_run_tasks(&w->pair->context, message, back, w->pair->workers);
    return HALO_OK;
}

static halo_status prepare(motion_pair *pair, beat_plan *beat, halo_motion_load *loads)
{
    if (beat->batch.kind == MOTION_PLACE && beat->round == 0) {
        motion_begin_pieces(&pair->parts);
    }
    HALO_TRY(plan(pair, beat, loads));
    return pack(pair, beat, loads);
}

static halo_status run_beat(motion_pair *pair, beat_plan *beat, halo_clock *clock)
{
    bool master = halo_world_rank(pair->world) == 0;
    halo_motion_load *loads = pair->loads + pair->done * halo_world_ranks(pair->world);
    halo_status status = HALO_OK;
    size_t out = 0, back = 0;
    halo_stretch stretch = halo_clock_begin(pair->world);
    if (master) {
        status = prepare(pair, beat, loads);
        for (int r = 0; r < halo_world_ranks(pair->world) && status == HALO_OK; r++) {
            out = pair->message_bytes[r] > out ? pair->message_bytes[r] : out;
            back = pair->back_bytes[r] > back ? pair->back_bytes[r] : back;
        }
    }
    halo_clock_end(clock, HALO_PHASE_BALANCE, stretch, pair->world);
    HALO_TRY(halo_agree(pair->world, status));
    HALO_TRY(halo_master_worker_reserve(pair->workers, out, back + 1));
    work_context context = {pair, beat->first};
    halo_master_worker_beat beat_of_all = {.constant = pair->cells,
                                           .constant_bytes = beat->first ? pair->bytes : 0,
                                           .messages = (const void *const *)pair->message_places,
                                           .bytes = pair->message_bytes,
                                           .back_bytes = pair->back_bytes,
                                           .backs = pair->back_places,
                                           .times = pair->times,
                                           .work = work,
                                           .context = &context};
    HALO_TRY(halo_master_worker_run(pair->workers, &beat_of_all, clock));
    if (master) {
        unpack(pair, beat);
        note(pair, beat, &pair->beats[pair->done], loads);
    }
    pair->done++;
    return HALO_OK;
}

halo_status motion_pair_run(motion_pair *pair, halo_clock *clock)
{
    static const struct {
        motion_kind kind;
        int rounds;
    } course[] = {
        {MOTION_MATCH, 1}, {MOTION_SPREAD, MOTION_SPREADS}, {MOTION_PLACE, MOTION_PLACES}};
    pair->done = 0;
    for (int c = 0; c < MOTION_KINDS - (pair->fine ? 0 : 1); c++) {
        for (int round = 0; round < course[c].rounds; round++) {
            bool last = round == course[c].rounds - 1 && course[c].kind != MOTION_MATCH;
            beat_plan beat = {.batch = {.kind = (int32_t)course[c].kind, .fraction = last},
                              .round = round,
                              .first = pair->done == 0};
            HALO_TRY(run_beat(pair, &beat, clock));
        }
    }
    pair->pairs++;
    return HALO_OK;
}
