#ifndef HALOBEAT_APP_BALANCE_OPTIONS_H
#define HALOBEAT_APP_BALANCE_OPTIONS_H

#include "app/options.h"

#include <stdbool.h>
#include <stdint.h>

/* What a user asked of boundaries that move, and of ranks that are slow on purpose: the same
 * options in every command. Strings belong to argv. */

enum { BALANCE_SLOW_MOST = 64 }; /* times that --slow may be given */

typedef struct {
    const char *texts[BALANCE_SLOW_MOST];
    int count;
} balance_slow;

typedef struct {
    const char *balancer; /* "NAME[:OPTIONS]"; NULL: boundaries stay */
    int64_t every;        /* 0: chosen */
    const char *migrate;  /* NULL: auto */
    const char *log;      /* or NULL */
    balance_slow slow;
    const char *trace; /* or NULL */
} balance_arguments;

/* The options. Their structure is balance_arguments. */
extern const app_option app_balance_rows[];

/* Local. Is a rank to become slow, or slow in another way, after the first beat? */
bool balance_slows_later(const balance_arguments *arguments);

/* Local. Help behind the options, appended to `out`: what balancers there are, how rows migrate,
 * and what a beat is. */
void balance_describe(const app_syntax *syntax, char *out, size_t size);

#endif
