#define _GNU_SOURCE /* pipe2, vfork, execvpe */
#include "cli/tasks/shell.h"

#include "base/memory.h"
#include "core/transport/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- commands that need no shell ------------------------------------------------------------- */

/* A command that a shell would only take apart at its blanks: run without one it takes half the
 * processor time. */
typedef struct {
    char **words; /* as execvp wants them; NULL: the command needs a shell */
    char *text;
} simple_command;

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+=.,:/@%";
static const char blanks[] = " \t";

/* Is the word a builtin or keyword of POSIX shells, dash or bash? */
static bool is_shells(const char *word)
{
    static const char *const words[] = {
        ".",        ":",       "[",       "alias",  "bg",      "bind",     "break",   "builtin",
        "caller",   "case",    "cd",      "chdir",  "command", "compgen",  "compopt", "complete",
        "continue", "coproc",  "declare", "dirs",   "disown",  "do",       "done",    "echo",
        "elif",     "else",    "enable",  "esac",   "eval",    "exec",     "exit",    "export",
        "false",    "fc",      "fg",      "fi",     "for",     "function", "getopts", "hash",
        "help",     "history", "if",      "in",     "jobs",    "kill",     "let",     "local",
        "logout",   "mapfile", "popd",    "printf", "pushd",   "pwd",      "read",    "readarray",
        "readonly", "return",  "select",  "set",    "shift",   "shopt",    "source",  "suspend",
        "test",     "then",    "time",    "times",  "trap",    "true",     "type",    "typeset",
        "ulimit",   "umask",   "unalias", "unset",  "until",   "wait",     "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Puts the word at *at, and behind it a zero, to *to. False if a shell has to read it. */
static bool take_word(const char **at, char **to)
{
    while (**at != '\0' && strchr(blanks, **at) == NULL) {
        if (**at == '\'') {
            const char *end = strchr(*at + 1, '\'');
            if (end == NULL) {
                return false;
            }
            size_t length = (size_t)(end - *at) - 1;
            memcpy(*to, *at + 1, length);
            *to += length;
            *at = end + 1;
        } else if (strchr(plain, **at) != NULL) {
            *(*to)++ = *(*at)++;
        } else {
            return false;
        }
    }
    *(*to)++ = '\0';
    return true;
}

/* False if it needs a shell. */
static bool take_apart(simple_command *out, const char *command)
{
    char *to = out->text;
    size_t count = 0;
    for (command += strspn(command, blanks); *command != '\0'; command += strspn(command, blanks)) {
        out->words[count++] = to;
        if (!take_word(&command, &to)) {
            return false;
        }
    }
    out->words[count] = NULL;
    return count > 0 && out->words[0][0] != '\0' && strchr(out->words[0], '=') == NULL &&
           !is_shells(out->words[0]);
}

static void free_simple(simple_command *command)
{
    free(command->words);
    free(command->text);
    *command = (simple_command){0};
}

/* Takes a command of plain words and of words in single quotes, whose first one is neither a word
 * of the shell's language nor a command that shells have built in, as echo, which they do in their
 * own way. */
static halo_status parse_simple(simple_command *out, const char *command)
{
    size_t length = strlen(command);
    *out = (simple_command){0};
    halo_status status = HALO_ALLOCATE(out->text, length + 1, "the words of a job");
    status =
        halo_status_first(status, HALO_ALLOCATE(out->words, length / 2 + 2, "the words of a job"));
    if (status != HALO_OK || !take_apart(out, command)) {
        free_simple(out);
    }
    return status;
}

extern char **environ;

enum { ENDS = 2 };                     /* of a pipe */
enum { OWN_VARIABLES = 3, TEXT = 48 }; /* of a job's environment */

typedef struct {
    const shell_job *job;
    simple_command simple; /* the same, where no shell is needed */
    char **environment;
    char own[OWN_VARIABLES][TEXT];
    volatile int error; /* why the child could not become the job, which shares this memory */
} start_plan;

/* ---- the environment ------------------------------------------------------------------------- */

/* A job of another bag may have started this one. */
static bool is_own(const char *variable)
{
    static const char *const names[OWN_VARIABLES] = {
        "HALOBEAT_TASK=", "PARALLEL_SEQ=", "PARALLEL_JOBSLOT="};
    for (int i = 0; i < OWN_VARIABLES; i++) {
        if (strncmp(variable, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

static halo_status make_environment(start_plan *plan)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count++;
    }
    HALO_TRY(
        HALO_ALLOCATE(plan->environment, count + OWN_VARIABLES + 1, "the environment of a job"));
    for (size_t i = 0; i < count; i++) {
        /* A program of MPI would speak to this job's launcher, and end with it. */
        if (!halo_launcher_is_variable(environ[i]) && !is_own(environ[i])) {
            plan->environment[kept++] = environ[i];
        }
    }
    snprintf(plan->own[0], TEXT, "HALOBEAT_TASK=%" PRId64, plan->job->number);
    snprintf(plan->own[1], TEXT, "PARALLEL_SEQ=%" PRId64, plan->job->number);
    snprintf(plan->own[2], TEXT, "PARALLEL_JOBSLOT=%d", plan->job->slot + 1);
    for (int i = 0; i < OWN_VARIABLES; i++) {
        plan->environment[kept++] = plan->own[i];
    }
    return HALO_OK;
}

/* ---- the process ----------------------------------------------------------------------------- */

static void reset_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A job has three files: of others a daemon that it leaves behind would keep them open, those of
 * MPI among them, for which the launcher waits. */
static bool set_files(const int ends[SHELL_STREAMS][ENDS])
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool good = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                dup2(ends[SHELL_OUT][1], STDOUT_FILENO) >= 0 &&
                dup2(ends[SHELL_ERROR][1], STDERR_FILENO) >= 0;
    process_close_from(STDERR_FILENO + 1);
    return good;
}

/* In the child, which shares the parent's memory until it has become another program: without a
 * shell where none is needed, unless there is no such program, as the shell will say. */
static _Noreturn void become_job(start_plan *plan, const int ends[SHELL_STREAMS][ENDS])
{
    const shell_job *job = plan->job;
    const char *shell = job->shell != NULL ? job->shell : "/bin/sh";
    char *const words[] = {(char *)shell, (char *)"-c", (char *)job->command, NULL};
    setpgid(0, 0);
    /* Here, where the parent cannot have ended unseen. */
    shell_watcher_note(job->watcher, job->process_slot, getpid());
    reset_signals();
    if (set_files(ends)) {
        if (plan->simple.words != NULL) {
            execvpe(plan->simple.words[0], plan->simple.words, plan->environment);
        }
        execvpe(shell, words, plan->environment);
    }
    plan->error = errno;
    _exit(SHELL_UNKNOWN);
}

/* By itself, so that nothing is changed behind the back of who calls it. */
static pid_t __attribute__((noinline))
fork_job(start_plan *plan, const int ends[SHELL_STREAMS][ENDS])
{
    pid_t process = vfork();
    if (process == 0) {
        become_job(plan, ends);
    }
    return process;
}

static halo_status fail(start_plan *plan, int reason)
{
    plan->error = reason;
    return halo_fail(HALO_FILE, "a job cannot be started: %s", strerror(reason));
}

static halo_status open_pipes(start_plan *plan, int ends[SHELL_STREAMS][ENDS])
{
    for (int i = 0; i < SHELL_STREAMS; i++) {
        if (pipe2(ends[i], O_CLOEXEC) != 0) {
            return fail(plan, errno);
        }
    }
    return HALO_OK;
}

static halo_status make_plan(start_plan *plan)
{
    HALO_TRY(make_environment(plan));
    return plan->job->shell == NULL ? parse_simple(&plan->simple, plan->job->command) : HALO_OK;
}

/* A child that could not become the job is reported by its reason, not by a status. */
static halo_status start(start_plan *plan, const int ends[SHELL_STREAMS][ENDS], pid_t *process)
{
    *process = fork_job(plan, ends);
    if (*process > 0 && plan->error != 0) {
        while (waitpid(*process, NULL, 0) < 0 && errno == EINTR) {
        }
        shell_watcher_note(plan->job->watcher, plan->job->process_slot, 0);
        return fail(plan, plan->error);
    }
    return *process > 0 ? HALO_OK : fail(plan, errno);
}

halo_status job_start(const shell_job *job, pid_t *process, int from[SHELL_STREAMS], int *error)
{
    int ends[SHELL_STREAMS][ENDS] = {{-1, -1}, {-1, -1}};
    start_plan plan = {.job = job};
    halo_status status = make_plan(&plan);
    HALO_IF_OK(status, open_pipes(&plan, ends));
    HALO_IF_OK(status, start(&plan, (const int(*)[ENDS])ends, process));
    *error = plan.error;
    for (int i = 0; i < SHELL_STREAMS; i++) {
        from[i] = status == HALO_OK ? ends[i][0] : -1;
        if (ends[i][1] >= 0) {
            close(ends[i][1]);
        }
        if (status != HALO_OK && ends[i][0] >= 0) {
            close(ends[i][0]);
        }
    }
    free_simple(&plan.simple);
    free(plan.environment);
    return status;
}
