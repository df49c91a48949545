#define _DEFAULT_SOURCE /* getrusage */
#include "app/report/report.h"

#include "app/report/facts.h"
#include "app/report/json_text.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/file/file.h"
#include "core/world/collect.h"
#include "partition/balance/balance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void add_up(report *all)
{
    for (int r = 0; r < all->ranks; r++) {
        const report_line *line = &all->lines[r];
        report_line *sum = &all->sum;
        sum->beats.beats = line->beats.beats;
        sum->beats.votes = line->beats.votes;
        sum->beats.messages += line->beats.messages;
        sum->beats.bytes += line->beats.bytes;
        sum->beats.vote_messages += line->beats.vote_messages;
        sum->beats.vote_steps = halo_max(sum->beats.vote_steps, line->beats.vote_steps);
        sum->beats.edge_seconds = fmax(sum->beats.edge_seconds, line->beats.edge_seconds);
        sum->peak_bytes += line->peak_bytes;
        sum->data_bytes = halo_max(sum->data_bytes, line->data_bytes);
        sum->seconds = fmax(sum->seconds, line->seconds);
        for (int p = 0; p < HALO_PHASES; p++) {
            sum->phases[p] = fmax(sum->phases[p], line->phases[p]);
        }
    }
}

report_line report_line_of(const halo_beat_report *beats, const halo_clock *besides, int axes,
                           const int64_t *n, const int *parts)
{
    report_line line = {.beats = *beats, .axes = 1};
    bool empty = false;
    for (int p = 0; p < HALO_PHASES; p++) {
        line.phases[p] = beats->clock.seconds[p] + besides->seconds[p];
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        line.n[axis] = axis < axes ? n[axis] : 1;
        empty = empty || line.n[axis] == 0;
        if (parts != NULL && axis > 0 && axis < axes && parts[axis] > 1) {
            line.axes = axes;
        }
    }
    line.n[0] = empty ? 0 : line.n[0];
    return line;
}

report_line report_line_of_strip(const halo_world *world, const halo_clock *clock, int axes,
                                 const halo_partition *strips)
{
    const halo_box own = halo_partition_box(strips, halo_world_rank(world));
    return report_line_of(&(halo_beat_report){0}, clock, axes, own.n, NULL);
}

halo_status report_create_small(report *all, halo_world *world, const char *vote,
                                const report_line *mine)
{
    const char *used = mine->beats.vote; /* which of them, where that was chosen */
    *all = (report){
        .world = world, .vote = used != NULL ? used : vote, .ranks = halo_world_ranks(world)};
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(all->lines, all->ranks, "the summary")));
    HALO_TRY(halo_gather(world, mine, sizeof *mine, all->lines));
    if (halo_world_rank(world) == 0) {
        add_up(all);
    }
    return HALO_OK;
}

halo_status report_create(report *all, halo_world *world, const char *vote, const report_line *mine)
{
    report_line line = *mine;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (halo_world_rank(world) == 0 || !halo_world_is_process(world)) {
        line.peak_bytes = (int64_t)usage.ru_maxrss * 1024; /* of the process, once */
    }
    line.data_bytes = halo_memory_held_most();
    return report_create_small(all, world, vote, &line);
}

void report_free(report *all)
{
    free(all->lines);
    all->lines = NULL;
}

static json_t *json_of_phases(const report_line *line)
{
    json_t *object = json_object();
    for (int p = 0; p < HALO_PHASES; p++) {
        char key[64];
        snprintf(key, sizeof key, "%s_seconds", halo_phase_name((halo_phase)p));
        json_object_set_new(object, key, json_real(line->phases[p]));
    }
    json_object_set_new(object, "edge_compute_seconds", json_real(line->beats.edge_seconds));
    json_object_set_new(object, "total_seconds", json_real(line->seconds));
    return object;
}

