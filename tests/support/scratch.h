#ifndef HALOBEAT_TESTS_SCRATCH_H
#define HALOBEAT_TESTS_SCRATCH_H

#include "base/memory.h"

/* A folder to work in for tests of files and programs. */

/* Run all tests (unit_check_run) in a new folder, which is removed afterwards with all that is in
 * it. main's exit status. Exits the program if there is no folder to be had. */
int scratch_run(void);

/* How many files are in it, hidden ones included; a folder `fake` does not count. */
int scratch_files(void);

/* Write a file, and make the folders that it is in. Exits the program where that fails. */
void scratch_write(const char *name, const void *data, size_t bytes);
void scratch_text(const char *name, const char *text);
/* A script that can be executed. */
void scratch_script(const char *name, const char *text);

/* The name of a pipe with these bytes, which has to have room for them. The caller closes it. */
enum { SCRATCH_PIPE = 40 };
int scratch_pipe(char name[SCRATCH_PIPE], const void *data, size_t bytes);

/* A whole file, or all that a command of the shell prints, with a 0 byte behind it that is not
 * counted. Empty if there is none. The caller frees it with halo_buffer_free. */
halo_buffer scratch_read(const char *name);
halo_buffer scratch_output(const char *command);

#endif
