#include "app/lines.h"
#include "app/report.h"
#include "cli/bench/cuts.h"
#include "cli/bench/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 128 };

static const bench_column columns[] = {
    {"kernel", BENCH_TEXT, NULL, 0, 0},
    {"size", BENCH_TEXT, "size", 0, 0},
    {"ranks", BENCH_COUNT, "ranks", 0, 0},
    {"shape", BENCH_TEXT, NULL, 0, 0},
    {"parts", BENCH_TEXT, "parts", 0, 0},
    {"depth", BENCH_COUNT, "depth", 0, 0},
    {"mode", BENCH_TEXT, "mode", 0, 0},
    {"beats", BENCH_COUNT, NULL, 0, 0},
    {"repeats", BENCH_COUNT, NULL, 0, 0},
    {"seconds", BENCH_NUMBER, "us/beat", 1e6, 1},
    {"low_quartile", BENCH_NUMBER, "low", 1e6, 1},
    {"high_quartile", BENCH_NUMBER, "high", 1e6, 1},
    {"deviation", BENCH_NUMBER, NULL, 0, 0},
    {"compute_seconds", BENCH_NUMBER, "comp", 1e6, 1},
    {"exchange_seconds", BENCH_NUMBER, "exch", 1e6, 1},
    {"vote_seconds", BENCH_NUMBER, "vote", 1e6, 1},
    {"wait_seconds", BENCH_NUMBER, "wait", 1e6, 1},
    {"messages", BENCH_NUMBER, "msgs", 0, 1},
    {"bytes", BENCH_NUMBER, "KB", 1e-3, 1},
    {"surface_to_volume", BENCH_NUMBER, "s/v %", 100, 2},
    {"predicted_seconds", BENCH_NUMBER, "model", 1e6, 1},
    {"prediction_error", BENCH_NUMBER, "err %", 100, 0},
    {"best", BENCH_TEXT, "best", 0, 0},
};

static const bench_column forecast_columns[] = {
    {"size", BENCH_TEXT, "size", 0, 0},
    {"ranks", BENCH_COUNT, "ranks", 0, 0},
    {"strips_seconds", BENCH_NUMBER, "strips us", 1e6, 2},
    {"blocks_seconds", BENCH_NUMBER, "blocks us", 1e6, 2},
    {"blocks_parts", BENCH_TEXT, "blocks", 0, 0},
    {"gain", BENCH_NUMBER, "strips/blocks", 0, 2},
};

/* ---- the table ------------------------------------------------------------------------------- */

static void fill_times(const bench_cut *cut, const halo_sample_spread *spread, bench_table *out)
{
    /* Of all ranks and their beats: what a beat is to one of them on average. */
    double beats = (double)cut->sum.beats;
    bench_table_number(out, "seconds", spread->median);
    bench_table_number(out, "low_quartile", spread->low);
    bench_table_number(out, "high_quartile", spread->high);
    bench_table_number(out, "deviation", spread->deviation);
    bench_table_number(out, "compute_seconds", cut->sum.compute / beats);
    bench_table_number(out, "exchange_seconds", cut->sum.exchange / beats);
    bench_table_number(out, "vote_seconds", cut->sum.vote / beats);
    bench_table_number(out, "wait_seconds", cut->sum.wait / beats);
    bench_table_number(out, "messages", (double)cut->sum.messages * cut->ranks / beats);
    bench_table_number(out, "bytes", (double)cut->sum.bytes * cut->ranks / beats);
    if (cut->modelled) {
        double predicted = cut->predicted.seconds;
        bench_table_number(out, "surface_to_volume", cut->predicted.surface);
        bench_table_number(out, "predicted_seconds", predicted);
        bench_table_number(out, "prediction_error", predicted / spread->median - 1);
    }
}

static void fill_row(const bench_cuts *all, const bench_cut *cut, const char *best,
                     bench_table *out)
{
    const bench_item *item = &all->list.items[cut->item];
    char text[BENCH_PARTS_SIZE];
    bench_table_text(out, "kernel", cut->subject->name);
    bench_cuts_size(&cut->setting.domain, text);
    bench_table_text(out, "size", text);
    bench_table_number(out, "ranks", cut->ranks);
    bench_table_text(out, "shape", bench_cuts_shape(cut->setting.parts));
    bench_cuts_parts(cut->setting.parts, cut->setting.domain.axes, text);
    bench_table_text(out, "parts", text);
    bench_table_number(out, "depth", cut->setting.depth);
    bench_table_text(out, "mode", cut->setting.mode);
    bench_table_number(out, "beats", (double)item->times);
    bench_table_number(out, "repeats", all->arguments->effort.repeats);
    fill_times(cut, &item->spread, out);
    bench_table_text(out, "best", best);
}

/* ---- who wins -------------------------------------------------------------------------------- */

static double median_of(const bench_cuts *all, int cut)
{
    return all->list.items[all->cuts[cut]->item].spread.median;
}

