#include "cli/tasks/words.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- where the options end ------------------------------------------------------------------- */

static bool takes_value(const halo_option *row)
{
    return row->type != HALO_OPTION_FLAG;
}

static bool is_option(const halo_option *row)
{
    return row->type != HALO_OPTION_SECTION && row->name != NULL &&
           (row->flags & APP_ARGUMENT) == 0;
}

/* As getopt_long does: the whole name, another of its names, or the beginning of one. */
static const halo_option *find_long(const app_syntax *syntax, const char *name, size_t length)
{
    const halo_option *begun = NULL;
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (!is_option(row)) {
            continue;
        }
        bool begins = strncmp(row->name, name, length) == 0;
        if ((begins && row->name[length] == '\0') ||
            (row->aliases != NULL && halo_list_has(row->aliases, name, length))) {
            return row;
        }
        begun = begins ? row : begun;
    }
    return begun;
}

static const halo_option *find_letter(const app_syntax *syntax, char letter)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (is_option(row) && row->letter == letter) {
            return row;
        }
    }
    return NULL;
}

/* An option of two dashes; *words becomes 2 if its value is the next word. */
static halo_status measure_long(const app_syntax *syntax, const char *name, int *words)
{
    size_t length = strcspn(name, "=");
    const halo_option *row = find_long(syntax, name, length);
    if (row == NULL || strlen(row->name) != length) {
        HALO_TRY(row == NULL || row->aliases == NULL || !halo_list_has(row->aliases, name, length)
                     ? tasks_refuse_long(name, length)
                     : HALO_OK);
    }
    *words = 1 + (row != NULL && takes_value(row) && name[length] == '\0');
    return HALO_OK;
}

/* Letters behind one dash: the first that takes a value takes the rest, or the next word. */
static halo_status measure_letters(const app_syntax *syntax, const char *letters, int *words)
{
    *words = 1;
    for (; *letters != '\0'; letters++) {
        const halo_option *row = find_letter(syntax, *letters);
        HALO_TRY(row == NULL ? tasks_refuse_letter(*letters) : HALO_OK);
        if (row != NULL && takes_value(row)) {
            *words += letters[1] == '\0';
            return HALO_OK;
        }
    }
    return HALO_OK;
}

/* ---- sources --------------------------------------------------------------------------------- */

static bool begins_source(const char *word, tasks_source *out)
{
    size_t colons = strspn(word, ":"), length = strlen(word);
    bool linked = colons + 1 == length && word[colons] == '+';
    *out = (tasks_source){.is_file = colons == 4, .linked = linked};
    return (colons == 3 || colons == 4) && (linked || colons == length);
}

static halo_status take_sources(tasks_words *out, int argc, char **argv, int from)
{
    HALO_TRY(HALO_ALLOCATE(out->sources, argc - from + 1, "sources of inputs"));
    for (int i = from; i < argc; i++) {
        tasks_source source;
        if (begins_source(argv[i], &source)) {
            source.words = argv + i + 1;
            out->sources[out->source_count++] = source;
        } else {
            out->sources[out->source_count - 1].count++;
        }
    }
    return HALO_OK;
}

halo_status tasks_words_parse(tasks_words *out, const app_syntax *syntax, int argc, char **argv)
{
    tasks_source source;
    int i = 1;
    *out = (tasks_words){0};
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0' && strcmp(argv[i], "--") != 0) {
        int words;
        HALO_TRY(argv[i][1] == '-' ? measure_long(syntax, argv[i] + 2, &words)
                                   : measure_letters(syntax, argv[i] + 1, &words));
        i += words;
    }
    out->options = i < argc ? i : argc;
    i += i < argc && strcmp(argv[i], "--") == 0;
    out->command = argv + (i < argc ? i : argc);
    for (; i < argc && !begins_source(argv[i], &source); i++) {
        out->command_count++;
    }
    /* An input alone is a command: it is not quoted. */
    bool alone = out->command_count == 1 && strcmp(out->command[0], "{}") == 0;
    out->command_count = alone ? 0 : out->command_count;
    return i < argc ? take_sources(out, argc, argv, i) : HALO_OK;
}
