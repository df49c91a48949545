#ifndef HALOBEAT_APP_SERVICES_DECISIONS_H
#define HALOBEAT_APP_SERVICES_DECISIONS_H

#include "core/balance/balancing.h"

#include <jansson.h>

/* Decisions of the balancer, for reports, in a list of limited length: when it is full, every other
 * decision is dropped, first of those that moved nothing, then of all. All functions are local. */

enum { APP_DECISION_TEXT = 192 };

typedef struct {
    int64_t beat, rows_moved;
    double seconds, imbalance;
    int axis, parts;
    char text[APP_DECISION_TEXT]; /* the reason */
    int64_t *cuts;                /* [2][parts + 1]: before and after */
} app_decision;

/* Zero-initialise it. */
typedef struct {
    app_decision *list; /* [count] */
    int64_t count, room;
    int64_t left_out;
} app_decisions;

/* Adds a decision, with its beats counted from `first_beat`. Drops it if there is no memory. */
void app_decisions_add(app_decisions *decisions, const halo_balance_event *event,
                       int64_t first_beat);

/* An array with an object for each decision; NULL if there is no memory. */
json_t *app_decisions_json(const app_decisions *decisions);

void app_decisions_free(app_decisions *decisions);

#endif
