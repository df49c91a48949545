#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "io/plot/plot.h"

#include "core/file/atomic.h"
#include "io/movie/pipe.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* As gnuplot wants a quote in a string. It takes everything else within single quotes as it stands;
 * two quotes there are one, but it does not see that of four. */
#define QUOTE "'.\"'\".'"

enum {
    PATH_SIZE = HALO_ATOMIC_PATH_SIZE,
    QUOTED_SIZE = (sizeof QUOTE - 1) * PATH_SIZE,
    HEAD_SIZE = QUOTED_SIZE + PATH_SIZE
};

/* A file's ending, and the terminal of gnuplot that writes it. */
typedef struct {
    const char *ending, *terminal;
} plot_kind;

static const plot_kind KINDS[] = {
    {".png", "pngcairo noenhanced font 'sans,10'"},
    {".svg", "svg noenhanced font 'sans,12' background '#ffffff'"},
};

/* A picture that is being drawn. */
typedef struct {
    const char *terminal;
    halo_atomic_file file;
} plot;

/* gnuplot reads a line for a command, and one that begins with ! is the shell's. */
static halo_status check_name(const char *path)
{
    for (const char *c = path; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            return halo_fail(HALO_ARGUMENT,
                             "cannot draw %s: the names of plots have no ends of lines or other "
                             "control characters; choose another name",
                             path);
        }
    }
    return HALO_OK;
}

static halo_status choose_kind(plot *drawn, const char *path)
{
    HALO_TRY(check_name(path));
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strcasecmp(dot, KINDS[i].ending) == 0) {
            drawn->terminal = KINDS[i].terminal;
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT, "cannot tell what picture %s is to be: end it in .png or .svg",
                     path);
}

/* Say which picture the last message is about. */
static halo_status fail_with_gnuplot(const plot *drawn, halo_status status)
{
    return halo_fail(status, "cannot draw %s: %s", drawn->file.path, halo_last_message());
}

static void quote(char out[QUOTED_SIZE], const char *text)
{
    size_t used = 0;
    for (; *text != '\0'; text++) {
        bool quotes = *text == '\'';
        memcpy(out + used, quotes ? QUOTE : text, quotes ? sizeof QUOTE - 1 : 1);
        used += quotes ? sizeof QUOTE - 1 : 1;
    }
    out[used] = '\0';
}

static halo_status feed(halo_feed *gnuplot, const plot *drawn, int width, int height,
                        const char *script, size_t length)
{
    char head[HEAD_SIZE], quoted[QUOTED_SIZE];
    quote(quoted, drawn->file.temporary);
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
    /* It says why it reads no more when it has ended. */
    halo_status fed = feed(gnuplot, drawn, width, height, script, length);
    status = halo_feed_close(&gnuplot, true);
    if (status == HALO_OK && fed != HALO_OK) {
        status = halo_fail(HALO_FILE, "gnuplot ended before it had read everything");
    }
    return status == HALO_OK ? HALO_OK : fail_with_gnuplot(drawn, status);
}

/* gnuplot does not fail for a full disk. */
static halo_status check_drawn(const plot *drawn)
{
    struct stat there;
    return stat(drawn->file.temporary, &there) != 0 || there.st_size > 0
               ? HALO_OK
               : halo_fail(HALO_FILE, "cannot draw %s: gnuplot has written nothing",
                           drawn->file.path);
}

static halo_status draw(const char *path, int width, int height, const char *script, size_t length,
                        bool keep)
{
    plot drawn = {0};
    halo_status status;
    HALO_TRY(choose_kind(&drawn, path));
    HALO_TRY(halo_atomic_begin(&drawn.file, path));
    HALO_TRY_OR(done, run_gnuplot(&drawn, width, height, script, length));
    if (keep) {
        HALO_TRY_OR(done, check_drawn(&drawn));
        status = halo_atomic_commit(&drawn.file);
    }
done:
    halo_atomic_discard(&drawn.file);
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

halo_status halo_plot_draw_written(const char *path, int width, int height, halo_plot_writer *write,
                                   const void *context)
{
    char *script = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&script, &length);
    halo_status status = to != NULL ? write(to, context) : HALO_OK;
    bool whole = to != NULL && ferror(to) == 0;
    whole = to != NULL && fclose(to) == 0 && whole;
    if (status == HALO_OK) {
        status = whole ? halo_plot_draw(path, width, height, script, length)
                       : halo_fail(HALO_MEMORY, "out of memory: what gnuplot is to draw");
    }
    free(script);
    return status;
}
