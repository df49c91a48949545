#ifndef HALOBEAT_TESTS_MPI_FOLDER_H
#define HALOBEAT_TESTS_MPI_FOLDER_H

#include "base/memory.h"

/* A temporary folder for a test under MPI, known to all ranks. It cannot be passed to CUnit's
 * tests, so there is one per program. */

/* Collective; for MPI_CHECK_MAIN_HOOKED. folder_remove expects the folder to be empty. */
void folder_make(void);
void folder_remove(void);

/* Collective, in pairs. In between, rank 0 and all even ranks see the folder, odd ranks another one
 * of the same name, as on disks that hosts do not share. */
void folder_split(void);
void folder_join(void);

/* Local. The path of a name in the folder, valid until the next call. */
const char *path_of(const char *name);

/* Local. A whole file; empty if it cannot be read. The caller frees it with halo_buffer_free. */
halo_buffer file_read(const char *name);

/* Local. The number of files in it, with hidden ones. */
int folder_files(void);

/* Local. The modes of these files, all bits together. */
unsigned folder_modes(void);

/* Collective. Expects that there are none, and waits until rank 0 has looked. */
void expect_nothing_left(void);

/* Collective. A barrier. */
void expect_together(void);

#endif
