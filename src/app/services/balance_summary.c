#include "app/report/lines.h"
#include "app/services/balance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINKS_SHOWN = 32, MAX_SPANS = 6, RANKS_TEXT = 160 };

/* ---- what made ranks slow -------------------------------------------------------------------- */

static const char digits[] = "0123456789";

/* A number's length at `text`: digits, and more behind a point. 0 if there is none. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, digits);
    if (length > 0 && text[length] == '.') {
        size_t more = strspn(text + length + 1, digits);
        length += more > 0 ? 1 + more : 0;
    }
    return length;
}

/* Do two texts differ by their numbers at most? */
static bool alike(const char *a, const char *b)
{
    while (*a != '\0' || *b != '\0') {
        size_t in_a = number_length(a), in_b = number_length(b);
        if ((in_a > 0) != (in_b > 0) || (in_a == 0 && *a != *b)) {
            return false;
        }
        a += in_a > 0 ? in_a : 1;
        b += in_b > 0 ? in_b : 1;
    }
    return true;
}

/* The text of number `which` of a text that has that many. */
static const char *number_at(const char *text, int which)
{
    for (;; which--) {
        text += strcspn(text, digits);
        if (which == 0) {
            return text;
        }
        text += number_length(text);
    }
}

typedef struct {
    const char *lines;
    size_t stride;
    int ranks;
    unsigned char *printed; /* [ranks] */
    unsigned char *chosen;  /* [ranks] those of this line */
} diagnosis;

static const char *text_of(const diagnosis *t, int rank)
{
    return t->lines + (size_t)rank * t->stride;
}

/* A number of the chosen ranks' texts: "3" or, from the minimum to the maximum, "3 to 5". */
static void append_span(const diagnosis *t, int which, char *out, size_t size)
{
    const char *min = NULL, *max = NULL;
    for (int r = 0; r < t->ranks; r++) {
        if (t->chosen[r] != 0) {
            const char *number = number_at(text_of(t, r), which);
            min = min == NULL || strtod(number, NULL) < strtod(min, NULL) ? number : min;
            max = max == NULL || strtod(number, NULL) > strtod(max, NULL) ? number : max;
        }
    }
    if (min == NULL) {
        return;
    }
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%.*s", (int)number_length(min), min);
    if (strtod(max, NULL) > strtod(min, NULL)) {
        used = strlen(out);
        snprintf(out + used, size - used, " to %.*s", (int)number_length(max), max);
    }
}

/* The next span of chosen ranks from *from on; false if there is none. */
static bool next_span(const unsigned char *chosen, int ranks, int *from, int *to)
{
    while (*from < ranks && chosen[*from] == 0) {
        ++*from;
    }
    *to = *from;
    while (*to + 1 < ranks && chosen[*to + 1] != 0) {
        ++*to;
    }
    return *from < ranks;
}

/* Which ranks, of those where chosen[i] is not 0: "rank 3", or "ranks 0 to 4, 7 and 9"; of many
 * spans the first and a count. */
static void print_ranks(const unsigned char *chosen, int ranks, char text[RANKS_TEXT])
{
    int spans = 0, count = 0, to;
    for (int from = 0; next_span(chosen, ranks, &from, &to); from = to + 1) {
        spans++;
        count += to - from + 1;
    }
    int shown = 0, left = count;
    snprintf(text, RANKS_TEXT, "rank%s", count == 1 ? "" : "s");
    for (int from = 0; next_span(chosen, ranks, &from, &to) && shown < MAX_SPANS; from = to + 1) {
        size_t used = strlen(text);
        const char *before = shown == 0 ? " " : shown + 1 == spans ? " and " : ", ";
        used += (size_t)snprintf(text + used, RANKS_TEXT - used, "%s%d", before, from);
        if (to > from) {
            snprintf(text + used, RANKS_TEXT - used, " to %d", to);
        }
        left -= to - from + 1;
        shown++;
    }
    if (left > 0) {
        size_t used = strlen(text);
        snprintf(text + used, RANKS_TEXT - used, " and %d more", left);
    }
}

static void print_chosen(const diagnosis *t, const char *text)
{
    char line[RANKS_TEXT + 2 * IMBALANCE_DIAGNOSIS_TEXT], ranks[RANKS_TEXT];
    print_ranks(t->chosen, t->ranks, ranks);
    snprintf(line, sizeof line, "%s: ", ranks);
    for (int numbers = 0; *text != '\0';) {
        size_t number = number_length(text);
        if (number > 0) {
            append_span(t, numbers++, line, sizeof line);
            text += number;
        } else {
            size_t used = strlen(line), plain = strcspn(text, digits);
            snprintf(line + used, sizeof line - used, "%.*s", (int)plain, text);
            text += plain;
        }
    }
    lines_print("slowness", line);
}

