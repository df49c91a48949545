#include "app/options/options_internal.h"
#include "base/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names that no option has: what was meant? */

/* The commands are of the program, not of any call. */
static app_other_syntax *others;

void app_options_set_others(app_other_syntax *other)
{
    others = other;
}

/* ---- who has an option of that name? --------------------------------------------------------- */

static bool has_name(const halo_option *row, const char *name, size_t length)
{
    return row->type != HALO_OPTION_SECTION && (row->flags & APP_ARGUMENT) == 0 &&
           ((strlen(row->name) == length && memcmp(row->name, name, length) == 0) ||
            halo_list_has(row->aliases, name, length));
}

static bool has_option(const app_syntax *syntax, const char *name, size_t length)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (has_name(row, name, length)) {
            return true;
        }
    }
    return false;
}

enum { COMMANDS_TEXT = 160 };

/* "label, walk or paths": other commands that have it. */
static void print_commands(const char *name, size_t length, char text[COMMANDS_TEXT])
{
    const char *last = NULL;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; others != NULL && others(i) != NULL; i++) {
        if (!has_option(others(i), name, length)) {
            continue;
        }
        if (last != NULL && used < COMMANDS_TEXT) {
            used += (size_t)snprintf(text + used, COMMANDS_TEXT - used, "%s%s",
                                     used > 0 ? ", " : "", last);
        }
        last = others(i)->name;
    }
    if (last != NULL && used < COMMANDS_TEXT) {
        snprintf(text + used, COMMANDS_TEXT - used, "%s%s", used > 0 ? " and " : "", last);
    }
}

/* The word that an argument may be, such as the name of a kernel, which has an option of its own of
 * that name: its length, or 0. */
static int find_word(const app_syntax *syntax, const char *name, size_t length, const char **word)
{
    *word = NULL;
    for (int i = 0; syntax->options_of_word != NULL; i++) {
        halo_option *rows = syntax->options_of_word(i);
        size_t n = halo_list_next(syntax->words, word);
        bool has = false;
        for (const halo_option *row = rows; row != NULL && row->type != HALO_OPTION_END; row++) {
            has = has || has_name(row, name, length);
        }
        bool end = rows == NULL || n == 0;
        free(rows);
        if (has || end) {
            return has ? (int)n : 0;
        }
    }
    return 0;
}

static halo_status complain(const app_options *options, const char *name, size_t length)
{
    char commands[COMMANDS_TEXT], near[HALO_GUESS_TEXT];
    const char *word;
    int shown = length < HALO_SPELLING ? (int)length : HALO_SPELLING;
    int word_length = find_word(options->syntax, name, length, &word);
    HALO_FAIL_IF(
        word_length > 0, HALO_ARGUMENT,
        "unrecognized option '--%.*s': it is an option of %.*s, whose name goes in front of it",
        shown, name, word_length, word);
    print_commands(name, length, commands);
    HALO_FAIL_IF(commands[0] != '\0', HALO_ARGUMENT,
                 "unrecognized option '--%.*s': it is an option of %s", shown, name, commands);
    halo_guess guess = {.word = name, .length = length};
    for (int i = 0; i < options->names; i++) {
        halo_guess_name(&guess, options->argp[i].name, strlen(options->argp[i].name));
    }
    return halo_fail(HALO_ARGUMENT, "unrecognized option '--%.*s'%s", shown, name,
                     halo_guess_text(&guess, "--", near));
}

/* ---- the words, as getopt takes them --------------------------------------------------------- */

/* Options that a name may stand for; the place of one in argp's table. */
static int count_named(const app_options *options, const char *name, size_t length, int *at)
{
    int count = 0;
    for (int i = 0; options->argp[i].name != NULL; i++) {
        if (strncmp(options->argp[i].name, name, length) == 0) {
            count++;
            *at = i;
            if (options->argp[i].name[length] == '\0') {
                return 1;
            }
        }
    }
    return count;
}

/* Is the value of the last of these letters the next word? */
static bool letters_take_next(const app_options *options, const char *letters)
{
    for (; *letters != '\0'; letters++) {
        for (int i = 0; i < options->names; i++) {
            if (options->argp[i].key == *letters && options->argp[i].arg != NULL) {
                return letters[1] == '\0';
            }
        }
    }
    return false;
}

halo_status app_options_check_names(const app_options *options, int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (word[0] != '-' && getenv("POSIXLY_CORRECT") != NULL) {
            return HALO_OK; /* all the rest are arguments */
        }
        if (strncmp(word, "--", 2) != 0) {
            i += word[0] == '-' && letters_take_next(options, word + 1);
            continue;
        }
        size_t length = strcspn(word + 2, "=");
        int at = 0, count = count_named(options, word + 2, length, &at);
        if (count == 0) {
            return complain(options, word + 2, length);
        }
        if (at >= options->names) { /* --help, behind which nothing matters */
            return HALO_OK;
        }
        i += count == 1 && word[2 + length] == '\0' && options->argp[at].arg != NULL;
    }
    return HALO_OK;
}
