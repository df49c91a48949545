#define _DEFAULT_SOURCE /* fsync, strcasecmp */
#include "io/plot/plot.h"

#include "core/file/atomic.h"
#include "io/movie/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATH_SIZE = HALO_ATOMIC_PATH_SIZE, HEAD_SIZE = 3 * PATH_SIZE };

/* What gnuplot calls the kinds of pictures. */
typedef struct {
    const char *ending, *terminal;
} plot_kind;

static const plot_kind KINDS[] = {
    {".png", "pngcairo noenhanced font 'sans,10'"},
    {".svg", "svg noenhanced font 'sans,12' background '#ffffff'"},
};

typedef struct {
    const char *path; /* as the caller gave it, for messages */
    const char *terminal;
    char target[PATH_SIZE];    /* with links followed */
    char temporary[PATH_SIZE]; /* beside the target; empty while there is none */
} plot;

static halo_status choose_kind(plot *drawn)
{
    const char *dot = strrchr(drawn->path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strcasecmp(dot, KINDS[i].ending) == 0) {
            drawn->terminal = KINDS[i].terminal;
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT, "cannot tell what picture %s is to be: end it in .png or .svg",
                     drawn->path);
}

/* Say which picture the last message is about. */
static halo_status fail_with_gnuplot(const plot *drawn, halo_status status)
{
    return halo_fail(status, "cannot draw %s: %s", drawn->path, halo_last_message());
}

/* Within single quotes gnuplot takes everything as it stands, but a quote, which is doubled. */
static void quote(char *out, const char *text)
{
    for (; *text != '\0'; text++) {
        *out++ = *text;
        if (*text == '\'') {
            *out++ = '\'';
        }
    }
    *out = '\0';
}

static halo_status feed(halo_feed *gnuplot, const plot *drawn, int width, int height,
                        const char *script, size_t length)
{
    char head[HEAD_SIZE], quoted[2 * PATH_SIZE];
    quote(quoted, drawn->temporary);
    int used = snprintf(head, sizeof head, "set terminal %s size %d,%d\nset output '%s'\n",
                        drawn->terminal, width, height, quoted);
    HALO_TRY(halo_feed_write(gnuplot, head, (size_t)used));
    HALO_TRY(halo_feed_write(gnuplot, script, length));
    const char end[] = "\nunset output\n";
    return halo_feed_write(gnuplot, end, sizeof end - 1);
}

static halo_status run_gnuplot(const plot *drawn, int width, int height, const char *script,
                               size_t length)
{
    const char *const arguments[] = {"gnuplot", "--default-settings", "-", NULL};
    halo_feed *gnuplot;
    halo_status status = halo_feed_open(&gnuplot, arguments);
    if (status != HALO_OK) {
        return fail_with_gnuplot(drawn, status);
    }
    /* Why it reads no more is what it says in the end. */
    halo_status fed = feed(gnuplot, drawn, width, height, script, length);
    status = halo_feed_close(&gnuplot, true);
    if (status == HALO_OK && fed != HALO_OK) {
        status = halo_fail(HALO_FILE, "gnuplot ended before it had read everything");
    }
    return status == HALO_OK ? HALO_OK : fail_with_gnuplot(drawn, status);
}

/* The file must be on the disk before its name is, and gnuplot does not fail for a full one. */
static halo_status give_name(plot *drawn)
{
    int handle = open(drawn->temporary, O_RDONLY);
    if (handle < 0) {
        return halo_atomic_fail(drawn->path, errno);
    }
    off_t size = lseek(handle, 0, SEEK_END);
    int reason = fsync(handle) == 0 ? 0 : errno;
    close(handle);
    if (reason == 0 && size <= 0) {
        return halo_fail(HALO_FILE, "cannot draw %s: gnuplot has written nothing", drawn->path);
    }
    if (reason == 0 && rename(drawn->temporary, drawn->target) != 0) {
        reason = errno;
    }
    if (reason != 0) {
        return halo_atomic_fail(drawn->path, reason);
    }
    drawn->temporary[0] = '\0';
    return HALO_OK;
}

static halo_status draw(const char *path, int width, int height, const char *script, size_t length,
                        bool keep)
{
    plot drawn = {.path = path};
    if (strlen(path) >= PATH_SIZE) {
        return halo_fail(HALO_FILE, "cannot write %.100s...: a path may have %d bytes", path,
                         PATH_SIZE - 1);
    }
    HALO_TRY(choose_kind(&drawn));
    HALO_TRY(halo_atomic_target(drawn.target, path));
    HALO_TRY(halo_atomic_create(drawn.temporary, drawn.target, drawn.path));
    halo_status status = run_gnuplot(&drawn, width, height, script, length);
    if (status == HALO_OK && keep) {
        status = give_name(&drawn);
    }
    if (drawn.temporary[0] != '\0') {
        unlink(drawn.temporary);
    }
    return status;
}

halo_status halo_plot_check(const char *path)
{
    const char script[] = "plot 0\n";
    return draw(path, 200, 200, script, sizeof script - 1, false);
}

halo_status halo_plot_draw(const char *path, int width, int height, const char *script,
                           size_t length)
{
    return draw(path, width, height, script, length, true);
}
