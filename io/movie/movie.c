#include "io/movie/movie.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/option.h"
#include "core/file/atomic.h"
#include "io/movie/pipe.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE_LIMIT = 65535, /* pixels; less for some kinds, as ffmpeg will say */
    DEFAULT_RATE = 25,  /* frames per second */
    OPTIONS = 16,
    PALETTE_BYTES = 256 * 4 /* as ffmpeg wants it behind every frame: blue, green, red, opaque */
};

/* A kind of movie, and the options of ffmpeg for it. */
typedef struct {
    const char *ending;
    const char *format;
    int max_rate; /* frames per second; players slow faster GIFs down */
    int multiple; /* of pixels, what width and height have to be */
    const char *options[OPTIONS];
} movie_kind;

static const movie_kind KINDS[] = {
    {".gif", "gif", 50, 1, {"-codec:v", "gif", "-loop", "0"}},
    {".png", "apng", 60, 1, {"-codec:v", "apng", "-plays", "0"}},
    {".apng", "apng", 60, 1, {"-codec:v", "apng", "-plays", "0"}},
    /* Players know this way of storing colours only. Straight from a palette ffmpeg would take
     * another matrix than it is told. */
    {".mp4",
     "mp4",
     60,
     2,
     {"-vf", "format=rgb24,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-codec:v",
      "libx264", "-preset", "medium", "-crf", "18", "-colorspace", "bt709", "-color_primaries",
      "bt709", "-color_trc", "bt709", "-movflags", "+faststart"}},
};

struct halo_movie {
    const movie_kind *kind;
    int width, height;               /* as the caller sees it */
    int stored_width, stored_height; /* the same or a little larger, as ffmpeg does */
    int rate;
    int64_t frames;
    halo_atomic_file file;
    halo_feed *feed;
    unsigned char *packet; /* a frame and its palette as ffmpeg reads them */
    halo_status status;    /* of the frames so far */
    char message[HALO_MESSAGE_SIZE];
};

static halo_status choose_kind(halo_movie *movie, const char *path)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (halo_name_ends(path, KINDS[i].ending)) {
            movie->kind = &KINDS[i];
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT,
                     "cannot tell what movie %s is to be: end it in .gif, .mp4, or .png for an "
                     "animated PNG",
                     path);
}

static halo_status check_numbers(const halo_movie *movie)
{
    if (movie->width < 1 || movie->height < 1 || movie->width > SIDE_LIMIT ||
        movie->height > SIDE_LIMIT) {
        return halo_fail(HALO_ARGUMENT,
                         "a movie of %d x %d pixels cannot be: it may have 1 to %d each way; use "
                         "another scale",
                         movie->width, movie->height, SIDE_LIMIT);
    }
    if (movie->rate < 1 || movie->rate > movie->kind->max_rate) {
        return halo_fail(HALO_ARGUMENT, "%d frames per second: a %s movie may have 1 to %d",
                         movie->rate, movie->kind->ending, movie->kind->max_rate);
    }
    return HALO_OK;
}

/* Say which movie the last message is about. */
static halo_status fail_with_ffmpeg(const halo_movie *movie, halo_status status)
{
    return halo_fail(status, "cannot make the movie %s: %s", movie->file.path, halo_last_message());
}

static halo_status start_ffmpeg(halo_movie *movie)
{
    char size[32], rate[16], output[HALO_ATOMIC_PATH_SIZE + 8];
    snprintf(size, sizeof size, "%dx%d", movie->stored_width, movie->stored_height);
    snprintf(rate, sizeof rate, "%d", movie->rate);
    snprintf(output, sizeof output, "file:%s", movie->file.temporary);
    const char *const before[] = {"ffmpeg",        "-nostdin", "-hide_banner", "-loglevel",
                                  "repeat+error",  "-xerror",  "-f",           "rawvideo",
                                  "-pixel_format", "pal8",     "-video_size",  size,
                                  "-framerate",    rate,       "-i",           "pipe:0"};
    const char *const after[] = {"-f", movie->kind->format, "-y", output, NULL};
    const char
        *arguments[sizeof before / sizeof before[0] + OPTIONS + sizeof after / sizeof after[0]];
    size_t count = sizeof before / sizeof before[0];
    memcpy(arguments, before, sizeof before);
    for (int i = 0; i < OPTIONS && movie->kind->options[i] != NULL; i++) {
        arguments[count++] = movie->kind->options[i];
    }
    memcpy(arguments + count, after, sizeof after);
    halo_status status = halo_feed_open(&movie->feed, arguments);
    return status == HALO_OK ? HALO_OK : fail_with_ffmpeg(movie, status);
}

