#define _DEFAULT_SOURCE
#include "io/movie/movie.h"
#include "support/movie_check.h"
#include "support/unit_check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 600, HEIGHT = 400 };

static unsigned char palette[768]; /* greys */

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

static void check_message(halo_status status, halo_status wanted, const char *word)
{
    check(status == wanted && strstr(halo_last_message(), word) != NULL,
          "status %d, not %d with '%s': %s", (int)status, (int)wanted, word, halo_last_message());
}

/* A movie that ffmpeg, being a script of these lines, cannot make: the message has a word from it,
 * an earlier file stays, and nothing else is left. */
static void check_failing(const char *lines, const char *word)
{
    movie_put("movie.gif", "before", false);
    int files = movie_folder_files();
    movie_fake_ffmpeg(lines);
    const halo_movie_options options = options_for("movie.gif");
    check_message(halo_movie_check(&options), HALO_FILE, word);
    check_message(make("movie.gif", 50), HALO_FILE, word);
    movie_real_ffmpeg();
    CU_ASSERT_EQUAL(movie_folder_files(), files);
    halo_buffer left = movie_file("movie.gif");
    CU_ASSERT_STRING_EQUAL((char *)left.data, "before");
    halo_buffer_free(&left);
    unlink("movie.gif");
}

static void test_missing_ffmpeg(void)
{
    check_failing(NULL, "apt-get install ffmpeg");
}

static void test_failing_ffmpeg(void)
{
    check_failing("exit 3", "status 3");
    check_failing("cat >/dev/null; exit 3", "status 3");
    check_failing("echo 'Unknown encoder x' >&2; exit 1", "Unknown encoder x");
    check_failing("echo '[gif @ 0x55] First'>&2; echo Second >&2; head -c 99 >/dev/null; exit 1",
                  "First; Second");
    check_failing("kill -9 $$", "signal 9");
    check_failing("head -c 300000 >/dev/null; kill -15 $$", "signal 15");
    check_failing("head -c 10 >/dev/null; exit 0", "ffmpeg ended before the movie did");
}

/* It says more than fits into a pipe, and does not wait for anybody to read it. */
static void test_talking_ffmpeg(void)
{
    check_failing("yes talk | head -c 1000000 >&2; cat >/dev/null; exit 5", "talk; talk");
}

/* It closes its input and goes on without end. */
static void test_hanging_ffmpeg(void)
{
    patient = false;
    check_failing("exec sleep 1000 <&-", "signal 9");
    patient = true;
}

static void check_refused(const char *path, int width, int height, int rate, halo_status wanted,
                          const char *word)
{
    halo_movie_options options = {path, width, height, rate, palette};
    halo_movie *movie;
    int files = movie_folder_files();
    check_message(halo_movie_check(&options), wanted, word);
    check_message(halo_movie_open(&movie, &options), wanted, word);
    CU_ASSERT_PTR_NULL(movie);
    CU_ASSERT_EQUAL(movie_folder_files(), files);
}

/* Before ffmpeg is even started: it need not be there for this. */
static void test_refused(void)
{
    char longest[5000];
    memset(longest, 'x', sizeof longest);
    memcpy(longest + sizeof longest - 5, ".gif", 5);
    movie_fake_ffmpeg(NULL);
    check_refused("movie", 9, 9, 25, HALO_ARGUMENT, "end it in");
    check_refused("movie.avi", 9, 9, 25, HALO_ARGUMENT, "end it in");
    check_refused("", 9, 9, 25, HALO_ARGUMENT, "end it in");
    check_refused("x.gif/y", 9, 9, 25, HALO_ARGUMENT, "end it in");
    check_refused("x.gif", 9, 9, 51, HALO_ARGUMENT, "51 frames per second");
    check_refused("x.mp4", 9, 9, 61, HALO_ARGUMENT, "1 to 60");
    check_refused("x.png", 9, 9, -1, HALO_ARGUMENT, "-1 frames");
    check_refused("x.png", 0, 9, 25, HALO_ARGUMENT, "0 x 9");
    check_refused("x.png", 9, 65536, 25, HALO_ARGUMENT, "65535");
    check_refused("nowhere/x.gif", 9, 9, 25, HALO_FILE, "nowhere/x.gif");
    check_refused("/dev/null.d/x.gif", 9, 9, 25, HALO_FILE, "/dev/null.d/x.gif");
    check_refused(longest, 9, 9, 25, HALO_FILE, "4095");
    mkdir("folder.gif", 0755);
    check_refused("folder.gif", 9, 9, 25, HALO_FILE, "name a file in it");
    rmdir("folder.gif");
    movie_real_ffmpeg();
}

/* What ffmpeg itself refuses is found before the work, too. */
static void test_too_large(void)
{
    const halo_movie_options options = {"x.mp4", 65535, 2, 25, palette};
    check_message(halo_movie_check(&options), HALO_FILE, "cannot make the movie x.mp4");
    CU_ASSERT_EQUAL(movie_folder_files(), 0);
}

static void test_no_frames(void)
{
    check_message(make("none.gif", 0), HALO_ARGUMENT, "no frame");
    CU_ASSERT_EQUAL(movie_folder_files(), 0);
}

