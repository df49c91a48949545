#ifndef HALOBEAT_TESTS_MPI_FOLDER_H
#define HALOBEAT_TESTS_MPI_FOLDER_H

#include "base/memory.h"

/* A folder of its own for a test under MPI, known to all ranks. It can neither be handed to
 * CUnit's tests nor differ between them, so there is one. */

/* Collective; made for MPI_CHECK_MAIN_HOOKED. Removing it expects it to be empty. */
void folder_make(void);
void folder_remove(void);

/* Collective, in pairs, between these. The folder is rank 0's and that of all even ranks; odd ones
 * have another one under the same name, as on disks that hosts do not share. */
void folder_split(void);
void folder_join(void);

/* Local. The path of a name in the folder, valid until the next call. */
const char *path_of(const char *name);

/* Local. A whole file; empty if it cannot be read. The caller frees it with halo_buffer_free. */
halo_buffer file_read(const char *name);

/* Local. How many files are there, hidden ones included? */
int folder_files(void);

/* Collective. Expect that there are none, and wait until rank 0 has looked. */
void expect_nothing_left(void);

/* Collective. Wait for each other. */
void expect_together(void);

#endif
