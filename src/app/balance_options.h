#ifndef HALOBEAT_APP_BALANCE_OPTIONS_H
#define HALOBEAT_APP_BALANCE_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* What a user asked of boundaries that move, and of ranks that are slow on purpose: the same
 * options in every command. Strings belong to argv. */

enum { BALANCE_SLOW_MOST = 64 }; /* times that --slow may be given */

typedef struct {
    const char *balancer; /* "NAME[:OPTIONS]"; NULL: boundaries stay */
    int64_t every;        /* 0: chosen */
    const char *migrate;  /* NULL: auto */
    const char *log;      /* or NULL */
    const char *slow[BALANCE_SLOW_MOST];
    int slow_count;
    const char *trace; /* or NULL */
} balance_arguments;

/* The options and their parser, whose input is an arguments_parse. */
extern const struct argp balance_argp;

/* Local. Is a rank to become slow, or slow in another way, after the first beat? */
bool balance_slows_later(const balance_arguments *arguments);

/* argp's filter of help: after the options, what balancers there are, how rows migrate, and what a
 * beat is. */
char *balance_help(int key, const char *text, void *input);

#endif