void imbalance_diagnosis_print(const char *lines, size_t stride, int ranks)
{
    diagnosis t = {.lines = lines,
                   .stride = stride,
                   .ranks = ranks,
                   .printed = calloc((unsigned)ranks, 1),
                   .chosen = calloc((unsigned)ranks, 1)};
    for (int r = 0; t.printed != NULL && t.chosen != NULL && r < ranks; r++) {
        if (t.printed[r] != 0 || *text_of(&t, r) == '\0') {
            continue;
        }
        for (int other = 0; other < ranks; other++) {
            t.chosen[other] = other >= r && t.printed[other] == 0 && *text_of(&t, other) != '\0' &&
                              alike(text_of(&t, r), text_of(&t, other));
            t.printed[other] |= t.chosen[other];
        }
        print_chosen(&t, text_of(&t, r));
    }
    free(t.printed);
    free(t.chosen);
}

/* ---- the summary ----------------------------------------------------------------------------- */

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
        double max = slowest >= 0 ? balance->lines[slowest].links[HALO_HIGH].latency_seconds : 0;
        slowest = link->latency_seconds > max ? r : slowest;
    }
    for (int r = 0; r < balance->ranks; r++) {
        const halo_link *link = &balance->lines[r].links[HALO_HIGH];
        if (is_measured(link) && (measured <= MAX_LINKS_SHOWN || r == slowest)) {
            char speed[48] = "";
            if (link->bytes_per_second > 0) {
                snprintf(speed, sizeof speed, ", then %.3g MB/s", link->bytes_per_second / 1e6);
            }
            lines_printf("link", "rank %d to rank %d, the next: %.3g us one way%s%s", r,
                         link->neighbour, link->latency_seconds * 1e6, speed,
                         measured > MAX_LINKS_SHOWN ? "; all others take less (--json)" : "");
        }
    }
}

const char *app_balance_obstacle(const app_balance *balance)
{
    if (balance->balancing == NULL) {
        return NULL;
    }
    return balance->ranks == 1 ? "one rank, nothing to balance"
           : halo_balancing_get_report(balance->balancing).plans == 0
               ? "no plan: the run ended before the first was due"
               : NULL;
}

void app_balance_print(const app_balance *balance, bool verbose)
{
    if (verbose && balance->balancing != NULL &&
        halo_balancing_get_report(balance->balancing).plans > 0) {
        print_links(balance);
    }
    if (verbose || balance->balancing != NULL) {
        imbalance_diagnosis_print(balance->lines->diagnosis, sizeof *balance->lines,
                                  balance->ranks);
    }
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static double bytes_moved(const app_balance *balance)
{
    double sum = 0;
    for (int r = 0; r < balance->ranks; r++) {
        sum += balance->lines[r].bytes_moved;
    }
    return sum;
}

static json_t *seconds_or_null(double seconds)
{
    return seconds >= 0 ? json_real(seconds) : json_null();
}

static json_t *json_of_diagnosis(const app_balance *balance)
{
    json_t *array = json_array();
    for (int r = 0; r < balance->ranks; r++) {
        const balance_line *line = &balance->lines[r];
        const halo_os_noise *spent = &line->spent;
        json_array_append_new(
            array, json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "rank", r, "text",
                             line->diagnosis, "on_core_seconds", seconds_or_null(spent->on_core),
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
    json_t *causes = json_of_diagnosis(balance);
    if (balance->balancing == NULL) {
        return json_pack("{s:s, s:o}", "name", "none", "slowness", causes);
    }
    halo_balance_report report = halo_balancing_get_report(balance->balancing);
    return json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:I}", "name",
                     balance->arguments->balancer, "plans", (json_int_t)report.plans, "moves",
                     (json_int_t)report.moves, "rows_moved", (json_int_t)report.rows_moved,
                     "bytes_moved", bytes_moved(balance), "idc", report.imbalance, "plan_seconds",
                     report.plan_seconds, "move_seconds", report.move_seconds, "links",
                     json_of_links(balance), "slowness", causes, "decisions",
                     app_decisions_json(&balance->decisions), "decisions_left_out",
                     (json_int_t)balance->decisions.left_out);
}
