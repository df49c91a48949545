#ifndef HALOBEAT_CORE_FILE_BACKEND_H
#define HALOBEAT_CORE_FILE_BACKEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file that one rank writes: by the functions of the transport if it has any, so that file
 * systems which only these know work too; else through the operating system, as on simulated
 * machines, where the transport's files would be simulated. All functions are local. Failures are
 * HALO_FILE with the system's reason, and name `path`, the name known to the user. */
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
    void *file;       /* the transport's; NULL while closed */
};

/* The calls of the operating system. */
extern const halo_file_calls halo_file_of_system;

#endif
