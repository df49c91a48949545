#ifndef HALOBEAT_CLI_TASKS_INPUTS_H
#define HALOBEAT_CLI_TASKS_INPUTS_H

#include "base/memory.h"
#include "cli/tasks/options.h"

#include <stdbool.h>
#include <stdint.h>

/* All functions are local. */

/* ---- texts and their columns (records.c) ----------------------------------------------------- */

/* Texts of any length, one after the other: inputs of jobs, or jobs themselves. */
typedef struct {
    halo_buffer text; /* each record, ended by '\0' */
    halo_buffer ends; /* int64_t: the byte behind each record */
    int64_t count;
} record_list;

void record_list_free(record_list *list);

/* HALO_MEMORY. */
halo_status record_list_add(record_list *list, const char *record, size_t length);

/* Adds the records of a file, "-" for standard input, that `end` ends, '\n' or '\0'. Without
 * `empty`, empty ones are left out. HALO_FILE, HALO_FORMAT for a line with a zero byte in it,
 * HALO_MEMORY. */
halo_status record_list_read(record_list *list, const char *path, char end, bool empty);

/* Record `i`, from 0. */
const char *record_list_at(const record_list *list, int64_t i);

typedef struct column_splitter column_splitter;

/* Prepares to split texts into columns at `expression`: an extended regular expression of POSIX in
 * which \t, \n, \d and \s mean what they mean in Perl, also within brackets. HALO_ARGUMENT for what
 * it does not understand, and for one that matches nothing; HALO_MEMORY. */
halo_status column_splitter_create(column_splitter **out, const char *expression);

/* Accepts a pointer to NULL. */
void column_splitter_destroy(column_splitter **splitter);

/* Appends the columns of `record` to `out`, each ended by '\0', and adds their number to *count.
 * HALO_MEMORY. */
halo_status column_splitter_split(const column_splitter *splitter, const char *record,
                                  halo_buffer *out, int *count);

/* ---- inputs of jobs (inputs.c) --------------------------------------------------------------- */

/* A source of inputs. Jobs have all combinations of what is in their sources, in the order of GNU
 * parallel, in which the last source is the fastest. */
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

/* ---- commands of jobs (template.c) ----------------------------------------------------------- */

/* How the command of a job is made from a template and its input. */
typedef struct {
    int64_t number;     /* of the job, from 1: {#} */
    bool quoted;        /* inputs are quoted for a shell, also between quotes of the template */
    bool behind;        /* inputs come behind a template without any of these places */
    halo_buffer *slots; /* {%} is left out, and where it was, a uint32_t, goes here. NULL: {%}
                         * stays */
} template_use;

/* HALO_ARGUMENT for {= =}, which is Perl, with what to use. */
halo_status template_check(char *const *words, int count);

/* Appends `words` [count] to `out`, with blanks between them, and '\0'. In place of {} stand all
 * columns of the input, with blanks between them; of {.} without ending, {/} without folder, {/.}
 * without both, {//} their folders; of {N}, {N.}, {-N} and so on column N, from the front or the
 * back; of {NAME}, {NAME.} and so on that of this name; of {#} the job's number. No words: the
 * columns themselves. HALO_MEMORY. */
halo_status template_expand(halo_buffer *out, char *const *words, int count, const job_input *input,
                            const template_use *use);

#endif
