#include "app/page/page_internal.h"

#include <math.h>

/* When boundaries moved, and why: balance.decisions of the JSON (app/services/decisions.h). */

enum {
    WIDTH = 1000,
    HEIGHT = 260,
    LEFT = 62,
    RIGHT = 10,
    TOP = 8,
    BOTTOM = 24,
    TICKS = 5,
    NAMED = 16, /* strips that have their rank's name in them */
    LISTED = 24 /* boundaries of a row of the table */
};

/* A chart of one axis of the domain. */
typedef struct {
    page *p;
    const json_t *decisions;
    int64_t axis, rows, from, to; /* beats */
    bool alone;                   /* no other axis is cut */
    size_t parts;
} chart;

static int64_t integer_of(const json_t *object, const char *key)
{
    return (int64_t)json_integer_value(json_object_get(object, key));
}

static int64_t cut_of(const json_t *decision, const char *which, size_t part)
{
    return (int64_t)json_integer_value(json_array_get(json_object_get(decision, which), part));
}

static bool has_moved(const json_t *decision)
{
    return integer_of(decision, "rows_moved") > 0;
}

/* The first decision about the axis, or NULL. */
static const json_t *first_of(const json_t *decisions, int64_t axis)
{
    const json_t *decision;
    for (size_t i = 0; (decision = json_array_get(decisions, i)) != NULL; i++) {
        if (integer_of(decision, "axis") == axis) {
            return decision;
        }
    }
    return NULL;
}

static double x_of(const chart *c, int64_t beat)
{
    double share = (double)(beat - c->from) / (double)(c->to - c->from);
    return LEFT + fmin(fmax(share, 0), 1) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const chart *c, int64_t row)
{
    return TOP + (double)row / (double)c->rows * (HEIGHT - TOP - BOTTOM);
}

/* The boundary below `part` parts, a step at each move, from left to right or back. */
static void put_boundary(const chart *c, size_t part, bool back)
{
    size_t count = json_array_size(c->decisions);
    const char *before = back ? "after" : "before", *after = back ? "before" : "after";
    int64_t cut = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *decision = json_array_get(c->decisions, back ? count - 1 - i : i);
        if (integer_of(decision, "axis") != c->axis) {
            continue;
        }
        double x = x_of(c, integer_of(decision, "beat"));
        int64_t first = cut_of(decision, before, part);
        cut = cut_of(decision, after, part);
        page_printf(c->p, "%.2f,%.2f %.2f,%.2f ", x, y_of(c, first), x, y_of(c, cut));
    }
}

/* From the run's beginning to its end. */
static void put_edge(const chart *c, size_t part, bool back)
{
    const json_t *first = NULL, *last = NULL, *decision;
    for (size_t i = 0; (decision = json_array_get(c->decisions, i)) != NULL; i++) {
        if (integer_of(decision, "axis") == c->axis) {
            first = first != NULL ? first : decision;
            last = decision;
        }
    }
    double begin = y_of(c, cut_of(first, "before", part)),
           end = y_of(c, cut_of(last, "after", part));
    page_printf(c->p, "%.2f,%.2f ", x_of(c, back ? c->to : c->from), back ? end : begin);
    put_boundary(c, part, back);
    page_printf(c->p, "%.2f,%.2f ", x_of(c, back ? c->from : c->to), back ? begin : end);
}

static void put_strips(const chart *c)
{
    for (size_t part = 0; part < c->parts; part++) {
        page_printf(c->p, "<polygon class=\"strip-%zu\" points=\"", part % 2);
        put_edge(c, part, false);
        put_edge(c, part + 1, true);
        page_put(c->p, "\"/>\n");
    }
    for (size_t part = 1; part < c->parts; part++) {
        page_put(c->p, "<polyline class=\"cut\" points=\"");
        put_edge(c, part, false);
        page_put(c->p, "\"/>\n");
    }
    const json_t *first = first_of(c->decisions, c->axis);
    for (size_t part = 0; part < c->parts && c->parts <= NAMED; part++) {
        double middle =
            (y_of(c, cut_of(first, "before", part)) + y_of(c, cut_of(first, "before", part + 1))) /
            2;
        page_printf(c->p, "<text x=\"%d\" y=\"%.2f\">%zu</text>\n", LEFT + 6, middle + 4, part);
    }
}

static void put_moves(const chart *c)
{
    size_t i;
    json_t *decision;
    json_array_foreach((json_t *)c->decisions, i, decision)
    {
        if (has_moved(decision) && integer_of(decision, "axis") == c->axis) {
            double x = x_of(c, integer_of(decision, "beat"));
            page_printf(c->p,
                        "<line class=\"moved\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"><title>",
                        x, TOP, x, HEIGHT - BOTTOM);
            page_printf(c->p, "beat %lld: ", (long long)integer_of(decision, "beat"));
            page_text_in(c->p, "", json_string_value(json_object_get(decision, "text")),
                         "</title></line>\n");
        }
    }
}

static void put_axes(const chart *c)
{
    for (int i = 0; i <= TICKS; i++) {
        int64_t beat = c->from + (c->to - c->from) * i / TICKS, row = c->rows * i / TICKS;
        page_printf(c->p, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"%s\">%s%lld</text>\n",
                    x_of(c, beat), HEIGHT - 6, i == TICKS ? "end" : "middle", i == 0 ? "beat " : "",
                    (long long)beat);
        page_printf(c->p, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%s%lld</text>\n", LEFT - 8,
                    y_of(c, row) + 4,
                    i > 0      ? ""
                    : c->alone ? "row "
                               : "cell ",
                    (long long)row);
    }
}

