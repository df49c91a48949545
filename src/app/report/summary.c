#include "app/beats.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/page/page.h"
#include "app/report/facts.h"
#include "app/report/lines.h"
#include "app/report/report.h"
#include "app/services/balance.h"
#include "base/version.h"
#include "core/transport/processes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KEY = 64, TEXT_SIZE = 512, BOX_TEXT = 80, BYTES_A_MEBIBYTE = 1 << 20 };

/* The parts of the time, where a command does not name its own. */
static const app_phase default_phases[] = {{"read", HALO_PHASE_DECODE},
                                           {"distribute", HALO_PHASE_DISTRIBUTE},
                                           {"compute", HALO_PHASE_COMPUTE},
                                           {"exchange", HALO_PHASE_EXCHANGE},
                                           {"vote", HALO_PHASE_VOTE},
                                           {"write", HALO_PHASE_ENCODE},
                                           {0}};

/* Data of both reports, on rank 0. */
typedef struct {
    app_run *run;
    const report *all;
    json_t *facts, *texts;
} summary;

/* Before the command's own, and behind them. */
static const app_line image_lines[] = {
    {.name = "image",
     .text = "{image.file}: {image.width_pixels} x {image.height_pixels}[ x {image.planes}], "
             "[{image.slices} {image.format} slice{s:image.slices}, ]{image.kind}, "
             "{image.bits_per_sample} bit{s:image.bits_per_sample}"
             "{image.interlaced?, interlaced (held whole by rank 0)}"
             "[, turned by its orientation {image.orientation}][, filtered by {image.filter}]"},
    {.name = "taken", .text = "{image.taken}"},
    {.name = "nodata",
     .text = "{100*image.nodata.share%.2f} % of the samples are nodata ({image.nodata.said})"},
    {0}};
static const app_line common_lines[] = {
    {.name = "efficiency",
     .verbose = true,
     .text = "of the ranks' time in the beats {100*computing_share%.1f} % is computing, "
             "[{100*exchanging_share%.1f} % exchanging and voting][{100*voting_share%.1f} % "
             "voting], {100*waiting_share%.1f} % waiting; index of load imbalance (IDC) "
             "{100*imbalance%.1f} %"},
    {"decoder", "{image.decoder}", true},
    {"messages", "{exchange.messages} between ranks, {exchange.bytes} bytes", true},
    {"vote",
     "{vote.method}[: {vote.messages_per_vote} messages and {vote.steps_per_vote} steps a vote]",
     true},
    {"transport", "{transport}", true},
    {"wait", "{wait} ({node_ranks} rank{s:node_ranks} on {cores} core{s:cores} here)", true},
    {"memory",
     "{peak_mebibytes%.1f} MiB at the peak of {whose}; a rank's data: up to "
     "{data_mebibytes%.1f} MiB",
     true},
    {.name = "balance", .text = "{balance.name}: {not_balanced}"},
    {.name = "balance",
     .verbose = true,
     .text = "{balance.name}: {balance.plans>0} plan{s:balance.plans}, {balance.moves} "
             "move{s:balance.moves} of {balance.rows_moved} {layer}{s:balance.rows_moved} in all; "
             "imbalance (IDC) {100*balance.idc%.1f} % at the last plan"},
    {"balancing",
     "{balance.plans>0?}planning {balance.plan_seconds%.4f} s and moving "
     "{balance.move_seconds%.4f} s on rank 0; {balance.bytes_moved%.0f} bytes moved in all",
     true},
    {0}};

static const app_line no_lines[] = {{0}};

/* ---- what was found -------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    report_line line;
    if (run->command->own != NULL) {
        line = run->command->own(run);
    } else {
        halo_beat_report beats = halo_beat_get_report(run->beat);
        line = report_line_of(&beats, &run->clock, run->domain.axes,
                              halo_beat_view(run->beat, 0)->owned.n,
                              halo_beat_partition(run->beat)->parts);
    }
    line.seconds = run->seconds;
    return line;
}

static double updates_of_beat(const app_run *run)
{
    const app_beats *beats = run->command->beats;
    const int64_t *n = run->domain.n;
    return beats->updates != NULL ? (double)beats->updates(run)
                                  : (double)n[0] * (double)n[1] * (double)n[2];
}

/* Hands `more` over. False for want of memory. */
static bool add(json_t *object, json_t *more)
{
    bool added = more != NULL && json_object_update(object, more) == 0;
    json_decref(more);
    return added;
}