static json_t *json_of_ranks(const report *all)
{
    json_t *array = json_array();
    bool own = all->ranks == 1 || !halo_world_is_process(all->world); /* a process for each rank */
    for (int r = 0; r < all->ranks; r++) {
        const report_line *line = &all->lines[r];
        json_t *object = json_of_phases(line);
        json_object_set_new(object, "rank", json_integer(r));
        json_object_set_new(object, "rows", json_integer(line->n[0]));
        if (line->axes > 1) {
            json_object_set_new(object, "box", app_fact_integers(line->n, line->axes));
        }
        json_object_set_new(object, "peak_memory_bytes",
                            own ? json_integer(line->peak_bytes) : json_null());
        json_object_set_new(object, "peak_data_bytes", json_integer(line->data_bytes));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *per_vote(int64_t count, int64_t votes)
{
    /* Messages of an allreduce are the transport's own and cannot be counted. */
    return count > 0 ? json_real((double)count / (double)votes) : json_null();
}

bool report_add_json(const report *all, json_t *json)
{
    const report_line *sum = &all->sum;
    const halo_beat_report *beats = &sum->beats;
    json_t *common =
        json_pack("{s:I, s:{s:s, s:o, s:o}, s:{s:I, s:I}, s:s, s:s, s:i, s:I, s:o, s:o}", "beats",
                  (json_int_t)beats->beats, "vote", "method", all->vote, "messages_per_vote",
                  per_vote(beats->vote_messages, beats->votes), "steps_per_vote",
                  per_vote(beats->vote_steps, beats->votes), "exchange", "messages",
                  (json_int_t)beats->messages, "bytes", (json_int_t)beats->bytes, "transport",
                  halo_world_transport(all->world), "wait", halo_world_wait_policy(all->world),
                  "ranks", all->ranks, "peak_memory_bytes", (json_int_t)sum->peak_bytes, "phases",
                  json_of_phases(sum), "rank_table", json_of_ranks(all));
    bool added = common != NULL && app_facts_add_missing(json, common);
    json_decref(common);
    return added;
}

halo_status report_save_text(halo_world *world, const char *path, halo_status made,
                             const halo_buffer *text)
{
    halo_file *file;
    HALO_TRY(halo_agree(world, made));
    HALO_TRY(halo_file_create(&file, world, path));
    halo_status status =
        halo_world_rank(world) == 0 ? halo_file_write(file, 0, text->data, text->size) : HALO_OK;
    return halo_file_commit(&file, status);
}

static halo_status append_json(halo_buffer *out, const json_t *json)
{
    char *text = json != NULL ? app_json_text(json, JSON_INDENT(2)) : NULL;
    HALO_FAIL_IF(text == NULL, HALO_MEMORY, "out of memory: the JSON summary");
    halo_status status = halo_buffer_append(out, text, strlen(text));
    free(text);
    return halo_status_first(status, halo_buffer_append(out, "\n", 1));
}

halo_status report_save_json(halo_world *world, const char *path, json_t *json)
{
    halo_buffer text = {0};
    halo_status made = halo_world_rank(world) == 0 ? append_json(&text, json) : HALO_OK;
    halo_status status = report_save_text(world, path, made, &text);
    halo_buffer_free(&text);
    json_decref(json);
    return status;
}

halo_status report_flush(halo_world *world)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0 && (fflush(stdout) != 0 || ferror(stdout) != 0)) {
        status = halo_fail(HALO_FILE, "the summary could not be printed; use --quiet");
    }
    return halo_agree(world, status);
}

/* ---- shares of the time ---------------------------------------------------------------------- */

halo_status report_shares_find(const report *all, double seconds, double updates,
                               report_shares *shares)
{
    double *computing;
    *shares = (report_shares){0};
    HALO_TRY(HALO_ALLOCATE(computing, all->ranks, "the summary"));
    double sum = 0, exchanging = 0;
    for (int r = 0; r < all->ranks; r++) {
        const double *phases = all->lines[r].phases;
        computing[r] = phases[HALO_PHASE_COMPUTE];
        sum += computing[r];
        exchanging += phases[HALO_PHASE_EXCHANGE] + phases[HALO_PHASE_VOTE];
    }
    if (seconds > 0 && updates > 0) {
        double all_seconds = (double)all->ranks * seconds;
        shares->nanoseconds = 1e9 * seconds / updates;
        shares->computing = sum / all_seconds;
        shares->exchanging = exchanging / all_seconds;
        shares->waiting = fmax(0, 1 - shares->computing - shares->exchanging);
    }
    shares->imbalance = halo_load_imbalance(computing, all->ranks);
    free(computing);
    return HALO_OK;
}