static halo_status create_packet(halo_movie *movie, const unsigned char *palette)
{
    int multiple = movie->kind->multiple;
    movie->stored_width = (movie->width + multiple - 1) / multiple * multiple;
    movie->stored_height = (movie->height + multiple - 1) / multiple * multiple;
    size_t pixels = (size_t)movie->stored_width * (size_t)movie->stored_height;
    HALO_TRY(HALO_ALLOCATE_LARGE(movie->packet, pixels + PALETTE_BYTES, "a frame of a movie"));
    for (size_t i = 0; i < 256 && palette != NULL; i++) {
        unsigned char *entry = movie->packet + pixels + 4 * i;
        entry[0] = palette[3 * i + 2];
        entry[1] = palette[3 * i + 1];
        entry[2] = palette[3 * i];
        entry[3] = 255;
    }
    return HALO_OK;
}

/* The last message stays: it says why. */
static void discard(halo_movie **movie)
{
    halo_feed_close(&(*movie)->feed, false);
    halo_atomic_discard(&(*movie)->file);
    halo_memory_free((*movie)->packet);
    free(*movie);
    *movie = NULL;
}

halo_status halo_movie_open_sized(halo_movie **out, const halo_movie_options *given,
                                  size_t given_bytes)
{
    halo_movie_options options;
    halo_status status;
    halo_movie *movie;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_movie_options"));
    HALO_TRY(HALO_ALLOCATE(movie, 1, "a movie"));
    movie->width = options.width;
    movie->height = options.height;
    movie->rate = options.frames_per_second != 0 ? options.frames_per_second : DEFAULT_RATE;
    HALO_TRY_OR(failed, choose_kind(movie, options.path));
    HALO_TRY_OR(failed, check_numbers(movie));
    HALO_TRY_OR(failed, create_packet(movie, options.palette));
    HALO_TRY_OR(failed, halo_atomic_begin(&movie->file, options.path));
    HALO_TRY_OR(failed, start_ffmpeg(movie));
    *out = movie;
    return HALO_OK;
failed:
    discard(&movie);
    return status;
}

/* Later frames must not hide the first failure, which closing will report. */
static halo_status note_failure(halo_movie *movie, halo_status status)
{
    movie->status = status;
    snprintf(movie->message, sizeof movie->message, "%s", halo_last_message());
    return status;
}

static halo_status send_packet(halo_movie *movie)
{
    size_t pixels = (size_t)movie->stored_width * (size_t)movie->stored_height;
    if (halo_feed_write(movie->feed, movie->packet, pixels + PALETTE_BYTES) == HALO_OK) {
        movie->frames++;
        return HALO_OK;
    }
    /* It says why it reads no more when it has ended. */
    halo_status status = halo_feed_close(&movie->feed, true);
    if (status == HALO_OK) {
        status = halo_fail(HALO_FILE, "ffmpeg ended before the movie did");
    }
    return note_failure(movie, fail_with_ffmpeg(movie, status));
}

halo_status halo_movie_frame(halo_movie *movie, const unsigned char *pixels, size_t pitch)
{
    if (movie->status != HALO_OK) {
        return halo_fail(movie->status, "%s", movie->message);
    }
    size_t width = (size_t)movie->width;
    size_t height = (size_t)movie->height;
    size_t stored_width = (size_t)movie->stored_width;
    for (size_t row = 0; row < (size_t)movie->stored_height; row++) {
        /* Pixels beyond the picture repeat its edge. */
        const unsigned char *from = pixels + (row < height ? row : height - 1) * pitch;
        unsigned char *to = movie->packet + row * stored_width;
        memcpy(to, from, width);
        memset(to + width, from[width - 1], stored_width - width);
    }
    return send_packet(movie);
}

/* Wait for ffmpeg; its file is whole then. */
static halo_status finish(halo_movie *movie)
{
    if (movie->status != HALO_OK) {
        return halo_fail(movie->status, "%s", movie->message);
    }
    if (movie->frames == 0) {
        return halo_fail(HALO_ARGUMENT, "cannot make the movie %s: there is no frame to show",
                         movie->file.path);
    }
    halo_status status = halo_feed_close(&movie->feed, true);
    return status == HALO_OK ? HALO_OK : fail_with_ffmpeg(movie, status);
}

halo_status halo_movie_close(halo_movie **movie, halo_status mine)
{
    halo_status status = mine;
    if (status == HALO_OK) {
        status = finish(*movie);
    }
    if (status == HALO_OK) {
        status = halo_atomic_commit(&(*movie)->file);
    }
    discard(movie);
    return status;
}

halo_status halo_movie_check_sized(const halo_movie_options *given, size_t given_bytes)
{
    halo_movie *movie;
    HALO_TRY(halo_movie_open_sized(&movie, given, given_bytes));
    halo_status status = send_packet(movie); /* all of the first colour */
    if (status == HALO_OK) {
        status = finish(movie);
    }
    discard(&movie);
    return status;
}
