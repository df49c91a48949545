#include "core/world/os_noise.h"

#include "core/world/clock.h"
#include "core/world/simulated_compute.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 4096, MAX_CORES = 8192 };

#define UNKNOWN (-1.)

const halo_os_noise halo_os_noise_unknown = {.seconds = UNKNOWN,
                                             .on_core = UNKNOWN,
                                             .runnable = UNKNOWN,
                                             .machine_waiting = UNKNOWN,
                                             .throttled = UNKNOWN,
                                             .stolen = UNKNOWN,
                                             .quota = UNKNOWN,
                                             .cores = (int)UNKNOWN};

/* Seconds of a tick in /proc/stat, on every machine that Linux runs on today. */
static const double TICK = .01;

/* A larger share of the time, or of what the cores could have done in it, is reported. */
static const double REPORTED_SHARE = .02;

static FILE *open_in(const char *folder, const char *name)
{
    char path[2 * PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < (int)sizeof path ? fopen(path, "r") : NULL;
}

/* The next line, without what is too much of it. False at the end of the file, which is closed
 * then; so it is with no file at all. */
static bool next_line(FILE **file, char line[LINE_SIZE])
{
    if (*file != NULL && fgets(line, LINE_SIZE, *file) != NULL) {
        for (int c = 0; strchr(line, '\n') == NULL && c != '\n' && c != EOF;) {
            c = getc(*file);
        }
        line[strcspn(line, "\n")] = '\0';
        return true;
    }
    if (*file != NULL) {
        fclose(*file);
        *file = NULL;
    }
    return false;
}

/* Numbers that a line holds after `start`, at most `count`; returns how many there are. */
static int scan_numbers(const char *line, const char *start, double *numbers, int count)
{
    size_t length = strlen(start);
    if (strncmp(line, start, length) != 0) {
        return 0;
    }
    const char *at = line + length;
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        if (end == at || (*end != '\0' && *end != ' ' && *end != '\t') || !(numbers[i] >= 0) ||
            numbers[i] > 1e300) {
            return i;
        }
        at = end;
    }
    return count;
}

/* The number behind `start` in a file with one thing a line. */
static double read_number(const char *folder, const char *name, const char *start)
{
    char line[LINE_SIZE];
    double number = UNKNOWN;
    for (FILE *file = open_in(folder, name); next_line(&file, line);) {
        double found;
        if (scan_numbers(line, start, &found, 1) == 1) {
            number = found;
        }
    }
    return number;
}

static double scale(double number, double factor)
{
    return number >= 0 ? number * factor : UNKNOWN;
}

/* Nanoseconds run, nanoseconds waited, and how often: never 0 if anything is counted at all. */
static void read_schedule(halo_os_noise *now, const char *proc)
{
    char line[LINE_SIZE];
    for (FILE *file = open_in(proc, "thread-self/schedstat"); next_line(&file, line);) {
        double numbers[3];
        if (scan_numbers(line, "", numbers, 3) == 3 && numbers[2] > 0) {
            now->on_core = 1e-9 * numbers[0];
            now->runnable = 1e-9 * numbers[1];
        }
    }
}

static void read_competition(halo_os_noise *now, const char *proc)
{
    char line[LINE_SIZE];
    for (FILE *file = open_in(proc, "pressure/cpu"); next_line(&file, line);) {
        const char *total = strstr(line, " total=");
        double microseconds;
        if (strncmp(line, "some ", 5) == 0 && total != NULL &&
            scan_numbers(total, " total=", &microseconds, 1) == 1) {
            now->machine_waiting = 1e-6 * microseconds;
        }
    }
}

/* Which cores a list such as "0-3,8" names. False if it is none. */
static bool scan_cores(const char *list, bool allowed[MAX_CORES])
{
    const char *at = list + strspn(list, " \t");
    for (bool more = true; more; at++) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (end == at) {
            return false;
        }
        if (*end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
        }
        if (end == at || first < 0 || last < first) {
            return false;
        }
        for (long core = first; core <= last && core < MAX_CORES; core++) {
            allowed[core] = true;
        }
        at = end;
        more = *at == ',';
    }
    return true;
}

static bool read_allowed(const char *proc, bool allowed[MAX_CORES])
{
    static const char START[] = "Cpus_allowed_list:";
    char line[LINE_SIZE];
    bool known = false;
    for (FILE *file = open_in(proc, "thread-self/status"); next_line(&file, line);) {
        if (strncmp(line, START, strlen(START)) == 0) {
            known = scan_cores(line + strlen(START), allowed);
        }
    }
    return known;
}

/* The number of the core that a line of /proc/stat is about, or -1. */
static long core_of(const char *line)
{
    return strncmp(line, "cpu", 3) == 0 && isdigit((unsigned char)line[3])
               ? strtol(line + 3, NULL, 10)
               : -1;
}

/* The list of cores may name some that are not there; /proc/stat has a line for each that is. */
static void read_cores(halo_os_noise *now, const char *proc)
{
    enum { STEAL = 7, TIMES = 8 };
    bool allowed[MAX_CORES] = {false};
    if (!read_allowed(proc, allowed)) {
        return;
    }
    char line[LINE_SIZE];
    double ticks = 0;
    int cores = 0, counted = 0;
    for (FILE *file = open_in(proc, "stat"); next_line(&file, line);) {
        long core = core_of(line);
        double times[TIMES];
        if (core >= 0 && core < MAX_CORES && allowed[core]) {
            cores++;
            counted += scan_numbers(line + strcspn(line, " "), "", times, TIMES) == TIMES;
            ticks += counted == cores ? times[STEAL] : 0;
        }
    }
    if (cores > 0) {
        now->cores = cores;
        now->stolen = counted == cores ? TICK * ticks : UNKNOWN;
    }
}

