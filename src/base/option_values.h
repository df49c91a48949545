#ifndef HALOBEAT_BASE_OPTION_VALUES_H
#define HALOBEAT_BASE_OPTION_VALUES_H

#include "base/option.h"

/* Values of single rows, and lists of names, for those who parse options. All functions are local.
 * Numbers are decimal everywhere, without blanks, a plus sign, or the hexadecimal, infinite and NaN
 * forms that the C library accepts. */

/* Stores the value of a row in `field`. HALO_ARGUMENT, with a message only if the row has a parser
 * of its own; halo_option_refuse makes the message. */
halo_status halo_option_take(const halo_option *row, const char *text, void *field);

/* HALO_ARGUMENT for a text that halo_option_take refused just before, with a complete message:
 * "NAME takes ..., not "TEXT"", and a word that may have been meant. `name` is the option as users
 * write it. */
halo_status halo_option_refuse(const halo_option *row, const char *name, const char *text);

/* Describes what the row accepts, for messages: "a whole number from 0 to 9". */
enum { HALO_OPTION_TAKEN = 320 };
void halo_option_taken(const halo_option *row, char text[HALO_OPTION_TAKEN]);

/* The place where the value of a HALO_OPTION_OPTIONAL row, at `field`, says whether there is one.
 */
bool *halo_optional_given(const halo_option *row, void *field);

/* The number of a HALO_OPTION_INTEGER row, at `field`; optional or not. */
int64_t halo_option_integer(const halo_option *row, const void *field);
void halo_option_set_integer(const halo_option *row, void *field, int64_t value);

/* The row of this name, `length` characters long, or NULL. */
const halo_option *halo_options_find(const halo_option *rows, const char *name, size_t length);

/* The number of rows before the end; `rows` may be NULL. */
int halo_options_count(const halo_option *rows);

/* Bytes of the member of a row whose type is not HALO_OPTION_CUSTOM. */
size_t halo_option_bytes(const halo_option *row);

/* Are two values of a row, of a type up to HALO_OPTION_TEXT, the same? */
bool halo_option_is_same(const halo_option *row, const void *a, const void *b);

/* ---- lists ----------------------------------------------------------------------------------- */

/* True if `name`, `length` characters long, is in a list such as "a|b|c". */
bool halo_list_has(const char *list, const char *name, size_t length);

/* Iterates over a list such as "a|b|c": sets *name to the next entry and returns its length; 0
 * after the last. Start with *name = NULL. */
size_t halo_list_next(const char *list, const char **name);

#endif
