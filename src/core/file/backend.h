#ifndef HALOBEAT_CORE_FILE_BACKEND_H
#define HALOBEAT_CORE_FILE_BACKEND_H

#include "base/status.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* One rank's hold on a file that it writes. MPI's, so that file systems that only MPI knows work
 * too; on simulated machines, where MPI's files would be simulated as well, the system's. All
 * local; failures are HALO_FILE with the system's reason, and name `path`, which is what the caller
 * knows the file by. */
typedef struct {
    const char *path; /* must outlive it */
#ifdef HALOBEAT_SIMGRID
    int handle; /* -1 while closed */
#else
    MPI_File handle; /* MPI_FILE_NULL while closed */
#endif
} halo_file_backend;

/* Closed. */
halo_file_backend halo_file_backend_none(const char *path);

/* Open the file `name`, which is there, for writing. */
halo_status halo_file_backend_open(halo_file_backend *backend, const char *name);

halo_status halo_file_backend_write(halo_file_backend *backend, int64_t offset, const void *data,
                                    size_t bytes);

/* Some file systems find out that they are full only here. */
halo_status halo_file_backend_flush(halo_file_backend *backend);

/* Closing what is closed is well. */
halo_status halo_file_backend_close(halo_file_backend *backend);

/* Close and say nothing: the last message stays as it is. */
void halo_file_backend_abandon(halo_file_backend *backend);

#endif
