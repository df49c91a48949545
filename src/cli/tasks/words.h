#ifndef HALOBEAT_CLI_TASKS_WORDS_H
#define HALOBEAT_CLI_TASKS_WORDS_H

#include "app/options/options.h"

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

/* Local, pure. Refuses options of GNU parallel that are not offered: HALO_ARGUMENT. */
halo_status tasks_refuse_long(const char *name, size_t length);
halo_status tasks_refuse_letter(char letter);

#endif
