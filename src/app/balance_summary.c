#include "app/balance.h"
#include "app/lines.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_LINKS_SHOWN = 32 };

static bool is_measured(const halo_link *link)
{
    return link->neighbour >= 0 && link->latency_seconds > 0;
}

/* The ranks' links to the next strip, which name each link once, or of many the slowest. */
static void print_links(const app_balance *balance)
{
    int slowest = -1, measured = 0;
    for (int r = 0; r < balance->ranks; r++) {
        const halo_link *link = &balance->lines[r].links[HALO_HIGH];
        if (!is_measured(link)) {
            continue;
        }
        measured++;
        double most = slowest >= 0 ? balance->lines[slowest].links[HALO_HIGH].latency_seconds : 0;
        slowest = link->latency_seconds > most ? r : slowest;
    }
    for (int r = 0; r < balance->ranks; r++) {
        const halo_link *link = &balance->lines[r].links[HALO_HIGH];
        if (is_measured(link) && (measured <= MOST_LINKS_SHOWN || r == slowest)) {
            char speed[48] = "";
            if (link->bytes_per_second > 0) {
                snprintf(speed, sizeof speed, ", then %.3g MB/s", link->bytes_per_second / 1e6);
            }
            lines_printf("link", "rank %d to rank %d, the next: %.3g us one way%s%s", r,
                         link->neighbour, link->latency_seconds * 1e6, speed,
                         measured > MOST_LINKS_SHOWN ? "; all others take less (--json)" : "");
        }
    }
}

static void print_moves(const app_balance *balance, const halo_balance_report *report,
                        const char *unit)
{
    const char *name = balance->arguments->balancer;
    if (balance->ranks == 1) {
        lines_printf("balance", "%s: one rank, nothing to balance", name);
    } else if (report->plans == 0) {
        lines_printf("balance", "%s: no plan yet, too little was computed", name);
    } else {
        lines_printf("balance",
                     "%s: %" PRId64 " plan%s, %" PRId64 " move%s of %" PRId64
                     " %s%s in all; imbalance (IDC) %.1f %% at the last plan",
                     name, report->plans, report->plans == 1 ? "" : "s", report->moves,
                     report->moves == 1 ? "" : "s", report->rows_moved, unit,
                     report->rows_moved == 1 ? "" : "s", 100 * report->imbalance);
    }
}

static double bytes_moved(const app_balance *balance)
{
    double sum = 0;
    for (int r = 0; r < balance->ranks; r++) {
        sum += balance->lines[r].bytes_moved;
    }
    return sum;
}

void app_balance_print(const app_balance *balance, const char *unit, bool verbose)
{
    if (balance->balancing != NULL) {
        halo_balance_report report = halo_balancing_report(balance->balancing);
        print_moves(balance, &report, unit);
        if (verbose && report.plans > 0) {
            lines_printf("balancing",
                         "planning %.4f s and moving %.4f s on rank 0; %.0f bytes moved in all",
                         report.plan_seconds, report.move_seconds, bytes_moved(balance));
            print_links(balance);
        }
    }
    if (verbose || balance->balancing != NULL) {
        imbalance_diagnosis_print(balance->lines->slowness, sizeof *balance->lines, balance->ranks);
    }
}

static json_t *seconds_or_null(double seconds)
{
    return seconds >= 0 ? json_real(seconds) : json_null();
}

static json_t *json_of_slowness(const app_balance *balance)
{
    json_t *array = json_array();
    for (int r = 0; r < balance->ranks; r++) {
        const balance_line *line = &balance->lines[r];
        const halo_os_noise *spent = &line->spent;
        json_array_append_new(
            array, json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "rank", r, "text",
                             line->slowness, "on_core_seconds", seconds_or_null(spent->on_core),
                             "no_core_seconds", seconds_or_null(spent->runnable),
                             "machine_waiting_seconds", seconds_or_null(spent->machine_waiting),
                             "throttled_seconds", seconds_or_null(spent->throttled),
                             "stolen_seconds", seconds_or_null(spent->stolen), "quota_cores",
                             seconds_or_null(spent->quota), "cores", spent->cores));
    }
    return array;
}

static json_t *json_of_links(const app_balance *balance)
{
    static const char *const ends[] = {
        [HALO_LOW] = "before", [HALO_HIGH] = "next"}; /* strips, by their rows */
    json_t *array = json_array();
    for (int r = 0; r < balance->ranks; r++) {
        for (int end = 0; end < HALO_ENDS; end++) {
            const halo_link *link = &balance->lines[r].links[end];
            if (is_measured(link)) {
                json_t *speed =
                    link->bytes_per_second > 0 ? json_real(link->bytes_per_second) : json_null();
                json_array_append_new(
                    array, json_pack("{s:i, s:i, s:s, s:f, s:o}", "rank", r, "neighbour",
                                     link->neighbour, "strip", ends[end], "latency_seconds",
                                     link->latency_seconds, "bytes_per_second", speed));
            }
        }
    }
    return array;
}

json_t *app_balance_json(const app_balance *balance)
{
    json_t *slowness = json_of_slowness(balance);
    if (balance->balancing == NULL) {
        return json_pack("{s:s, s:o}", "name", "none", "slowness", slowness);
    }
    halo_balance_report report = halo_balancing_report(balance->balancing);
    return json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:o, s:o}", "name",
                     balance->arguments->balancer, "plans", (json_int_t)report.plans, "moves",
                     (json_int_t)report.moves, "rows_moved", (json_int_t)report.rows_moved,
                     "bytes_moved", bytes_moved(balance), "idc", report.imbalance, "plan_seconds",
                     report.plan_seconds, "move_seconds", report.move_seconds, "links",
                     json_of_links(balance), "slowness", slowness);
}
