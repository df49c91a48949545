#include "base/printable.h"
#include "core/world/monitor_internal.h"

#include <stdio.h>
#include <string.h>

enum { LISTED_RANKS = 8 };

/* "3, 7": the ranks on this host in this state. */
static void list_ranks(const monitor_state *m, char *text, size_t size, const char *host,
                       halo_peer_state state)
{
    int found = 0;
    text[0] = '\0';
    for (int r = 0; r < m->ranks; r++) {
        size_t used = strlen(text);
        if (m->peers[r].state != state || strcmp(m->cards[r].host, host) != 0) {
            continue;
        }
        if (found < LISTED_RANKS) {
            snprintf(text + used, size - used, "%s%d", found > 0 ? ", " : "", r);
        } else if (found == LISTED_RANKS) {
            snprintf(text + used, size - used, ", ...");
        }
        found++;
    }
}

/* All ranks on the host of rank `r` that are in the same state as it. */
static void report_host(const monitor_state *m, int r, double now)
{
    const halo_peer *peer = &m->peers[r];
    char ranks[128], ending[160], text[512];
    bool whole = true;
    list_ranks(m, ranks, sizeof ranks, m->cards[r].host, peer->state);
    for (int k = 0; k < m->ranks; k++) {
        whole = whole && (!monitor_same_host(m, k, r) || m->peers[k].state == peer->state);
    }
    if (peer->state == HALO_PEER_LOST) {
        snprintf(ending, sizeof ending, "the job ends, as --patience %g says", m->options.patience);
    } else if (m->options.patience > 0) {
        snprintf(ending, sizeof ending, "the job ends after %g s of silence", m->options.patience);
    } else {
        snprintf(ending, sizeof ending, "the job waits; --patience SECONDS would end it");
    }
    snprintf(text, sizeof text, "no sign of rank%s %s on %s%s for %.0f s (%s, beat %lld): %s",
             strchr(ranks, ',') != NULL ? "s" : "", ranks, m->cards[r].host,
             whole ? ", all that are there," : "", now - peer->heard, peer->sign.phase,
             (long long)peer->sign.beat, ending);
    halo_print_line(m->options.program, text);
}

/* Is a rank on this host quiet, but not yet for long enough? Then one message will do for all. */
static bool will_change(const monitor_state *m, int rank, double now)
{
    for (int r = 0; r < m->ranks; r++) {
        if (monitor_same_host(m, r, rank) && m->peers[r].state == HALO_PEER_ALIVE &&
            now - m->peers[r].heard > 4 * MONITOR_SIGN_EVERY) {
            return true;
        }
    }
    return false;
}

void monitor_report(monitor_state *m, double now)
{
    for (int r = 0; r < m->ranks; r++) {
        halo_peer_state state = m->peers[r].state;
        if (!m->changed[r] || (state == HALO_PEER_SILENT && will_change(m, r, now))) {
            continue;
        }
        if (state >= HALO_PEER_SILENT) {
            report_host(m, r, now);
        }
        for (int k = 0; k < m->ranks; k++) {
            m->changed[k] =
                m->changed[k] && !(monitor_same_host(m, k, r) && m->peers[k].state == state);
        }
    }
}
