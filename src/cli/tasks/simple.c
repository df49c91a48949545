#include "cli/tasks/simple.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

halo_status simple_command_parse(simple_command *out, const char *command)
{
    size_t length = strlen(command);
    *out = (simple_command){0};
    halo_status status = HALO_ALLOCATE(out->text, length + 1, "the words of a job");
    status =
        halo_status_first(status, HALO_ALLOCATE(out->words, length / 2 + 2, "the words of a job"));
    if (status != HALO_OK || !take_apart(out, command)) {
        simple_command_free(out);
    }
    return status;
}

void simple_command_free(simple_command *command)
{
    free(command->words);
    free(command->text);
    *command = (simple_command){0};
}
