#define _POSIX_C_SOURCE 200809L
#include "app/report/progress.h"

#include "core/world/clock.h"
#include "core/world/monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIN_WIDTH = 40, DEFAULT_WIDTH = 80, BAR = 24 };

static const double SECONDS_BETWEEN = 0.1;

bool terminal_shows(int stream)
{
    const char *known =
        getenv(stream == STDERR_FILENO ? "HALOBEAT_STDERR_TTY" : "HALOBEAT_STDOUT_TTY");
    return isatty(stream) || (known != NULL && strcmp(known, "1") == 0);
}

progress progress_create(const char *mode, int rank)
{
    progress shown = {0};
    bool wanted =
        strcmp(mode, "always") == 0 || (strcmp(mode, "auto") == 0 && terminal_shows(STDERR_FILENO));
    shown.shown = wanted && rank == 0;
    const char *columns = getenv("COLUMNS");
    int width = columns != NULL ? (int)strtol(columns, NULL, 10) : DEFAULT_WIDTH;
    shown.width = width >= MIN_WIDTH ? width : DEFAULT_WIDTH;
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
