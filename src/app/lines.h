#ifndef HALOBEAT_APP_LINES_H
#define HALOBEAT_APP_LINES_H

#include <stddef.h>

/* Text for people whose terminal is 80 columns wide. All local. */

/* Print `text` under its name on stdout, as the lines of a summary are: the name in the first
 * columns, the text beside it, broken between words. */
void lines_print(const char *name, const char *text);

/* The same with printf's rules; cut at 1023 bytes. */
void lines_printf(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append to `out` (`size` bytes, a string) `text` after `first`, in lines that begin with `indent`
 * blanks but for the first and end with a line feed. */
void lines_append(char *out, size_t size, const char *first, int indent, const char *text);

#endif
