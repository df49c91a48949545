#ifndef HALOBEAT_CORE_FILE_PARTIAL_H
#define HALOBEAT_CORE_FILE_PARTIAL_H

#include <stdbool.h>
#include <stdint.h>

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

/* Calls `use` for all temporary files and folders of this user that lie beside `target`: those for
 * `target` itself, or with `all` those for any name. */
void halo_partial_each(const char *target, bool all, halo_partial_use *use);

/* The rights of a file or folder that is to be replaced. It has no pointers, so that it can be sent
 * to other ranks. Until the new one is complete nobody but its owner may read it. */
typedef struct {
    bool known; /* false: there is none */
    uint32_t mode, owner, group;
} halo_partial_rights;

halo_partial_rights halo_partial_rights_of(const char *target);

/* Gives the new file or folder `handle`, which is complete, these rights: the mode, the owner if
 * this process may give files away, and the group if it may give that. Where the group cannot be
 * kept, the new group gets only what everybody has. */
void halo_partial_rights_give(const halo_partial_rights *rights, int handle);

#endif
