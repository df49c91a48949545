#include "app/services/decisions.h"

#include "app/report/facts.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* At most MOST decisions are kept; with many ranks fewer, but LEAST of them, so that they have
 * about MOST_CUTS boundaries in all. */
enum { MOST = 256, LEAST = 16, MOST_CUTS = 1 << 19 };

static void drop(app_decisions *d, int64_t i)
{
    free(d->list[i].cuts);
    d->list[i].cuts = NULL;
    d->left_out++;
}

/* Every other of those that moved nothing or, if `all`, of all. */
static void thin(app_decisions *d, bool all)
{
    int64_t kept = 0, candidates = 0;
    for (int64_t i = 0; i < d->count; i++) {
        bool candidate = all || d->list[i].rows_moved == 0;
        candidates += candidate;
        if (candidate && candidates % 2 == 0) {
            drop(d, i);
        } else {
            d->list[kept++] = d->list[i];
        }
    }
    d->count = kept;
}

static bool make_room(app_decisions *d, int parts)
{
    if (d->room == 0) {
        d->room = halo_min(MOST, halo_max(LEAST, MOST_CUTS / (parts + 1)));
        d->list = calloc((size_t)d->room, sizeof *d->list);
    }
    if (d->list == NULL) {
        return false;
    }
    if (d->count == d->room) {
        thin(d, false);
    }
    if (d->count > d->room - d->room / 8) { /* or it would be full again at once */
        thin(d, true);
    }
    return true;
}

void app_decisions_add(app_decisions *decisions, const halo_balance_event *event,
                       int64_t first_beat)
{
    size_t cuts = (size_t)event->parts + 1;
    int64_t *copy = make_room(decisions, event->parts) ? malloc(2 * cuts * sizeof *copy) : NULL;
    if (copy == NULL) {
        decisions->left_out++;
        return;
    }
    app_decision *made = &decisions->list[decisions->count++];
    *made = (app_decision){.beat = first_beat + event->beat,
                           .rows_moved = halo_cuts_moved(event->before, event->after, event->parts),
                           .seconds = event->seconds,
                           .imbalance = event->imbalance,
                           .axis = event->axis,
                           .parts = event->parts,
                           .cuts = copy};
    memcpy(copy, event->before, cuts * sizeof *copy);
    memcpy(copy + cuts, event->after, cuts * sizeof *copy);
    halo_decision_write(&event->decision, made->text, sizeof made->text);
}

json_t *app_decisions_json(const app_decisions *decisions)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < decisions->count; i++) {
        const app_decision *d = &decisions->list[i];
        json_array_append_new(
            array, json_pack("{s:I, s:f, s:f, s:i, s:I, s:s, s:o, s:o}", "beat",
                             (json_int_t)d->beat, "seconds", d->seconds, "idc", d->imbalance,
                             "axis", d->axis, "rows_moved", (json_int_t)d->rows_moved, "text",
                             d->text, "before", app_fact_integers(d->cuts, d->parts + 1), "after",
                             app_fact_integers(d->cuts + d->parts + 1, d->parts + 1)));
    }
    return array;
}

void app_decisions_free(app_decisions *decisions)
{
    for (int64_t i = 0; i < decisions->count; i++) {
        free(decisions->list[i].cuts);
    }
    free(decisions->list);
    *decisions = (app_decisions){0};
}
