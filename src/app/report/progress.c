#define _DEFAULT_SOURCE /* winsize */
#include "app/report/progress.h"

#include "core/world/clock.h"
#include "core/world/monitor.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MIN_WIDTH = 40, DEFAULT_WIDTH = 80, BAR = 24 };

static const double SECONDS_BETWEEN = 0.1;

static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    long number = text != NULL ? strtol(text, NULL, 10) : 0;
    return number > 0 && number <= INT_MAX ? (int)number : 0;
}

void terminal_measure(int stream, int *columns, int *lines)
{
    struct winsize size;
    bool known = ioctl(stream, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col > 0 ? size.ws_col : number_of("COLUMNS");
    *lines = known && size.ws_row > 0 ? size.ws_row : number_of("LINES");
}

progress progress_create(const char *mode, int rank)
{
    progress shown = {0};
    bool wanted =
        strcmp(mode, "always") == 0 || (strcmp(mode, "auto") == 0 && isatty(STDERR_FILENO));
    if (wanted && rank == 0) {
        int width, lines;
        terminal_measure(STDERR_FILENO, &width, &lines);
        shown = (progress){.shown = true, .width = width >= MIN_WIDTH ? width : DEFAULT_WIDTH};
    }
    return shown;
}

void progress_phase(progress *shown, const char *phase)
{
    halo_monitor_phase(phase);
    shown->phase = phase;
    shown->phase_begun = halo_seconds();
    progress_update(shown, 0, 1);
}

static void draw(progress *shown, double share, double now)
{
    char bar[BAR + 1], line[256];
    int full = (int)(share * BAR);
    memset(bar, '#', (size_t)full);
    memset(bar + full, '.', (size_t)(BAR - full));
    bar[BAR] = '\0';
    double spent = now - shown->phase_begun;
    int length =
        snprintf(line, sizeof line, "%-16s [%s] %3d %%", shown->phase, bar, (int)(100 * share));
    if (share > 0.01 && spent > 0.5) {
        long left = (long)(spent / share * (1 - share) + 0.5);
        snprintf(line + length, sizeof line - (size_t)length, "  %ld:%02ld left", left / 60,
                 left % 60);
    }
    fprintf(stderr, "\r%-*.*s", shown->width - 1, shown->width - 1, line);
    fflush(stderr);
    shown->drawn = true;
}

void progress_update(progress *shown, int64_t done, int64_t total)
{
    if (!shown->shown) {
        return;
    }
    double now = halo_seconds();
    if (now - shown->last_drawn < SECONDS_BETWEEN && done < total) {
        return;
    }
    shown->last_drawn = now;
    draw(shown, total > 0 ? (double)done / (double)total : 1, now);
}

void progress_end(progress *shown)
{
    if (shown->drawn) {
        fprintf(stderr, "\r%*s\r", shown->width - 1, "");
        fflush(stderr);
        shown->drawn = false;
    }
}
