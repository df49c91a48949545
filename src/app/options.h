#ifndef HALOBEAT_APP_OPTIONS_H
#define HALOBEAT_APP_OPTIONS_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options as tables. A row says everything about one option: its names, the type and limits of its
 * value, where the value goes, its default, what it needs and excludes, and its help. Parsing, the
 * help, the manual page, completion, the JSON echo, and what a checkpoint keeps all come from the
 * row; adding an option is adding a row. (FFmpeg's and git's option tables are the models.)
 *
 * Everything here is local, and gives the same on all ranks for the same argv. */

typedef enum {
    APP_END,     /* ends a table; all zero */
    APP_SECTION, /* `help` is a heading of the help; the rows below belong to it */
    APP_FLAG,    /* bool; takes no value */
    APP_INTEGER, /* int64_t from `min` to `max` */
    APP_REAL,    /* double from `min` to `max` */
    APP_SHARE,   /* double, written as .01 or 1%; `min` and `max` are shares */
    APP_CHOICE,  /* const char *: one of `choices` */
    APP_INDEX,   /* int: which one of `choices`, from 0 */
    APP_TEXT,    /* const char *: any text but none */
    APP_INPUT,   /* const char *: a file that is read */
    APP_OUTPUT,  /* const char *: a file that is written; its name ends in one of `choices` */
    APP_CUSTOM   /* `parse` stores the value */
} app_type;

enum {
    APP_SAVED = 1,     /* checkpoints keep the value; --restore brings it back */
    APP_REPEATS = 2,   /* may be given again; `parse` is called each time */
    APP_HIDDEN = 4,    /* an old spelling: understood, but not shown */
    APP_ARGUMENT = 8,  /* no option: a word of the command line that begins without a dash */
    APP_CHECKED = 16,  /* of an APP_OUTPUT: a folder, or the pattern of several names: the command
                        * checks it */
    APP_STREAM = 32,   /* of an APP_OUTPUT without endings: it can go to standard output */
    APP_LABELS = 128,  /* of an APP_OUTPUT: pictures show it in the colours of labels */
    APP_NUMBERED = 64, /* of an APP_OUTPUT: of a volume, each plane can be a file, FILE-%04d.png */
    APP_BEATS = 256    /* of an APP_OUTPUT: each of several beats can have a file, FILE-%04d.png */
};

/* Stores the value of `text` in `into`. HALO_ARGUMENT for text that is none; a message is needed
 * only where the row has no `takes`. */
typedef halo_status app_parse(const char *text, void *into);

typedef struct {
    const char *name; /* without the dashes; of an APP_ARGUMENT, as the usage line shows it */
    char letter;      /* of the short form; 0: none */
    app_type type;
    size_t offset;     /* of the value in the structure that the table is for */
    const char *value; /* what the help calls the value; NULL: follows from type and choices */
    const char *help;
    const char *standard; /* the default, as a user would write it; NULL: the field begins as 0 */
    const char *unless;   /* the default in words, where it is no constant */
    double min, max;      /* of numbers; both 0: from 0 on */
    const char *unit;     /* of numbers, in complaints: "a number of beats from 1 on" */
    const char *word;     /* besides numbers, this word is taken as 0: "auto" */
    const char *choices;  /* "a|b|c"; a bar at the beginning is passed over */
    const char *takes;    /* what is taken, in complaints: "--init takes ..." */
    const char *offers;   /* "a|b": what completion offers besides choices and words of `value` */
    const char *(*offer)(int i); /* the same, made: the i-th one, NULL after the last */
    const char *needs;           /* "a|b": says nothing unless one of these is given too */
    const char *excludes;        /* "a|b": none of these may be given too */
    const char *why;             /* ... because of this */
    const char *required;        /* the complaint if it is not given, unless one of `instead` is */
    const char *instead;         /* "a|b" */
    const char *aliases;         /* "a|b": other names, not shown */
    const char *key;             /* in JSON and checkpoints, where the name will not do */
    unsigned flags;
    app_parse *parse; /* instead of what the type does; always of APP_CUSTOM */
    size_t file;      /* of an APP_CUSTOM that may name a file that is read: the offset of the name,
                       * which is NULL otherwise; 0: it names none */
} app_option;

/* How a row begins: the name, the type without its APP_, and the member of `structure` that holds
 * the value. */
#define APP_ROW(structure, option, kind, member) \
    .name = option, .type = APP_##kind, .offset = offsetof(structure, member)

struct app_options;
struct app_syntax;

/* What no row can say about several options together. `into` is the structure of the options.
 * HALO_ARGUMENT, and a message. */
typedef halo_status app_check(const struct app_options *given, void *into);

