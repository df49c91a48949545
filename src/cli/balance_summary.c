#include "cli/balance.h"

#include <inttypes.h>
#include <stdio.h>

static void print_links(const halo_balance_report *report)
{
    static const char *const ends[] = {"below", "above"};
    for (int end = 0; end < HALO_LINK_ENDS; end++) {
        const halo_link *link = &report->links[end];
        if (link->neighbour >= 0 && link->latency_seconds > 0) {
            printf("link       rank 0 to rank %d, %s: %.3g us", link->neighbour, ends[end],
                   link->latency_seconds * 1e6);
            if (link->bytes_per_second > 0) {
                printf(", %.3g MB/s", link->bytes_per_second / 1e6);
            }
            printf("\n");
        }
    }
}

void cli_balance_print(const cli_balance *balance, bool verbose)
{
    if (balance->balancing != NULL) {
        halo_balance_report report = halo_balancing_report(balance->balancing);
        printf("balance    %s: %" PRId64 " plan%s, %" PRId64 " move%s of %" PRId64
               " rows in all; imbalance (IDC) %.1f %% at the last plan\n",
               balance->arguments->balancer, report.plans, report.plans == 1 ? "" : "s",
               report.moves, report.moves == 1 ? "" : "s", report.rows_moved,
               100 * report.imbalance);
        if (verbose) {
            printf("balancing  planning %.4f s, moving %.4f s and %.0f bytes, on rank 0\n",
                   report.plan_seconds, report.move_seconds, report.bytes_moved);
            print_links(&report);
        }
    }
    bool tells = verbose || balance->balancing != NULL;
    for (int r = 0; tells && r < balance->ranks; r++) {
        if (balance->explained[r].text[0] != '\0') {
            printf("slowness   rank %d: %s\n", r, balance->explained[r].text);
        }
    }
}

static json_t *seconds_or_null(double seconds)
{
    return seconds >= 0 ? json_real(seconds) : json_null();
}

static json_t *json_of_slowness(const cli_balance *balance)
{
    json_t *array = json_array();
    for (int r = 0; r < balance->ranks; r++) {
        const balance_explained *explained = &balance->explained[r];
        const halo_pressure *spent = &explained->spent;
        json_array_append_new(
            array, json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "rank", r, "text",
                             explained->text, "on_core_seconds", seconds_or_null(spent->on_core),
                             "no_core_seconds", seconds_or_null(spent->runnable),
                             "machine_waiting_seconds", seconds_or_null(spent->machine_waiting),
                             "throttled_seconds", seconds_or_null(spent->throttled),
                             "stolen_seconds", seconds_or_null(spent->stolen), "quota_cores",
                             seconds_or_null(spent->quota), "cores", spent->cores));
    }
    return array;
}

json_t *cli_balance_json(const cli_balance *balance)
{
    json_t *slowness = json_of_slowness(balance);
    if (balance->balancing == NULL) {
        return json_pack("{s:s, s:o}", "name", "none", "slowness", slowness);
    }
    halo_balance_report report = halo_balancing_report(balance->balancing);
    return json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:o}", "name",
                     balance->arguments->balancer, "plans", (json_int_t)report.plans, "moves",
                     (json_int_t)report.moves, "rows_moved", (json_int_t)report.rows_moved, "idc",
                     report.imbalance, "plan_seconds", report.plan_seconds, "move_seconds",
                     report.move_seconds, "slowness", slowness);
}
