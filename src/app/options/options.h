#ifndef HALOBEAT_APP_OPTIONS_OPTIONS_H
#define HALOBEAT_APP_OPTIONS_OPTIONS_H

#include "base/option.h"
#include "base/option_values.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The options of a command: tables of rows (base/option.h), parsed from the command line, shown in
 * help, manual page and completion, echoed in JSON, kept in checkpoints.
 *
 * Everything here is local, and gives the same results on all ranks for the same argv. */

/* Flags of rows besides those of base/option.h. */
enum {
    APP_SAVED = HALO_OPTION_COMMAND,        /* checkpoints store the value; --restore restores it */
    APP_REPEATS = HALO_OPTION_COMMAND << 1, /* may be given more than once; `parse` is called each
                                             * time */
    APP_GOES_ON = HALO_OPTION_COMMAND << 2, /* the run goes on from a checkpoint: options that
                                             * exclude it say how a run begins */
    APP_ARGUMENT = HALO_OPTION_COMMAND << 3, /* not an option but an argument: a word that begins
                                              * without a dash */
    APP_CHECKED = HALO_OPTION_COMMAND << 4,  /* of an output: a folder, or a pattern of several
                                              * names, which the command checks */
    APP_STREAM = HALO_OPTION_COMMAND << 5,   /* of an output without endings: it may be standard
                                              * output */
    APP_LABELS = HALO_OPTION_COMMAND << 6,   /* of an output: pictures show it in the colours of
                                              * labels */
    APP_NUMBERED = HALO_OPTION_COMMAND << 7, /* of an output: each plane of a volume may be a file,
                                              * FILE-%04d.png */
    APP_BEATS = HALO_OPTION_COMMAND << 8,    /* of an output: each of several beats may have a file,
                                              * FILE-%04d.png */
    APP_PLOT = HALO_OPTION_COMMAND << 9,     /* of an output: a chart with text, which is not scaled
                                              * down */
    APP_UNLESS_DEFAULT = HALO_OPTION_COMMAND << 10, /* of APP_SAVED: checkpoints have no value that
                                                     * is the default, as those that were made
                                                     * before there was the option */
    APP_FRAMES = HALO_OPTION_COMMAND << 11          /* of an output: frames may go to standard
                                                     * output, as -.ppm and -.y4m */
};

struct app_options;
struct app_service;
struct app_service_use;
struct app_syntax;

/* Checks that concern several options. `into` is the options structure. HALO_ARGUMENT with a
 * message. */
typedef halo_status app_check(const struct app_options *given, void *into);

/* The syntax of a command. It is constant, so that the manual page can be made from it. */
typedef struct app_syntax {
    const char *name;                 /* name of the command: "chan-vese" */
    const char *summary;              /* its purpose, for the list of commands */
    const char *about;                /* paragraphs at the top of the help */
    const char *notes;                /* paragraphs at the end of the help, with examples */
    const char *beat;                 /* what the command counts as a beat, to follow "A beat is" */
    const halo_option *const *tables; /* tables of rows, in the order of the help; ended by NULL */
    /* The services of the command, which may have rows: these come where the tables have the place
     * of them (app/services/service.h). Ended by zeroes; NULL: it has none. */
    const struct app_service_use *services;
    size_t bytes; /* of the command's own options structure, behind which those of services are */
    /* Appends help between options and notes to the string `out` (`size` bytes); or NULL. */
    void (*describe)(const struct app_syntax *syntax, char *out, size_t size);
    /* Prints the help of a word behind --help, if `speaks`, in place of that of the command. NULL:
     * the word is ignored. HALO_ARGUMENT, with a message, for a word that it does not know. */
    halo_status (*explain)(const char *word, bool speaks);
    app_check *check;  /* or NULL */
    const char *words; /* "a|b": words that an argument may be, besides files, for completion; or
                        * NULL */
    /* Rows of options that only the i-th of these words takes: a new table that ends with a row of
     * HALO_OPTION_END, for free(); NULL after the last word. Or NULL. */
    halo_option *(*options_of_word)(int i);
} app_syntax;

/* The options given. */
typedef struct app_options app_options;

typedef enum { APP_PARSED, APP_HELPED, APP_REFUSED, APP_NO_MEMORY } app_verdict;

/* Local, pure. Bytes of the structure of all options: the command's own, and behind it those of its
 * services. */
size_t app_options_bytes(const app_syntax *syntax);

