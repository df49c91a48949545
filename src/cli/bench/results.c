#include "app/lines.h"
#include "app/report.h"
#include "cli/bench/decomposition.h"
#include "cli/bench/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables ------------------------------------------------------------------------------ */

#define AT(member) offsetof(bench_cut, member)
static const bench_column columns[] = {
    {"kernel", BENCH_NAME, AT(kernel), NULL, 0, 0, 0},
    {"size", BENCH_TEXT, AT(size), "size", 11, 0, 0},
    {"ranks", BENCH_INT, AT(item.ranks), "ranks", 5, 0, 0},
    {"shape", BENCH_NAME, AT(shape), NULL, 0, 0, 0},
    {"parts", BENCH_TEXT, AT(parts), "parts", 6, 0, 0},
    {"depth", BENCH_INT, AT(setting.depth), "depth", 5, 0, 0},
    {"mode", BENCH_NAME, AT(setting.mode), "mode", 10, 0, 0},
    {"beats", BENCH_LONG, AT(item.times), NULL, 0, 0, 0},
    {"repeats", BENCH_INT, AT(item.repeats), NULL, 0, 0, 0},
    {"seconds", BENCH_REAL, AT(item.spread.median), "us/beat", 8, 1e6, 1},
    {"low_quartile", BENCH_REAL, AT(item.spread.low), "low", 8, 1e6, 1},
    {"high_quartile", BENCH_REAL, AT(item.spread.high), "high", 8, 1e6, 1},
    {"deviation", BENCH_REAL, AT(item.spread.deviation), NULL, 0, 0, 0},
    {"compute_seconds", BENCH_REAL, AT(mean[BENCH_COMPUTE]), "comp", 8, 1e6, 1},
    {"exchange_seconds", BENCH_REAL, AT(mean[BENCH_EXCHANGE]), "exch", 7, 1e6, 1},
    {"vote_seconds", BENCH_REAL, AT(mean[BENCH_VOTE]), "vote", 7, 1e6, 1},
    {"wait_seconds", BENCH_REAL, AT(mean[BENCH_WAIT]), "wait", 8, 1e6, 1},
    {"messages", BENCH_REAL, AT(mean[BENCH_MESSAGES]), "msgs", 6, 0, 1},
    {"bytes", BENCH_REAL, AT(mean[BENCH_BYTES]), "KB", 8, 1e-3, 1},
    {"surface_to_volume", BENCH_REAL, AT(predicted.surface), "s/v %", 6, 100, 2},
    {"predicted_seconds", BENCH_REAL, AT(predicted.seconds), "model", 8, 1e6, 1},
    {"prediction_error", BENCH_REAL, AT(error), "err %", 5, 100, 0},
    {"best", BENCH_NAME, AT(best), "best", 4, 0, 0},
};

/* What names a cut among those of one size and number of ranks. */
static const bench_column cut_columns[] = {
    {"shape", BENCH_NAME, AT(shape), NULL, 0, 0, 0},
    {"parts", BENCH_TEXT, AT(parts), NULL, 0, 0, 0},
    {"depth", BENCH_INT, AT(setting.depth), NULL, 0, 0, 0},
    {"mode", BENCH_NAME, AT(setting.mode), NULL, 0, 0, 0},
    {"seconds", BENCH_REAL, AT(item.spread.median), NULL, 0, 0, 0},
};

#define FORECAST(member) offsetof(bench_forecast, member)
static const bench_column forecast_columns[] = {
    {"size", BENCH_TEXT, FORECAST(size), "size", 11, 0, 0},
    {"ranks", BENCH_INT, FORECAST(ranks), "ranks", 7, 0, 0},
    {"strips_seconds", BENCH_REAL, FORECAST(strips_seconds), "strips us", 10, 1e6, 2},
    {"blocks_seconds", BENCH_REAL, FORECAST(blocks_seconds), "blocks us", 10, 1e6, 2},
    {"blocks_parts", BENCH_TEXT, FORECAST(parts), "blocks", 10, 0, 0},
    {"gain", BENCH_REAL, FORECAST(gain), "strips/blocks", 13, 0, 2},
};

