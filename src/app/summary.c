#include "app/frame_internal.h"
#include "app/report_shares.h"
#include "base/version.h"
#include "core/world/collect.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PARTS = 16, MAX_KEY = 64 };

/* What both reports are made from, on rank 0. */
typedef struct {
    app_run *run;
    const report *all;
    json_t *facts, *texts;
    report_shares shares;
} summary;

/* ---- what was found -------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    report_line line;
    if (run->command->own != NULL) {
        line = run->command->own(run);
    } else {
        halo_beat_report beats = halo_beat_reported(run->beat);
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

/* How far the beats came, and how fast they were. */
static halo_status add_beats(summary *s)
{
    const app_run *run = s->run;
    const app_beats *beats = run->command->beats;
    int64_t now = app_beats_done(run), computed = now - run->first_beat;
    char key[MAX_KEY];
    s->shares = (report_shares){.seconds = run->beats_seconds,
                                .updates = updates_of_beat(run) * (double)computed,
                                .exchanges = beats->shares == NULL ||
                                             strcmp(beats->shares, "exchanging") == 0};
    HALO_TRY(report_shares_find(&s->shares, s->all));
    snprintf(key, sizeof key, "nanoseconds_per_%s_and_beat", beats->update);
    double nanoseconds = s->shares.nanoseconds;
    json_t *facts = json_pack("{s:I, s:I, s:s, s:f, s:f}", "beat", (json_int_t)now,
                              "beats_computed", (json_int_t)computed, "ended", app_ending_text(run),
                              "beats_seconds", run->beats_seconds, key, nanoseconds);
    json_t *texts = json_pack("{s:f, s:f, s:f}", "nanoseconds", nanoseconds, "mega",
                              nanoseconds > 0 ? 1e3 / nanoseconds : 0, "giga",
                              nanoseconds > 0 ? 1 / nanoseconds : 0);
    if (beats->shares != NULL) {
        report_shares_add_json(&s->shares, facts);
    }
    bool good = facts != NULL && texts != NULL && json_object_update(s->facts, facts) == 0 &&
                json_object_update(s->texts, texts) == 0;
    json_decref(facts);
    json_decref(texts);
    return good ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: the summary");
}

static halo_status gather(summary *s)
{
    app_run *run = s->run;
    const app_command *command = run->command;
    s->facts = json_pack("{s:s, s:s}", "command",
                         command->name != NULL ? command->name : command->syntax->name, "version",
                         HALOBEAT_VERSION);
    s->texts = json_object();
    bool good = s->facts != NULL && s->texts != NULL;
    if (good && command->image) {
        good = json_object_set_new(s->facts, "image", cli_image_json(&run->image)) == 0;
    }
    json_t *own = good ? command->facts(run, s->texts) : NULL;
    good = own != NULL && json_object_update(s->facts, own) == 0;
    json_decref(own);
    if (!good) {
        return halo_fail(HALO_MEMORY, "out of memory: the summary");
    }
    return command->beats != NULL && command->beats->update != NULL ? add_beats(s) : HALO_OK;
}

/* ---- for programs ---------------------------------------------------------------------------- */

static json_t *whole_json(const summary *s)
{
    json_t *given = app_options_json(s->run->given);
    json_t *json = json_incref(s->facts);
    if (given == NULL || json_object_set_new(json, "arguments", given) != 0) {
        json_decref(json);
        return NULL;
    }
    return report_add_json(s->all, json);
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_seconds(const summary *s)
{
    report_part parts[MAX_PARTS];
    int count = 0;
    const app_phase *phase = s->run->command->phases;
    for (; phase->name != NULL && count < MAX_PARTS; phase++, count++) {
        parts[count] = (report_part){phase->name, s->all->sum.phases[phase->phase]};
    }
    report_print_seconds(s->all, parts, count);
}

static void print(const summary *s)
{
    const app_run *run = s->run;
    const app_command *command = run->command;
    bool verbose = run->arguments->common.verbose;
    if (command->image) {
        cli_image_print(&run->image);
    }
    app_lines_print(command->lines, s->facts, s->texts, verbose);
    if (command->beats != NULL && command->beats->shares != NULL) {
        report_shares_print(&s->shares);
    }
    if (verbose) {
        if (command->image) {
            printf("decoder    %s\n", run->image.decoder);
        }
        report_print_details(s->all);
    }
    report_print_balance(s->all, verbose);
    print_seconds(s);
    app_files_print(run);
    if (command->tables != NULL) {
        command->tables(run);
    }
    report_print_ranks(s->all, verbose);
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status tell(summary *s)
{
    app_run *run = s->run;
    const common_arguments *common = &run->arguments->common;
    bool speaks = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, speaks ? gather(s) : HALO_OK));
    if (common->json != NULL) {
        HALO_TRY(report_save_json(run->world, common->json, speaks ? whole_json(s) : NULL));
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
