#ifndef HALOBEAT_APP_OPTIONS_OPTIONS_INTERNAL_H
#define HALOBEAT_APP_OPTIONS_OPTIONS_INTERNAL_H

#include "app/options/options.h"

#include <argp.h>

/* A row, and what was given for it. */
typedef struct {
    const halo_option *row;
    void *field;
    const char *text;  /* as given, the last time; NULL: not given */
    const char *shown; /* text that the value came from: given, restored, or the default */
    json_t *texts;     /* for options that repeat: all texts */
} app_entry;

struct app_options {
    const app_syntax *syntax;
    const char *program;
    app_entry *entries;
    int count;
    void *into;
    bool speaks, helped;
    const char *asked;        /* the word behind --help, or NULL */
    bool lacks_memory;        /* which is what parsing failed for */
    bool complained;          /* what could not be parsed has been said */
    struct argp_option *argp; /* one for each name of an entry that is an option, and the end */
    const app_entry **keys;   /* the entry of each name */
    int names;                /* number of names */
    char *line;               /* the command line, or NULL */
};

/* True of an argument, which has no dashes. */
bool app_is_argument(const halo_option *row);

/* The entry of this name, `length` characters long, or NULL. */
app_entry *app_entry_named(const app_options *options, const char *name, size_t length);

/* The entry whose value is in `field` and that was given, or NULL. */
const app_entry *app_entry_given(const app_options *options, const void *field);

/* Makes the entries and names of the syntax, with defaults in `into`. *out must be destroyed in any
 * case. HALO_ARGUMENT for a default that its row refuses, HALO_MEMORY. */
halo_status app_options_create(app_options **out, const app_syntax *syntax, const char *program,
                               int argc, char *const *argv, void *into);

/* Checks what the rows of the options given say about others, then the syntax's own check.
 * HALO_ARGUMENT. */
halo_status app_options_check_together(const app_options *options);

/* Is every word that begins with two dashes the name of an option, or the beginning of one?
 * HALO_ARGUMENT with the option, or the command, that may have been meant. */
halo_status app_options_check_names(const app_options *options, int argc, char *const *argv);

#endif
