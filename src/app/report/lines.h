#ifndef HALOBEAT_APP_REPORT_LINES_H
#define HALOBEAT_APP_REPORT_LINES_H

#include <stddef.h>

/* Text output, 80 columns wide. All functions are local. */

enum { LINES_WIDTH = 78 };

/* Prints `text` with its name on stdout, as the lines of a summary: the name in the first columns,
 * the text next to it, wrapped between words. */
void lines_print(const char *name, const char *text);

/* As lines_print, formatted as by printf and cut at 1023 bytes. */
void lines_printf(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints on stdout, formatted as by printf and made printable, text of any length as it is: without
 * a line feed, and not wrapped, so that names can be copied. */
void lines_write(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends `text` to the string `out` (`size` bytes) after `first`, in lines that end with a line
 * feed and, except for the first, begin with `indent` blanks. */
void lines_append(char *out, size_t size, const char *first, int indent, const char *text);

#endif
