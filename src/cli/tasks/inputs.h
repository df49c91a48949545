#ifndef HALOBEAT_CLI_TASKS_INPUTS_H
#define HALOBEAT_CLI_TASKS_INPUTS_H

#include "cli/tasks/columns.h"
#include "cli/tasks/records.h"
#include "cli/tasks/words.h"

/* The inputs of jobs: all combinations of what is in their sources, in the order of GNU parallel,
 * in which the last source is the fastest. All functions are local. */

typedef struct {
    record_list list;
    bool linked; /* goes with the source before it */
} input_source;

typedef struct {
    const char *const *files; /* [file_count], before the sources of the command line */
    int file_count;
    const char *colsep; /* a regular expression, or NULL */
    char end;           /* of a record of a file */
    bool header;        /* first records are names of columns */
    bool empty;         /* empty records are inputs */
} input_options;

typedef struct {
    int64_t count; /* of jobs */
    input_source *source;
    int sources;
    column_splitter *splitter; /* or NULL */
    halo_buffer names;         /* with a header: those of the columns, each ended by '\0' */
    int named;
} job_inputs;

/* The input of one job: its columns, and their names if they have names. */
typedef struct {
    const char **column; /* [count] */
    const char **name;   /* [named] */
    int count, named;
    halo_buffer text;
} job_input;

/* Reads all sources. HALO_FILE, HALO_FORMAT, HALO_ARGUMENT for a wrong `colsep`, HALO_MEMORY. */
halo_status job_inputs_read(job_inputs *inputs, const tasks_words *words,
                            const input_options *options);

void job_inputs_free(job_inputs *inputs);

/* The input of job `i`, from 0; to be freed in any case. HALO_MEMORY. */
halo_status job_inputs_at(const job_inputs *inputs, int64_t i, job_input *out);
void job_input_free(job_input *input);

/* Appends the records that job `i` is made of, as they were read, with tabs between them, and '\0'.
 * HALO_MEMORY. */
halo_status job_inputs_records(const job_inputs *inputs, int64_t i, halo_buffer *out);

#endif
