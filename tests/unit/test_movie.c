#define _DEFAULT_SOURCE
#include "io/movie/movie.h"
#include "support/images.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <unistd.h>

/* Frames one after the other, and the palette. */
typedef struct {
    int width, height, frames, rate;
    unsigned char palette[768];
    unsigned char *pixels; /* [frames * height * width] */
} film;

/* Noise, of which a part stays from frame to frame; now and then a frame is like the last one. */
static film film_make(uint64_t *state, int width, int height, int frames, int rate)
{
    film made = {width, height, frames, rate, {0}, NULL};
    size_t size = (size_t)width * (size_t)height;
    made.pixels = malloc(size * (size_t)frames);
    for (size_t i = 0; i < sizeof made.palette; i++) {
        made.palette[i] = (unsigned char)random_below(state, 256);
    }
    for (int frame = 0; frame < frames; frame++) {
        unsigned char *pixels = made.pixels + size * (size_t)frame;
        bool same = frame > 0 && random_below(state, 4) == 0;
        for (size_t i = 0; i < size; i++) {
            bool kept = frame > 0 && (same || random_below(state, 2) == 0);
            const unsigned char *before = kept ? pixels - size : NULL;
            pixels[i] = kept ? before[i] : (unsigned char)random_below(state, 256);
        }
    }
    return made;
}

static halo_movie_options options_of(const film *from, const char *path)
{
    return (halo_movie_options){path, from->width, from->height, from->rate, from->palette};
}

/* Write all frames, from rows with gaps between them. */
static void write_film(const film *from, const char *path)
{
    const halo_movie_options options = options_of(from, path);
    size_t width = (size_t)from->width;
    size_t pitch = width + 3;
    unsigned char *padded = calloc((size_t)from->height, pitch);
    halo_movie *movie;
    check(halo_movie_open(&movie, &options) == HALO_OK, "%s: %s", path, halo_last_message());
    for (int frame = 0; movie != NULL && frame < from->frames; frame++) {
        for (size_t y = 0; y < (size_t)from->height; y++) {
            memcpy(padded + y * pitch,
                   from->pixels + ((size_t)frame * (size_t)from->height + y) * width, width);
        }
        SUCCEEDS(halo_movie_frame(movie, padded, pitch));
    }
    if (movie != NULL) {
        check(halo_movie_close(&movie, HALO_OK) == HALO_OK, "%s: %s", path, halo_last_message());
        CU_ASSERT_PTR_NULL(movie);
    }
    free(padded);
}

/* At most `frames` frames (how long a movie of one lasts is anyone's guess) as red, green and blue,
 * as ffmpeg sees them when it shows `rate` a second. */
static halo_buffer decode(const char *path, int rate, int frames)
{
    char command[300], name[40];
    /* In names of pictures ffmpeg takes % for a place for numbers. */
    snprintf(name, sizeof name, "seen%s", strrchr(path, '.'));
    CU_ASSERT_EQUAL(link(path, name), 0);
    snprintf(
        command, sizeof command,
        "ffmpeg -nostdin -loglevel error -i %s -r %d -frames:v %d -f rawvideo -pix_fmt rgb24 -",
        name, rate, frames);
    halo_buffer seen = scratch_output(command);
    unlink(name);
    return seen;
}

static void check_exact(const film *from, const char *path)
{
    halo_buffer seen = decode(path, from->rate, from->frames > 1 ? from->frames + 9 : 1);
    size_t size = (size_t)from->width * (size_t)from->height * (size_t)from->frames;
    check(seen.size == 3 * size, "%s: %zu bytes of %zu", path, seen.size, 3 * size);
    size_t wrong = 0;
    for (size_t i = 0; seen.size == 3 * size && i < size; i++) {
        const unsigned char *colour = from->palette + (size_t)3 * from->pixels[i];
        wrong += memcmp(seen.data + 3 * i, colour, 3) != 0;
    }
    check(wrong == 0, "%s, %d frames of %d x %d: %zu wrong pixels", path, from->frames, from->width,
          from->height, wrong);
    halo_buffer_free(&seen);
}

TEST("GIF and PNG keep every pixel")
{
    static const char *const names[] = {"exact.gif", "exact.png", "exact.apng", "EXACT.GIF",
                                        "-a:b %d's.png"};
    static const int sizes[][3] = {{1, 1, 1}, {3, 5, 7}, {50, 37, 9}, {257, 130, 5}};
    uint64_t state = 3;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        film from = film_make(&state, sizes[i][0], sizes[i][1], sizes[i][2], 20);
        for (size_t j = 0; j < COUNT(names); j++) {
            write_film(&from, names[j]);
            check_exact(&from, names[j]);
            unlink(names[j]);
        }
        free(from.pixels);
    }
    CU_ASSERT_EQUAL(scratch_files(), 0);
}

/* Compare one line of ffprobe's about a movie. */
static void check_probe(const char *path, const char *entries, const char *wanted)
{
    char command[300];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries %s -of csv=p=0 %s", entries, path);
    halo_buffer said = scratch_output(command);
    check(strncmp((char *)said.data, wanted, strlen(wanted)) == 0, "%s: %s", path, said.data);
    halo_buffer_free(&said);
}

