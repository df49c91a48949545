#ifndef HALOBEAT_APP_VALUES_H
#define HALOBEAT_APP_VALUES_H

#include "app/options.h"
#include "base/scan.h"

/* Values as text. Numbers are read in one way everywhere: decimal, without blanks, a plus, or the
 * hexadecimal, infinite and undefined ones that the C library would take. All local. */

/* Read a share at *text as halo_scan_number (base/scan.h) reads a number: .01 or 1%. `min` and
 * `max` are shares. */
bool app_scan_share(const char **text, double min, double max, double *out);

/* Read up to `count` numbers from 1 to `max` at *text, with an x from one to the next: 640x480.
 * Returns how many there are; 0 for text that is none, ends with an x, or has more. */
int app_scan_sizes(const char **text, int64_t max, int count, int64_t *out);

/* What follows NAME: in text that is NAME or NAME:..., which is "" without a colon; NULL if the
 * text is neither. */
const char *app_behind_name(const char *text, const char *name);

/* Store the value of a row in `field`. HALO_ARGUMENT, with a whole complaint as message. */
halo_status app_value_parse(const app_option *row, const char *text, void *field);

/* What the row takes, for complaints: "a whole number from 0 to 9". */
enum { APP_TAKEN = 320 };
void app_value_taken(const app_option *row, char text[APP_TAKEN]);

enum { APP_OPTION_NAME = 64 };

/* As users write it: "--init"; of an argument, its name. */
void app_option_name(const app_option *row, char name[APP_OPTION_NAME]);

#endif