static bool is_alone(const json_t *decisions)
{
    bool alone = true;
    size_t i;
    json_t *decision;
    json_array_foreach((json_t *)decisions, i, decision)
    {
        alone = alone &&
                integer_of(decision, "axis") == integer_of(json_array_get(decisions, 0), "axis");
    }
    return alone;
}

static void put_chart(page *p, const json_t *decisions, int64_t axis)
{
    const json_t *facts = p->from->facts, *first = first_of(decisions, axis);
    size_t parts = json_array_size(json_object_get(first, "before"));
    if (parts < 2) {
        return;
    }
    /* Some commands count the beats before a checkpoint, too. */
    const json_t *now = json_object_get(facts, "beat");
    int64_t done = integer_of(facts, now != NULL ? "beats_computed" : "beats");
    chart c = {.p = p, .decisions = decisions, .axis = axis, .parts = parts - 1};
    c.rows = cut_of(first, "before", parts - 1);
    c.to = now != NULL ? (int64_t)json_integer_value(now) : done;
    c.from = c.to - done;
    if (c.to <= c.from || c.rows <= 0) {
        return;
    }
    c.alone = is_alone(decisions);
    if (!c.alone) {
        page_printf(p, "<h3>Axis %lld</h3>\n", (long long)axis);
    }
    page_printf(p,
                "<div class=\"wide\">\n<svg class=\"boundaries\" viewBox=\"0 0 %d %d\" "
                "width=\"%d\" height=\"%d\" "
                "role=\"img\" aria-label=\"Boundaries between %zu parts of axis %lld over the "
                "beats; the table below has the figures\">\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT, c.parts, (long long)axis);
    put_strips(&c);
    put_moves(&c);
    put_axes(&c);
    page_put(p, "</svg>\n</div>\n");
}

static void put_cuts(page *p, const json_t *cuts)
{
    size_t count = json_array_size(cuts);
    page_put(p, "<td class=\"long\">");
    for (size_t i = 0; i < count && i < LISTED; i++) {
        page_printf(p, "%s%lld", i > 0 ? ", " : "",
                    (long long)json_integer_value(json_array_get(cuts, i)));
    }
    page_put(p, count > LISTED ? ", ...</td>" : "</td>");
}

static void put_decision(page *p, const json_t *decision, size_t number)
{
    static const char *const integers[] = {"beat", "rows_moved"};
    page_put(p, "<tr>");
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
        page_printf(p, "<td class=\"n\" data-key=\"balance.decisions.%zu.%s\">%lld</td>", number,
                    integers[k], (long long)integer_of(decision, integers[k]));
    }
    page_printf(p, "<td class=\"n\" data-key=\"balance.decisions.%zu.seconds\">%.4f s</td>", number,
                json_number_value(json_object_get(decision, "seconds")));
    page_printf(p,
                "<td class=\"n\" data-key=\"balance.decisions.%zu.idc\" data-factor=\"100\">%.2f "
                "%%</td>",
                number, 100 * json_number_value(json_object_get(decision, "idc")));
    page_text_in(p, "<td class=\"long\">", json_string_value(json_object_get(decision, "text")),
                 "</td>");
    put_cuts(p, json_object_get(decision, "before"));
    put_cuts(p, json_object_get(decision, "after"));
    page_put(p, "</tr>\n");
}

static void put_table(page *p, const json_t *decisions, bool moved)
{
    page_put(p, "<div class=\"wide\"><table><thead><tr><th scope=\"col\" class=\"n\">beat</th>"
                "<th scope=\"col\" class=\"n\">rows moved</th>"
                "<th scope=\"col\" class=\"n\">time</th>"
                "<th scope=\"col\" class=\"n\">imbalance (IDC)</th><th scope=\"col\">why</th>"
                "<th scope=\"col\">boundaries before</th><th scope=\"col\">boundaries "
                "after</th></tr></thead>"
                "<tbody>\n");
    size_t i;
    json_t *decision;
    json_array_foreach((json_t *)decisions, i, decision)
    {
        if (!moved || has_moved(decision)) {
            put_decision(p, decision, i);
        }
    }
    page_put(p, "</tbody></table></div>\n");
}

/* Explains the charts. */
static void put_key(page *p, size_t moves, size_t count)
{
    page_put(p, "<p class=\"faint\">What each rank has, over the beats: strips with the numbers of "
                "ranks or parts. Dashed lines are moves.</p>\n");
    if (moves == 0) {
        page_printf(p, "<p>No boundary moved in %zu decision%s.</p>\n", count,
                    count == 1 ? "" : "s");
    }
}

void page_boundaries(page *p)
{
    const json_t *balance = json_object_get(p->from->facts, "balance");
    const json_t *decisions = json_object_get(balance, "decisions");
    int64_t left_out = integer_of(balance, "decisions_left_out");
    size_t count = json_array_size(decisions), moves = 0;
    if (count == 0) {
        return;
    }
    page_begin(p, "boundaries", "When boundaries moved, and why");
    for (size_t i = 0; i < count; i++) {
        moves += has_moved(json_array_get(decisions, i));
    }
    for (int64_t axis = 0; axis < HALO_AXES; axis++) {
        put_chart(p, decisions, axis);
    }
    put_key(p, moves, count);
    if (left_out > 0) {
        page_printf(p, "<p class=\"faint\">%lld more decisions are left out.</p>\n",
                    (long long)left_out);
    }
    if (moves > 0) {
        put_table(p, decisions, true);
    }
    if (moves < count) { /* open where there is nothing else to see */
        page_printf(p, "<details%s><summary>All decisions (%zu)</summary>\n",
                    moves == 0 ? " open" : "", count);
        put_table(p, decisions, false);
        page_put(p, "</details>\n");
    }
    page_end(p);
}
