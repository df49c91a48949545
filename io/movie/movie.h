#ifndef HALOBEAT_IO_MOVIE_MOVIE_H
#define HALOBEAT_IO_MOVIE_MOVIE_H

#include "base/status.h"

#include <stddef.h>

/* Movies of images with a palette, encoded by the program ffmpeg, to which frames are sent through
 * a pipe while it encodes earlier ones. GIF and animated PNG keep every colour exactly and repeat
 * for ever; MP4 is H.264 for common players. The movie appears under its name only when it is
 * complete. All functions are local: one rank makes a movie. */
typedef struct halo_movie halo_movie;

typedef struct {
    const char *path;             /* ends in .gif, .mp4, or .png or .apng for an animated PNG */
    int width, height;            /* pixels */
    int frames_per_second;        /* 1 to 60, for GIF to 50; 0 means 25 */
    const unsigned char *palette; /* [256 * 3] red, green, blue; NULL is allowed in
                                   * halo_movie_check */
} halo_movie_options;

/* Checks, before the work begins, that such a movie can be made: encodes a movie of one frame next
 * to `path` and removes it. HALO_ARGUMENT for another ending or a number out of range; HALO_FILE if
 * the folder cannot be written, ffmpeg is not installed (with how to install it) or cannot encode
 * such a movie (with its reason). */
halo_status halo_movie_check_sized(const halo_movie_options *options, size_t options_bytes);
#define halo_movie_check(...) halo_movie_check_sized(__VA_ARGS__, sizeof(halo_movie_options))

/* Starts ffmpeg, in a process group of its own: Ctrl-C in a terminal does not reach it, so that a
 * run that is stopped can complete its movie. The options are copied. The caller closes the movie.
 * Errors as above. */
halo_status halo_movie_open_sized(halo_movie **out, const halo_movie_options *options,
                                  size_t options_bytes);
#define halo_movie_open(...) halo_movie_open_sized(__VA_ARGS__, sizeof(halo_movie_options))

/* Adds a frame of `height` rows, `pitch` bytes apart, of `width` pixels. HALO_FILE, with ffmpeg's
 * message, if it has ended. */
halo_status halo_movie_frame(halo_movie *movie, const unsigned char *pixels, size_t pitch);

/* Ends the movie. If `mine` is HALO_OK and all frames were added, waits for ffmpeg and renames the
 * movie; otherwise stops ffmpeg and removes the temporary file. Returns `mine`, the first failure
 * of a frame, or HALO_FILE, and sets *movie to NULL in either case. An older file of that name is
 * replaced only on success. */
halo_status halo_movie_close(halo_movie **movie, halo_status mine);

#endif
