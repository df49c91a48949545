#ifndef HALOBEAT_BASE_OPTION_H
#define HALOBEAT_BASE_OPTION_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options as rows of tables. A row describes an option: its name, the type and limits of its value,
 * the member of a structure that has the value, its default and its help. Kernels, balancers and
 * commands describe their options by rows of this one type. Parsing, help, manual page, completion,
 * JSON and checkpoints all use the row; an option is added by adding a row and its member. (The
 * option tables of FFmpeg and git are the models.)
 *
 *     typedef struct { double kept; int64_t seed; } plate_options;
 *     static const halo_option rows[] = {
 *         {HALO_OPTION_ROW(plate_options, "kept", REAL, kept), .max = 1, .standard = "1",
 *          .help = "Share of its heat that a cell keeps"},
 *         {HALO_OPTION_ROW(plate_options, "seed", INTEGER, seed), .help = "Of random numbers"},
 *         {0}};
 *
 * In a kernel's table these are `.options = rows, .options_bytes = sizeof(plate_options)`
 * (core/beat/kernel.h). A kernel's options have the types up to HALO_OPTION_TEXT.
 *
 * Everything here is local. */

typedef enum {
    HALO_OPTION_END,     /* ends a table; all zero */
    HALO_OPTION_SECTION, /* `help` is a heading of the help, for the rows after it */
    HALO_OPTION_FLAG,    /* bool; its text is empty, true or false */
    HALO_OPTION_INTEGER, /* int64_t or int, from `min` to `max` */
    HALO_OPTION_REAL,    /* double from `min` to `max` */
    HALO_OPTION_SHARE,   /* double, written as .01 or 1%; `min` and `max` are shares */
    HALO_OPTION_CHOICE,  /* const char *: one of `choices` */
    HALO_OPTION_INDEX,   /* int: index in `choices`, from 0 */
    HALO_OPTION_TEXT,    /* const char *: non-empty text; of a kernel, without commas. Valid as
                          * long as the run */
    HALO_OPTION_INPUT,   /* const char *: a file to read */
    HALO_OPTION_OUTPUT,  /* const char *: a file to write; its name ends in one of `choices` */
    HALO_OPTION_CUSTOM   /* `parse` stores the value */
} halo_option_type;

/* Flags of rows. The commands of the program have more of them. */
enum {
    HALO_OPTION_OPTIONAL = 1,   /* of a number without `standard`: the member is a
                                 * halo_optional_..., which says whether there is a value */
    HALO_OPTION_START = 2,      /* of a kernel: describes the initial cells; refused with --input,
                                 * which provides them */
    HALO_OPTION_INPUT_TYPE = 4, /* of a kernel, a choice: the type of the cells, by NumPy's names.
                                 * The default is then the type of the samples of --input, if that
                                 * is one of the choices */
    HALO_OPTION_COMMAND = 8     /* the first of those that commands have */
};

/* The values of numbers that are HALO_OPTION_OPTIONAL. */
typedef struct {
    int64_t value;
    bool given; /* on the command line, or in the checkpoint that was restored */
} halo_optional_integer;

typedef struct {
    double value; /* also of shares */
    bool given;
} halo_optional_real;

/* Stores the value of `text` in `into`. HALO_ARGUMENT for invalid text; a message is needed only if
 * the row has no `takes`. */
typedef halo_status halo_option_parse(const char *text, void *into);

typedef struct halo_option {
    const char *name; /* without dashes; of an argument as in the usage line */
    char letter;      /* short form; 0: none */
    halo_option_type type;
    size_t offset;        /* of the value in the structure of the table's options */
    size_t bytes;         /* of the value; 0: as the type has it first */
    const char *value;    /* name of the value in the help; NULL: by type and choices */
    const char *help;     /* what it is for, without a full stop */
    const char *standard; /* the default, as a user would write it; NULL: the member is 0 */
    const char *unless;   /* description of the default, if it is not constant */
    double min, max;      /* limits of a number, both included. If `max` is not above `min` there is
                           * no upper limit, so that 0 and 0 mean 0 or more */
    const char *unit;     /* of numbers, for messages: "a number of beats from 1 on" */
    const char *word;     /* a word accepted in place of 0: "auto" */
    const char *choices;  /* "a|b|c"; a leading bar is ignored */
    const char *takes;    /* what is accepted, for messages: "--init takes ..." */
    const char *offers;   /* "a|b": offered by completion besides choices and words of `value` */
    const char *(*offer)(int i); /* the same as a function: item i, NULL after the last */
    const char *needs;           /* "a|b": useless unless one of these is given too */
    const char *excludes;        /* "a|b": none of these may be given too */
    const char *why;             /* the reason for `excludes` */
    const char *required;        /* the message if it is not given, unless one of `instead` is */
    const char *instead;         /* "a|b" */
    const char *aliases;         /* "a|b": other names, not shown */
    const char *key;             /* key in JSON and checkpoints, if it differs from the name */
    const char *edge_hint; /* of a kernel, about the cells at edges that are not periodic: what
                            * the summary says of a run with --input and pictures, but without
                            * the option; or NULL */
    unsigned flags;
    halo_option_parse *parse; /* used in place of the type's parser; required for
                               * HALO_OPTION_CUSTOM */
    size_t file;              /* of a HALO_OPTION_CUSTOM that may name a file to read: offset of the
                               * name, which is otherwise NULL; 0: it names none */
} halo_option;

