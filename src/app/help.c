#define _POSIX_C_SOURCE 200809L
#include "app/help.h"

#include "app/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_COLUMN = 29, LINE_ROOM = 4096, WIDTH = 79 };

static const char format[] = "ARGP_HELP_FMT";

/* Where an option's text begins in its line: in its column, or, where the name is too long for
 * that, behind some blanks. */
static size_t find_text(const char *line)
{
    size_t length = strlen(line), at = strspn(line, " ");
    if (length <= TEXT_COLUMN || line[TEXT_COLUMN - 1] == ' ' || line[at] != '-') {
        return length > TEXT_COLUMN && at <= TEXT_COLUMN ? TEXT_COLUMN : at;
    }
    const char *gap = strstr(line + at, "  ");
    return gap != NULL ? (size_t)(gap - line) + strspn(gap, " ") : length;
}

static void print_line(const char *line)
{
    char first[LINE_ROOM], broken[2 * LINE_ROOM] = "";
    size_t text = find_text(line);
    bool of_option =
        line[0] == ' ' && (line[strspn(line, " ")] == '-' || strspn(line, " ") == TEXT_COLUMN);
    if (strlen(line) <= WIDTH || strlen(line) >= LINE_ROOM) {
        puts(line);
        return;
    }
    snprintf(first, sizeof first, "%.*s", of_option ? (int)text : 0, line);
    lines_append(broken, sizeof broken, first, of_option ? TEXT_COLUMN : 0,
                 line + (of_option ? text : 0));
    fputs(broken, stdout);
}

static void print_lines(char *help)
{
    for (char *line = help, *end = strchr(help, '\n'); end != NULL; end = strchr(line, '\n')) {
        *end = '\0';
        print_line(line);
        line = end + 1;
    }
}

void help_print(struct argp_state *state)
{
    const unsigned flags = ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK;
    char *help = NULL;
    size_t bytes = 0;
    FILE *memory = getenv(format) == NULL ? open_memstream(&help, &bytes) : NULL;
    if (memory == NULL) {
        argp_state_help(state, stdout, flags);
        return;
    }
    setenv(format, "rmargin=100000", 1);
    argp_state_help(state, memory, flags);
    unsetenv(format);
    if (fclose(memory) == 0) {
        print_lines(help);
    }
    free(help);
}
