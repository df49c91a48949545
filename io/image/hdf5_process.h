#ifndef HALOBEAT_IO_IMAGE_HDF5_PROCESS_H
#define HALOBEAT_IO_IMAGE_HDF5_PROCESS_H

#include "base/status.h"
#include "io/hdf5/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* The process that reads an HDF5 file by libhdf5 (io/hdf5/). It cannot harm this one: its memory
 * and processor time are limited, it opens no other file, and its end is a failure with a sentence.
 * Everything is local. */

typedef struct hdf5_process hdf5_process;

/* Starts one for `file`, an open descriptor of a regular file, which stays the caller's; `path` is
 * for messages and must stay valid. Programs that are forked have no copy of this one's memory:
 * libraries that carry messages may have registered it. HALO_FILE, HALO_MEMORY. */
halo_status halo_hdf5_start(hdf5_process **out, const char *path, int file);

/* Sends a request and waits for the reply. Fails as the reply says, with its sentence; HALO_FORMAT
 * if the process has ended, after which all further requests fail. Texts of the reply end within
 * their arrays; its numbers may be any. */
halo_status halo_hdf5_ask(hdf5_process *process, hdf5_request *request, hdf5_reply *reply);

/* Makes the window of `bytes` bytes, once, and returns it; owned by the process. HALO_MEMORY. */
halo_status halo_hdf5_window(hdf5_process *process, size_t bytes, const unsigned char **window);

/* Ends the process and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_hdf5_end(hdf5_process **process);

#endif