static void name_cut(const bench_cut *cut, char out[NAME_SIZE])
{
    char parts[BENCH_PARTS_SIZE];
    bench_cuts_parts(cut->setting.parts, cut->setting.domain.axes, parts);
    snprintf(out, NAME_SIZE, "%s %s, depth %d, %s", bench_cuts_shape(cut->setting.parts), parts,
             cut->setting.depth, cut->setting.mode);
}

/* "; not told apart from it: ..." */
static void name_equals(const bench_cuts *all, const bench_verdict *verdict, char *out, size_t size)
{
    const char *before = "; not really faster than ";
    out[0] = '\0';
    for (int i = 0; i < all->count; i++) {
        if (verdict->same[i] && i != verdict->best) {
            char name[NAME_SIZE];
            name_cut(all->cuts[i], name);
            size_t used = strlen(out);
            snprintf(out + used, size - used, "%s%s", before, name);
            before = "; ";
        }
    }
}

static void print_verdict(const bench_cuts *all, const bench_verdict *verdict)
{
    const bench_cut *best = all->cuts[verdict->best];
    char size[BENCH_PARTS_SIZE], name[NAME_SIZE], equals[512];
    bench_cuts_size(&best->setting.domain, size);
    name_cut(best, name);
    name_equals(all, verdict, equals, sizeof equals);
    lines_printf("winner", "%s, %d rank%s: %s: %.1f us a beat%s", size, verdict->ranks,
                 verdict->ranks == 1 ? "" : "s", name, 1e6 * median_of(all, verdict->best), equals);
    if (verdict->strips < 0 || verdict->blocks < 0) {
        return;
    }
    double ratio = median_of(all, verdict->strips) / median_of(all, verdict->blocks);
    if (verdict->really) {
        lines_printf("", "the best %s are %.2f times as fast as the best %s",
                     ratio > 1 ? "blocks" : "strips", ratio > 1 ? ratio : 1 / ratio,
                     ratio > 1 ? "strips" : "blocks");
    } else {
        lines_printf("",
                     "strips and blocks: no real difference (by the medians blocks take %+.1f %%)",
                     100 * (1 / ratio - 1));
    }
}

static json_t *json_of_cut(const bench_cuts *all, int index)
{
    if (index < 0) {
        return json_null();
    }
    const bench_cut *cut = all->cuts[index];
    char parts[BENCH_PARTS_SIZE];
    bench_cuts_parts(cut->setting.parts, cut->setting.domain.axes, parts);
    return json_pack("{s:s, s:s, s:i, s:s, s:f}", "shape", bench_cuts_shape(cut->setting.parts),
                     "parts", parts, "depth", cut->setting.depth, "mode", cut->setting.mode,
                     "seconds", median_of(all, index));
}

static json_t *json_of_verdict(const bench_cuts *all, const bench_verdict *verdict)
{
    char size[BENCH_PARTS_SIZE];
    bench_cuts_size(&all->cuts[verdict->best]->setting.domain, size);
    json_t *equals = json_array();
    for (int i = 0; i < all->count; i++) {
        if (verdict->same[i] && i != verdict->best) {
            json_array_append_new(equals, json_of_cut(all, i));
        }
    }
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:b}", "size", size, "ranks", verdict->ranks,
                     "winner", json_of_cut(all, verdict->best), "not_really_slower", equals,
                     "best_strips", json_of_cut(all, verdict->strips), "best_blocks",
                     json_of_cut(all, verdict->blocks), "strips_and_blocks_differ",
                     verdict->really);
}

/* ---- what would be with more ranks ----------------------------------------------------------- */

static halo_status add_forecasts(const bench_cuts *all, int size, bench_table *out)
{
    const bench_outlook *outlook = &all->outlook[size];
    halo_domain domain = bench_subject_domain(all->arguments->subject, all->arguments->size[size]);
    for (int e = 0; outlook->known && e <= BENCH_MOST_EXPONENT; e++) {
        const bench_forecast *at = &outlook->at[e];
        char text[BENCH_PARTS_SIZE];
        if (bench_table_add(out) == NULL) {
            return halo_fail(HALO_MEMORY, "out of memory: a table of predictions");
        }
        bench_cuts_size(&domain, text);
        bench_table_text(out, "size", text);
        bench_table_number(out, "ranks", (double)(1 << e));
        bench_table_number(out, "strips_seconds", at->strips_seconds);
        bench_table_number(out, "blocks_seconds", at->blocks_seconds);
        bench_cuts_parts(at->parts, domain.axes, text);
        bench_table_text(out, "blocks_parts", text);
        bench_table_number(out, "gain", at->strips_seconds / at->blocks_seconds);
    }
    return HALO_OK;
}

static json_t *json_of_machine(const bench_outlook *outlook)
{
    const halo_machine *machine = &outlook->machine;
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "cell_seconds", machine->cell_seconds,
                     "message_seconds", machine->message_seconds, "post_seconds",
                     machine->post_seconds, "byte_seconds", machine->byte_seconds, "pack_seconds",
                     machine->pack_seconds, "vote_seconds", machine->vote_seconds);
}

