#ifndef HALOBEAT_APP_OPTIONS_INTERNAL_H
#define HALOBEAT_APP_OPTIONS_INTERNAL_H

#include "app/options.h"

#include <argp.h>

/* One row, and what became of it. */
typedef struct {
    const app_option *row;
    void *field;
    const char *text;  /* as it was given, the last time; NULL: it was not */
    const char *shown; /* what the value was made from: given, restored, or the default */
    json_t *texts;     /* of one that repeats: all of them */
} app_entry;

struct app_options {
    const app_syntax *syntax;
    const char *program;
    app_entry *entries;
    int count;
    void *into;
    bool speaks, helped;
    struct argp_option *argp; /* one for each name of an entry that is an option, and the last */
    const app_entry **keys;   /* whose they are */
    int names;                /* of them */
    char *line;               /* the command line, or NULL */
};

/* The entry that stores into `field` and was given, or NULL. An option and its old spelling may be
 * two rows of one field. */
const app_entry *app_entry_given(const app_options *options, const void *field);

#endif
