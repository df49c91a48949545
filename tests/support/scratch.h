#ifndef HALOBEAT_TESTS_SCRATCH_H
#define HALOBEAT_TESTS_SCRATCH_H

#include "base/memory.h"

/* A temporary folder for tests of files and programs. */

/* Runs all tests (unit_check_run) in a new folder, which is removed afterwards. Returns main's exit
 * status. Exits the program if the folder cannot be created. */
int scratch_run(void);

/* The number of files in it, with hidden ones, without a folder `fake`. */
int scratch_files(void);

/* Writes a file, and creates its folders. Exits the program on a failure. */
void scratch_write(const char *name, const void *data, size_t bytes);
void scratch_text(const char *name, const char *text);
/* A script that can be executed. */
void scratch_script(const char *name, const char *text);

/* Creates a pipe with these bytes, which must fit its buffer, and writes its name. The caller
 * closes it. */
enum { SCRATCH_PIPE = 40 };
int scratch_pipe(char name[SCRATCH_PIPE], const void *data, size_t bytes);

/* A whole file, or the output of a shell command, followed by a 0 byte that is not counted. Empty
 * if there is none. The caller frees it with halo_buffer_free. */
halo_buffer scratch_read(const char *name);
halo_buffer scratch_output(const char *command);

#endif