/* Colours that differ by little from pixel to pixel, as far as a lossy codec is concerned. */
static film film_make_smooth(int width, int height, int frames)
{
    film made = {width, height, frames, 25, {0}, NULL};
    made.pixels = malloc((size_t)width * (size_t)height * (size_t)frames);
    for (int i = 0; i < 256; i++) {
        made.palette[3 * i] = (unsigned char)i;
        made.palette[3 * i + 1] = (unsigned char)(255 - i / 2);
        made.palette[3 * i + 2] = (unsigned char)(40 + i / 3);
    }
    for (int i = 0; i < width * height * frames; i++) {
        int x = i % width, y = i / width % height, frame = i / width / height;
        made.pixels[i] = (unsigned char)((x + 2 * y + 10 * frame) % 512 > 255
                                             ? 255 - (x + 2 * y + 10 * frame) % 256
                                             : (x + 2 * y + 10 * frame) % 256);
    }
    return made;
}

/* The mean difference of all colours; what was added to make sizes even is left out. */
static double difference(const film *from, const halo_buffer *seen, int width, int height)
{
    double sum = 0;
    for (int i = 0; i < from->width * from->height * from->frames; i++) {
        int x = i % from->width, y = i / from->width % from->height;
        int frame = i / from->width / from->height;
        const unsigned char *got =
            seen->data + (size_t)3 * (size_t)((frame * height + y) * width + x);
        for (int j = 0; j < 3; j++) {
            sum += abs(got[j] - from->palette[3 * from->pixels[i] + j]);
        }
    }
    return sum / (3.0 * from->width * from->height * from->frames);
}

TEST("MP4 in colours that players know")
{
    static const int sizes[][2] = {{64, 48}, {63, 47}, {201, 150}, {2, 2}, {1, 1}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        film from = film_make_smooth(sizes[i][0], sizes[i][1], 12);
        int width = (from.width + 1) / 2 * 2;
        int height = (from.height + 1) / 2 * 2;
        char wanted[100];
        write_film(&from, "smooth.mp4");
        snprintf(wanted, sizeof wanted, "h264,%d,%d,yuv420p,tv,bt709,25/1,12", width, height);
        check_probe("smooth.mp4",
                    "stream=codec_name,width,height,pix_fmt,color_range,color_space,r_frame_rate,"
                    "nb_read_frames",
                    wanted);
        halo_buffer seen = decode("smooth.mp4", 25, 20);
        CU_ASSERT_EQUAL_FATAL(seen.size, (size_t)(3 * width * height * 12));
        double off = difference(&from, &seen, width, height);
        check(off < 4, "%d x %d: off by %.2f", from.width, from.height, off);
        halo_buffer_free(&seen);
        free(from.pixels);
        unlink("smooth.mp4");
    }
}

static const unsigned char *find(const halo_buffer *in, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length + 16 < in->size; i++) {
        if (memcmp(in->data + i, word, length) == 0) {
            return in->data + i + length;
        }
    }
    return NULL;
}

/* Players show GIFs and PNGs for ever, and MP4s while they are still loading. */
TEST("endless GIFs, MP4s that start at once")
{
    uint64_t state = 8;
    film from = film_make(&state, 20, 10, 3, 0);
    write_film(&from, "loop.gif");
    write_film(&from, "loop.png");
    write_film(&from, "start.mp4");
    halo_buffer gif = scratch_read("loop.gif");
    halo_buffer png = scratch_read("loop.png");
    halo_buffer mp4 = scratch_read("start.mp4");
    const unsigned char *loops = find(&gif, "NETSCAPE2.0");
    CU_ASSERT(loops != NULL && memcmp(loops, "\3\1\0\0", 4) == 0);
    const unsigned char *frames = find(&png, "acTL");
    CU_ASSERT(frames != NULL && memcmp(frames, "\0\0\0\3\0\0\0\0", 8) == 0);
    const unsigned char *index = find(&mp4, "moov");
    const unsigned char *data = find(&mp4, "mdat");
    CU_ASSERT(index != NULL && data != NULL && index < data);
    check_probe("loop.gif", "stream=r_frame_rate", "25/1");
    check_probe("loop.png", "stream=r_frame_rate", "25/1");
    halo_buffer_free(&gif);
    halo_buffer_free(&png);
    halo_buffer_free(&mp4);
    free(from.pixels);
    CU_ASSERT_EQUAL(scratch_files(), 3);
}

/* A file under the movie's name stays until the movie is whole, and a link keeps leading to it. */
TEST("an earlier file is replaced")
{
    uint64_t state = 2;
    film from = film_make(&state, 9, 9, 2, 10);
    const halo_movie_options options = options_of(&from, "link.gif");
    scratch_text("there.gif", "before");
    CU_ASSERT_EQUAL(symlink("there.gif", "link.gif"), 0);
    int files = scratch_files();
    SUCCEEDS(halo_movie_check(&options));
    CU_ASSERT_EQUAL(scratch_files(), files);
    halo_buffer old = scratch_read("there.gif");
    CU_ASSERT_STRING_EQUAL((char *)old.data, "before");
    write_film(&from, "link.gif");
    check_exact(&from, "there.gif");
    CU_ASSERT_EQUAL(scratch_files(), files);
    halo_buffer_free(&old);
    free(from.pixels);
}

int main(void)
{
    if (system("ffmpeg -version >/dev/null 2>&1") != 0) {
        puts("skipped: movies, not installed: ffmpeg");
        return 77;
    }
    return scratch_run();
}
