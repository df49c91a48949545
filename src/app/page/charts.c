#include "app/page/page_internal.h"
#include "app/report/facts.h"
#include "app/report/json_text.h"
#include "app/services/tasks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A chart of how each rank spent its time. */

enum {
    WIDTH = 1000,
    LABEL = 62,
    BAR = 18,
    THIN_BAR = 6,
    GAP = 4,
    AXIS = 22,
    LABELLED = 48, /* ranks that have bars with names */
    BARS = 256,    /* at most: of more ranks, every step-th has a bar */
    TICKS = 5
};

/* A part of a bar: the key of its seconds, its name, and its class. Without a key it is what the
 * others leave of the rank's total. */
typedef struct {
    const char *key, *name, *class;
} bar_part;

static const bar_part phases[] = {{"decode_seconds", "reading", "decode"},
                                  {"distribute_seconds", "distributing", "distribute"},
                                  {"compute_seconds", "computing", "compute"},
                                  {"merge_seconds", "merging", "merge"},
                                  {"exchange_seconds", "exchanging", "exchange"},
                                  {"vote_seconds", "voting", "vote"},
                                  {"balance_seconds", "balancing", "balance"},
                                  {"migrate_seconds", "moving rows", "migrate"},
                                  {"encode_seconds", "writing", "encode"},
                                  {"wait_seconds", "waiting", "wait"},
                                  {NULL, "other", "other"},
                                  {0}};
static const bar_part of_tasks[] = {{"working_seconds", "working on tasks", "working"},
                                    {"waiting_seconds", "waiting", "waiting"},
                                    {0}};

/* The data of a chart. */
typedef struct {
    page *p;
    const json_t *rows;
    const char *key; /* of the rows in the JSON; NULL: they are not in it */
    const bar_part *parts;
    double max; /* seconds of the longest bar */
    int step;   /* every step-th rank has a bar */
    int bar, height;
} bars;

static double number_of(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

static double seconds_of(const bars *b, const json_t *row, const bar_part *part)
{
    double rest = number_of(row, "total_seconds");
    for (const bar_part *other = b->parts; other->key != NULL; other++) {
        rest -= number_of(row, other->key);
    }
    return part->key != NULL ? number_of(row, part->key) : fmax(rest, 0);
}

static double sum_of(const bars *b, const json_t *row)
{
    double sum = 0;
    for (const bar_part *part = b->parts; part->name != NULL; part++) {
        sum += seconds_of(b, row, part);
    }
    return sum;
}

/* Has any rank spent time so? */
static bool is_used(const bars *b, const bar_part *part)
{
    size_t i;
    json_t *row;
    json_array_foreach((json_t *)b->rows, i, row)
    {
        if (seconds_of(b, row, part) > 0) {
            return true;
        }
    }
    return false;
}

/* 1, 2 or 5 times a power of ten, of which about TICKS make `max`. */
static double tick_of(double max)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(max / TICKS)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i] * power >= max / TICKS) {
            return steps[i] * power;
        }
    }
    return max;
}

static void put_axis(const bars *b)
{
    double tick = tick_of(b->max), scale = (WIDTH - LABEL) / b->max;
    for (int i = 0; i * tick <= b->max; i++) {
        double x = LABEL + i * tick * scale;
        bool last = x > WIDTH - LABEL;
        page_printf(b->p,
                    "<line class=\"axis\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"%d\"/>"
                    "<text x=\"%.2f\" y=\"%d\" text-anchor=\"%s\">%.6g s</text>\n",
                    x, x, b->height, x, b->height + AXIS - GAP, last ? "end" : "middle", i * tick);
    }
}

static void put_bar(const bars *b, int rank, int place)
{
    const json_t *row = json_array_get(b->rows, (size_t)rank);
    double x = LABEL, scale = (WIDTH - LABEL) / b->max;
    int y = place * (b->bar + GAP);
    if (b->bar == BAR) {
        page_printf(b->p, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">rank %d</text>", LABEL - 8,
                    y + BAR - GAP - 1, rank);
    }
    for (const bar_part *part = b->parts; part->name != NULL; part++) {
        double seconds = seconds_of(b, row, part);
        if (seconds > 0) {
            page_printf(b->p, "<rect class=\"%s\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\"",
                        part->class, x, y, seconds * scale, b->bar);
            if (b->key != NULL && part->key != NULL) {
                char value[APP_REAL_TEXT];
                app_real_text(seconds, value);
                page_printf(b->p, " data-key=\"%s.%d.%s\" data-value=\"%s\"", b->key, rank,
                            part->key, value);
            }
            page_printf(b->p, "><title>rank %d, %s: %.4g s</title></rect>\n", rank, part->name,
                        seconds);
            x += seconds * scale;
        }
    }
}

static void put_legend(const bars *b)
{
    page_put(b->p, "<ul class=\"legend\" aria-label=\"Colours of the bars\">");
    for (const bar_part *part = b->parts; part->name != NULL; part++) {
        if (is_used(b, part)) {
            page_printf(
                b->p,
                "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"%s\" "
                "width=\"12\" height=\"12\"/></svg>%s</li>",
                part->class, part->name);
        }
    }
    page_put(b->p, "</ul>\n");
}