/* How far the beats came, and how fast they were. */
static bool add_beats(summary *s)
{
    static const char *const exchanging[] = {
        [APP_EXCHANGING] = "exchanging_share", [APP_VOTING] = "voting_share"};
    const app_run *run = s->run;
    const app_beats *beats = run->command->beats;
    int64_t now = app_beats_done(run), computed = now - run->first_beat;
    report_shares shares;
    char key[MAX_KEY];
    if (report_shares_find(s->all, run->loop->seconds, updates_of_beat(run) * (double)computed,
                           &shares) != HALO_OK) {
        return false;
    }
    snprintf(key, sizeof key, "nanoseconds_per_%s_and_beat", beats->update);
    double nanoseconds = shares.nanoseconds;
    bool good = add(s->facts,
                    json_pack("{s:I, s:I, s:s, s:f, s:f}", "beat", (json_int_t)now,
                              "beats_computed", (json_int_t)computed, "ended", app_ending_text(run),
                              "beats_seconds", run->loop->seconds, key, nanoseconds));
    if (beats->shares != APP_NO_SHARES) {
        good = good && add(s->facts,
                           json_pack("{s:f, s:f, s:f, s:f}", "computing_share", shares.computing,
                                     exchanging[beats->shares], shares.exchanging, "waiting_share",
                                     shares.waiting, "imbalance", shares.imbalance));
    }
    return good && add(s->texts, json_pack("{s:f, s:f, s:f}", "nanoseconds", nanoseconds, "mega",
                                           nanoseconds > 0 ? 1e3 / nanoseconds : 0, "giga",
                                           nanoseconds > 0 ? 1 / nanoseconds : 0));
}

/* Adds the transports that there are, for which the file of MPI's library is read: only where this
 * is written, for the run or for one that it is a part of. */
static bool add_transports(const summary *s)
{
    const app_run *run = s->run;
    const common_arguments *common = &run->arguments->common;
    char text[HALO_TRANSPORTS_TEXT];
    if (common->json == NULL && common->report == NULL && run->whole == NULL) {
        return true;
    }
    halo_transports_describe(text, sizeof text);
    return json_object_set_new(s->facts, "transports", json_string(text)) == 0;
}

static bool find_results(summary *s)
{
    app_run *run = s->run;
    const app_command *command = run->command;
    const char *name = command->name != NULL ? command->name : command->syntax->name;
    s->facts = json_pack("{s:s, s:s}", "command", name, "version", HALOBEAT_VERSION);
    s->texts = json_pack("{s:i, s:i, s:s, s:f, s:f, s:s}", "node_ranks",
                         halo_world_node_ranks(run->world), "cores", halo_world_cores(run->world),
                         "layer", s->all->lines->axes > 1 ? "layer" : "row", "peak_mebibytes",
                         (double)s->all->sum.peak_bytes / BYTES_A_MEBIBYTE, "data_mebibytes",
                         (double)s->all->sum.data_bytes / BYTES_A_MEBIBYTE, "whose",
                         halo_world_is_process(run->world) ? "the process" : "all processes");
    if (s->facts == NULL || s->texts == NULL || !add_transports(s) ||
        (command->image &&
         json_object_set_new(s->facts, "image", app_image_json(run->image)) != 0) ||
        !add(s->facts, command->facts(run, s->texts)) ||
        (command->beats != NULL && command->beats->update != NULL && !add_beats(s))) {
        return false;
    }
    return true;
}

static bool find_facts(summary *s)
{
    return find_results(s) &&
           json_object_set_new(s->facts, "arguments", app_options_json(s->run->given)) == 0 &&
           json_object_set_new(s->facts, "warnings", app_warnings_json(s->run)) == 0 &&
           report_add_json(s->all, s->facts) && app_services_facts(s->run, s->facts, s->texts);
}

