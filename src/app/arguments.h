#ifndef HALOBEAT_APP_ARGUMENTS_H
#define HALOBEAT_APP_ARGUMENTS_H

#include "app/balance_options.h"
#include "base/numbers.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* What the commands' arguments have in common. Strings belong to argv. All of it is local, and
 * the same on all ranks for the same argv. */

/* Options that every command takes. */
typedef struct {
    const char *vote, *wait, *progress; /* names; "auto" where that is the default */
    const char *instructions;           /* or NULL for the best */
    const char *json;                   /* or NULL */
    bool quiet, verbose;
    balance_arguments balance;
} common_arguments;

/* What parsing came to. */
typedef enum { ARGUMENTS_GOOD, ARGUMENTS_HELPED, ARGUMENTS_BAD } arguments_verdict;

/* One parse. `into` is where the command's own parser puts its arguments. */
typedef struct {
    const char *command;      /* as in `halobeat COMMAND`; */
    const char *program;      /* or, if not NULL, what else the user calls it */
    const char *beat;         /* what it counts as one, in words that follow "A beat is" */
    bool own_instructions;    /* no --instructions: the kernel has its own way to choose them */
    bool speaks;              /* print help and complaints: one rank does */
    common_arguments *common; /* filled in */
    void *into;
    bool helped; /* out: --help was given, and nothing else matters */
} arguments_parse;

/* A command's own options: groups 1 to 7 are its own, ARGUMENTS_HOW is for what changes how a
 * result is computed but not the result. Its parser gets an arguments_parse as input. */
enum { ARGUMENTS_HOW = 8, ARGUMENTS_BALANCE, ARGUMENTS_REPORTS };

/* Parse all arguments; `own` describes those of the command. The common ones get their defaults
 * first. */
arguments_verdict arguments_run(int argc, char **argv, const struct argp *own,
                                arguments_parse *parse);

enum { ARGUMENTS_NAME = 128 };

/* What the user calls it. */
void arguments_name(const arguments_parse *parse, char name[ARGUMENTS_NAME]);

/* Say once what is wrong and where to find help; returns EINVAL, which stops parsing. */
error_t arguments_complain(const arguments_parse *parse, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Which of `names`, which end with NULL, is `value`; -1 after a complaint that lists them. */
int arguments_choose(const arguments_parse *parse, const char *option, const char *value,
                     const char *const *names);

/* The same, leaving the name itself. */
error_t arguments_choose_name(const arguments_parse *parse, const char *option, const char *value,
                              const char *const *names, const char **out);

/* What every command takes as --wait and --progress. */
error_t arguments_choose_wait(const arguments_parse *parse, const char *value, const char **out);
error_t arguments_choose_progress(const arguments_parse *parse, const char *value,
                                  const char **out);

/* A whole number from `least` to `most`, or a complaint that --`option` takes `what`. */
error_t arguments_integer(const arguments_parse *parse, const char *option, const char *what,
                          const char *text, int64_t least, int64_t most, int64_t *out);

/* Does a file's name have this ending, in any case, and something before it? */
bool arguments_ends_with(const char *path, const char *ending);

#endif
