#define _POSIX_C_SOURCE 200809L /* isatty */
#include "app/frame_internal.h"
#include "app/options/values.h"
#include "app/ranks/signals.h"
#include "app/report/facts.h"
#include "app/report/lines.h"
#include "app/report/report.h"
#include "base/names.h"
#include "base/printable.h"
#include "base/standard.h"
#include "cli/filter/frames/frames.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* Names of standard output that are for frames; of `only`, nothing else can be meant. */
typedef struct {
    const char *name;
    int format; /* halo_frames_format; -1: that of the input */
    frames_colours colours;
    bool only;
} output_name;

static const output_name names[] = {{"-", -1, FRAMES_AS_THEY_ARE, false},
                                    {"-.ppm", HALO_FRAMES_PNM, FRAMES_IN_COLOURS, true},
                                    {"-.pgm", HALO_FRAMES_PNM, FRAMES_IN_GREYS, false},
                                    {"-.pnm", HALO_FRAMES_PNM, FRAMES_AS_THEY_ARE, false},
                                    {"-.y4m", HALO_FRAMES_Y4M, FRAMES_AS_THEY_ARE, true},
                                    {"-.raw", HALO_FRAMES_RAW, FRAMES_AS_THEY_ARE, false}};

static const output_name *find_name(const app_run *run)
{
    const filter_options *options = run->options;
    const char *text = app_given_text(run->given, &options->output);
    for (size_t i = 0; text != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i].name) == 0) {
            return &names[i];
        }
    }
    return NULL;
}

/* ---- is it a stream? ------------------------------------------------------------------------- */

static bool reads_standard_input(const app_run *run)
{
    const app_inputs *inputs = &run->arguments->image;
    return inputs->count == 1 && strcmp(inputs->first, "-") == 0;
}

/* On rank 0. An image through the same pipes is none of frames. */
static halo_status look(const app_run *run, const output_name *name, int64_t *is)
{
    *is = reads_standard_input(run) && frames_are_at_input(&run->arguments->raw);
    return HALO_REQUIRE(*is || !name->only, HALO_ARGUMENT,
                        "-o %s is for frames that come from standard input, PGM or PPM images, "
                        "YUV4MPEG2, or samples of --shape HEIGHTxWIDTH; for an image use -o -.png",
                        name->name);
}

/* Options for a single image, or for many, do not suit frames. */
static halo_status check_option(const app_run *run, const app_place *at)
{
    const halo_option *row = at->row;
    char name[APP_OPTION_NAME];
    bool own =
        at->service == NULL &&
        (row->offset == offsetof(filter_options, output) ||
         row->offset == offsetof(filter_options, grey) || (row->flags & APP_ARGUMENT) != 0 ||
         APP_IS_WITHIN(row, raw) ||
         (APP_IS_WITHIN(row, common) && row->offset != offsetof(app_arguments, common.report)));
    if (row->type == HALO_OPTION_SECTION || own ||
        !app_was_given(run, (const char *)run->options + at->offset)) {
        return HALO_OK;
    }
    app_option_name(row, name);
    return halo_fail(HALO_ARGUMENT,
                     "%s is for images; leave it out with frames from standard input", name);
}

