#define _POSIX_C_SOURCE 200809L /* getline */
#include "cli/tasks/log.h"

#include "app/paths/append.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char heading[] =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n";

static const app_append_kind kind = {.noun = "log of jobs", .heading = heading, .streams = true};

halo_status job_log_open(job_log *log, const char *path, bool writes)
{
    log->path = path;
    if (writes) {
        return app_append_open(&log->file, path, &kind, &log->begun);
    }
    return access(path, F_OK) == 0 ? app_append_read(&log->file, path, &kind, &log->begun)
                                   : HALO_OK;
}

halo_status job_log_begin(const job_log *log)
{
    return app_append_begin(log->file, log->path, &kind, log->begun);
}

bool job_log_close(job_log *log)
{
    bool closed = log->file == NULL || fclose(log->file) == 0;
    log->file = NULL;
    return closed;
}

/* A line of the log must be one line. */
static void put_command(FILE *log, const char *command)
{
    for (; *command != '\0'; command++) {
        fputs(*command == '\n' ? "\\n" : *command == '\t' ? "\\t" : "", log);
        if (*command != '\n' && *command != '\t') {
            putc(*command, log);
        }
    }
}

halo_status job_log_add(const job_log *log, int64_t number, const char *host,
                        const shell_result *result, const char *command)
{
    bool ended = result->reason == SHELL_TIME || result->reason == SHELL_OUTPUT;
    fprintf(log->file, "%" PRId64 "\t%s\t%.3f\t%10.3f\t0\t%" PRId64 "\t%d\t%d\t", number, host,
            result->begun, result->seconds, result->bytes[SHELL_OUT] + result->bytes[SHELL_ERROR],
            ended ? -1 : (int)result->exit, (int)result->signal);
    put_command(log->file, command);
    putc('\n', log->file);
    return app_append_flush(log->file, log->path);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Makes the text that put_command would write. */
static halo_status as_in_log(char **text, const char *command)
{
    size_t length = 0;
    FILE *to = open_memstream(text, &length);
    HALO_FAIL_IF(to == NULL, HALO_MEMORY, "out of memory: a log of jobs");
    put_command(to, command);
    return HALO_REQUIRE(fclose(to) == 0, HALO_MEMORY, "out of memory: a log of jobs");
}

typedef struct {
    int64_t number, exit, signal;
    const char *command; /* within the line */
} log_line;

/* Numbers of any size are read, since a log may be damaged. */
static bool parse(const char *line, size_t length, log_line *out)
{
    int at = 0;
    bool good = memchr(line, '\0', length) == NULL &&
                sscanf(line, "%" SCNd64 "\t%*[^\t]\t%*f\t%*f\t%*d\t%*d\t%" SCNd64 "\t%" SCNd64 "%n",
                       &out->number, &out->exit, &out->signal, &at) == 3 &&
                at > 0 && line[at] == '\t';
    out->command = good ? line + at + 1 : line;
    return good;
}

typedef struct {
    const char *path;
    int64_t jobs;
    halo_status (*command)(void *context, int64_t i, char **out);
    void *context;
    bool *done;
} reading;

static halo_status take_line(const reading *r, const log_line *line)
{
    char *command = NULL, *logged = NULL;
    HALO_FAIL_IF(line->number < 1 || line->number > r->jobs, HALO_FORMAT,
                 "the log \"%s\" is of other jobs: it has a job %" PRId64 ", and there are %" PRId64
                 "; use another log, or remove it",
                 r->path, line->number, r->jobs);
    halo_status status = r->command(r->context, line->number - 1, &command);
    HALO_IF_OK(status, as_in_log(&logged, command));
    if (status == HALO_OK && strcmp(logged, line->command) != 0) {
        status = halo_fail(HALO_FORMAT,
                           "the log \"%s\" is of other jobs: job %" PRId64 " is \"%.60s\" there and"
                           " \"%.60s\" here; use another log, or remove it",
                           r->path, line->number, line->command, logged);
    }
    free(command);
    free(logged);
    if (status == HALO_OK && (line->exit == 0 && line->signal == 0)) {
        r->done[line->number - 1] = true;
    }
    return status;
}

static halo_status take_lines(const reading *r, FILE *file)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    halo_status status = HALO_OK;
    while (status == HALO_OK && (length = getline(&text, &room, file)) > 0) {
        log_line line;
        size_t before = (size_t)length - 1;
        if (text[before] == '\n') {
            text[before] = '\0';
            status = parse(text, before, &line) ? take_line(r, &line) : HALO_OK;
        }
    }
    if (status == HALO_OK && !feof(file)) {
        status = halo_fail(HALO_FILE, "cannot read \"%s\": %s", r->path, strerror(errno));
    }
    free(text);
    return status;
}

halo_status job_log_read(const job_log *log, int64_t jobs,
                         halo_status (*command)(void *context, int64_t i, char **out),
                         void *context, bool *done)
{
    const reading r = {log->path, jobs, command, context, done};
    return log->begun ? take_lines(&r, log->file) : HALO_OK;
}
