#include "core/world/monitor_internal.h"

#include "base/printable.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Ranks that are threads: one that does not come back from its kernel is named. */

/* Seconds. A beat may take long where rows are many, but then others do not wait for it. */
static const double WARN_OF_STUCK_AFTER = 30;

static void print_stuck(const monitor_state *m, const halo_stuck *stuck, const char *ending)
{
    char more[64] = "";
    if (stuck->count > 1) {
        snprintf(more, sizeof more, ", and so %s %d more", stuck->count > 2 ? "have" : "has",
                 stuck->count - 1);
    }
    halo_print_message(m->options.program,
                       "rank %d has been in the update of beat %" PRId64
                       " for %.0f seconds%s, while the others wait: %s",
                       stuck->first, stuck->beat + 1, stuck->seconds, more, ending);
}

bool monitor_look_at_ranks(monitor_state *m, double now)
{
    double patience = m->options.patience;
    double warn_after =
        patience > 0 ? fmin(WARN_OF_STUCK_AFTER, patience / 2) : WARN_OF_STUCK_AFTER;
    char ending[96];
    if (m->seen == NULL) {
        return false;
    }
    halo_stuck stuck =
        halo_activity_look(m->options.ranks, m->seen, m->options.count, warn_after, now);
    if (stuck.count == 0) {
        m->stuck_said = 0;
        return false;
    }
    if (patience > 0 && stuck.seconds >= patience) {
        snprintf(ending, sizeof ending, "the job ends, as --patience %g says", patience);
        print_stuck(m, &stuck, ending);
        return true;
    }
    if (m->stuck_said == 0 || stuck.seconds >= 2 * m->stuck_said) {
        if (patience > 0) {
            snprintf(ending, sizeof ending, "the job ends after %g seconds", patience);
        } else {
            snprintf(ending, sizeof ending, "the job waits; --patience SECONDS would end it");
        }
        print_stuck(m, &stuck, ending);
        m->stuck_said = stuck.seconds;
    }
    return false;
}