/* Local. The options of a service in such a structure; NULL if the syntax does not have it. */
void *app_options_of_service(const app_syntax *syntax, void *options,
                             const struct app_service *service);

/* Sets `into`, of app_options_bytes, to the defaults and parses the arguments into it.
 * Strings belong to argv. `program` is the command as users write it ("halobeat label"), owned by
 * the caller. With `speaks`, help and error messages are printed. *out must be destroyed in any
 * case. APP_REFUSED for invalid arguments, APP_NO_MEMORY; what is wrong is then the last message,
 * but for an option that does not exist. */
app_verdict app_options_parse(app_options **out, const app_syntax *syntax, const char *program,
                              int argc, char **argv, bool speaks, void *into);

/* Tells whose options may be meant where a command has no option of a name: returns the i-th
 * command of the program, NULL after the last. For the whole process. */
typedef const app_syntax *app_other_syntax(int i);
void app_options_set_others(app_other_syntax *other);

/* Frees the options and sets the pointer to NULL. Accepts a pointer to NULL. */
void app_options_destroy(app_options **options);

/* True if an option was given whose value is in `field`. */
bool app_given(const app_options *options, const void *field);

/* The structure that the options were parsed into; and in it the options of a service, zeroes if
 * the syntax does not have it. */
void *app_options_into(const app_options *options);
const void *app_options_service(const app_options *options, const struct app_service *service);

/* True if any option of `rows`, a table of the syntax or of a service of it, was given. */
bool app_any_given(const app_options *options, const halo_option *rows);

/* The text given last for `field`, or NULL. */
const char *app_given_text(const app_options *options, const void *field);

/* The command line as a shell command; or NULL. */
const char *app_options_line(const app_options *options);

/* All options, with their values, by name: a new reference, or NULL. */
json_t *app_options_json(const app_options *options);

/* Adds the options that checkpoints store to `object`, in the order of their rows. False if there
 * is no memory. */
bool app_options_save(const app_options *options, json_t *object);

/* Restores what app_options_save has stored: fields of options that were not given get the stored
 * value. HALO_ARGUMENT for an option given with another value than in the checkpoint `path`;
 * HALO_FORMAT if a value is missing, of another type, or out of the row's limits. Fields are not
 * changed after a failure. */
halo_status app_options_restore(app_options *options, const json_t *object, const char *path);

/* The options given that concern the start of a run, and so cannot be given with --restore: a new
 * object by name, or NULL if there is no memory. */
json_t *app_options_begun(const app_options *options);

/* HALO_ARGUMENT if they differ from `begun`, the object of app_options_begun in the checkpoint
 * `path`. */
halo_status app_options_check_begun(const app_options *options, const json_t *begun,
                                    const char *path);

/* Prints the help on stdout, 80 columns wide. */
void app_options_help(const app_syntax *syntax, const char *program);

/* Print a section of the manual page in roff, and cases of the completion for bash (see
 * docs/manual/completion.bash.in), on stdout. */
void app_options_manual(const app_syntax *syntax);
void app_options_completion(const app_syntax *syntax);

/* Appends an object for each row to `rows`, an array: for tests and other programs. */
void app_options_list(const app_syntax *syntax, json_t *rows);

/* ---- rows, for those who print them ---------------------------------------------------------- */

/* Iterates over the rows of all tables, and of services in their places: returns the next row, NULL
 * after the last. Start with a zeroed place. */
typedef struct app_place {
    const halo_option *row;            /* the row that was returned */
    const struct app_service *service; /* whose row it is; NULL: the command's own */
    size_t base;                       /* of its structure in the structure of all options */
    size_t offset;                     /* of its value there */
    const halo_option *next;           /* the next row of the same table */
    int table, services;               /* tables, and services of this place, gone through */
} app_place;
const halo_option *app_next_row(const app_syntax *syntax, app_place *at);

/* True if help, manual page and completion show the option. */
bool app_is_shown(const halo_option *row);

enum { APP_VALUE_SIZE = 160 };

/* The name of an option's value in the help: "N", "FILE.png|.npy"; "" for flags. */
void app_option_value(const halo_option *row, char text[APP_VALUE_SIZE]);

/* The text of the help, with its default; allocated for the caller, or NULL. */
char *app_option_text(const halo_option *row);

/* Local. The program and its arguments, without argv[0], as a shell command: words with special
 * characters are in single quotes. Allocated for the caller; NULL if there is no memory. */
char *app_command_line(const char *program, int argc, char *const *argv);

#endif
