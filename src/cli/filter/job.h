#ifndef HALOBEAT_CLI_FILTER_JOB_H
#define HALOBEAT_CLI_FILTER_JOB_H

#include "app/image/pull.h"
#include "app/image/second.h"
#include "app/outputs.h"
#include "app/page/page.h"
#include "app/paths/paths.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "kernels/filter/colours.h"
#include "kernels/filter/survey.h"

typedef struct {
    app_arguments all;
    const char *step[FILTER_MOST_STEPS]; /* texts, which belong to argv */
    int steps;
    int packing; /* halo_array_packing */
    bool grey;   /* colours become greys before the first step */
    const char *output;
    const char *folder; /* of --steps, or NULL */
} filter_options;

/* The time of a step: the longest of any rank, and that of all together. */
typedef struct {
    double most, sum;
} filter_time;

/* The picture of a step for the page, and texts and memory of it. */
typedef char filter_caption[512];
typedef struct {
    app_shot shown;
    unsigned char *greys;
    double *counts;
    char black[HALO_NUMBER_TEXT], white[HALO_NUMBER_TEXT];
    filter_caption about;
} filter_shot;

/* Facts that are reported of the steps; zeroes if nobody asks for it. */
typedef struct {
    double *seconds;        /* [parts] of this rank */
    filter_time *time;      /* [steps] on rank 0, in the end */
    filter_survey **survey; /* [steps + 1] of the image and of what each step makes */
    bool complete;          /* all was computed */
    filter_shot *shot;      /* [shots.count] pictures of them, on rank 0 */
    app_shot *shown;        /* the same for the page */
    app_shots shots;
} filter_told;

/* The result of a step or of a pass that is being written: this rank's rows. */
typedef struct {
    const halo_view *rows;
    halo_sample_type type;
    int step; /* from 0; -1: a pass that ends within a step */
} filter_held;

typedef struct filter_gaps filter_gaps;

typedef struct {
    filter_chain chain;
    app_image_seconds *seconds; /* of its steps */
    halo_partition strips;
    int64_t *row_cuts; /* [ranks + 1] the same of rows, numbered through all planes */
    bool pulls;        /* rows are read from the file when they are needed: */
    app_image_pull pull;
    int64_t next_told;   /* the next of these rows that is added to told.survey[0] */
    halo_field *samples; /* otherwise this rank's strip, until `run` takes it over */
    filter_run *run;
    filter_gaps *gaps;       /* of samples that are missing, whose pairs are `colours`; or NULL */
    filter_colours *colours; /* instead, of an image whose pixels have several samples; or NULL */
    filter_watch watch;
    filter_told told;
    halo_stretch stretch; /* of computing */
    filter_held held;
    int start, done;    /* passes that a checkpoint had, and those that are over */
    int64_t saved_rows; /* of that checkpoint */
    size_t saved_bytes; /* of a row of it */
    /* While it is written: */
    filter_made made;     /* rows of a tile */
    int64_t first, count; /* rows that are in it */
    int64_t next;         /* the next layer to be made */
    unsigned char one;    /* bits are written as bytes, 0 and this one; 0: as they are */
} filter_job;

/* ---- input.c: the rows that filters read -------------------------------------------------------
 */

/* Collective. Chooses how rows of the image come to the filters, with the strips and the segments
 * of the chain: as they are needed, unless that is slower; then, and if a segment's result that
 * others look at twice fits, too, in memory. HALO_MEMORY, HALO_ARGUMENT, HALO_TRANSPORT. */
halo_status filter_input_choose(app_run *run);

/* Collective. Begins to read, or reads all. */
halo_status filter_input_read(app_run *run);

/* Local. The image for halo_filter_run_create. */
filter_image filter_input_image(app_run *run);

/* Collective, once all rows were made: closes the file, and refuses an image of which some samples
 * are missing. Returns `status` otherwise. */
halo_status filter_input_end(app_run *run, halo_status status);

/* Local. How often the image was gone through. How often the file was read, also for a text, null
 * for once; and how. */
