#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "cli/tasks/gate.h"

#include "base/memory.h"
#include "base/printable.h"
#include "core/move/scatter_gather.h"
#include "core/world/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Threads that run or could run at once, but for the one that asks; -1 if that is not known. */
static int64_t count_running(void)
{
    enum { LINE = 128 };
    char line[LINE] = "";
    FILE *file = fopen("/proc/loadavg", "re");
    if (file != NULL) {
        line[fread(line, 1, sizeof line - 1, file)] = '\0';
        fclose(file);
    }
    int64_t running;
    return sscanf(line, "%*f %*f %*f %" SCNd64 "/", &running) == 1 ? running - (running > 0) : -1;
}

static void nap(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

/* Once for a rank: somebody may wonder why nothing happens. */
static bool is_open(start_gate *gate)
{
    enum { TEXT = 256 };
    char text[TEXT] = "";
    int64_t running = gate->load > 0 ? count_running() : -1;
    int64_t memory = gate->memory > 0 ? halo_memory_available() : INT64_MAX;
    if (gate->load > 0 && (double)running >= gate->load) {
        snprintf(text, sizeof text,
                 "jobs wait: %" PRId64 " threads run on this machine, and --load asks for fewer "
                 "than %g",
                 running, gate->load);
    } else if (memory < gate->memory) {
        snprintf(text, sizeof text,
                 "jobs wait: %" PRId64 " MB of memory are free, and --memfree asks for %" PRId64
                 " MB",
                 memory >> 20, gate->memory >> 20);
    }
    if (text[0] != '\0' && !atomic_exchange(&gate->said, true)) {
        halo_print_line(gate->program, text);
    }
    return text[0] == '\0';
}

void start_gate_wait(start_gate *gate, double seconds, const atomic_bool *stop)
{
    static const double look = .1;
    double begins = halo_seconds() + seconds;
    for (double left = seconds; left > 0 && !atomic_load(stop); left = begins - halo_seconds()) {
        nap(fmin(left, look));
    }
    while (!atomic_load(stop) && !is_open(gate)) {
        nap(look);
    }
}