/* Read the limit of one control group and the time that it was throttled, from the files of
 * version 2 or of version 1. */
static void read_group(halo_os_noise *now, const char *group)
{
    double limit[2], quota = UNKNOWN;
    char line[LINE_SIZE];
    for (FILE *file = open_in(group, "cpu.max"); next_line(&file, line);) {
        if (scan_numbers(line, "", limit, 2) == 2 && limit[1] > 0) {
            quota = limit[0] / limit[1];
        }
    }
    if (quota < 0) {
        limit[0] = read_number(group, "cpu.cfs_quota_us", "");
        limit[1] = read_number(group, "cpu.cfs_period_us", "");
        quota = limit[0] > 0 && limit[1] > 0 ? limit[0] / limit[1] : UNKNOWN;
    }
    if (quota > 0 && (now->quota < 0 || quota < now->quota)) {
        now->quota = quota;
    }
    double throttled = scale(read_number(group, "cpu.stat", "throttled_usec "), 1e-6);
    if (throttled < 0) {
        throttled = scale(read_number(group, "cpu.stat", "throttled_time "), 1e-9);
    }
    if (throttled > now->throttled) {
        now->throttled = throttled;
    }
}

/* A group and all that it is in, up to the root; a container may see its own as the root, while the
 * path still tells of folders outside. */
static void read_groups(halo_os_noise *now, const char *root, const char *path)
{
    char group[PATH_SIZE];
    int length = snprintf(group, sizeof group, "%s%s", root, path);
    if (length >= (int)sizeof group) {
        return;
    }
    size_t shortest = strlen(root);
    for (bool more = true; more;) {
        read_group(now, group);
        char *slash = strrchr(group, '/');
        more = slash != NULL && strlen(group) > shortest;
        if (more) {
            *slash = '\0';
        }
    }
}

/* Is `name` one of a list such as "cpu,cpuacct"? */
static bool is_listed(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, ",");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word + (at[word] == ',');
    }
    return false;
}

/* Lines are "0::/path" for version 2 and "4:cpu,cpuacct:/path" for version 1, where each set of
 * controllers has a folder by its name. */
static void read_control_groups(halo_os_noise *now, const char *proc, const char *cgroup)
{
    char line[LINE_SIZE], root[PATH_SIZE];
    for (FILE *file = open_in(proc, "self/cgroup"); next_line(&file, line);) {
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL || path[1] != '/') {
            continue;
        }
        *path++ = '\0';
        controllers++;
        if (*controllers == '\0') {
            read_groups(now, cgroup, strcmp(path, "/") == 0 ? "" : path);
        } else if (is_listed("cpu", controllers)) {
            int length = snprintf(root, sizeof root, "%s/%s", cgroup, controllers);
            if (length < (int)sizeof root) {
                read_groups(now, root, strcmp(path, "/") == 0 ? "" : path);
            }
        }
    }
}

void halo_os_noise_read_from(halo_os_noise *now, const char *proc, const char *cgroup)
{
    *now = halo_os_noise_unknown;
    now->seconds = halo_seconds();
    read_schedule(now, proc);
    read_competition(now, proc);
    read_cores(now, proc);
    read_control_groups(now, proc, cgroup);
}

void halo_os_noise_read(halo_os_noise *now)
{
    /* The files of the system describe the machine that simulates, not the simulated ones: read
     * none. */
    halo_os_noise_read_from(now, HALO_SIMULATED ? "/nonexistent" : "/proc",
                            HALO_SIMULATED ? "/nonexistent" : "/sys/fs/cgroup");
}

/* How much a counter has grown, 0 where that is not known: it may have been reset, too, by a move
 * to another control group. */
static double growth(double before, double after)
{
    return before >= 0 && after > before ? after - before : 0;
}

static void add_words(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_words(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void part_clauses(char *text, size_t size)
{
    if (*text != '\0') {
        add_words(text, size, "; ");
    }
}

static double percent_of(double seconds, double all)
{
    return seconds < all ? 100 * seconds / all : 100;
}

bool halo_os_noise_explain(const halo_os_noise *before, const halo_os_noise *after, char *text,
                           size_t size)
{
    double elapsed = after->seconds - before->seconds, limit = REPORTED_SHARE * elapsed;
    double runnable = growth(before->runnable, after->runnable);
    double waiting = growth(before->machine_waiting, after->machine_waiting);
    double throttled = growth(before->throttled, after->throttled);
    double stolen = growth(before->stolen, after->stolen);
    bool runs_known = before->runnable >= 0 && after->runnable >= 0;
    *text = '\0';
    if (!(elapsed > 0)) {
        return false;
    }
    if (runnable > limit) {
        part_clauses(text, size);
        add_words(text, size, "%.0f %% of the time %s", percent_of(runnable, elapsed),
                  throttled > limit ? "it could have run and did not" : "no core was free for it");
    }
    if (waiting > limit && (runnable > limit || !runs_known)) {
        part_clauses(text, size);
        add_words(text, size, "%.0f %% of the time programs competed for its machine's cores",
                  percent_of(waiting, elapsed));
    }
    if (throttled > limit) {
        part_clauses(text, size);
        add_words(text, size, "held back %.*f s (all cores together) by its control group's limit",
                  throttled < 10 ? 2 : 0, throttled);
        if (after->quota > 0) {
            add_words(text, size, " of %.4g core%s", after->quota, after->quota == 1 ? "" : "s");
        }
    }
    if (after->cores > 0 && stolen > limit * after->cores) {
        part_clauses(text, size);
        add_words(text, size, "%.0f %% of its cores' time went to other virtual machines",
                  percent_of(stolen, elapsed * after->cores));
    }
    return *text != '\0';
}
