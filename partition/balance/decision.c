#include "partition/balance/decision.h"

#include "partition/cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_time(double seconds)
{
    return isfinite(seconds) && seconds >= 0;
}

static halo_status check_load(const halo_load *load, int rank, int64_t owned)
{
    if (load->rows != owned) {
        return halo_fail(HALO_ARGUMENT,
                         "rank %d's load is of %" PRId64 " rows, but its cuts give it %" PRId64,
                         rank, load->rows, owned);
    }
    if (!is_time(load->compute_seconds) || !is_time(load->transfer_seconds) ||
        !is_time(load->noise_seconds)) {
        return halo_fail(HALO_ARGUMENT,
                         "rank %d's load of %g, %g and %g s: times must be finite and at least 0",
                         rank, load->compute_seconds, load->transfer_seconds, load->noise_seconds);
    }
    if (load->row_cost == NULL || owned == 0) {
        return HALO_OK;
    }
    if (load->block_rows < 1) {
        return halo_fail(HALO_ARGUMENT, "rank %d's blocks of %" PRId64 " rows: at least 1", rank,
                         load->block_rows);
    }
    int64_t blocks = (owned + load->block_rows - 1) / load->block_rows;
    for (int64_t b = 0; b < blocks; b++) {
        if (!is_time((double)load->row_cost[b])) {
            return halo_fail(HALO_ARGUMENT,
                             "rank %d's block %" PRId64 " costs %g s a row: times must be finite "
                             "and at least 0",
                             rank, b, (double)load->row_cost[b]);
        }
    }
    return HALO_OK;
}

halo_status halo_balance_check(const halo_balance_input *input)
{
    int ranks = input->ranks;
    if (ranks < 1 || !halo_cuts_are_valid(input->cuts, ranks, input->cuts[ranks])) {
        return halo_fail(HALO_ARGUMENT, "cuts of %d ranks must rise from 0", ranks);
    }
    if (input->min_rows < 0) {
        return halo_fail(HALO_ARGUMENT, "at least %" PRId64 " rows a rank: not below 0",
                         input->min_rows);
    }
    if (!is_time(input->move_seconds_fixed) || !is_time(input->move_seconds_per_row)) {
        return halo_fail(HALO_ARGUMENT,
                         "a move of %g s and %g s a row: times must be finite and at least 0",
                         input->move_seconds_fixed, input->move_seconds_per_row);
    }
    for (int p = 0; p < ranks; p++) {
        HALO_TRY(check_load(&input->loads[p], p, input->cuts[p + 1] - input->cuts[p]));
    }
    return HALO_OK;
}

int64_t halo_balance_min_rows(const halo_balance_input *input)
{
    int64_t max = input->cuts[input->ranks] / input->ranks;
    return input->min_rows < max ? input->min_rows : max;
}

void halo_balance_widen(int64_t *cuts, int ranks, int64_t min)
{
    for (int p = 1; p < ranks; p++) {
        int64_t first = cuts[p - 1] + min;
        cuts[p] = cuts[p] > first ? cuts[p] : first;
    }
    for (int p = ranks - 1; p > 0; p--) {
        int64_t last = cuts[p + 1] - min;
        cuts[p] = cuts[p] < last ? cuts[p] : last;
    }
}

/* Rows that p owns before and after. */
static int64_t kept(const int64_t *before, const int64_t *after, int p)
{
    int64_t low = before[p] > after[p] ? before[p] : after[p];
    int64_t high = before[p + 1] < after[p + 1] ? before[p + 1] : after[p + 1];
    return high > low ? high - low : 0;
}

int64_t halo_cuts_moved(const int64_t *before, const int64_t *after, int ranks)
{
    int64_t moved = before[ranks];
    for (int p = 0; p < ranks; p++) {
        moved -= kept(before, after, p);
    }
    return moved;
}

int64_t halo_cuts_busiest(const int64_t *before, const int64_t *after, int ranks)
{
    int64_t busiest = 0;
    for (int p = 0; p < ranks; p++) {
        int64_t rows = before[p + 1] - before[p] + after[p + 1] - after[p];
        rows -= 2 * kept(before, after, p);
        busiest = rows > busiest ? rows : busiest;
    }
    return busiest;
}

double halo_load_imbalance(const double *seconds, int ranks)
{
    double last = 0, waited = 0;
    for (int p = 0; p < ranks; p++) {
        last = seconds[p] > last ? seconds[p] : last;
    }
    for (int p = 0; p < ranks; p++) {
        waited += last - seconds[p];
    }
    double share = ranks > 1 && last > 0 ? waited / ((ranks - 1) * last) : 0;
    return share < 1 ? share : 1; /* where all but one did nothing, rounding may exceed it */
}