/* What a command takes. All of it is constant, so that the manual page can be made from it. */
typedef struct app_syntax {
    const char *name;    /* of the command: "chan-vese" */
    const char *summary; /* what it is for, in a line of the list of commands */
    const char *about;   /* paragraphs at the top of the help */
    const char *notes;   /* paragraphs at its end, examples among them */
    const char *beat;    /* what the command counts as one, in words that follow "A beat is" */
    const app_option *const *tables; /* of rows, in the order of the help; ended by NULL */
    size_t bytes;                    /* of the command's structure of options */
    /* More help between options and notes, appended to the string `out` (`size` bytes); or NULL. */
    void (*describe)(const struct app_syntax *syntax, char *out, size_t size);
    app_check *check;  /* or NULL */
    const char *words; /* "a|b": what an argument may be besides files, for completion; or NULL */
} app_syntax;

/* What was given. */
typedef struct app_options app_options;

typedef enum { APP_PARSED, APP_HELPED, APP_REFUSED } app_verdict;

/* Set `into`, a structure of syntax->bytes, to the defaults and parse the arguments into it.
 * Strings belong to argv. `program` is what a user calls the command ("halobeat label"), and stays
 * the caller's. With `speaks`, help and complaints are printed. `*out` must be destroyed in any
 * case; APP_REFUSED also if memory is out. */
app_verdict app_options_parse(app_options **out, const app_syntax *syntax, const char *program,
                              int argc, char **argv, bool speaks, void *into);

/* Accepts a pointer to NULL. */
void app_options_destroy(app_options **options);

/* Was an option given whose value is stored in `field`? An old spelling may be a row of its own
 * with the same field. */
bool app_given(const app_options *options, const void *field);

/* The structure that they were parsed into. */
void *app_options_into(const app_options *options);

/* Was an option of this table of rows given, which is one of the syntax's? */
bool app_any_given(const app_options *options, const app_option *rows);

/* As it was given, the last time, or NULL. */
const char *app_given_text(const app_options *options, const void *field);

/* The command line that they are from, as one would write it in a shell; or NULL. */
const char *app_options_line(const app_options *options);

/* All options but hidden ones with their values, by name: a new reference, or NULL. */
json_t *app_options_json(const app_options *options);

/* Options that checkpoints keep, in the order of their rows, into `object`. False: out of memory.
 */
bool app_options_save(const app_options *options, json_t *object);

/* Bring back what app_options_save left: fields of options that were not given get the saved
 * value. HALO_ARGUMENT for an option that was given with another value than `path`, the checkpoint,
 * has; HALO_FORMAT if a value is missing, of another type, or beyond the row's limits, before any
 * field has changed. */
halo_status app_options_restore(app_options *options, const json_t *object, const char *path);

/* Options that say how a run begins, and so cannot be given with --restore: a new object of those
 * that were given, by name, or NULL for want of memory. */
json_t *app_options_begun(const app_options *options);

/* HALO_ARGUMENT if they are others than in `begun`, an object of app_options_begun that the
 * checkpoint `path` has. */
halo_status app_options_check_begun(const app_options *options, const json_t *begun,
                                    const char *path);

/* The help, for a terminal of 80 columns, on stdout. */
void app_options_help(const app_syntax *syntax, const char *program);

/* A section of the manual page in roff, and cases of the completion for bash (see
 * docs/manual/completion.bash.in), on stdout. */
void app_options_manual(const app_syntax *syntax);
void app_options_completion(const app_syntax *syntax);

/* Appends an object for each row to `rows`, an array: for tests, and for other programs. */
void app_options_list(const app_syntax *syntax, json_t *rows);

/* ---- rows, for those who print them ---------------------------------------------------------- */

/* Walks through the rows of all tables: returns the next one, NULL after the last. Begin with a
 * place that is all zero. */
typedef struct {
    int table, row;
} app_place;
const app_option *app_next_row(const app_syntax *syntax, app_place *at);

/* Is it one of the options that help, manual page and completion show? */
bool app_is_shown(const app_option *row);

enum { APP_VALUE_SIZE = 160 };

/* What the help calls the value of an option: "N", "FILE.png|.npy"; "" for flags. */
void app_option_value(const app_option *row, char text[APP_VALUE_SIZE]);

/* The sentence or sentences of the help, its default included; a new string, or NULL. */
char *app_option_text(const app_option *row);

/* Is `name`, `length` characters long, in a list such as "a|b|c"? */
bool app_list_has(const char *list, const char *name, size_t length);

/* Walks through a list such as "a|b|c": *name becomes the next entry, its length is returned; 0
 * after the last. Begin with *name = NULL. */
size_t app_list_next(const char *list, const char **name);

#endif
