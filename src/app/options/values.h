#ifndef HALOBEAT_APP_OPTIONS_VALUES_H
#define HALOBEAT_APP_OPTIONS_VALUES_H

#include "app/options/options.h"
#include "base/scan.h"
#include "partition/box.h"

/* Values of options on the command line, besides those of base/option_values.h: names of files, and
 * texts that several commands take. All functions are local. */

/* Parses up to `count` numbers from 1 to `max` at *text, separated by x: 640x480. Returns their
 * number; 0 for other text, text that ends with an x, or too many numbers. */
int app_scan_sizes(const char **text, int64_t max, int count, int64_t *out);

/* Names of axes with commas between them, such as "z,x": bit a is set if the axis "xyz"[a] is
 * named, x being the last one of an array. -1 for other text. */
int app_scan_axes(const char *text);

enum { APP_AXES_TEXT = 3 * HALO_AXES + 1 };

/* The names of the periodic axes of a domain, with `between` between them, of two bytes at most. */
void app_print_periodic(const halo_domain *domain, const char *between, char text[APP_AXES_TEXT]);

/* True if a value that may be words or numbers as well is the name of a file: "-", or a text with a
 * dot or a slash that is no list of numbers. */
bool app_is_file_name(const char *text);

/* Stores a name of one or of several numbered files, a filename_pattern (base/filename_pattern.h).
 */
halo_option_parse app_parse_pattern;

/* The part of `text` after "NAME:"; "" if it is NAME; NULL for other text. */
const char *app_behind_name(const char *text, const char *name);

/* Stores the value of a row in `field`. HALO_ARGUMENT, with a complete message. */
halo_status app_value_parse(const halo_option *row, const char *text, void *field);

enum { APP_OPTION_NAME = 64 };

/* An option as users write it, "--init"; the name of an argument. */
void app_option_name(const halo_option *row, char name[APP_OPTION_NAME]);

#endif