#define FIGURE(member) offsetof(halo_machine, member)
static const bench_column machine_columns[] = {
    {"cell_seconds", BENCH_REAL, FIGURE(cell_seconds), NULL, 0, 0, 0},
    {"message_seconds", BENCH_REAL, FIGURE(message_seconds), NULL, 0, 0, 0},
    {"post_seconds", BENCH_REAL, FIGURE(post_seconds), NULL, 0, 0, 0},
    {"byte_seconds", BENCH_REAL, FIGURE(byte_seconds), NULL, 0, 0, 0},
    {"pack_seconds", BENCH_REAL, FIGURE(pack_seconds), NULL, 0, 0, 0},
    {"vote_seconds", BENCH_REAL, FIGURE(vote_seconds), NULL, 0, 0, 0},
};
#define COUNT(columns) ((int)(sizeof(columns) / sizeof(columns)[0]))

/* ---- who wins -------------------------------------------------------------------------------- */

enum { NAME_SIZE = 2 * BENCH_TEXT_SIZE };

static void name_cut(const bench_cut *cut, char out[NAME_SIZE])
{
    snprintf(out, NAME_SIZE, "%s %.30s, depth %d, %s", cut->shape, cut->parts, cut->setting.depth,
             cut->setting.mode);
}

/* "; not really faster than ..." */
static void name_equals(const bench_cuts *all, const bench_verdict *verdict, char *out, size_t size)
{
    const char *before = "; not really faster than ";
    out[0] = '\0';
    for (int i = verdict->first; i < verdict->first + verdict->count; i++) {
        if (strcmp(all->cuts[i].best, "same") == 0) {
            char name[NAME_SIZE];
            name_cut(&all->cuts[i], name);
            size_t used = strlen(out);
            snprintf(out + used, size - used, "%s%s", before, name);
            before = "; ";
        }
    }
}

static void print_verdict(const bench_cuts *all, const bench_verdict *verdict)
{
    const bench_cut *best = verdict->best;
    int ranks = best->item.ranks;
    char name[NAME_SIZE], equals[512];
    name_cut(best, name);
    name_equals(all, verdict, equals, sizeof equals);
    lines_printf("winner", "%s, %d rank%s: %s: %.1f us a beat%s", best->size, ranks,
                 ranks == 1 ? "" : "s", name, 1e6 * best->item.spread.median, equals);
    if (verdict->strips == NULL || verdict->blocks == NULL) {
        return;
    }
    double ratio = verdict->strips->item.spread.median / verdict->blocks->item.spread.median;
    if (verdict->differ) {
        lines_printf("", "the best %s are %.2f times as fast as the best %s",
                     ratio > 1 ? "blocks" : "strips", ratio > 1 ? ratio : 1 / ratio,
                     ratio > 1 ? "strips" : "blocks");
    } else {
        lines_printf("",
                     "strips and blocks: no real difference (by the medians blocks take %+.1f %%)",
                     100 * (1 / ratio - 1));
    }
}

static json_t *json_of_cut(const bench_cut *cut)
{
    return cut == NULL ? json_null() : bench_row_json(cut_columns, COUNT(cut_columns), cut);
}

static json_t *json_of_verdict(const bench_cuts *all, const bench_verdict *verdict)
{
    json_t *equals = json_array();
    for (int i = verdict->first; i < verdict->first + verdict->count; i++) {
        if (strcmp(all->cuts[i].best, "same") == 0) {
            json_array_append_new(equals, json_of_cut(&all->cuts[i]));
        }
    }
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:b}", "size", verdict->best->size, "ranks",
                     verdict->best->item.ranks, "winner", json_of_cut(verdict->best),
                     "not_really_slower", equals, "best_strips", json_of_cut(verdict->strips),
                     "best_blocks", json_of_cut(verdict->blocks), "strips_and_blocks_differ",
                     verdict->differ);
}

