#include "app/report/facts.h"
#include "app/report/report.h"
#include "cli/bench/decomposition.h"

#include <stdio.h>
#include <string.h>

/* ---- the tables ------------------------------------------------------------------------------ */

static const app_column columns[] = {{"size", "{size}", -11},
                                     {"ranks", "{ranks}", 5},
                                     {"parts", "{parts}", -6},
                                     {"depth", "{depth}", 5},
                                     {"mode", "{mode}", -10},
                                     {"us/beat", "{1e6*seconds%.1f}", 8},
                                     {"low", "{1e6*low_quartile%.1f}", 8},
                                     {"high", "{1e6*high_quartile%.1f}", 8},
                                     {"comp", "{1e6*compute_seconds%.1f}", 8},
                                     {"exch", "{1e6*exchange_seconds%.1f}", 7},
                                     {"vote", "{1e6*vote_seconds%.1f}", 7},
                                     {"wait", "{1e6*wait_seconds%.1f}", 8},
                                     {"msgs", "{messages%.1f}", 6},
                                     {"KB", "{1e-3*bytes%.1f}", 8},
                                     {"s/v %", "{100*surface_to_volume%.2f}", 6},
                                     {"model", "{1e6*predicted_seconds%.1f}", 8},
                                     {"err %", "{100*prediction_error%.0f}", 5},
                                     {"best", "{best}", -4},
                                     {0}};

static json_t *row_of(const bench_cut *cut)
{
    const bench_item *item = cut->item;
    const double *mean = cut->mean;
    return json_pack(
        "{s:s, s:s, s:i, s:s, s:s, s:i, s:s, s:I, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
        "s:f, s:f, s:o, s:o, s:o, s:s}",
        "kernel", cut->kernel, "size", cut->size, "ranks", item->ranks, "shape", cut->shape,
        "parts", cut->parts, "depth", cut->setting.depth, "mode", cut->setting.mode, "beats",
        (json_int_t)item->times, "repeats", item->repeats, "seconds", item->spread.median,
        "low_quartile", item->spread.low, "high_quartile", item->spread.high, "deviation",
        item->spread.deviation, "compute_seconds", mean[BENCH_COMPUTE], "exchange_seconds",
        mean[BENCH_EXCHANGE], "vote_seconds", mean[BENCH_VOTE], "wait_seconds", mean[BENCH_WAIT],
        "messages", mean[BENCH_MESSAGES], "bytes", mean[BENCH_BYTES], "surface_to_volume",
        app_fact_real(cut->predicted.surface, true), "predicted_seconds",
        app_fact_real(cut->predicted.seconds, true), "prediction_error",
        app_fact_real(cut->error, true), "best", cut->best);
}

static const app_column forecast_columns[] = {{"size", "{size}", -11},
                                              {"ranks", "{ranks}", 7},
                                              {"strips us", "{1e6*strips_seconds%.2f}", 10},
                                              {"blocks us", "{1e6*blocks_seconds%.2f}", 10},
                                              {"blocks", "{blocks_parts}", -10},
                                              {"strips/blocks", "{gain%.2f}", 13},
                                              {0}};

static json_t *forecasts_of(const bench_outlook *outlook)
{
    json_t *rows = json_array();
    for (int e = 0; outlook->known && e <= BENCH_MAX_EXPONENT; e++) {
        const bench_forecast *at = &outlook->at[e];
        json_array_append_new(
            rows, json_pack("{s:s, s:i, s:o, s:o, s:s, s:o}", "size", outlook->size, "ranks",
                            at->ranks, "strips_seconds", app_fact_real(at->strips_seconds, true),
                            "blocks_seconds", app_fact_real(at->blocks_seconds, true),
                            "blocks_parts", at->parts, "gain", app_fact_real(at->gain, true)));
    }
    return rows;
}

/* ---- who wins -------------------------------------------------------------------------------- */

static const app_line winner_lines[] = {
    {.name = "winner",
     .text = "{size}, {ranks} rank{s:ranks}: {winner.shape} {winner.parts}, depth {winner.depth}, "
             "{winner.mode}: {1e6*winner.seconds%.1f} us a beat{others}"},
    {.name = "", .text = "the best {faster} are {gain%.2f} times as fast as the best {slower}"},
    {.name = "",
     .text = "strips and blocks: no real difference (by the medians blocks take {percent%+.1f} %)"},
    {0}};

