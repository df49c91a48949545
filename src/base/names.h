#ifndef HALOBEAT_BASE_NAMES_H
#define HALOBEAT_BASE_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Choices by name: finding one in a list and refusing others. All functions are local. */

/* How many characters of `path` name a file: all, but of FILE.h5:/PATH/IN/IT, with .h5 or .hdf5,
 * those before the colon. Such a path has no empty names. */
size_t halo_name_file(const char *path);

/* Is there FILE.h5:/ in it, also with a path in the file that cannot be one? */
bool halo_name_means_inside(const char *path);

/* How many characters of `path` name what is there, of which *about then tells: all; or, of
 * FILE:/PATH/IN/IT, those of FILE, if that is a plain file; 0 if nothing is there. */
size_t halo_name_there(const char *path, struct stat *about);

/* Does a file's name have this ending (".png"), in any case, and something before it? What FILE.h5
 * is followed by does not count. */
bool halo_name_ends(const char *name, const char *ending);

/* The same of the first `length` characters of the name and the first `count` of the ending. */
bool halo_name_ends_by(const char *name, size_t length, const char *ending, size_t count);

/* Which of `names` ([count], 1 or more) is `name`: *index. NULL means the first one, the default.
 * HALO_ARGUMENT for another, naming all that there are: "unknown WHAT "NAME"; use A, B or C". */
halo_status halo_names_find(const char *what, const char *const *names, int count, const char *name,
                            int *index);

/* Writes "A, B or C" into `text`, cut at `size` bytes. */
void halo_names_list(const char *const *names, int count, char *text, size_t size);

/* Fills an array of names from a list X(name, help): `const char *const names[] = {LIST(...)};` */
#define HALO_NAME(name, help) #name,

/* The same from a list X(code, "name", help) of names that are no identifiers. */
#define HALO_NAME_TEXT(code, name, help) name,

/* How many names there are in an array. */
#define HALO_NAMES_COUNT(names) ((int)(sizeof(names) / sizeof *(names)))

#endif
