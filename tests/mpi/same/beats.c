/* Runs of the heartbeat, in pieces, beside a reference. */

#include "same.h"

#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BEATS = 4096 };

/* A case under way. */
typedef struct {
    beat_case c;
    uint64_t *random;
    halo_beat *beat;
    balance_watch watch;
    struct halo_balancing *balancing;
    int64_t changed[MAX_BEATS + 1]; /* by each beat, as reported to the watcher; -1: not reported */
} same_case;

static bool watch_beats(void *context, int64_t beats, int64_t changed)
{
    same_case *s = context;
    s->changed[beats < MAX_BEATS ? beats : MAX_BEATS] = changed;
    if (s->balancing != NULL && !s->watch.blocks) {
        s->watch.beat = s->beat;
        balance_watch_strip(&s->watch, beats, changed);
    }
    return false;
}

/* Make the run, or another one that goes on from it, cut anew. */
static bool start(same_case *s)
{
    beat_case *c = &s->c;
    halo_beat *before = s->beat;
    halo_partition partition;
    halo_beat_options options = way_beat_options(&c->way);
    options.beats_per_exchange = c->way.beats_per_exchange;
    options.kernel_options = c->options;
    options.balancing = s->balancing;
    options.first_beat = c->restored = c->done;
    options.watch = watch_beats;
    options.context = s;
    way_cut(&c->way, s->random, &c->domain, c->min, &partition);
    halo_status status =
        halo_beat_create(&s->beat, mpi_check_world(), &c->domain, &partition, &c->kernel, &options);
    expect_case_ok(c->text, status);
    if (status == HALO_OK) {
        c->how->begin(c, s->beat, before);
    }
    halo_beat_destroy(&before);
    halo_partition_free(&partition);
    memset(s->watch.planned, 0, sizeof s->watch.planned);
    return status == HALO_OK;
}

/* To any other parts; strips also by their cuts. */
static void move(same_case *s)
{
    const beat_case *c = &s->c;
    halo_partition to;
    int rank = my_rank();
    way any = c->way;
    any.strips = c->strips || random_below(s->random, 3) == 0;
    any.even = false;
    way_cut(&any, s->random, &c->domain, c->min, &to);
    bool layers = to.parts[0] == all_ranks() &&
                  halo_beat_partition(s->beat)->parts[0] == to.parts[0] &&
                  random_below(s->random, 2) == 0;
    halo_status status =
        layers ? halo_beat_move(s->beat, to.cuts[0]) : halo_beat_repartition(s->beat, &to);
    halo_box box = halo_partition_box(&to, rank);
    expect(status == HALO_OK && halo_partition_equal(halo_beat_partition(s->beat), &to) &&
               halo_box_cells(&box) == halo_box_cells(&halo_beat_view(s->beat, 0)->owned),
           "%s: moved: %s", c->text, halo_last_message());
    halo_partition_free(&to);
}

/* The reference does what a run should have done: `beats`, or fewer until it settles. */
static void follow(same_case *s, int64_t beats)
{
    beat_case *c = &s->c;
    const halo_beat_report report = halo_beat_get_report(s->beat);
    int64_t end = c->done + beats;
    bool settled = false;
    while (beats == 0 ? !settled && c->done < MAX_BEATS : !settled && c->done < end) {
        c->how->step(c);
        c->done++;
        settled = c->kernel.converges && c->changed == 0;
        int64_t reported = s->changed[c->done < MAX_BEATS ? c->done : MAX_BEATS];
        expect(reported < 0 || !c->kernel.converges || reported == c->changed,
               "%s: %" PRId64 " cells changed in beat %" PRId64 ", not %" PRId64, c->text, reported,
               c->done, c->changed);
    }
    expect(report.beats == c->done && report.converged == settled,
           "%s: %" PRId64 " beats, settled %d, not %" PRId64 ", %d", c->text, report.beats,
           report.converged, c->done, settled);
}

static void run(same_case *s, int64_t beats)
{
    beat_case *c = &s->c;
    if (halo_beat_get_report(s->beat).converged) {
        return;
    }
    if (way_moves(&c->way)) {
        move(s);
    }
    int64_t votes = halo_beat_get_report(s->beat).votes; /* one a superstep */
    memset(s->changed, -1, sizeof s->changed);
    if (c->how->before_run != NULL) {
        c->how->before_run(c, s->beat, beats);
    }
    expect_case_ok(c->text, halo_beat_run(s->beat, beats));
    if (c->how->after_run != NULL) {
        c->how->after_run(c, s->beat, halo_beat_get_report(s->beat).votes - votes);
    }
    follow(s, beats);
    c->how->check(c, s->beat);
}

/* A kernel that settles goes on to the end when pieces are done. */
static void run_pieces(same_case *s)
{
    const char *pieces = s->c.way.of[WAY_pieces];
    int64_t beats = s->c.beats, some = beats > 1 ? 1 + random_below(s->random, beats - 1) : 1;
    if (pieces != NULL && strcmp(pieces, "beat by beat") == 0) {
        for (int64_t beat = 0; beat < beats || beat < 4; beat++) {
            run(s, 1);
        }
    } else if (pieces == NULL || strcmp(pieces, "one run") == 0) {
        run(s, beats);
    } else {
        run(s, some);
        if (strcmp(pieces, "restored") != 0 || start(s)) {
            run(s, beats > some ? beats - some : 1);
        }
    }
    if (s->beat != NULL && beats == 0) {
        run(s, 0);
    }
}

void same_beats(const beat_kernel *how, const way *w, uint64_t *random, way_tally *all)
{
    same_case *s = need_zeroed(1, sizeof *s);
    beat_case *c = &s->c;
    s->random = random;
    *c = (beat_case){.how = how, .way = *w};
    how->make(c, random);
    c->way.strips = c->way.strips || c->strips;
    if (c->stays) {
        c->way.balancer[0] = '\0';
    }
    c->min = c->kernel.depth * (c->way.beats_per_exchange > 0 ? c->way.beats_per_exchange : 1);
    snprintf(c->text, sizeof c->text, "%s of %" PRId64 " x %" PRId64 " x %" PRId64 ", %s",
             c->kernel.name, c->domain.n[0], c->domain.n[1], c->domain.n[2], c->way.text);
    s->watch.text = c->text;
    s->balancing = way_balance(&c->way, &s->watch, c->min > 0 ? c->min : 1);
    if (start(s)) {
        c->how->check(c, s->beat);
        run_pieces(s);
    }
    halo_beat_destroy(&s->beat);
    how->end(c);
    way_balance_end(&c->way, &s->watch, all);
    free(s);
}
