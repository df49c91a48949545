#ifndef HALOBEAT_CLI_FILTER_JOB_H
#define HALOBEAT_CLI_FILTER_JOB_H

#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "kernels/filter/run.h"
#include "kernels/filter/survey.h"

typedef struct {
    app_arguments all;
    const char *step[FILTER_MOST_STEPS]; /* texts, which belong to argv */
    int steps;
    int packing; /* halo_array_packing */
    const char *output;
} filter_options;

/* The time of a step: the longest of any rank, and that of all together. */
typedef struct {
    double most, sum;
} filter_time;

/* Facts that are reported of the steps; zeroes if nobody asks for it. */
typedef struct {
    double *seconds;        /* [parts] of this rank */
    filter_time *time;      /* [steps] on rank 0, in the end */
    filter_survey **survey; /* [steps + 1] of the image and of what each step makes */
    bool complete;          /* all was computed */
} filter_told;

typedef struct {
    filter_chain chain;
    halo_partition strips;
    int64_t *row_cuts;   /* [ranks + 1] the same of rows, numbered through all planes */
    halo_field *samples; /* this rank's strip, until `run` takes it over */
    filter_run *run;
    filter_watch watch;
    filter_told told;
    /* While it is written: */
    filter_made made;     /* rows of a tile */
    int64_t first, count; /* rows that are in it */
    int64_t next;         /* the next layer to be made */
    unsigned char one;    /* bits are written as bytes, 0 and this one; 0: as they are */
} filter_job;

/* The command's steps. */
extern const app_output filter_outputs[];

/* Collective, in that order: before anything is computed, and when all is. Find what is to be
 * reported of the steps. HALO_MEMORY, HALO_TRANSPORT. */
halo_status filter_begin_told(app_run *run);
halo_status filter_end_told(app_run *run);

/* Local. Frees that. */
void filter_free_told(filter_job *job);

/* The command's report. */
json_t *filter_facts(app_run *run, json_t *texts);
extern const app_line filter_lines[];
extern const app_listing filter_listings[];

/* Local. Appends the filters and their values to the help. */
void filter_describe(const app_syntax *syntax, char *out, size_t size);

/* Local. Prints what there is to say of the filter `word`. HALO_ARGUMENT if there is none. */
halo_status filter_explain(const char *word, bool speaks);

#endif
