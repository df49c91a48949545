#ifndef HALOBEAT_APP_FACTS_H
#define HALOBEAT_APP_FACTS_H

#include "core/async/async.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a run reports: a JSON object, and lines of text that are made from it. A fact is named once,
 * in the object; a line is a template with its key. All local. */

/* A line of a summary. In the text stand
 *   {key}        the value of that key: an integer, text, or a real number by %g
 *   {key%.4g}    a number by another conversion
 *   {100*key}    the number times 100, or another factor, as a real one
 *   {key>1}      the value, but it counts as missing unless it is more than that
 *   {a.b}        the value of key b in the object that is the value of key a, or of that number in
 *                the array
 *   {s:key}      "s" unless the value is 1
 *   {key?yes:no} text that depends on whether the value is true, or a number other than 0; no
 *                text without `:no`
 *   [...]        what is left out if a value in it is missing or null; brackets nest. A line whose
 *                value is missing outside of brackets is left out
 * Between braces the parts are in the order {100*key%.4g>1?yes:no}. */
typedef struct {
    const char *name; /* NULL ends a list */
    const char *text;
    bool verbose; /* only where a longer summary is asked for */
} app_line;

/* The value of a key, as above, among the facts or else among the others; or NULL. */
const json_t *app_fact(const json_t *facts, const json_t *others, const char *key);

/* Make the text of a line from the keys of `facts`, or those of `others`. False if it is to be left
 * out. Text beyond `size` is cut. */
bool app_line_text(const app_line *line, const json_t *facts, const json_t *others, char *text,
                   size_t size);

/* Print the lines on stdout, as wide as a terminal. */
void app_lines_print(const app_line *lines, const json_t *facts, const json_t *others,
                     bool verbose);

/* A column of a table of numbers. */
typedef struct {
    const char *title; /* NULL ends a list */
    const char *text;  /* of a cell, as that of a line, from the keys of its row; "-" where a value
                        * is missing */
    int width;         /* at least; negative: cells begin at the same place */
} app_column;

/* A table behind the lines of a summary. */
typedef struct {
    const char *rows; /* key of an array with an object for each row; NULL ends a list. Where it is
                       * missing, the table is left out */
    const app_column *columns;
    const char *note; /* below it, or NULL */
    bool verbose;     /* only where a longer summary is asked for */
} app_listing;

/* Print these tables on stdout, each behind an empty line: titles and, below them, cells that end
 * at the same place. */
void app_listings_print(const app_listing *listings, const json_t *facts, const json_t *others,
                        bool verbose);

/* New JSON values. Text, null for NULL; names of files may not be UTF-8, as JSON is: bytes that do
 * not fit become question marks. A number, null for a negative one. */
json_t *app_fact_text(const char *text);
json_t *app_fact_count(json_int_t number);

/* Local. Into how many parts, `n` [axes], the axes of a domain are cut: "3 strips", or "2 x 2
 * blocks". NULL for want of memory. */
json_t *app_fact_parts(int axes, const int *n);

/* Local. What computing without rounds has taken; NULL, also if there was none. */
json_t *app_fact_async(const halo_async_report *report, const char *detector);

/* The line of a summary for it, where facts have it as "async". */
#define APP_ASYNC_LINE                                                                           \
    {                                                                                            \
        .name = "messages", .verbose = true,                                                     \
        .text = "{async.messages} of cells, {async.control} of the detector {async.detector}; "  \
                "{async.phases} phase{s:async.phases}, the last one to see that nothing changes" \
    }

#endif
