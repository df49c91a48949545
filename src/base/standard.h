#ifndef HALOBEAT_BASE_STANDARD_H
#define HALOBEAT_BASE_STANDARD_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Standard input and output as files, by the name "-", and what else a process has got from who
 * started it. All functions are local. */

/* Pure. True if this is standard input or output: "-", or with the ending of a format "-.npy".
 * Files with such names are written "./-". */
bool halo_is_standard(const char *path);

/* The path that opens standard input. */
#define HALO_STANDARD_INPUT "/dev/stdin"

/* Opens standard input, output and error where a process began without them, so that no file that
 * is opened later gets their numbers, and neither data nor messages go into it. Reading and writing
 * them still fails. Call it first of all. */
void halo_standard_hold(void);

/* The file that the words of the command line were read from (`halobeat --arguments FILE`); NULL:
 * there is none. It is set once, at the start, and not copied. */
void halo_standard_set_arguments(const char *path);
const char *halo_standard_arguments(void);

/* Checks that standard input can be read. HALO_FILE under MPICH's mpiexec: it forwards data
 * without waiting for the reader, and ends the job if a pipe is full. */
halo_status halo_standard_input_check(void);

/* Redirects what the process prints on standard output to standard error, so that standard output
 * is for data. May be called again. HALO_FILE. */
halo_status halo_standard_output_claim(void);

/* The descriptor of standard output for data, after it was claimed; -1 before. */
int halo_standard_output(void);

/* Writes data to standard output, after it was claimed. HALO_FILE with the system's reason, for
 * instance a reader that has ended. */
halo_status halo_standard_output_write(const void *data, size_t bytes);

#endif