/* The beginning of a row: name, type without HALO_OPTION_, and the member of `structure` for the
 * value. It may be a member of a member: options that a kernel takes as they are go straight into
 * the structure that it takes, HALO_OPTION_ROW(my_options, "window", INTEGER, snake.window). */
#define HALO_OPTION_ROW(structure, option, kind, member)                               \
    .name = option, .type = HALO_OPTION_##kind, .offset = offsetof(structure, member), \
    .bytes = sizeof(((structure *)0)->member)

/* A constant macro as the text of a row's default. */
#define HALO_TEXT_OF(macro)         HALO_TEXT_OF_TOKENS(macro)
#define HALO_TEXT_OF_TOKENS(tokens) #tokens

/* ---- options by name and value ----------------------------------------------------------------
 */

/* The functions below take a table of rows, or NULL for none, and the structure of its options.
 * Texts that become values are not copied. `owner` is whose options they are, for messages:
 * "kernel heat". */

/* Sets each option to its default; others stay, so that the structure begins as zeroes.
 * HALO_ARGUMENT for a default that its own row refuses. */
halo_status halo_options_set_defaults(const halo_option *rows, void *structure);

/* Sets one option: halo_options_set(rows, &plate, "kernel plate", "kept", ".5"). HALO_ARGUMENT with
 * a message for an unknown name or an invalid value. */
halo_status halo_options_set(const halo_option *rows, void *structure, const char *owner,
                             const char *name, const char *value);

/* Sets the options of "NAME=VALUE,NAME=VALUE"; a flag may be NAME, and an option that is the only
 * one may be VALUE. `text` is changed, and must stay as long as its texts are values. Errors as of
 * halo_options_set. */
halo_status halo_options_read(const halo_option *rows, void *structure, const char *owner,
                              char *text);

/* ---- structures that grow ---------------------------------------------------------------------
 */

/* Copies the `given_bytes` bytes of a caller's structure of options to the library's own, of
 * `own_bytes` bytes, in whose version later members may have been added or not be there yet:
 * members that the caller did not know are 0, their default, and those that the library does not
 * know must be 0. `given` NULL: all are. `name` is the structure's, for messages.
 *
 * A public function that takes such a structure begins with it, and uses the copy:
 *
 *     halo_status plate_create_sized(plate **out, const plate_options *options,
 *                                    size_t options_bytes);
 *     #define plate_create(...) plate_create_sized(__VA_ARGS__, sizeof(plate_options))
 *
 * The size in a call is that of the header that the caller was compiled with. HALO_ARGUMENT if the
 * caller sets a member that only a newer library has. `own` is then 0. */
halo_status halo_options_take(void *own, size_t own_bytes, const void *given, size_t given_bytes,
                              const char *name);

/* The same for functions that return no status, which leave out of account what they do not know.
 */
void halo_options_take_known(void *own, size_t own_bytes, const void *given, size_t given_bytes);

/* The reverse, for structures that a function fills in, such as reports: copies the library's own,
 * of `own_bytes` bytes, to the caller's, of `given_bytes` bytes. Members that the caller does not
 * know are left out, and those that the library does not know are 0: `given_bytes` bytes are
 * written. `given` NULL: none are.
 *
 * A function that has a status, and may fail, gets the sizes after its other arguments, by a macro:
 *
 *     halo_status plate_run_sized(plate *plate, const plate_run_options *options,
 *                                 plate_report *report, size_t options_bytes,
 *                                 size_t report_bytes);
 *     #define plate_run(...)                                        \
 *         plate_run_sized(__VA_ARGS__, sizeof(plate_run_options),   \
 *                         sizeof(plate_report))
 *
 * A function that cannot fail returns the structure, and is inline in the header, so that its size
 * is the caller's:
 *
 *     void plate_get_report_sized(const plate *plate, plate_report *report, size_t report_bytes);
 *     static inline plate_report plate_get_report(const plate *plate)
 *     {
 *         plate_report halo_filled; (a name that hides none of a program's)
 *         plate_get_report_sized(plate, &halo_filled, sizeof(plate_report));
 *         return halo_filled;
 *     } */
void halo_report_give(void *given, size_t given_bytes, const void *own, size_t own_bytes);

#endif
