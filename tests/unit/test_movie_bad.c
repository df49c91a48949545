#define _DEFAULT_SOURCE
#include "io/movie/movie.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 600, HEIGHT = 400 };

static unsigned char palette[768]; /* greys */

static char usual_path[4200];
static bool has_ffmpeg;

/* Let `ffmpeg` be a script of the shell, with these lines, until real_ffmpeg; in it the real one is
 * "$real". Without lines, there is none at all. */
static void fake_ffmpeg(const char *lines)
{
    char path[4200], text[2 * sizeof usual_path];
    scratch_text("fake/nothing", "");
    unlink("fake/ffmpeg");
    if (lines != NULL) {
        snprintf(text, sizeof text, "#!/bin/sh\nPATH='%s'\nreal=$(command -v ffmpeg)\n%s\n",
                 usual_path, lines);
        scratch_script("fake/ffmpeg", text);
    }
    setenv("PATH", realpath("fake", path), 1);
}

static void real_ffmpeg(void)
{
    setenv("PATH", usual_path, 1);
}

/* How long ffmpeg may take to end once it reads no more. */
static bool patient = true;

/* The linker sends here (--wrap) what the library waits for ffmpeg's end: until it is there,
 * however long others have the cores, or not at all. */
int __wrap_nanosleep(const struct timespec *duration, struct timespec *left);
int __wrap_nanosleep(const struct timespec *duration, struct timespec *left)
{
    (void)duration;
    (void)left;
    siginfo_t about;
    return patient ? waitid(P_ALL, 0, &about, WEXITED | WNOWAIT) : 0;
}

static halo_movie_options options_for(const char *path)
{
    return (halo_movie_options){path, WIDTH, HEIGHT, 25, palette};
}

/* Noise: nothing that could be made smaller. */
static const unsigned char *noise(void)
{
    static unsigned char pixels[WIDTH * HEIGHT];
    for (size_t i = 0; i < sizeof pixels; i++) {
        pixels[i] = (unsigned char)(rand() >> 7);
    }
    return pixels;
}

/* Make a movie of up to `frames` frames, and hand on the first failure. */
static halo_status make(const char *path, int frames)
{
    const halo_movie_options options = options_for(path);
    halo_movie *movie;
    halo_status status = halo_movie_open(&movie, &options);
    if (status != HALO_OK) {
        CU_ASSERT_PTR_NULL(movie);
        return status;
    }
    for (int i = 0; status == HALO_OK && i < frames; i++) {
        status = halo_movie_frame(movie, noise(), WIDTH);
    }
    status = halo_movie_close(&movie, status);
    CU_ASSERT_PTR_NULL(movie);
    return status;
}

/* A movie that ffmpeg, being a script of these lines, cannot make: the message has a word from it,
 * an earlier file stays, and nothing else is left. */
static void check_failing(const char *lines, const char *word)
{
    scratch_text("movie.gif", "before");
    int files = scratch_files();
    fake_ffmpeg(lines);
    const halo_movie_options options = options_for("movie.gif");
    FAILS(HALO_FILE, word, halo_movie_check(&options));
    FAILS(HALO_FILE, word, make("movie.gif", 50));
    real_ffmpeg();
    CU_ASSERT_EQUAL(scratch_files(), files);
    halo_buffer left = scratch_read("movie.gif");
    CU_ASSERT_STRING_EQUAL((char *)left.data, "before");
    halo_buffer_free(&left);
    unlink("movie.gif");
}