/* The same, in a table. */
static const app_column winner_columns[] = {{"size", "{size}", -11},
                                            {"ranks", "{ranks}", 5},
                                            {"shape", "{winner.shape}", -6},
                                            {"parts", "{winner.parts}", -8},
                                            {"depth", "{winner.depth}", 5},
                                            {"mode", "{winner.mode}", -10},
                                            {"us/beat", "{1e6*winner.seconds%.1f}", 9},
                                            {0}};

/* The names of a cut among those of one size and number of ranks. */
static json_t *json_of_cut(const bench_cut *cut)
{
    return cut == NULL ? json_null()
                       : json_pack("{s:s, s:s, s:i, s:s, s:f}", "shape", cut->shape, "parts",
                                   cut->parts, "depth", cut->setting.depth, "mode",
                                   cut->setting.mode, "seconds", cut->item->spread.median);
}

static json_t *json_of_winner(const bench_cuts *all, const bench_winner *winner)
{
    json_t *equals = json_array();
    for (int i = winner->first; i < winner->first + winner->count; i++) {
        if (strcmp(all->cuts[i].best, "same") == 0) {
            json_array_append_new(equals, json_of_cut(&all->cuts[i]));
        }
    }
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:b}", "size", winner->best->size, "ranks",
                     winner->best->item->ranks, "winner", json_of_cut(winner->best),
                     "not_really_slower", equals, "best_strips", json_of_cut(winner->strips),
                     "best_blocks", json_of_cut(winner->blocks), "strips_and_blocks_differ",
                     (int)winner->differ);
}

/* "; not really faster than ..." */
static void name_others(const json_t *winner, char *out, size_t size)
{
    static const app_line name = {.text = "{shape} {parts}, depth {depth}, {mode}"};
    const char *before = "; not really faster than ";
    size_t i, used = 0;
    json_t *cut;
    out[0] = '\0';
    json_array_foreach(json_object_get(winner, "not_really_slower"), i, cut)
    {
        char text[2 * BENCH_TEXT_SIZE];
        app_line_text(&name, cut, NULL, text, sizeof text);
        snprintf(out + used, size - used, "%s%s", before, text);
        used = strlen(out);
        before = "; ";
    }
}

static void print_winner(const json_t *winner)
{
    enum { OTHERS_SIZE = 512 };
    char others[OTHERS_SIZE];
    const json_t *strips = app_fact(winner, NULL, "best_strips.seconds");
    const json_t *blocks = app_fact(winner, NULL, "best_blocks.seconds");
    name_others(winner, others, sizeof others);
    json_t *texts = json_pack("{s:s}", "others", others);
    if (strips != NULL && blocks != NULL) {
        double ratio = json_real_value(strips) / json_real_value(blocks);
        bool blocks_win = ratio > 1;
        if (json_is_true(json_object_get(winner, "strips_and_blocks_differ"))) {
            json_object_set_new(texts, "gain", json_real(blocks_win ? ratio : 1 / ratio));
            json_object_set_new(texts, "faster", json_string(blocks_win ? "blocks" : "strips"));
            json_object_set_new(texts, "slower", json_string(blocks_win ? "strips" : "blocks"));
        } else {
            json_object_set_new(texts, "percent", json_real(100 * (1 / ratio - 1)));
        }
    }
    app_lines_print(winner_lines, winner, texts, false);
    json_decref(texts);
}

/* ---- what would be with more ranks ----------------------------------------------------------- */

static const app_line model_lines[] = {
    {.name = "model",
     .text = "{unknown}: needs measurements of 2 ranks or more, and a kernel that beats"},
    {.name = "model",
     .text = "{size}, depth {depth}: a cell takes {1e9*machine.cell_seconds%.3f} ns, a message "
             "{1e6*machine.message_seconds%.2f} us and {1e9*machine.byte_seconds%.3f} ns a byte, "
             "posting {1e6*machine.post_seconds%.2f} us, packing "
             "{1e9*machine.pack_seconds%.3f} ns a byte, a round of a vote "
             "{1e6*machine.vote_seconds%.2f} us"},
    {.name = "crossing",
     .text = "from {crossing_ranks>0} ranks on blocks are predicted to be faster"},
    {.name = "crossing", .text = "strips are predicted to be faster up to 2^{strips_up_to} ranks"},
    {0}};

