#ifndef HALOBEAT_IO_MOVIE_MOVIE_H
#define HALOBEAT_IO_MOVIE_MOVIE_H

#include "base/status.h"

#include <stddef.h>

/* Movies of palette pixels, made by the program ffmpeg: frames go to it through a pipe while it
 * compresses the earlier ones. GIF and animated PNG keep every colour exactly and play for ever;
 * MP4 is H.264 for any player. The movie appears under its name only when it is whole. All
 * functions are local: one rank makes a movie. */
typedef struct halo_movie halo_movie;

typedef struct {
    const char *path;             /* ends in .gif, .mp4, or .png or .apng for an animated PNG */
    int width, height;            /* pixels */
    int frames_per_second;        /* 1 to 60, to 50 for GIF; 0 for 25 */
    const unsigned char *palette; /* [256 * 3] red, green, blue; halo_movie_check can do
                                   * without (NULL) */
} halo_movie_options;

/* Could such a movie be made? For asking before the work begins: a movie of one frame is made
 * beside the target and removed. HALO_ARGUMENT for another ending or a number out of its range;
 * HALO_FILE if the folder cannot be written to, ffmpeg is not installed (saying how to install it)
 * or cannot make such a movie (saying why). */
halo_status halo_movie_check(const halo_movie_options *options);

/* Start ffmpeg, in a process group of its own: Ctrl-C in a terminal does not reach it, so that a
 * run that is stopped can finish its movie. The options are copied. Errors as above. */
halo_status halo_movie_open(halo_movie **out, const halo_movie_options *options);

/* Add a frame of `height` rows, `pitch` bytes apart, of `width` pixels. HALO_FILE, with what
 * ffmpeg said, if it has ended. */
halo_status halo_movie_frame(halo_movie *movie, const unsigned char *pixels, size_t pitch);

/* Finish. When `mine` and all frames are well, wait for ffmpeg and give the movie its name;
 * otherwise end ffmpeg and remove what there is. Returns `mine`, the first failure of a frame, or
 * HALO_FILE; sets *movie to NULL either way. A file already under that name stays as it was unless
 * all went well. */
halo_status halo_movie_close(halo_movie **movie, halo_status mine);

#endif
