#ifndef HALOBEAT_TESTS_MOVIE_CHECK_H
#define HALOBEAT_TESTS_MOVIE_CHECK_H

#include "base/memory.h"

#include <stdbool.h>

/* What tests of movies need of the system: a folder of their own, programs and what they say. */

enum { MOVIE_PATH_SIZE = 4200 };

/* A new folder to work in, and to be in. Exits the program if there is none to be had. */
void movie_folder_enter(void);

/* Remove the folder and the files in it. */
void movie_folder_remove(void);

/* How many files are in it, hidden ones included. */
int movie_folder_files(void);

/* A whole file, or all that a command of the shell prints, with a 0 byte behind it that is not
 * counted. Empty if there is none. The caller frees it with halo_buffer_free. */
halo_buffer movie_file(const char *name);
halo_buffer movie_output(const char *command);

/* Write a text to a file; a program can be executed. */
void movie_put(const char *name, const char *text, bool program);

/* Is ffmpeg installed? */
bool movie_has_ffmpeg(void);

/* Let `ffmpeg` be a script of the shell, with these lines, until movie_real_ffmpeg; in it the real
 * one is "$real". Without lines, there is none at all. */
void movie_fake_ffmpeg(const char *lines);
void movie_real_ffmpeg(void);

#endif
