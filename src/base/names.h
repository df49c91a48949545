#ifndef HALOBEAT_BASE_NAMES_H
#define HALOBEAT_BASE_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Choices by name: finding a name in a list. All functions are local. */

/* The number of characters of `path` that name a file: all, or in FILE.h5:/PATH/IN/IT (.h5 or
 * .hdf5) those before the colon. Such a path has no empty components. Of an image or a layer of
 * OME-Zarr to write, FILE.ome.zarr:KEY=VALUE[,KEY=VALUE...], they are those before the colon, too.
 */
size_t halo_name_file(const char *path);

/* The number of characters of STORE in `path`, if that names a label layer of an image of OME-Zarr:
 * STORE/labels/NAME, where NAME has no dot, and a component of STORE ends in .zarr; :KEY=VALUE may
 * stand behind it. 0 for all other paths. */
size_t halo_name_layer(const char *path);

/* True if `path` contains FILE.h5:/, even if the path within the file is invalid. */
bool halo_name_means_inside(const char *path);

/* The number of characters of `path` that name an existing file, which *about then describes: all,
 * or in FILE:/PATH/IN/IT those of FILE, if that is a regular file; 0 if there is none. */
size_t halo_name_there(const char *path, struct stat *about);

/* Receives the name of a file that is read or written; `folder`: that of a folder which is read or
 * written as a whole, with all that is in it. */
typedef halo_status halo_name_take(void *context, const char *path, bool folder);

/* The number of characters of `path` before a choice of a part behind it, which is
 * :KEY=VALUE[,KEY=VALUE...], with keys of lower-case letters and values without , : and /; all if
 * there is none, or a file is called so. */
size_t halo_name_chosen(const char *path);

/* The number of characters of `path`, of a file to read, that name the file: without a choice of a
 * part (halo_name_chosen) and a path within the file, as for halo_name_file, also of
 * FILE.npz:/ARRAY.
 */
size_t halo_name_input(const char *path);

/* True if a file's name has this ending (".png"), in lower or upper case, after at least one other
 * character. In FILE.h5:/PATH only FILE.h5 is considered. */
bool halo_name_ends(const char *name, const char *ending);

/* As halo_name_ends, for the first `length` characters of the name and the first `count` of the
 * ending. */
bool halo_name_ends_by(const char *name, size_t length, const char *ending, size_t count);

/* Sets *index to that of `name` in `names` [count], 1 or more; NULL is the first one, the default.
 * HALO_ARGUMENT for an unknown name, with the message "unknown WHAT "NAME"; use A, B or C". */
halo_status halo_names_find(const char *what, const char *const *names, int count, const char *name,
                            int *index);

/* Writes "A, B or C" to `text`, cut at `size` bytes. */
void halo_names_list(const char *const *names, int count, char *text, size_t size);

/* Makes an array of names from a list X(name, help): `const char *const names[] = {LIST(...)};` */
#define HALO_NAME(name, help) #name,

/* As HALO_NAME, for a list X(code, "name", help) of names that are not identifiers. */
#define HALO_NAME_TEXT(code, name, help) name,

/* The number of names in an array. */
#define HALO_NAMES_COUNT(names) ((int)(sizeof(names) / sizeof *(names)))

#endif