int filter_input_passes(const filter_job *job);
int filter_input_readings(const filter_job *job);
json_t *filter_input_again(const filter_job *job);
const char *filter_input_manner(const app_run *run);

/* Local. Ends a stretch of computing, in which rows may have been read; `read` are the seconds of
 * that before. */
void filter_input_clock(app_run *run, halo_stretch stretch, double read);

/* ---- output.c: the result ----------------------------------------------------------------------
 */

/* The command's outputs, and among them that of --steps. */
extern const app_output filter_outputs[];

/* Samples that are missing (gaps.c). Local: is the image smoothed around them? The chain is
 * resolved. */
bool filter_gaps_apply(const app_run *run);

/* Local. Makes job->gaps and job->colours, and resolves the chain for pairs. HALO_MEMORY. */
halo_status filter_gaps_create(app_run *run);
void filter_gaps_destroy(filter_gaps **gaps);

/* Collective. Reads the image into pairs. */
halo_status filter_gaps_read(app_run *run);

/* Local. The type of results; and row `row` of them, from pairs as they were made. */
halo_sample_type filter_gaps_type(const filter_gaps *gaps);
void filter_gaps_put(const app_run *run, int64_t row, const void *made, void *out);
extern const app_output *const filter_steps_output;

/* Local. Copies a row of samples as files have them. */
void filter_copy_row(const app_run *run, halo_sample_type type, const void *row, void *out);

/* Collective. Writes an image of this type, whose rows `fill` makes by filter_copy_row. Errors as
 * of app_write_png and app_write_array, and HALO_ARGUMENT for a type that PNG does not have. */
halo_status filter_write_file(app_run *run, const char *path, halo_sample_type type,
                              halo_rows_fill *fill);

/* ---- steps.c: files of --steps ----------------------------------------------------------------
 */

/* As app_command.files, and app_output.folder_is_complete. */
halo_status filter_add_files(app_run *run, app_files *files);
bool filter_steps_are_there(const app_run *run, const char *folder);

/* Collective. Makes the folder, if there is one. HALO_FILE. */
halo_status filter_make_folder(app_run *run);

/* Collective. Writes job->held to a file in the folder. */
halo_status filter_write_step(app_run *run, const char *folder);

/* As filter_watch.made, with the run as context: does all that is to be done between passes. */
halo_status filter_take_segment(void *context, int segment, const halo_view *result,
                                halo_sample_type type);

/* ---- state.c: checkpoints ---------------------------------------------------------------------
 */

extern const halo_option filter_checkpoint_rows[];
extern const app_state filter_state;

/* Local, once the chain is resolved. Is the checkpoint, if one is restored, of these steps and this
 * image? HALO_ARGUMENT, HALO_MEMORY. */
halo_status filter_check_restored(app_run *run);

/* ---- facts.c: what is reported of steps -------------------------------------------------------
 */

/* Collective, in that order: before anything is computed, and when all is. Find what is to be
 * reported of the steps. HALO_MEMORY, HALO_TRANSPORT. */
halo_status filter_begin_told(app_run *run);
halo_status filter_end_told(app_run *run);

/* Local. Frees that. */
void filter_free_told(filter_job *job);

/* Local, on rank 0, once all is found. Nanoseconds a pixel that a step took on all ranks together,
 * and layers that it looks to each side. */
double filter_nanoseconds(const app_run *run, int step);
int64_t filter_depth_of(const filter_step *step);

/* As app_command.shots, and local: frees them. */
const app_shots *filter_shots(const app_run *run);
void filter_free_shots(filter_told *told, int steps);

/* The command's report. */
json_t *filter_facts(app_run *run, json_t *texts);
extern const app_line filter_lines[];
extern const app_listing filter_listings[];

/* Local. The texts of the steps: a new array. */
json_t *filter_step_texts(const app_run *run);

/* Local. Appends the filters and their values to the help. */
void filter_describe(const app_syntax *syntax, char *out, size_t size);

/* Local. Prints what there is to say of the filter `word`. HALO_ARGUMENT if there is none. */
halo_status filter_explain(const char *word, bool speaks);

#endif
