#ifndef HALOBEAT_CLI_TASKS_OPTIONS_H
#define HALOBEAT_CLI_TASKS_OPTIONS_H

#include "app/options/options.h"

/* ---- the command line (words.c) -------------------------------------------------------------- */

/* The command line behind the options, in the words of GNU parallel: COMMAND... and sources of
 * inputs, each behind one of :::, :::+, :::: and ::::+. */

typedef struct {
    bool is_file; /* words are names of files whose lines are inputs; else inputs themselves */
    bool linked;  /* its inputs go with those of the source before it, one by one */
    char **words; /* [count], within argv */
    int count;
} tasks_source;

typedef struct {
    int options; /* words of argv that are the program and its options */
    char **command;
    int command_count;
    tasks_source *sources; /* [source_count], for free() */
    int source_count;
} tasks_words;

/* Local, pure. Takes a command line apart: options end at --, at the first word that is neither an
 * option of `syntax` nor its value, or at a source. HALO_ARGUMENT for an option or a source of GNU
 * parallel that is not offered, with what to use in its place; HALO_MEMORY. */
halo_status tasks_words_parse(tasks_words *out, const app_syntax *syntax, int argc, char **argv);

/* ---- values of options (values.c) ------------------------------------------------------------ */

/* Values of options as GNU parallel writes them. All functions are local and pure; their failures
 * are HALO_ARGUMENT, without a message where the row of the option says what it takes. */

/* Seconds, or a share of the median time of jobs, .01 for 1%. */
typedef struct {
    double seconds, share;
} time_value;
halo_option_parse parse_time;     /* into a time_value: 90, 1m, 1h30m, 2.5d, or 200% */
halo_option_parse parse_duration; /* into a double: the same without shares */

/* A number, or a share of the processor cores. `added`: a number to be added to the cores. */
typedef struct {
    double number, share;
    bool added;
    bool given;
} count_value;
halo_option_parse parse_count; /* 4, 0, +1, -2 or 50%; into a count_value */
halo_option_parse parse_load;  /* the same above 0, and not added */

/* Returns the value on a machine with `cores` cores; `most` for the number 0. */
double count_value_of(const count_value *value, int cores, double most);

halo_option_parse
    parse_bytes; /* into an int64_t: 1000, 500M, 1.5G; k, m, g, t, p are powers of 1000 */

/* When a run ends before all jobs are done. */
typedef enum { HALT_NEVER, HALT_SOON, HALT_NOW } halt_when;
typedef enum { HALT_FAILED, HALT_SUCCEEDED, HALT_DONE } halt_of;
typedef struct {
    int when; /* halt_when */
    int of;   /* halt_of: which jobs count */
    int64_t count;
} halt_value;
halo_option_parse
    parse_halt; /* never, soon, now, soon,fail=2, now,success=1, now,done=3; 0, 1 or 2 */

/* Names of files, one for each time that the option is given. */
enum { VALUES_FILES = 64 };
typedef struct {
    const char *name[VALUES_FILES];
    int count;
} file_values;
halo_option_parse parse_file;

#endif