TEST("no ffmpeg, and one that fails")
{
    static const struct {
        const char *lines, *word;
    } cases[] = {
        {NULL, "apt-get install ffmpeg"},
        {"exit 3", "status 3"},
        {"cat >/dev/null; exit 3", "status 3"},
        {"echo 'Unknown encoder x' >&2; exit 1", "Unknown encoder x"},
        {"echo '[gif @ 0x55] First'>&2; echo Second >&2; head -c 99 >/dev/null; exit 1",
         "First; Second"},
        {"kill -9 $$", "signal 9"},
        {"head -c 300000 >/dev/null; kill -15 $$", "signal 15"},
        {"head -c 10 >/dev/null; exit 0", "ffmpeg ended before the movie did"},
        /* It says more than fits into a pipe, and does not wait for anybody to read it. */
        {"yes talk | head -c 1000000 >&2; cat >/dev/null; exit 5", "talk; talk"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_failing(cases[i].lines, cases[i].word);
    }
}

/* It closes its input and goes on without end. */
TEST("one that hangs")
{
    patient = false;
    check_failing("exec sleep 1000 <&-", "signal 9");
    patient = true;
}

/* Before ffmpeg is even started: it need not be there for this. */
TEST("options that cannot be")
{
    static char longest[5000];
    static const struct {
        const char *path;
        int width, height, rate;
        halo_status status;
        const char *word;
    } cases[] = {
        {"movie", 9, 9, 25, HALO_ARGUMENT, "end it in"},
        {"movie.avi", 9, 9, 25, HALO_ARGUMENT, "end it in"},
        {"", 9, 9, 25, HALO_ARGUMENT, "end it in"},
        {"x.gif/y", 9, 9, 25, HALO_ARGUMENT, "end it in"},
        {"x.gif", 9, 9, 51, HALO_ARGUMENT, "51 frames per second"},
        {"x.mp4", 9, 9, 61, HALO_ARGUMENT, "1 to 60"},
        {"x.png", 9, 9, -1, HALO_ARGUMENT, "-1 frames"},
        {"x.png", 0, 9, 25, HALO_ARGUMENT, "0 x 9"},
        {"x.png", 9, 65536, 25, HALO_ARGUMENT, "65535"},
        {"nowhere/x.gif", 9, 9, 25, HALO_FILE, "nowhere/x.gif"},
        {"/dev/null.d/x.gif", 9, 9, 25, HALO_FILE, "/dev/null.d/x.gif"},
        {"folder.gif", 9, 9, 25, HALO_FILE, "name a file in it"},
        {longest, 9, 9, 25, HALO_FILE, "4095"},
    };
    memset(longest, 'x', sizeof longest);
    memcpy(longest + sizeof longest - 5, ".gif", 5);
    fake_ffmpeg(NULL);
    mkdir("folder.gif", 0755);
    int files = scratch_files();
    for (size_t i = 0; i < COUNT(cases); i++) {
        const halo_movie_options options = {cases[i].path, cases[i].width, cases[i].height,
                                            cases[i].rate, palette};
        halo_movie *movie;
        FAILS(cases[i].status, cases[i].word, halo_movie_check(&options));
        FAILS(cases[i].status, cases[i].word, halo_movie_open(&movie, &options));
        CU_ASSERT_PTR_NULL(movie);
        CU_ASSERT_EQUAL(scratch_files(), files);
    }
    rmdir("folder.gif");
    real_ffmpeg();
}

/* A size that ffmpeg itself refuses is found before the work, too. */
TEST("too large for the codec")
{
    if (!has_ffmpeg) {
        return;
    }
    const halo_movie_options options = {"x.mp4", 65535, 2, 25, palette};
    FAILS(HALO_FILE, "cannot make the movie x.mp4", halo_movie_check(&options));
    CU_ASSERT_EQUAL(scratch_files(), 0);
}

TEST("no frames")
{
    if (!has_ffmpeg) {
        return;
    }
    FAILS(HALO_ARGUMENT, "no frame", make("none.gif", 0));
    CU_ASSERT_EQUAL(scratch_files(), 0);
}

/* The caller fails: its status and message come through, at once. */
TEST("given up by the caller")
{
    if (!has_ffmpeg) {
        return;
    }
    const halo_movie_options options = options_for("given-up.mp4");
    halo_movie *movie;
    SUCCEEDS(halo_movie_open(&movie, &options));
    SUCCEEDS(halo_movie_frame(movie, noise(), WIDTH));
    halo_fail(HALO_MEMORY, "the caller's reason");
    FAILS(HALO_MEMORY, "the caller's reason", halo_movie_close(&movie, HALO_MEMORY));
    CU_ASSERT_PTR_NULL(movie);
    CU_ASSERT_EQUAL(scratch_files(), 0);
}

/* A file that may not grow is like a disk that is full. */
TEST("a full disk")
{
    if (!has_ffmpeg) {
        return;
    }
    static const char *const names[] = {"full.gif", "full.png", "full.mp4"};
    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    small = usual;
    small.rlim_cur = 1000000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    for (size_t i = 0; i < 3; i++) {
        FAILS(HALO_FILE, names[i], make(names[i], 40));
        FAILS(HALO_FILE, "too large", HALO_FILE);
    }
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_DFL);
    CU_ASSERT_EQUAL(scratch_files(), 0);
}

