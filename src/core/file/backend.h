#ifndef HALOBEAT_CORE_FILE_BACKEND_H
#define HALOBEAT_CORE_FILE_BACKEND_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file that one rank writes: through MPI, so that file systems known to MPI only work too;
 * through the operating system where MPI may not be called, and on simulated machines, where MPI
 * files would be simulated. All functions are local. Failures are HALO_FILE with the system's
 * reason, and name `path`, the name known to the user. */
typedef struct halo_file_backend halo_file_backend;

typedef struct {
    /* Opens the existing file `name` for writing. */
    halo_status (*open)(halo_file_backend *backend, const char *name);
    halo_status (*write)(halo_file_backend *backend, int64_t offset, const void *data,
                         size_t bytes);
    /* Flushes to disk. Some file systems report a full disk only here. */
    halo_status (*flush)(halo_file_backend *backend);
    /* Closes the file. Does nothing if it is closed. */
    halo_status (*close)(halo_file_backend *backend);
    /* Closes the file without changing the last message. */
    void (*abandon)(halo_file_backend *backend);
} halo_file_calls;

struct halo_file_backend {
    const halo_file_calls *calls;
    const char *path; /* must outlive the backend */
    int handle;       /* file descriptor; -1 while closed */
#ifndef HALOBEAT_SIMGRID
    MPI_File file; /* MPI_FILE_NULL while closed */
#endif
};

/* A closed backend. With `mpi` false it does not call MPI. */
halo_file_backend halo_file_backend_none(const char *path, bool mpi);

extern const halo_file_calls halo_file_of_system, halo_file_of_mpi;

#endif