static json_t *json_of_outlook(const bench_cuts *all, int size)
{
    const bench_outlook *outlook = &all->outlook[size];
    char text[BENCH_PARTS_SIZE];
    halo_domain domain = bench_subject_domain(all->arguments->subject, all->arguments->size[size]);
    bench_cuts_size(&domain, text);
    return json_pack("{s:s, s:i, s:o, s:I}", "size", text, "depth", outlook->depth, "machine",
                     json_of_machine(outlook), "crossing_ranks", (json_int_t)outlook->crossing);
}

static void print_outlook(const bench_cuts *all, int size)
{
    const bench_outlook *outlook = &all->outlook[size];
    const halo_machine *machine = &outlook->machine;
    char text[BENCH_PARTS_SIZE];
    halo_domain domain = bench_subject_domain(all->arguments->subject, all->arguments->size[size]);
    bench_cuts_size(&domain, text);
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
                     BENCH_MOST_EXPONENT);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Tables that rank 0 makes; the JSON's memory may run out, which shows when it is written. */
typedef struct {
    bench_table measured, forecasts;
    json_t *verdicts, *more;
    bool *same;
} findings;

static halo_status add_group(const bench_cuts *all, int size, int ranks, findings *out)
{
    bench_verdict verdict = {.same = out->same};
    if (!bench_cuts_judge(all, size, ranks, &verdict)) {
        return HALO_OK;
    }
    for (int i = 0; i < all->count; i++) {
        const bench_cut *cut = all->cuts[i];
        if (cut->size != size || cut->ranks != ranks) {
            continue;
        }
        if (bench_table_add(&out->measured) == NULL) {
            return halo_fail(HALO_MEMORY, "out of memory: a table of measurements");
        }
        fill_row(all, cut,
                 i == verdict.best ? "best"
                 : verdict.same[i] ? "same"
                                   : "",
                 &out->measured);
    }
    json_array_append_new(out->verdicts, json_of_verdict(all, &verdict));
    return HALO_OK;
}

static halo_status find_out(const bench_cuts *all, findings *out)
{
    const bench_arguments *arguments = all->arguments;
    out->same = calloc((size_t)all->count, sizeof *out->same);
    if (out->same == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: who wins");
    }
    out->measured.columns = columns;
    out->measured.count = sizeof columns / sizeof columns[0];
    out->forecasts.columns = forecast_columns;
    out->forecasts.count = sizeof forecast_columns / sizeof forecast_columns[0];
    out->verdicts = json_array();
    json_t *outlooks = json_array();
    halo_status status = HALO_OK;
    for (int i = 0; i < arguments->sizes * arguments->ranks.count && status == HALO_OK; i++) {
        status = add_group(all, i / arguments->ranks.count,
                           arguments->ranks.numbers[i % arguments->ranks.count], out);
    }
    for (int size = 0; size < arguments->sizes && status == HALO_OK; size++) {
        status = add_forecasts(all, size, &out->forecasts);
        if (all->outlook[size].known) {
            json_array_append_new(outlooks, json_of_outlook(all, size));
        }
    }
    out->more = json_pack("{s:s, s:O, s:o, s:o}", "kernel", arguments->subject->name, "winners",
                          out->verdicts, "models", outlooks, "predictions",
                          bench_table_json(&out->forecasts));
    return status;
}

static void print_findings(const bench_cuts *all, findings *found)
{
    const bench_arguments *arguments = all->arguments;
    printf("\n");
    for (int i = 0; i < arguments->sizes * arguments->ranks.count; i++) {
        bench_verdict verdict = {.same = found->same};
        if (bench_cuts_judge(all, i / arguments->ranks.count,
                             arguments->ranks.numbers[i % arguments->ranks.count], &verdict)) {
            print_verdict(all, &verdict);
        }
    }
    printf("\n");
    for (int size = 0; size < arguments->sizes; size++) {
        print_outlook(all, size);
    }
    if (found->forecasts.rows > 0) {
        printf("\n");
        bench_table_print(&found->forecasts, stdout);
    }
}

halo_status bench_cuts_report(halo_world *world, const bench_cuts *all)
{
    bool speaks = halo_world_rank(world) == 0;
    findings found = {0};
    halo_status status = halo_agree(world, speaks ? find_out(all, &found) : HALO_OK);
    if (status == HALO_OK) {
        status = bench_report(world, all->arguments, &found.measured, found.more);
    }
    if (status == HALO_OK && speaks && !all->arguments->quiet) {
        print_findings(all, &found);
    }
    if (status == HALO_OK) {
        status = report_flush(world);
    }
    bench_table_free(&found.measured);
    bench_table_free(&found.forecasts);
    json_decref(found.verdicts);
    json_decref(found.more);
    free(found.same);
    return status;
}