/* ---- for people ------------------------------------------------------------------------------ */

static void add_part(char text[TEXT_SIZE], const char *name, double seconds)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT_SIZE - used, "%s%s %.3f", used > 0 ? ", " : "", name, seconds);
}

static void print_seconds(const summary *s)
{
    char text[TEXT_SIZE] = "";
    const app_command *command = s->run->command;
    const double *phases = s->all->sum.phases;
    const app_phase *phase = command->phases != NULL ? command->phases : default_phases;
    for (; phase->name != NULL; phase++) {
        char key[MAX_KEY];
        snprintf(key, sizeof key, "%s_seconds", phase->name);
        const json_t *fact = app_fact(s->facts, s->texts, key);
        bool measured = phase->phase < HALO_PHASES;
        if (measured || json_is_number(fact)) {
            add_part(text, phase->name, measured ? phases[phase->phase] : json_number_value(fact));
        }
    }
    if (app_balancing_of(s->run) != NULL) {
        add_part(text, "balance", phases[HALO_PHASE_BALANCE]);
        add_part(text, "migrate", phases[HALO_PHASE_MIGRATE]);
    }
    add_part(text, "wait", phases[HALO_PHASE_WAIT]);
    lines_printf("seconds", "%s; in all %.3f%s", text, s->all->sum.seconds,
                 s->all->ranks > 1 ? " (of each, the maximum over the ranks)" : "");
}

/* A rank's time as people see it: its work, what it exchanged with others, and (a phase) waiting.
 */
static double computing(const report_line *line)
{
    return line->phases[HALO_PHASE_DECODE] + line->phases[HALO_PHASE_COMPUTE] +
           line->phases[HALO_PHASE_MERGE] + line->phases[HALO_PHASE_ENCODE];
}

static double exchanging(const report_line *line)
{
    return line->phases[HALO_PHASE_DISTRIBUTE] + line->phases[HALO_PHASE_EXCHANGE] +
           line->phases[HALO_PHASE_VOTE] + line->phases[HALO_PHASE_BALANCE] +
           line->phases[HALO_PHASE_MIGRATE];
}

static json_t *json_of_rank(const report *all, int rank)
{
    const report_line *line = &all->lines[rank];
    char box[BOX_TEXT]; /* what it owns: "12", of blocks "12 x 30" */
    size_t used = 0;
    for (int axis = 0; axis < line->axes && used < BOX_TEXT; axis++) {
        used += (size_t)snprintf(box + used, BOX_TEXT - used, "%s%" PRId64, axis > 0 ? " x " : "",
                                 line->n[axis]);
    }
    return json_pack("{s:i, s:s, s:f, s:f, s:f}", "rank", rank, "box", box, "computing",
                     computing(line), "exchange", exchanging(line), "waiting",
                     line->phases[HALO_PHASE_WAIT]);
}

static json_t *json_of_ranks(const report *all)
{
    json_t *rows = json_array();
    for (int r = 0; r < all->ranks; r++) {
        json_array_append_new(rows, json_of_rank(all, r));
    }
    return rows;
}

static void print_ranks(const report *all)
{
    static const char *const boxes[HALO_AXES + 1] = {"", "rows", "rows x columns",
                                                     "planes x rows x columns"};
    const app_column columns[] = {{"rank", "{rank}", 8},
                                  {boxes[all->lines->axes], "{box}", 10},
                                  {"computing", "{computing%.4f} s", 12},
                                  {"exchange", "{exchange%.4f} s", 12},
                                  {"waiting", "{waiting%.4f} s", 12},
                                  {0}};
    const app_listing listings[] = {{.rows = "ranks", .columns = columns}, {0}};
    json_t *facts = json_pack("{s:o}", "ranks", json_of_ranks(all));
    app_listings_print(listings, facts, NULL, true);
    json_decref(facts);
}

static const app_line speed_lines[] = {{.name = "speed", .text = "{speed_text}"}, {0}};

