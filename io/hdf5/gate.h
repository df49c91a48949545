#ifndef HALOBEAT_IO_HDF5_GATE_H
#define HALOBEAT_IO_HDF5_GATE_H

#include "io/hdf5/protocol.h"

#include <stdbool.h>

/* Which files libhdf5 opens when links to others are followed. */

/* From now on only ordinary files are opened, to be read, and their names are noted. */
void hdf5_gate_watch(void);

/* Notes a file that will be read. False if there is none, or no memory. */
bool hdf5_gate_note(const char *path);

/* "NAME: REASON" of the last file that could not be opened; or "". */
const char *hdf5_gate_refused(void);

/* True if a file that is there could not be opened: the library reads fill values in its place. */
bool hdf5_gate_short(void);

/* The real name of file `index` of those that were noted; NULL: there are fewer. */
const char *hdf5_gate_name(uint64_t index);

#endif