/* The process that a script has written down. */
static pid_t process_of(const char *name)
{
    halo_buffer text = scratch_read(name);
    pid_t process = (pid_t)strtol((char *)text.data, NULL, 10);
    halo_buffer_free(&text);
    return process;
}

/* The real one, killed in the middle; Ctrl-C in a terminal would not have reached it. */
TEST("killed in the middle")
{
    if (!has_ffmpeg) {
        return;
    }
    const halo_movie_options options = options_for("killed.png");
    halo_movie *movie;
    fake_ffmpeg("echo $$ >process; exec \"$real\" \"$@\"");
    SUCCEEDS(halo_movie_open(&movie, &options));
    for (int i = 0; i < 5; i++) {
        SUCCEEDS(halo_movie_frame(movie, noise(), WIDTH));
    }
    pid_t process = process_of("process");
    CU_ASSERT_FATAL(process > 1);
    CU_ASSERT(getpgid(process) != getpgrp());
    kill(process, SIGKILL);
    halo_status status = HALO_OK;
    for (int i = 0; i < 1000 && status == HALO_OK; i++) {
        status = halo_movie_frame(movie, noise(), WIDTH);
    }
    FAILS(HALO_FILE, "signal 9", status);
    halo_fail(HALO_OK, "something else");
    FAILS(HALO_FILE, "signal 9", halo_movie_frame(movie, noise(), WIDTH));
    halo_fail(HALO_OK, "something else");
    FAILS(HALO_FILE, "signal 9", halo_movie_close(&movie, HALO_OK));
    real_ffmpeg();
    CU_ASSERT_EQUAL(scratch_files(), 1);
    unlink("process");
}

/* In a process of its own, which tells when there is a movie, and waits for its end. */
static void make_until_killed(int ready)
{
    const halo_movie_options options = options_for("left.gif");
    halo_movie *movie;
    alarm(60);
    if (halo_movie_open(&movie, &options) != HALO_OK ||
        halo_movie_frame(movie, noise(), WIDTH) != HALO_OK || write(ready, "r", 1) != 1) {
        _exit(1);
    }
    for (;;) {
        pause();
    }
}

static void kill_in_the_middle(void)
{
    int ready[2];
    char said;
    CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        make_until_killed(ready[1]);
    }
    close(ready[1]);
    CU_ASSERT_EQUAL_FATAL(read(ready[0], &said, 1), 1);
    close(ready[0]);
    kill(child, SIGKILL);
    CU_ASSERT_EQUAL(waitpid(child, NULL, 0), child);
}

/* Temporary files of a killed run are removed by the next run that makes the same movie or asks
 * whether it can be made; those of a living run stay. */
TEST("left behind by a killed run")
{
    const halo_movie_options options = options_for("left.gif");
    halo_movie *living;
    fake_ffmpeg("exec cat >/dev/null");
    SUCCEEDS(halo_movie_open(&living, &options));
    kill_in_the_middle();
    CU_ASSERT_EQUAL(scratch_files(), 2);
    kill_in_the_middle();
    CU_ASSERT_EQUAL(scratch_files(), 2);
    SUCCEEDS(halo_movie_check(&options));
    CU_ASSERT_EQUAL(scratch_files(), 1);
    kill_in_the_middle();
    SUCCEEDS(make("left.gif", 2));
    CU_ASSERT_EQUAL(scratch_files(), 2);
    SUCCEEDS(halo_movie_frame(living, noise(), WIDTH));
    SUCCEEDS(halo_movie_close(&living, HALO_OK));
    real_ffmpeg();
    CU_ASSERT_EQUAL(scratch_files(), 1);
    unlink("left.gif");
}

int main(void)
{
    const char *path = getenv("PATH");
    snprintf(usual_path, sizeof usual_path, "%s", path != NULL ? path : "/usr/bin:/bin");
    has_ffmpeg = system("ffmpeg -version >/dev/null 2>&1") == 0;
    for (int i = 0; i < 768; i++) {
        palette[i] = (unsigned char)(i / 3);
    }
    int status = scratch_run();
    if (status == 0 && !has_ffmpeg) {
        puts("skipped: movies, not installed: ffmpeg");
        return 77;
    }
    return status;
}