static json_t *model_of(const bench_outlook *outlook)
{
    const halo_machine *machine = &outlook->machine;
    return json_pack("{s:s, s:i, s:{s:f, s:f, s:f, s:f, s:f, s:f}, s:I}", "size", outlook->size,
                     "depth", outlook->depth, "machine", "cell_seconds", machine->cell_seconds,
                     "message_seconds", machine->message_seconds, "post_seconds",
                     machine->post_seconds, "byte_seconds", machine->byte_seconds, "pack_seconds",
                     machine->pack_seconds, "vote_seconds", machine->vote_seconds, "crossing_ranks",
                     (json_int_t)outlook->crossing);
}

static void print_outlook(const bench_outlook *outlook)
{
    static const app_listing listings[] = {{.rows = "forecasts", .columns = forecast_columns}, {0}};
    json_t *model =
        outlook->known ? model_of(outlook) : json_pack("{s:s}", "unknown", outlook->size);
    json_t *texts = json_object();
    if (outlook->known) {
        json_object_set_new(texts, "forecasts", forecasts_of(outlook));
    }
    if (outlook->known && outlook->crossing == 0) {
        json_object_set_new(texts, "strips_up_to", json_integer(BENCH_MAX_EXPONENT));
    }
    printf("\n");
    app_lines_print(model_lines, model, texts, false);
    app_listings_print(listings, model, texts, false);
    json_decref(texts);
    json_decref(model);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* NULL for want of memory. */
static json_t *facts_of(const bench_cuts *all)
{
    json_t *rows = json_array(), *winners = json_array(), *models = json_array();
    json_t *predictions = json_array();
    for (int i = 0; i < all->count; i++) {
        json_array_append_new(rows, row_of(&all->cuts[i]));
    }
    for (int i = 0; i < all->winner_count; i++) {
        json_array_append_new(winners, json_of_winner(all, &all->winners[i]));
    }
    for (int size = 0; size < all->arguments->sizes; size++) {
        const bench_outlook *outlook = &all->outlook[size];
        json_t *forecasts = forecasts_of(outlook);
        json_array_extend(predictions, forecasts);
        json_decref(forecasts);
        if (outlook->known) {
            json_array_append_new(models, model_of(outlook));
        }
    }
    return json_pack("{s:o, s:s, s:o, s:o, s:o}", "measurements", rows, "kernel",
                     all->arguments->kernel->name, "winners", winners, "models", models,
                     "predictions", predictions);
}

static void print_all(const bench_cuts *all, const json_t *facts)
{
    size_t i;
    json_t *winner;
    printf("\n");
    json_array_foreach(json_object_get(facts, "winners"), i, winner)
    {
        print_winner(winner);
    }
    for (int size = 0; size < all->arguments->sizes; size++) {
        print_outlook(&all->outlook[size]);
    }
}

static halo_status report_and_draw(halo_world *world, const bench_cuts *all, json_t *facts)
{
    static const app_listing listings[] = {
        {.rows = "measurements", .columns = columns},
        {.rows = "winners", .columns = winner_columns, .note = "The fastest."},
        {.rows = "predictions", .columns = forecast_columns, .note = "What the model predicts."},
        {0}};
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(bench_report(world, all->arguments, columns, json_incref(facts)));
    if (first && !all->arguments->all.common.quiet) {
        print_all(all, facts);
    }
    HALO_TRY(report_flush(world));
    HALO_TRY(all->arguments->plot != NULL ? bench_cuts_draw(all) : HALO_OK);
    return bench_page(world, all->arguments, listings, json_incref(facts));
}

halo_status bench_cuts_report(halo_world *world, const bench_cuts *all)
{
    json_t *facts = facts_of(all);
    halo_status status = report_and_draw(world, all, facts);
    json_decref(facts);
    return status;
}
