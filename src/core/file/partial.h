#ifndef HALOBEAT_CORE_FILE_PARTIAL_H
#define HALOBEAT_CORE_FILE_PARTIAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Files and folders that are not complete yet: what they are called, who owns them, and which ones
 * were left by processes that were killed. A temporary file for NAME lies beside it and is called
 * `.NAME.partial-NUMBER`, with a random number of 16 hexadecimal digits. Everything is local. */

enum { HALO_PARTIAL_PATH_SIZE = 4096 }; /* maximum length of paths, with the 0 byte */

/* Writes a name that nobody uses, of a temporary file for `target`, to `out`
 * [HALO_PARTIAL_PATH_SIZE]. `word` is "partial", or another one for files that no run removes.
 * False if it does not fit, or there are no random numbers. */
bool halo_partial_name(char *out, const char *target, const char *word);

/* The folder of `path`, with its slash; empty for the current one. `folder` has room for
 * strlen(path) + 1 bytes. */
void halo_partial_folder(const char *path, char *folder);

/* Receives the name of a temporary file or folder in the open directory `around`. */
typedef void halo_partial_use(int around, const char *name);

/* Calls `use` for all temporary files and folders that lie beside `target`: those for `target`
 * itself, or with `all` those for any name. Only such as belong to this user (or, for root, to the
 * owner of the file that they were to replace) count. */
void halo_partial_each(const char *target, bool all, halo_partial_use *use);

/* Gives the new file or folder `handle`, from now on, the rights of `target`, which it is to
 * replace: its mode, its owner if this process may give files away, and its group if it may give
 * that. Where the group cannot be kept, the new group gets only what everybody has. `also` are bits
 * of the mode that the writer needs until it is complete; 0: it is. Does nothing if there is no
 * `target`. */
void halo_partial_rights(int handle, const char *target, mode_t also);

#endif
