#include "app/frame_internal.h"
#include "app/report.h"
#include "base/version.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PARTS = 16, MAX_KEY = 64, BYTES_A_MEBIBYTE = 1 << 20 };

/* What both reports are made from, on rank 0. */
typedef struct {
    app_run *run;
    const report *all;
    json_t *facts, *texts;
} summary;

/* Behind the command's own. */
static const app_line common_lines[] = {
    {.name = "efficiency",
     .text = "of the ranks' time in the beats {100*computing_share%.1f} % is computing, "
             "[{100*exchanging_share%.1f} % exchanging and voting][{100*voting_share%.1f} % "
             "voting], {100*waiting_share%.1f} % waiting; index of load imbalance (IDC) "
             "{100*imbalance%.1f} %"},
    {"decoder", "{image.decoder}", true},
    {"messages", "{exchange.messages} between ranks, {exchange.bytes} bytes", true},
    {"vote",
     "{vote.method}[: {vote.messages_per_vote} messages and {vote.steps_per_vote} steps a vote]",
     true},
    {"wait", "{wait} ({node_ranks} rank{s:node_ranks} on {cores} core{s:cores} here)", true},
    {"memory", "{peak_mebibytes%.1f} MiB at the peak of all ranks together", true},
    {0}};

/* ---- what was found -------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    report_line line;
    if (run->command->own != NULL) {
        line = run->command->own(run);
    } else {
        halo_beat_report beats = halo_beat_get_report(run->beat);
        line = report_line_of(&beats, &run->clock);
        report_line_own(&line, run->domain.axes, halo_beat_view(run->beat, 0)->owned.n,
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
    const app_run *run = s->run;
    const app_beats *beats = run->command->beats;
    int64_t now = app_beats_done(run), computed = now - run->first_beat;
    report_shares shares = {.seconds = run->beats_seconds,
                            .updates = updates_of_beat(run) * (double)computed,
                            .exchanges =
                                beats->shares == NULL || strcmp(beats->shares, "exchanging") == 0};
    char key[MAX_KEY];
    if (report_shares_find(&shares, s->all) != HALO_OK) {
        return false;
    }
    snprintf(key, sizeof key, "nanoseconds_per_%s_and_beat", beats->update);
    double nanoseconds = shares.nanoseconds;
    bool good = add(s->facts,
                    json_pack("{s:I, s:I, s:s, s:f, s:f}", "beat", (json_int_t)now,
                              "beats_computed", (json_int_t)computed, "ended", app_ending_text(run),
                              "beats_seconds", run->beats_seconds, key, nanoseconds));
    if (beats->shares != NULL) {
        report_shares_add_json(&shares, s->facts);
    }
    return good && add(s->texts, json_pack("{s:f, s:f, s:f}", "nanoseconds", nanoseconds, "mega",
                                           nanoseconds > 0 ? 1e3 / nanoseconds : 0, "giga",
                                           nanoseconds > 0 ? 1 / nanoseconds : 0));
}

static bool find_facts(summary *s)
{
    app_run *run = s->run;
    const app_command *command = run->command;
    const char *name = command->name != NULL ? command->name : command->syntax->name;
    s->facts = json_pack("{s:s, s:s}", "command", name, "version", HALOBEAT_VERSION);
    s->texts = json_pack("{s:i, s:i, s:f}", "node_ranks", halo_world_node_ranks(run->world),
                         "cores", halo_world_cores(run->world), "peak_mebibytes",
                         (double)s->all->sum.peak_bytes / BYTES_A_MEBIBYTE);
    if (s->facts == NULL || s->texts == NULL ||
        (command->image &&
         json_object_set_new(s->facts, "image", app_image_json(&run->image)) != 0) ||
        !add(s->facts, command->facts(run, s->texts)) ||
        (command->beats != NULL && command->beats->update != NULL && !add_beats(s)) ||
        json_object_set_new(s->facts, "arguments", app_options_json(run->given)) != 0) {
        return false;
    }
    s->facts = report_add_json(s->all, s->facts);
    return s->facts != NULL;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_seconds(const summary *s)
{
    report_part parts[MAX_PARTS];
    int count = 0;
    const app_phase *phase = s->run->command->phases;
    for (; phase->name != NULL && count < MAX_PARTS; phase++) {
        char key[MAX_KEY];
        snprintf(key, sizeof key, "%s_seconds", phase->name);
        const json_t *fact = app_fact(s->facts, s->texts, key);
        bool measured = phase->phase < HALO_PHASES;
        if (measured || json_is_number(fact)) {
            parts[count++] = (report_part){phase->name, measured ? s->all->sum.phases[phase->phase]
                                                                 : json_number_value(fact)};
        }
    }
    report_print_seconds(s->all, parts, count);
}

static void print(const summary *s)
{
    const app_run *run = s->run;
    const app_command *command = run->command;
    bool verbose = run->arguments->common.verbose;
    if (command->image) {
        app_image_print(&run->image);
    }
    app_lines_print(command->lines, s->facts, s->texts, verbose);
    app_lines_print(common_lines, s->facts, s->texts, verbose);
    report_print_balance(s->all, verbose);
    print_seconds(s);
    app_files_print(run);
    app_listings_print(command->listings, s->facts, s->texts, verbose);
    report_print_ranks(s->all, verbose);
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status tell(summary *s)
{
    app_run *run = s->run;
    const common_arguments *common = &run->arguments->common;
    bool speaks = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, !speaks || find_facts(s)
                                        ? HALO_OK
                                        : halo_fail(HALO_MEMORY, "out of memory: the summary")));
    if (common->json != NULL) {
        HALO_TRY(report_save_json(run->world, common->json, speaks ? json_incref(s->facts) : NULL));
    }
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
    halo_status status = report_create(&all, run->balance, run->arguments->common.vote, &mine);
    if (status == HALO_OK) {
        run->report = &all;
        status = tell(&s);
    }
    run->report = NULL;
    json_decref(s.facts);
    json_decref(s.texts);
    report_free(&all);
    return status;
}