/* The one line of speed that a short summary has, among the texts. */
static bool find_speed(const summary *s)
{
    char speed[TEXT_SIZE] = "", ranks[BOX_TEXT] = "";
    const app_line line = {.text = s->run->command->speed};
    bool known = line.text != NULL &&
                 app_line_text(&line, s->facts, s->texts, speed, sizeof speed) && *speed != '\0';
    if (s->all->ranks > 1) {
        snprintf(ranks, sizeof ranks, " on %d ranks", s->all->ranks);
    }
    json_t *text = json_sprintf("%s%s%.3f s in all%s", known ? speed : "", known ? "; " : "",
                                s->all->sum.seconds, ranks);
    return json_object_set_new(s->texts, "speed_text", text) == 0;
}

/* Prints results, speed and files. How they were computed, the ranks, phases, votes and
 * balancing, is for those who ask for it: rows with .verbose, and those in the conditions here. A
 * file that was lost, or a rank that was held up, is always printed. */
static void print(const summary *s)
{
    const app_run *run = s->run;
    const app_command *command = run->command;
    bool verbose = run->arguments->common.verbose;
    app_lines_print(command->image ? image_lines : NULL, s->facts, s->texts, verbose);
    app_lines_print(command->lines, s->facts, s->texts, verbose);
    app_lines_print(common_lines, s->facts, s->texts, verbose);
    app_lines_print(speed_lines, s->facts, s->texts, verbose);
    app_services_print(run);
    if (verbose) {
        print_seconds(s);
    }
    app_files_print(run);
    app_listings_print(command->listings, s->facts, s->texts, verbose);
    if (verbose && !command->lists_ranks) {
        print_ranks(s->all);
    }
}

/* ---------------------------------------------------------------------------------------------- */

/* The same lines and tables as for people, all of them. */
static halo_status write_page(const summary *s)
{
    const app_command *command = s->run->command;
    const app_line *const lines[] = {command->image ? image_lines : no_lines,
                                     command->lines != NULL ? command->lines : no_lines,
                                     common_lines, speed_lines, NULL};
    const app_listing *const listings[] = {command->listings, NULL};
    return app_services_report(
        s->run,
        &(app_page){.facts = s->facts, .others = s->texts, .lines = lines, .listings = listings});
}

static halo_status report_facts(summary *s)
{
    app_run *run = s->run;
    const common_arguments *common = &run->arguments->common;
    bool speaks = app_is_root(run);
    HALO_TRY(halo_agree(run->world, HALO_REQUIRE(!speaks || (find_facts(s) && find_speed(s)),
                                                 HALO_MEMORY, "out of memory: the summary")));
    if (common->json != NULL) {
        HALO_TRY(report_save_json(run->world, common->json, speaks ? json_incref(s->facts) : NULL));
    }
    HALO_TRY(write_page(s));
    if (run->command->show != NULL) {
        HALO_TRY(run->command->show(run));
    }
    if (speaks && !common->quiet) {
        print(s);
    }
    return report_flush(run->world);
}

halo_status app_report(app_run *run)
{
    report all;
    summary s = {.run = run, .all = &all};
    report_line mine = own_line(run);
    halo_status status = report_create(&all, run->world, run->arguments->common.vote, &mine);
    HALO_IF_OK(status, app_services_call(run, APP_STEP(gather)));
    if (status == HALO_OK) {
        run->report = &all;
        status = report_facts(&s);
    }
    run->report = NULL;
    json_decref(s.facts);
    json_decref(s.texts);
    report_free(&all);
    return status;
}

halo_status app_report_facts(app_run *run, json_t **facts)
{
    report all;
    summary s = {.run = run, .all = &all};
    report_line mine = own_line(run);
    halo_status status = report_create_small(&all, run->world, run->arguments->common.vote, &mine);
    run->report = &all;
    if (status == HALO_OK && app_is_root(run) &&
        (!find_results(&s) || json_object_set_new(s.facts, "seconds", json_real(run->seconds)) ||
         json_object_set_new(s.facts, "beats", json_integer(all.sum.beats.beats)))) {
        status = halo_fail(HALO_MEMORY, "out of memory: what is reported of an image");
    }
    run->report = NULL;
    json_decref(s.texts);
    report_free(&all);
    *facts = s.facts;
    return halo_agree(run->world, status);
}