static halo_status check(const app_run *run)
{
    app_place at = {0};
    while (app_next_row(run->command->syntax, &at) != NULL) {
        HALO_TRY(check_option(run, &at));
    }
    HALO_FAIL_IF(HALO_SIMULATED || !halo_world_is_process(run->world), HALO_ARGUMENT,
                 "frames are computed by threads of one process; start the program without a "
                 "launcher, with --ranks N for so many threads");
    return HALO_REQUIRE(isatty(STDOUT_FILENO) == 0, HALO_ARGUMENT,
                        "standard output is a terminal, which shows no frames; write them to a "
                        "pipe (| ffmpeg -i - out.mp4) or a file (> out.ppm)");
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Colours of video are luma and two differences, those of PPM red, green and blue. */
static halo_status check_colours(const frames_run *frames, const output_name *name)
{
    const char *header = halo_frames_header(frames->in);
    bool mono = strstr(header, " Cmono") != NULL;
    bool grey = frames->colours == FRAMES_IN_GREYS;
    bool to_pnm = frames->out.format == HALO_FRAMES_PNM && !grey;
    HALO_FAIL_IF(grey && name->colours == FRAMES_IN_COLOURS, HALO_ARGUMENT,
                 "--grey makes greys, and -o -.ppm colours; use -o -.pgm");
    HALO_FAIL_IF(grey && frames->out.header[0] != '\0' && !mono, HALO_ARGUMENT,
                 "the greys of YUV4MPEG2 are its luma; use -o -.pgm in place of --grey");
    return HALO_REQUIRE(header[0] == '\0' || mono || !to_pnm, HALO_ARGUMENT,
                        "the colours of YUV4MPEG2 are none of PPM; use -o -.y4m, -o -.pgm for luma "
                        "alone, or let ffmpeg convert them (-f image2pipe -c:v ppm -)");
}

static halo_status open_frames(const app_run *run, frames_run *frames, const output_name *name)
{
    HALO_TRY(halo_standard_input_check());
    HALO_TRY(halo_frames_open(&frames->in, frames_take, frames, &run->arguments->raw));
    halo_frames_format format = halo_frames_format_of(frames->in);
    frames->out.format = name->format < 0 ? format : (halo_frames_format)name->format;
    bool keeps = format == HALO_FRAMES_Y4M && frames->out.format == HALO_FRAMES_Y4M;
    frames->out.header = keeps ? halo_frames_header(frames->in) : "";
    frames->out.put = frames_put;
    const filter_options *options = run->options;
    frames->colours = options->grey ? FRAMES_IN_GREYS : name->colours;
    return check_colours(frames, name);
}

/* All ranks are threads of this process. */
static halo_status share(app_run *run, frames_run **frames)
{
    return halo_bcast(run->world, frames, sizeof *frames, 0);
}

static halo_status run_opened(app_run *run, frames_run *frames)
{
    HALO_TRY(share(run, &frames));
    HALO_TRY(frames_run_all(run, frames));
    halo_status status = HALO_OK;
    if (app_is_root(run)) {
        status = HALO_REQUIRE(frames->read > 0 || frames->stopped ||
                                  halo_frames_header(frames->in)[0] != '\0',
                              HALO_FORMAT, "standard input has no frame");
        HALO_IF_OK(status, halo_frames_finish(&frames->out));
    }
    return halo_agree(run->world, status);
}

/* ---- its report ------------------------------------------------------------------------------ */

static json_t *make_facts(const app_run *run, const frames_run *frames)
{
    static const char *const formats[] = {"PNM", "Y4M", "raw"};
    const halo_frame_layout *first = &frames->first;
    int64_t count = frames->out.written;
    double rate = run->seconds > 0 ? (double)count / run->seconds : 0;
    json_t *all = json_pack("{s:I, s:s, s:I, s:I, s:i, s:s, s:f}", "count", (json_int_t)count,
                            "format", formats[halo_frames_format_of(frames->in)], "width",
                            (json_int_t)first->plane[0].width, "height",
                            (json_int_t)first->plane[0].height, "planes", first->planes, "type",
                            halo_sample_types[first->type].name, "per_second", rate);
    return json_pack("{s:s, s:o, s:o, s:f}", "command", "filter", "frames", all, "steps",
                     filter_step_texts(run), "seconds", run->seconds);
}

static const app_line lines[] = {
    {.name = "frames",
     .text = "{frames.count} of {frames.width} x {frames.height} pixels ({frames.format}, samples "
             "of {frames.type}) in {seconds%.3f} s, {frames.per_second%.4g} frames a second"},
    {0}};

/* On rank 0 of the ranks whose lines are gathered. */
static halo_status add_ranks(const app_run *run, const report *all, json_t *facts)
{
    return HALO_REQUIRE(!app_is_root(run) || (facts != NULL && report_add_json(all, facts)),
                        HALO_MEMORY, "out of memory: the summary");
}

static halo_status write_report(app_run *run, const report *all, json_t *facts)
{
    const common_arguments *common = &run->arguments->common;
    HALO_TRY(halo_agree(run->world, add_ranks(run, all, facts)));
    if (common->json != NULL) {
        HALO_TRY(report_save_json(run->world, common->json,
                                  app_is_root(run) ? json_incref(facts) : NULL));
    }
    if (app_is_root(run) && !common->quiet) {
        app_lines_print(lines, facts, NULL, common->verbose);
    }
    return report_flush(run->world);
}

static halo_status write_summary(app_run *run, const frames_run *frames)
{
    report all;
    const halo_beat_report none = {0};
    const int64_t rows[HALO_AXES] = {0, 1, 1};
    report_line mine = report_line_of(&none, &run->clock, 1, rows, NULL);
    mine.seconds = run->seconds;
    halo_status status = report_create(&all, run->world, run->arguments->common.vote, &mine);
    json_t *facts = app_is_root(run) ? make_facts(run, frames) : NULL;
    HALO_IF_OK(status, write_report(run, &all, facts));
    json_decref(facts);
    report_free(&all);
    return status;
}

/* A run that was stopped has written whole frames, and fails. */
static halo_status report_frames(app_run *run, const frames_run *frames)
{
    int64_t stopped = app_is_root(run) && frames->stopped;
    HALO_TRY(write_summary(run, frames));
    HALO_TRY(halo_bcast(run->world, &stopped, sizeof stopped, 0));
    run->writing->lost = run->writing->lost || stopped != 0;
    if (stopped != 0 && app_is_root(run)) {
        halo_print_message(run->program, "stopped by a signal after %" PRId64 " frame%s",
                           frames->out.written, frames->out.written == 1 ? "" : "s");
    }
    return HALO_OK;
}

/* ---- the service ----------------------------------------------------------------------------- */

static halo_status run_stream(app_run *run, const output_name *name)
{
    frames_run frames = {.run = run,
                         .order = PTHREAD_MUTEX_INITIALIZER,
                         .turn = PTHREAD_COND_INITIALIZER,
                         .end = INT64_MAX};
    double begun = halo_seconds();
    HALO_TRY(halo_agree(run->world, check(run)));
    HALO_TRY(app_files_check(run, NULL));
    halo_status status = app_signals_catch(run->world);
    if (status == HALO_OK) {
        bool opens = app_is_root(run);
        status = halo_agree(run->world, opens ? open_frames(run, &frames, name) : HALO_OK);
        HALO_IF_OK(status, run_opened(run, &frames));
        run->seconds = halo_seconds() - begun;
        HALO_IF_OK(status, report_frames(run, &frames));
    }
    app_signals_release(run->world);
    halo_frames_close(&frames.in);
    return status;
}

static halo_status start(app_run *run, bool *done)
{
    const output_name *name = find_name(run);
    int64_t is = 0;
    *done = false;
    if (name == NULL || (!reads_standard_input(run) && !name->only)) {
        return HALO_OK;
    }
    HALO_TRY(halo_agree(run->world, app_is_root(run) ? look(run, name, &is) : HALO_OK));
    HALO_TRY(halo_bcast(run->world, &is, sizeof is, 0));
    *done = is != 0;
    return *done ? run_stream(run, name) : HALO_OK;
}

const app_service filter_frames_service = {.start = start};