/* The caller fails: its status and message come through, at once. */
static void test_given_up(void)
{
    const halo_movie_options options = options_for("given-up.mp4");
    halo_movie *movie;
    CU_ASSERT_EQUAL_FATAL(halo_movie_open(&movie, &options), HALO_OK);
    CU_ASSERT_EQUAL(halo_movie_frame(movie, noise(), WIDTH), HALO_OK);
    halo_fail(HALO_MEMORY, "the caller's reason");
    check_message(halo_movie_close(&movie, HALO_MEMORY), HALO_MEMORY, "the caller's reason");
    CU_ASSERT_PTR_NULL(movie);
    CU_ASSERT_EQUAL(movie_folder_files(), 0);
}

/* A file that may not grow is like a disk that is full. */
static void test_full_disk(void)
{
    static const char *const names[] = {"full.gif", "full.png", "full.mp4"};
    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    small = usual;
    small.rlim_cur = 1000000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    for (size_t i = 0; i < 3; i++) {
        check_message(make(names[i], 40), HALO_FILE, names[i]);
        check_message(HALO_FILE, HALO_FILE, "too large");
    }
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_DFL);
    CU_ASSERT_EQUAL(movie_folder_files(), 0);
}

/* The process that a script has written down. */
static pid_t process_of(const char *name)
{
    halo_buffer text = movie_file(name);
    pid_t process = (pid_t)strtol((char *)text.data, NULL, 10);
    halo_buffer_free(&text);
    return process;
}

/* The real one, killed in the middle; Ctrl-C in a terminal would not have reached it. */
static void test_killed(void)
{
    const halo_movie_options options = options_for("killed.png");
    halo_movie *movie;
    movie_fake_ffmpeg("echo $$ >process; exec \"$real\" \"$@\"");
    CU_ASSERT_EQUAL_FATAL(halo_movie_open(&movie, &options), HALO_OK);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(halo_movie_frame(movie, noise(), WIDTH), HALO_OK);
    }
    pid_t process = process_of("process");
    CU_ASSERT_FATAL(process > 1);
    CU_ASSERT(getpgid(process) != getpgrp());
    kill(process, SIGKILL);
    halo_status status = HALO_OK;
    for (int i = 0; i < 1000 && status == HALO_OK; i++) {
        status = halo_movie_frame(movie, noise(), WIDTH);
    }
    check_message(status, HALO_FILE, "signal 9");
    halo_fail(HALO_OK, "something else");
    check_message(halo_movie_frame(movie, noise(), WIDTH), HALO_FILE, "signal 9");
    halo_fail(HALO_OK, "something else");
    check_message(halo_movie_close(&movie, HALO_OK), HALO_FILE, "signal 9");
    movie_real_ffmpeg();
    CU_ASSERT_EQUAL(movie_folder_files(), 1);
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

/* What a killed run has left is removed by whoever makes that movie next, or asks whether it can be
 * made; what a living one is writing stays. */
static void test_left_behind(void)
{
    const halo_movie_options options = options_for("left.gif");
    halo_movie *living;
    movie_fake_ffmpeg("exec cat >/dev/null");
    CU_ASSERT_EQUAL_FATAL(halo_movie_open(&living, &options), HALO_OK);
    kill_in_the_middle();
    CU_ASSERT_EQUAL(movie_folder_files(), 2);
    kill_in_the_middle();
    CU_ASSERT_EQUAL(movie_folder_files(), 2);
    CU_ASSERT_EQUAL(halo_movie_check(&options), HALO_OK);
    CU_ASSERT_EQUAL(movie_folder_files(), 1);
    kill_in_the_middle();
    CU_ASSERT_EQUAL(make("left.gif", 2), HALO_OK);
    CU_ASSERT_EQUAL(movie_folder_files(), 2);
    CU_ASSERT_EQUAL(halo_movie_frame(living, noise(), WIDTH), HALO_OK);
    CU_ASSERT_EQUAL(halo_movie_close(&living, HALO_OK), HALO_OK);
    movie_real_ffmpeg();
    CU_ASSERT_EQUAL(movie_folder_files(), 1);
    unlink("left.gif");
}

static const CU_TestInfo without_ffmpeg[] = {
    {"no ffmpeg", test_missing_ffmpeg},
    {"an ffmpeg that fails", test_failing_ffmpeg},
    {"one that talks a lot", test_talking_ffmpeg},
    {"one that hangs", test_hanging_ffmpeg},
    {"options that cannot be", test_refused},
    {"left behind by a killed run", test_left_behind},
};

static const CU_TestInfo with_ffmpeg[] = {
    {"too large for the codec", test_too_large}, {"no frames", test_no_frames},
    {"given up by the caller", test_given_up},   {"a full disk", test_full_disk},
    {"killed in the middle", test_killed},
};

int main(void)
{
    enum { WITHOUT = sizeof without_ffmpeg / sizeof without_ffmpeg[0] };
    CU_TestInfo tests[WITHOUT + sizeof with_ffmpeg / sizeof with_ffmpeg[0] + 1];
    memset(tests, 0, sizeof tests);
    memcpy(tests, without_ffmpeg, sizeof without_ffmpeg);
    for (int i = 0; i < 768; i++) {
        palette[i] = (unsigned char)(i / 3);
    }
    bool there = movie_has_ffmpeg();
    if (there) {
        memcpy(tests + WITHOUT, with_ffmpeg, sizeof with_ffmpeg);
    }
    movie_folder_enter();
    int result = unit_check_run("movie_bad", tests);
    movie_folder_remove();
    if (result == 0 && !there) {
        puts("skipped: movies, not installed: ffmpeg");
        return 77;
    }
    return result;
}
