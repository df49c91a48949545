#ifndef HALOBEAT_CORE_FILE_BACKEND_H
#define HALOBEAT_CORE_FILE_BACKEND_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One rank's hold on a file that it writes. MPI's, so that file systems that only MPI knows work
 * too; the system's where MPI may not be called, and on simulated machines, where MPI's files would
 * be simulated as well. All local; failures are HALO_FILE with the system's reason, and name
 * `path`, which is what the caller knows the file by. */
typedef struct halo_file_backend halo_file_backend;

typedef struct {
    /* Open the file `name`, which is there, for writing. */
    halo_status (*open)(halo_file_backend *backend, const char *name);
    halo_status (*write)(halo_file_backend *backend, int64_t offset, const void *data,
                         size_t bytes);
    /* Some file systems find out that they are full only here. */
    halo_status (*flush)(halo_file_backend *backend);
    /* Closing what is closed is well. */
    halo_status (*close)(halo_file_backend *backend);
    /* Close and say nothing: the last message stays as it is. */
    void (*abandon)(halo_file_backend *backend);
} halo_file_calls;

struct halo_file_backend {
    const halo_file_calls *calls;
    const char *path; /* must outlive it */
    int handle;       /* -1 while closed */
#ifndef HALOBEAT_SIMGRID
    MPI_File file; /* MPI_FILE_NULL while closed */
#endif
};

/* Closed. With `mpi` false nothing calls MPI. */
halo_file_backend halo_file_backend_none(const char *path, bool mpi);

extern const halo_file_calls halo_file_of_system, halo_file_of_mpi;

#endif
