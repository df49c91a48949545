#ifndef HALOBEAT_CLI_FILTER_JOB_H
#define HALOBEAT_CLI_FILTER_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "kernels/filter/run.h"

typedef struct {
    app_arguments all;
    const char *step[FILTER_MOST_STEPS]; /* texts, which belong to argv */
    int steps;
    int packing; /* halo_array_packing */
    const char *output;
} filter_options;

typedef struct {
    filter_chain chain;
    halo_partition strips;
    int64_t *row_cuts;   /* [ranks + 1] the same of rows, numbered through all planes */
    halo_field *samples; /* this rank's strip, until `run` takes it over */
    filter_run *run;
    /* While it is written: */
    filter_made made;     /* rows of a tile */
    int64_t first, count; /* rows that are in it */
    int64_t next;         /* the next layer to be made */
    unsigned char one;    /* bits are written as bytes, 0 and this one; 0: as they are */
} filter_job;

/* The command's steps. */
extern const app_output filter_outputs[];

/* Local. Appends the filters and their values to the help. */
void filter_describe(const app_syntax *syntax, char *out, size_t size);

/* Local. Prints what there is to say of the filter `word`. HALO_ARGUMENT if there is none. */
halo_status filter_explain(const char *word, bool speaks);

#endif
