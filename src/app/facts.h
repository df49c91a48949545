#ifndef HALOBEAT_APP_FACTS_H
#define HALOBEAT_APP_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a run reports: a JSON object, and lines of text that are made from it. A fact is named once,
 * in the object; a line is a template with its key. All local. */

/* A line of a summary. In the text stand
 *   {key}        the value of that key: an integer, text, or a real number by %g
 *   {key%.4g}    a number by another conversion
 *   {key>0}      the same, but only if it is more than 0
 *   {a.b}        the value of key b in the object that is the value of key a
 *   {s:key}      "s" unless the value is 1
 *   [...]        what is left out if a value in it is missing, null, or not more than 0 where
 *                that was asked for; brackets nest. A line whose value is missing outside of
 *                brackets is left out */
typedef struct {
    const char *name; /* NULL ends a list */
    const char *text;
    bool verbose; /* only where a longer summary is asked for */
} app_line;

/* Make the text of a line from the keys of `facts`, or those of `others`. False if it is to be left
 * out. Text beyond `size` is cut. */
bool app_line_text(const app_line *line, const json_t *facts, const json_t *others, char *text,
                   size_t size);

/* Print the lines on stdout, as wide as a terminal. */
void app_lines_print(const app_line *lines, const json_t *facts, const json_t *others,
                     bool verbose);

/* New JSON values: text, or null for NULL; a number, or null for a negative one. */
json_t *app_fact_text(const char *text);
json_t *app_fact_count(json_int_t number);

#endif
