#ifndef HALOBEAT_APP_REPORT_FACTS_H
#define HALOBEAT_APP_REPORT_FACTS_H

#include "base/number.h"
#include "core/async/async.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The facts that a run reports: a JSON object, and lines of text made from it. A fact has a name in
 * the object; a line is a template with such names. All functions are local. */

/* A line of a summary: a template in which these parts are replaced.
 *   {key}        the value of that key: an integer, text, or a real number by %g
 *   {key%.4g}    a number by another conversion
 *   {100*key}    the number times 100, or another factor, as a real number
 *   {key>1}      the value, which counts as missing unless it, times its factor, is above 1
 *   {a.b}        the value of key b in the object of key a, or element b of the array of key a
 *   {s:key}      "s" unless the value is 1
 *   {key?yes:no} one of two texts: the first if the value is true or a number other than 0;
 *                `:no` may be omitted
 *   [...]        is left out if a value in it is missing or null; brackets nest. If a value
 *                outside of brackets is missing, the whole line is left out
 * The order of the parts between braces is {100*key%.4g>1?yes:no}. */
typedef struct app_line {
    const char *name; /* NULL ends a list */
    const char *text;
    bool verbose; /* only in the longer summary */
} app_line;

/* The value of a key, as above, in `facts` or otherwise in `others`; NULL if there is none. */
const json_t *app_fact(const json_t *facts, const json_t *others, const char *key);

/* Makes the text of a line from the keys of `facts` and `others`. False if the line must not be
 * printed. The text is cut at `size` bytes. */
bool app_line_text(const app_line *line, const json_t *facts, const json_t *others, char *text,
                   size_t size);

/* Prints the lines on stdout, wrapped to the width of a terminal. */
void app_lines_print(const app_line *lines, const json_t *facts, const json_t *others,
                     bool verbose);

/* A column of a table of numbers. */
typedef struct app_column {
    const char *title; /* NULL ends a list */
    const char *text;  /* template of a cell, like that of a line, with the keys of its row; "-"
                        * for a missing value */
    int width;         /* minimum width; negative: left-aligned */
} app_column;

/* A table after the lines of a summary. */
typedef struct app_listing {
    const char *rows; /* key of an array with an object for each row; NULL ends a list. The table
                       * is left out if the key is missing */
    const app_column *columns;
    const char *note; /* text below it, or NULL */
    bool verbose;     /* only in the longer summary */
} app_listing;

/* Prints these tables on stdout, each after an empty line: titles, then right-aligned cells. */
void app_listings_print(const app_listing *listings, const json_t *facts, const json_t *others,
                        bool verbose);

/* New JSON values. A string, null for NULL, with bytes that are not UTF-8 (in file names) replaced
 * by question marks. An integer, null for a negative one. */
json_t *app_fact_text(const char *text);
json_t *app_fact_count(json_int_t number);

/* An array of numbers. */
json_t *app_fact_integers(const int64_t *numbers, int count);
json_t *app_fact_reals(const double *numbers, int count);

/* A real number; null for one that is not known, or not finite. */
json_t *app_fact_real(double number, bool known);

/* The same of a number: JSON has whole numbers of 64 bits with a sign, and neither infinities nor
 * NaN; what it does not have is a string. */
json_t *app_fact_number(const halo_number *number);

/* Local. The parts of a domain, `n` [axes], as text: "3 strips", or "2 x 2 blocks". NULL if there
 * is no memory. */
json_t *app_fact_parts(int axes, const int *n);

/* Local. The report of asynchronous computing; NULL if there was none or there is no memory. */
json_t *app_fact_async(const halo_async_report *report, const char *detector);

/* The line of a summary for it, if facts have it under the key "async". */
#define APP_ASYNC_LINE                                                                           \
    {                                                                                            \
        .name = "messages", .verbose = true,                                                     \
        .text = "{async.messages} of cells, {async.control} of the detector {async.detector}; "  \
                "{async.phases} phase{s:async.phases}, the last one to see that nothing changes" \
    }

/* Local. Adds what `facts` lacks of `more`, also within objects; false for want of memory. */
bool app_facts_add_missing(json_t *facts, json_t *more);

#endif
