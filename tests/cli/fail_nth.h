#ifndef HALOBEAT_TESTS_FAIL_NTH_H
#define HALOBEAT_TESTS_FAIL_NTH_H

/* The parts of fail_nth.so: see fail_nth.c. */

/* Kinds of calls. */
enum { MEMORY, MAP, PROCESS, OPEN, READ, WRITE, SYNC, RENAME, ROOM, CLOSE, FOLDER, KINDS };

/* Is a call of this process to fail, or are its calls to be listed? */
extern int fail_nth_active;

/* Calls of this thread do not count while it is above 0. */
extern _Thread_local int fail_nth_inside __attribute__((tls_model("initial-exec")));

/* Counts a call; true if it is the one that fails. A call for a file is the program's, whoever
 * makes it; others count by the address of their caller. */
int fail_nth_fails(int kind, const void *caller, int is_a_files);

/* Does an open file, or a path from an open folder or AT_FDCWD on, lie in FAIL_FOLDER? */
int fail_nth_has_file(int file);
int fail_nth_has_path(int from, const char *path);

/* Finds out where libraries are that have been loaded since the last call. */
void fail_nth_look_at_libraries(void);

#endif
