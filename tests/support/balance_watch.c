#include "support/balance_watch.h"

#include "core/world/collect.h"
#include "partition/cuts.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <string.h>

static void add_to_digest(balance_watch *watch, int64_t number)
{
    watch->digest = (watch->digest ^ (uint64_t)number) * UINT64_C(0x100000001b3);
}

/* Every strip is empty or as high as its halo, unless there is only one. */
static void check_strips(const balance_watch *watch, const int64_t *cuts, int parts)
{
    int64_t rows = cuts[parts];
    for (int r = 0; r < parts; r++) {
        int64_t own = cuts[r + 1] - cuts[r];
        expect(own == 0 || own == rows || own >= watch->min_rows,
               "%s: part %d is to own %" PRId64 " rows, fewer than %" PRId64, watch->text, r, own,
               watch->min_rows);
    }
}

static void check_decision(const balance_watch *watch, const halo_balance_event *event)
{
    int64_t moved = halo_cuts_moved(event->before, event->after, event->parts);
    bool same =
        memcmp(event->before, event->after, ((size_t)event->parts + 1) * sizeof *event->after) == 0;
    char sentence[256];
    halo_decision_write(&event->decision, sentence, sizeof sentence);
    expect(halo_decision_moves(&event->decision) == !same, "%s: \"%s\" but %" PRId64 " rows move",
           watch->text, sentence, moved);
    expect(strncmp(sentence, same ? "kept" : "moved", same ? 4 : 5) == 0, "%s: \"%s\"", watch->text,
           sentence);
    expect(same || event->decision.rows == moved,
           "%s: %" PRId64 " rows are said to move, and %" PRId64 " do", watch->text,
           event->decision.rows, moved);
    expect(event->imbalance >= 0 && event->imbalance <= 1, "%s: an imbalance of %g", watch->text,
           event->imbalance);
}

static void note_empty(balance_watch *watch, const int64_t *cuts, int parts, bool *was_empty)
{
    for (int r = 0; r < parts; r++) {
        bool is_empty = cuts[r + 1] == cuts[r];
        watch->refilled += was_empty[r] && !is_empty;
        was_empty[r] = is_empty;
    }
}

static void check_cuts(const balance_watch *watch, const halo_balance_event *event)
{
    const int64_t *cuts = watch->cuts[event->axis];
    int64_t rows = event->before[event->parts];
    size_t bytes = ((size_t)event->parts + 1) * sizeof *cuts;
    expect(watch->blocks || event->parts == watch->ranks, "%s: %d ranks", watch->text,
           event->parts);
    expect(!watch->planned[event->axis] || cuts[event->parts] != rows ||
               memcmp(cuts, event->before, bytes) == 0,
           "%s: cuts before a decision that are not those after the last", watch->text);
    expect(halo_cuts_are_valid(event->after, event->parts, rows), "%s: no cuts", watch->text);
    check_strips(watch, event->after, event->parts);
}

static void notify(void *context, const halo_balance_event *event)
{
    balance_watch *watch = context;
    int axis = event->axis, parts = event->parts;
    expect(event->beat == halo_world_beats(watch->world) &&
               event->beat >= watch->last_beat + watch->every && event->seconds >= 0,
           "%s: decided after beat %" PRId64 ", the last after %" PRId64, watch->text, event->beat,
           watch->last_beat);
    check_cuts(watch, event);
    check_decision(watch, event);
    note_empty(watch, event->before, parts, watch->was_empty[axis]);
    note_empty(watch, event->after, parts, watch->was_empty[axis]);
    watch->plans++;
    watch->moves += halo_decision_moves(&event->decision);
    watch->rows_moved += halo_cuts_moved(event->before, event->after, parts);
    watch->last_beat = event->beat;
    watch->planned[axis] = true;
    add_to_digest(watch, event->beat);
    add_to_digest(watch, (int64_t)event->decision.reason);
    for (int r = 0; r <= parts; r++) {
        watch->cuts[axis][r] = event->after[r];
        add_to_digest(watch, event->after[r]);
    }
}

void balance_watch_start(balance_watch *watch, halo_world *world, const char *balancer,
                         int64_t every, const char *migrate)
{
    *watch = (balance_watch){.world = world,
                             .text = watch->text,
                             .min_rows = watch->min_rows,
                             .blocks = watch->blocks,
                             .every = every > 0 ? every : 1,
                             .ranks = halo_world_ranks(world),
                             .last_beat = halo_world_beats(world)};
    halo_balance_options options = {.balancer = balancer,
                                    .every = every,
                                    .migrate = migrate,
                                    .notify = notify,
                                    .context = watch};
    expect(watch->ranks <= BALANCE_WATCH_RANKS &&
               halo_balancing_create(&watch->balancing, world, &options) == HALO_OK,
           "%s: %s", watch->text, halo_last_message());
}

void balance_watch_end(balance_watch *watch)
{
    halo_balance_report report = halo_balancing_get_report(watch->balancing);
    expect(report.plans == watch->plans && report.moves == watch->moves &&
               report.rows_moved == watch->rows_moved,
           "%s: %" PRId64 " plans, %" PRId64 " moves of %" PRId64 " rows were told, not %" PRId64
           ", %" PRId64 ", %" PRId64,
           watch->text, watch->plans, watch->moves, watch->rows_moved, report.plans, report.moves,
           report.rows_moved);
    expect(report.plan_seconds >= 0 && report.move_seconds >= 0 && report.bytes_moved >= 0,
           "%s: negative time or bytes", watch->text);
    uint64_t first = watch->digest;
    expect_ok(halo_bcast(watch->world, &first, sizeof first, 0));
    expect(watch->digest == first, "%s: other decisions than on rank 0", watch->text);
    halo_balancing_destroy(&watch->balancing);
}

bool balance_watch_strip(void *context, int64_t beats, int64_t changed)
{
    const balance_watch *watch = context;
    const int64_t *cuts = halo_beat_cuts(watch->beat);
    int rank = halo_world_rank(watch->world);
    const halo_box *owned = &halo_beat_view(watch->beat, 0)->owned;
    (void)changed;
    expect(!watch->planned[0] ||
               memcmp(watch->cuts[0], cuts, ((size_t)watch->ranks + 1) * sizeof *cuts) == 0,
           "%s: after beat %" PRId64 " cuts are not as decided", watch->text, beats);
    expect(owned->n[0] == cuts[rank + 1] - cuts[rank] && owned->lo[0] == cuts[rank],
           "%s: after beat %" PRId64 " a rank owns %" PRId64 " rows from %" PRId64, watch->text,
           beats, owned->n[0], owned->lo[0]);
    return false;
}