void halo_decision_count(halo_decision *decision, const halo_balance_input *input, int64_t horizon,
                         const int64_t *planned)
{
    int64_t left = input->beats_left, each = input->beats_a_plan > 1 ? input->beats_a_plan : 1;
    int64_t far = horizon < INT64_MAX / each ? horizon * each : INT64_MAX;
    decision->beats = left >= 0 && left < far ? left : far;
    decision->rows = halo_cuts_moved(input->cuts, planned, input->ranks);
    int64_t busiest = halo_cuts_busiest(input->cuts, planned, input->ranks);
    double fixed = busiest > 0 ? input->move_seconds_fixed : 0;
    decision->move_seconds = fixed + input->move_seconds_per_row * (double)busiest;
    decision->max_rows = 0;
    for (int p = 1; p < input->ranks; p++) {
        int64_t flow = input->cuts[p] - planned[p]; /* from p - 1 to p */
        int64_t rows = flow < 0 ? -flow : flow;
        if (rows > decision->max_rows) {
            decision->max_rows = rows;
            decision->from = flow > 0 ? p - 1 : p;
            decision->to = flow > 0 ? p : p - 1;
        }
    }
    decision->reason = decision->max_rows > 0 ? HALO_REASON_GAIN : HALO_REASON_BEST;
}

void halo_decision_keep(halo_decision *decision, halo_reason reason,
                        const halo_balance_input *input, int64_t *planned)
{
    decision->reason = reason;
    memcpy(planned, input->cuts, ((size_t)input->ranks + 1) * sizeof *planned);
}

bool halo_decision_moves(const halo_decision *decision)
{
    return decision->reason == HALO_REASON_GAIN || decision->reason == HALO_REASON_CHANCE;
}

/* "41 ms", in the unit that leaves at most three digits before the point. */
static void write_seconds(double seconds, char text[32])
{
    static const struct {
        double min, scale;
        const char *unit;
    } units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
    double size = fabs(seconds);
    int i = 0;
    while (size < units[i].min) {
        i++;
    }
    snprintf(text, 32, "%.3g %s", seconds * units[i].scale, size > 0 ? units[i].unit : "s");
}

/* "1 row", "2 rows" */
static void write_count(int64_t count, const char *word, char text[32])
{
    snprintf(text, 32, "%" PRId64 " %s%s", count, word, count == 1 ? "" : "s");
}

static double gained(const halo_decision *decision)
{
    return decision->seconds_now - decision->seconds_planned;
}

/* "37 rows 2 -> 3", with the sum of all before it where others move, too. */
static void write_rows(const halo_decision *decision, char text[128])
{
    char all[32], max[32];
    write_count(decision->rows, "row", all);
    write_count(decision->max_rows, "row", max);
    if (decision->rows == decision->max_rows) {
        snprintf(text, 128, "%s %d -> %d", all, decision->from, decision->to);
    } else {
        snprintf(text, 128, "%s, at most %s %d -> %d", all, max, decision->from, decision->to);
    }
}

static void write_moved(const halo_decision *decision, const char *begin, char *text, size_t size)
{
    char rows[128], gain[32], beats[32], cost[32];
    write_rows(decision, rows);
    if (decision->reason == HALO_REASON_CHANCE) {
        snprintf(text, size, "%s %s", begin, rows);
        return;
    }
    write_seconds(gained(decision) * (double)decision->beats, gain);
    write_count(decision->beats, "beat", beats);
    write_seconds(decision->move_seconds, cost);
    bool priced = decision->move_seconds > 0;
    snprintf(text, size, "%s %s: gain %s over %s%s%s", begin, rows, gain, beats,
             priced ? " for " : ", moving not timed yet", priced ? cost : "");
}

static void write_cost(const halo_decision *decision, const char *begin, char *text, size_t size)
{
    char gain[32], beats[32], cost[32], rows[32];
    write_seconds(gained(decision) * (double)decision->beats, gain);
    write_count(decision->beats, "beat", beats);
    write_seconds(decision->move_seconds, cost);
    write_count(decision->rows, "row", rows);
    snprintf(text, size, "%s %s over %s %s %s for moving %s", begin, gain, beats,
             gained(decision) * (double)decision->beats < decision->move_seconds ? "below"
                                                                                 : "not above",
             cost, rows);
}

void halo_decision_write(const halo_decision *decision, char *text, size_t size)
{
    static const char *const begins[] = {
#define HALO_REASON_TEXT(code, text) [HALO_REASON_##code] = (text),
        HALO_REASON_LIST(HALO_REASON_TEXT)
#undef HALO_REASON_TEXT
    };
    const char *begin = begins[decision->reason];
    double planned = decision->seconds_planned;
    double percent = planned > 0 ? 100 * gained(decision) / planned : 0;
    if (halo_decision_moves(decision)) {
        write_moved(decision, begin, text, size);
    } else if (decision->reason == HALO_REASON_COST) {
        write_cost(decision, begin, text, size);
    } else if (decision->reason == HALO_REASON_SMALL) {
        snprintf(text, size, "%s %.1f %% below %.1f %%", begin, percent, 100 * decision->needed);
    } else if (decision->reason == HALO_REASON_NOISE) {
        snprintf(text, size, "%s %.1f %% below %.2g standard errors (%.1f %%)", begin, percent,
                 decision->errors, 100 * decision->needed);
    } else {
        snprintf(text, size, "%s", begin);
    }
}