/* False if nothing took any time. */
static bool put_bars(page *p, const json_t *rows, const char *key, const bar_part *parts,
                     const char *title)
{
    int ranks = (int)json_array_size(rows);
    bars b = {.p = p, .rows = rows, .key = key, .parts = parts};
    for (int r = 0; r < ranks; r++) {
        b.max = fmax(b.max, sum_of(&b, json_array_get(rows, (size_t)r)));
    }
    if (!(b.max > 0)) {
        return false;
    }
    b.step = (ranks + BARS - 1) / BARS;
    b.bar = ranks <= LABELLED ? BAR : THIN_BAR;
    int shown = (ranks + b.step - 1) / b.step;
    b.height = shown * (b.bar + GAP);
    put_legend(&b);
    page_printf(p,
                "<div class=\"wide\">\n<svg class=\"bars\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" role=\"img\" "
                "aria-label=\"%s of %d rank%s; the table below has the figures\">\n",
                WIDTH, b.height + AXIS, WIDTH, b.height + AXIS, title, ranks,
                ranks == 1 ? "" : "s");
    put_axis(&b);
    for (int i = 0; i < shown; i++) {
        put_bar(&b, i * b.step, i);
    }
    page_put(p, "</svg>\n</div>\n");
    if (b.step > 1) {
        page_printf(p, "<p class=\"faint\">One rank in %d of %d.</p>\n", b.step, ranks);
    }
    return true;
}

/* Do any ranks have rows? Those that have tasks have none. */
static bool have_rows(const json_t *ranks)
{
    size_t i;
    json_t *rank;
    json_array_foreach((json_t *)ranks, i, rank)
    {
        if (number_of(rank, "rows") > 0) {
            return true;
        }
    }
    return false;
}

/* Phases that no rank spent time in have no column. */
static void put_phases(page *p, const json_t *ranks)
{
    enum { COLUMNS = 16, TEXT = 40 };
    const bars b = {.p = p, .rows = ranks, .parts = phases};
    char text[COLUMNS][TEXT];
    app_column columns[COLUMNS] = {{"rank", "{rank}", 8}, {"rows", "{rows}", 8}};
    int count = have_rows(ranks) ? 2 : 1;
    for (const bar_part *part = phases; part->key != NULL; part++) {
        if (is_used(&b, part)) {
            snprintf(text[count], TEXT, "{%s%%.4f} s", part->key);
            columns[count] = (app_column){part->name, text[count], 8};
            count++;
        }
    }
    columns[count++] = (app_column){"in all", "{total_seconds%.4f} s", 8};
    columns[count] = (app_column){0};
    const app_listing listing = {.rows = "rank_table", .columns = columns};
    page_listing(p, &listing, ranks, "rank_table");
    page_put(p, "<p class=\"faint\">Other: what no phase counts, such as starting, checks, tasks, "
                "and what is reported.</p>\n");
}

/* Puts what the system tells of slow ranks: that one waited for a core, for instance. */
static void put_slowness(page *p, const json_t *slowness)
{
    size_t i, shown = 0;
    json_t *rank;
    json_array_foreach((json_t *)slowness, i, rank)
    {
        const char *text = json_string_value(json_object_get(rank, "text"));
        if (text != NULL && *text != '\0' && shown < LABELLED) {
            page_put(p, shown == 0 ? "<h3>What made ranks slow</h3>\n<ul>\n" : "");
            page_printf(p, "<li>rank %zu: ", i);
            page_text_in(p, "", text, "</li>\n");
            shown++;
        }
    }
    page_put(p, shown > 0 ? "</ul>\n" : "");
}

void page_times(page *p)
{
    const json_t *facts = p->from->facts, *ranks = json_object_get(facts, "rank_table");
    const json_t *reported = app_fact(facts, NULL, "tasks.ranks");
    const json_t *tasks = app_fact(facts, p->from->others, "tasks.ranks");
    if (ranks == NULL && tasks == NULL) {
        return;
    }
    page_begin(p, "time", "Where the time went");
    page_put(p, ranks != NULL && tasks != NULL ? "<h3>While there were tasks</h3>\n" : "");
    if (put_bars(p, tasks, reported != NULL ? "tasks.ranks" : NULL, of_tasks,
                 "Seconds of work and of waiting")) {
        const app_listing of = {.rows = "tasks.ranks", .columns = app_tasks_columns};
        page_listing(p, &of, tasks, reported != NULL ? "tasks.ranks" : NULL);
    }
    page_put(p, ranks != NULL && tasks != NULL ? "<h3>In the whole run</h3>\n" : "");
    if (ranks != NULL && put_bars(p, ranks, "rank_table", phases, "Seconds in each phase")) {
        put_phases(p, ranks);
    }
    put_slowness(p, app_fact(facts, NULL, "balance.slowness"));
    page_end(p);
}
