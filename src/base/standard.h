#ifndef HALOBEAT_BASE_STANDARD_H
#define HALOBEAT_BASE_STANDARD_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Standard input and output as files: the name "-". All functions are local. */

/* Pure. Is this the name of standard input or output: "-", or, where several formats can be
 * written,
 * "-" and the ending of one: "-.npy"? A file that is called so is "./-". */
bool halo_is_standard(const char *path);

/* The path that opens standard input. HALOBEAT_STDIN names it where a launcher that gives ranks
 * another one was itself given data. */
const char *halo_standard_input(void);

/* Can standard input be read? HALO_FILE under MPICH's mpiexec, unless HALOBEAT_STDIN is set: it
 * hands data on without waiting for whoever reads them, and ends the job if a pipe is full. */
halo_status halo_standard_input_check(void);

/* From now on what the process prints on standard output goes to standard error, and standard
 * output is for data. May be called again. HALO_FILE. */
halo_status halo_standard_output_claim(void);

/* Data for standard output, after it was claimed. HALO_FILE with the system's reason: a reader that
 * has gone away, for instance. */
halo_status halo_standard_output_write(const void *data, size_t bytes);

#endif
