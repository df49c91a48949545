#define _POSIX_C_SOURCE 200809L
#include "io/movie/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    SAID_SIZE = 16384, /* of what the program said, the end is kept */
    MAX_LINES = 3,
    NAME_SIZE = 64,
    PATIENCE = 200 /* hundredths of a second */
};

struct halo_feed {
    char name[NAME_SIZE];
    pid_t process;
    int input;  /* a socket: only for sockets can SIGPIPE be left out */
    int errors; /* what the program says */
    bool broken;
};

/* Our ends of the pipes are not for other programs that are started meanwhile: the one that is fed
 * would wait for the end of its input. */
static bool keep_private(int handle)
{
    return fcntl(handle, F_SETFD, FD_CLOEXEC) == 0;
}

static bool never_wait(int handle)
{
    int flags = fcntl(handle, F_GETFL);
    return flags != -1 && fcntl(handle, F_SETFL, flags | O_NONBLOCK) == 0;
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0) {
            close(pair[i]);
        }
    }
}

/* Nobody reads what the program says before it ends. It must not wait for that, so what no longer
 * fits is lost. */
static bool make_pipes(int input[2], int errors[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM, 0, input) == 0 && pipe(errors) == 0 &&
           keep_private(input[0]) && keep_private(input[1]) && keep_private(errors[0]) &&
           keep_private(errors[1]) && never_wait(errors[0]) && never_wait(errors[1]);
}

static int redirect(posix_spawn_file_actions_t *actions, int input, int errors)
{
    int reason = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (reason == 0) {
        reason = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    }
    if (reason == 0) {
        reason = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    return reason;
}

/* Signals that a terminal sends to our process group are ours to handle, and blocked ones are
 * blocked for us only. */
static int set_apart(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    int reason = posix_spawnattr_setpgroup(attributes, 0);
    if (reason == 0) {
        reason = posix_spawnattr_setsigmask(attributes, &none);
    }
    if (reason == 0) {
        reason =
            posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    }
    return reason;
}

/* 0 or the system's reason. */
static int start(pid_t *process, const char *const *arguments, int input, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0) {
        return reason;
    }
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = redirect(&actions, input, errors);
        if (reason == 0) {
            reason = set_apart(&attributes);
        }
        if (reason == 0) {
            /* The strings stay as they are: the type is older than const. */
            char *const *strings = (char *const *)(const void *)arguments;
            reason = posix_spawnp(process, arguments[0], &actions, &attributes, strings, environ);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

halo_status halo_feed_open(halo_feed **out, const char *const *arguments)
{
    *out = NULL;
    halo_feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: a pipe to %.40s", arguments[0]);
    }
    snprintf(feed->name, sizeof feed->name, "%s", arguments[0]);
    int input[2] = {-1, -1};
    int errors[2] = {-1, -1};
    int reason = make_pipes(input, errors) ? 0 : errno;
    if (reason == 0) {
        reason = start(&feed->process, arguments, input[1], errors[1]);
    }
    if (reason != 0) {
        close_pair(input);
        close_pair(errors);
        free(feed);
        return reason == ENOENT
                   ? halo_fail(HALO_FILE,
                               "%.40s is not installed; install it first (apt-get install %.40s)",
                               arguments[0], arguments[0])
                   : halo_fail(HALO_FILE, "cannot start %.40s: %s", arguments[0], strerror(reason));
    }
    close(input[1]);
    close(errors[1]);
    feed->input = input[0];
    feed->errors = errors[0];
    *out = feed;
    return HALO_OK;
}

halo_status halo_feed_write(halo_feed *feed, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes > 0) {
        ssize_t sent = send(feed->input, from, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            feed->broken = true;
            return halo_fail(HALO_FILE, "%s reads no more: %s", feed->name, strerror(errno));
        }
        from += sent;
        bytes -= (size_t)sent;
    }
    return HALO_OK;
}

/* Has the program ended? `options` are waitpid's. */
static bool has_ended(halo_feed *feed, int options, int *result)
{
    pid_t ended;
    do {
        ended = waitpid(feed->process, result, options);
    } while (ended < 0 && errno == EINTR);
    if (ended < 0) {
        *result = -1; /* somebody else has waited for it: what became of it is not known */
    }
    return ended != 0;
}

/* One that reads no more is about to end, and its last words are wanted. */
static bool ends_soon(halo_feed *feed, int *result)
{
    const struct timespec hundredth = {0, 10000000};
    for (int i = 0; i < PATIENCE; i++) {
        if (has_ended(feed, WNOHANG, result)) {
            return true;
        }
        nanosleep(&hundredth, NULL);
    }
    return false;
}

/* All that was said and not lost; its end, if it is long. */
static void read_errors(int errors, char said[SAID_SIZE])
{
    size_t length = 0;
    for (;;) {
        if (length == SAID_SIZE - 1) {
            length = SAID_SIZE / 2;
            memmove(said, said + SAID_SIZE - 1 - length, length);
        }
        ssize_t got = read(errors, said + length, SAID_SIZE - 1 - length);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            break;
        }
        length += got > 0 ? (size_t)got : 0;
    }
    while (length > 0 && (said[length - 1] == '\n' || said[length - 1] == '\r')) {
        length--;
    }
    said[length] = '\0';
}

/* ffmpeg writes which of its parts speaks, and where in memory that is, in front of its lines. */
static const char *skip_speaker(const char *line)
{
    const char *end = line[0] == '[' ? strstr(line, "] ") : NULL;
    return end != NULL ? end + 2 : line;
}

/* Append what the program said to the message: its last lines, in one. */
static void append_errors(const halo_feed *feed, char *message, size_t size)
{
    char said[SAID_SIZE];
    read_errors(feed->errors, said);
    char *start = said + strlen(said);
    for (int lines = 0; start > said; start--) {
        if (start[-1] == '\n' && ++lines == MAX_LINES) {
            break;
        }
    }
    for (char *rest = start, *line; (line = strtok_r(rest, "\r\n", &rest)) != NULL;) {
        size_t used = strlen(message);
        snprintf(message + used, size - used, "%s%s", line == start ? ": " : "; ",
                 skip_speaker(line));
    }
}

static halo_status check_result(const halo_feed *feed, int result)
{
    if (result != -1 && WIFEXITED(result) && WEXITSTATUS(result) == 0) {
        return HALO_OK;
    }
    char message[HALO_MESSAGE_SIZE];
    if (result == -1) {
        snprintf(message, sizeof message, "how %s ended is not known", feed->name);
    } else if (WIFSIGNALED(result)) {
        snprintf(message, sizeof message, "%s was ended by signal %d", feed->name,
                 WTERMSIG(result));
    } else {
        snprintf(message, sizeof message, "%s failed with status %d", feed->name,
                 WEXITSTATUS(result));
    }
    append_errors(feed, message, sizeof message);
    return halo_fail(HALO_FILE, "%s", message);
}

halo_status halo_feed_close(halo_feed **feed, bool wait)
{
    halo_feed *done = *feed;
    *feed = NULL;
    if (done == NULL) {
        return HALO_OK;
    }
    int result = 0;
    bool ended = wait && done->broken && ends_soon(done, &result);
    close(done->input);
    if (!wait || (done->broken && !ended)) {
        kill(done->process, SIGKILL);
    }
    if (!ended) {
        has_ended(done, 0, &result);
    }
    halo_status status = wait ? check_result(done, result) : HALO_OK;
    close(done->errors);
    free(done);
    return status;
}
