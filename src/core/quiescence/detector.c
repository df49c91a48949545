#include "core/quiescence/detector_internal.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/option.h"

#include <stdlib.h>

/* ---- the list -------------------------------------------------------------------------------- */

#define DETECTOR_KIND(code, name) &halo_detector_##code,
static const detector_kind *const all[] = {HALO_DETECTOR_LIST(DETECTOR_KIND)};
#undef DETECTOR_KIND

enum { COUNT = sizeof all / sizeof *all };

const halo_detector_entry *halo_detector_list(int i)
{
    return i >= 0 && i < COUNT ? &all[i]->entry : NULL;
}

static halo_status find(const char *requested, const detector_kind **kind)
{
#define DETECTOR_NAME(code, name) name,
    static const char *const names[] = {HALO_DETECTOR_LIST(DETECTOR_NAME)};
#undef DETECTOR_NAME
    int index;
    HALO_TRY(halo_names_find("termination detector", names, COUNT, requested, &index));
    *kind = all[index];
    return HALO_OK;
}

/* ---- making ---------------------------------------------------------------------------------- */

halo_status halo_detector_create(halo_detector **out, const char *name, int rank, int ranks)
{
    const detector_kind *kind;
    *out = NULL;
    HALO_TRY(find(name, &kind));
    if (ranks < 1 || rank < 0 || rank >= ranks) {
        return halo_fail(HALO_ARGUMENT, "a detector for rank %d of %d; use 1 rank or more, 0 first",
                         rank, ranks);
    }
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a termination detector"));
    halo_detector *detector = *out;
    detector->kind = kind;
    detector->rank = rank;
    detector->ranks = ranks;
    halo_detector_reset(detector);
    return HALO_OK;
}

void halo_detector_reset(halo_detector *detector)
{
    *detector = (halo_detector){
        .kind = detector->kind, .rank = detector->rank, .ranks = detector->ranks, .active = true};
    detector->kind->begin(detector);
}

void halo_detector_destroy(halo_detector **detector)
{
    free(*detector);
    *detector = NULL;
}

const halo_detector_entry *halo_detector_get_entry(const halo_detector *detector)
{
    return &detector->kind->entry;
}

bool halo_detector_has_ended(const halo_detector *detector)
{
    return detector->ended;
}

void halo_detector_get_counts_sized(const halo_detector *detector, halo_detector_counts *counts,
                                    size_t counts_bytes)
{
    halo_report_give(counts, counts_bytes, &detector->counts, sizeof detector->counts);
}

/* ---- what detectors call --------------------------------------------------------------------- */

static void put(halo_detector *detector, int to, const halo_detector_note *note)
{
    halo_detector_outbox *out = detector->out;
    out->sent[out->count].to = to;
    out->sent[out->count++].note = *note;
}

void detector_put(halo_detector *detector, int to, const halo_detector_note *note)
{
    detector->counts.control++;
    put(detector, to, note);
}

void detector_begin_ring(halo_detector *detector)
{
    detector->ring.here = detector->rank == 0;
    detector->ring.token.kind = DETECTOR_OWN;
}

void detector_take_token(halo_detector *detector, const halo_detector_note *token)
{
    detector->ring.here = true;
    detector->ring.token = *token;
    detector->kind->rest(detector);
}

void detector_pass_token(halo_detector *detector)
{
    detector->ring.here = false;
    detector->counts.rounds += detector->rank == 0;
    detector_put(detector, (detector->rank + 1) % detector->ranks, &detector->ring.token);
}

void detector_leave_tree(halo_detector *detector)
{
    detector_tree *tree = &detector->tree;
    if (detector->active || tree->missing > 0 || !tree->engaged) {
        return;
    }
    if (detector->rank == 0) {
        detector_announce(detector);
        return;
    }
    const halo_detector_note held = {.kind = DETECTOR_OWN, .amount = tree->held};
    tree->engaged = false;
    tree->held = 0;
    detector_put(detector, tree->parent, &held);
}

/* Announces the end along a binomial tree: rank r tells r + 2^k for all 2^k above r. */
void detector_announce(halo_detector *detector)
{
    static const halo_detector_note end = {.kind = DETECTOR_END};
    int64_t step = 1;
    detector->ended = true;
    while (step <= detector->rank) {
        step *= 2;
    }
    for (; detector->rank + step < detector->ranks; step *= 2) {
        detector->counts.announcements++;
        put(detector, (int)(detector->rank + step), &end);
    }
}

/* ---- what happens ---------------------------------------------------------------------------- */

static void begin(halo_detector *detector, halo_detector_outbox *out)
{
    out->count = 0;
    detector->out = out;
}

halo_detector_note halo_detector_send(halo_detector *detector, int to)
{
    detector->counts.basic++;
    return detector->kind->send != NULL ? detector->kind->send(detector, to)
                                        : (halo_detector_note){.kind = DETECTOR_OWN};
}

void halo_detector_receive(halo_detector *detector, const halo_detector_note *note,
                           halo_detector_outbox *out)
{
    begin(detector, out);
    detector->active = true;
    if (detector->kind->receive != NULL && !detector->ended) {
        detector->kind->receive(detector, note);
    }
}

void halo_detector_rest(halo_detector *detector, halo_detector_outbox *out)
{
    begin(detector, out);
    if (!detector->active) {
        return;
    }
    detector->active = false;
    if (detector->ranks == 1) {
        detector_announce(detector);
    } else if (!detector->ended) {
        detector->kind->rest(detector);
    }
}

void halo_detector_control(halo_detector *detector, const halo_detector_note *note,
                           halo_detector_outbox *out)
{
    begin(detector, out);
    if (detector->ended) {
        return;
    }
    if (note->kind == DETECTOR_END) {
        detector_announce(detector);
    } else {
        detector->kind->control(detector, note);
    }
}