/* ---- what would be with more ranks ----------------------------------------------------------- */

static bench_table forecasts_of(const bench_outlook *outlook)
{
    return (bench_table){forecast_columns, COUNT(forecast_columns), outlook->at,
                         outlook->known ? BENCH_MAX_EXPONENT + 1 : 0, sizeof outlook->at[0]};
}

static void print_outlook(const bench_cuts *all, int size)
{
    const bench_outlook *outlook = &all->outlook[size];
    const halo_machine *machine = &outlook->machine;
    char text[BENCH_TEXT_SIZE];
    bench_size_text(all->arguments, size, text);
    printf("\n");
    if (!outlook->known) {
        lines_printf("model", "%s: needs measurements of 2 ranks or more, and a kernel that beats",
                     text);
        return;
    }
    lines_printf(
        "model",
        "%s, depth %d: a cell takes %.3f ns, a message %.2f us and %.3f ns a byte, posting "
        "%.2f us, packing %.3f ns a byte, a round of a vote %.2f us",
        text, outlook->depth, 1e9 * machine->cell_seconds, 1e6 * machine->message_seconds,
        1e9 * machine->byte_seconds, 1e6 * machine->post_seconds, 1e9 * machine->pack_seconds,
        1e6 * machine->vote_seconds);
    if (outlook->crossing > 0) {
        lines_printf("crossing", "from %" PRId64 " ranks on blocks are predicted to be faster",
                     outlook->crossing);
    } else {
        lines_printf("crossing", "strips are predicted to be faster up to 2^%d ranks",
                     BENCH_MAX_EXPONENT);
    }
    printf("\n");
    bench_table forecasts = forecasts_of(outlook);
    bench_table_print(&forecasts);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What comes into the JSON besides the measurements; NULL for want of memory. */
static json_t *json_of(const bench_cuts *all)
{
    json_t *verdicts = json_array(), *models = json_array(), *predictions = json_array();
    for (int v = 0; v < all->verdict_count; v++) {
        json_array_append_new(verdicts, json_of_verdict(all, &all->verdicts[v]));
    }
    for (int size = 0; size < all->arguments->sizes; size++) {
        const bench_outlook *outlook = &all->outlook[size];
        bench_table forecasts = forecasts_of(outlook);
        json_t *at = bench_table_json(&forecasts);
        json_array_extend(predictions, at);
        json_decref(at);
        if (outlook->known) {
            json_t *machine =
                bench_row_json(machine_columns, COUNT(machine_columns), &outlook->machine);
            json_array_append_new(models,
                                  json_pack("{s:s, s:i, s:o, s:I}", "size", outlook->at[0].size,
                                            "depth", outlook->depth, "machine", machine,
                                            "crossing_ranks", (json_int_t)outlook->crossing));
        }
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "kernel", all->arguments->kernel->name, "winners",
                     verdicts, "models", models, "predictions", predictions);
}

halo_status bench_cuts_report(halo_world *world, const bench_cuts *all)
{
    const bench_table table = {columns, COUNT(columns), all->cuts, all->count, sizeof *all->cuts};
    json_t *more = json_of(all);
    halo_status status = halo_agree(
        world, more != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: the results"));
    status = status != HALO_OK ? status : bench_report(world, all->arguments, &table, more);
    json_decref(more);
    HALO_TRY(status);
    if (halo_world_rank(world) == 0 && !all->arguments->all.common.quiet) {
        printf("\n");
        for (int v = 0; v < all->verdict_count; v++) {
            print_verdict(all, &all->verdicts[v]);
        }
        for (int size = 0; size < all->arguments->sizes; size++) {
            print_outlook(all, size);
        }
    }
    return report_flush(world);
}
