#include "app/options/options.h"
#include "app/report/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the manual page ------------------------------------------------------------------------- */

/* Text as roff takes it: dashes are those that can be typed, and no line begins with a request. */
static void print_roff(const char *text, size_t length)
{
    if (length > 0 && (*text == '.' || *text == '\'')) {
        fputs("\\&", stdout);
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            fputs("\\e", stdout);
        } else if (text[i] == '-') {
            fputs("\\-", stdout);
        } else if (text[i] == '|') {
            fputs("|\\:", stdout); /* long lists of values may be broken there */
        } else {
            putchar(text[i]);
        }
    }
}

enum { LIST_INDENT = 2, TAG_INDENT = 13 }; /* lines of lists in texts begin with two blanks */

/* How long is the name that an entry of a list begins with: what is before two blanks, or the first
 * word if a colon ends it? 0: it has none, as a command line. */
static size_t tag_length(const char *entry, size_t length)
{
    size_t word = 0;
    while (word < length && entry[word] != ' ') {
        word++;
    }
    if (word > 0 && entry[word - 1] == ':') {
        return word;
    }
    for (size_t i = 0; i + 1 < length; i++) {
        if (entry[i] == ' ' && entry[i + 1] == ' ') {
            return i;
        }
    }
    return 0;
}

static void print_line(const char *text, size_t length)
{
    print_roff(text, length);
    putchar('\n');
}

/* An entry is filled as paragraphs are, and hangs on its name, or on its first word. */
static void print_entry(const char *entry, size_t length)
{
    size_t tag = tag_length(entry, length), text = tag;
    while (text < length && entry[text] == ' ') {
        text++;
    }
    if (tag == 0) {
        puts(".HP 4");
        print_line(entry, length);
        return;
    }
    printf(".TP %d\n", TAG_INDENT);
    print_line(entry, tag);
    print_line(entry + text, length - text);
}

/* Did lines_append() break the line of `length` bytes before `next`, whose first word had no room?
 */
static bool was_broken(size_t length, const char *next)
{
    return length + 1 + strcspn(next, " \n") > LINES_WIDTH;
}

/* Paragraphs, and lists of lines that begin with blanks; more blanks go on with an entry. The lists
 * stand `indent` columns farther right: at 0, as far as the text of an option. A line is a
 * paragraph, or if `broken` what lines_append() made of one, which roff breaks anew. */
static void print_paragraphs(const char *text, int indent, bool broken)
{
    bool list = false;
    size_t before = 0; /* the length of the line before */
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        if ((blanks > 0) != list) {
            list = blanks > 0;
            if (!list) {
                puts(".PD\n.RE");
            } else if (indent > 0) {
                printf(".RS %d\n.PD 0\n", indent);
            } else {
                puts(".RS\n.PD 0");
            }
        } else if (!list && before > 0 && length > 0 && !(broken && was_broken(before, text))) {
            puts(".br");
        }
        if (length == 0) {
            puts(".PP");
        } else if (blanks == LIST_INDENT) {
            print_entry(text + blanks, length - blanks);
        } else {
            print_line(text + blanks, length - blanks);
        }
        before = length;
        text += length + (text[length] == '\n');
    }
    if (list) {
        puts(".PD\n.RE");
    }
}

static void print_option(const halo_option *row)
{
    char value[APP_VALUE_SIZE], names[APP_VALUE_SIZE];
    char *text = app_option_text(row);
    app_option_value(row, value);
    puts(".TP");
    if (row->letter != 0) {
        printf("\\fB\\-%c\\fR, ", row->letter);
    }
    snprintf(names, sizeof names, "--%s", row->name);
    fputs("\\fB", stdout);
    print_roff(names, strlen(names));
    if (*value != '\0') {
        fputs("\\fR=\\fI", stdout);
        print_roff(value, strlen(value));
    }
    puts("\\fR");
    print_paragraphs(text != NULL ? text : "", 0, false);
    free(text);
}

/* The command's heading and usage. */
static void print_usage(const app_syntax *syntax)
{
    app_place at = {0};
    printf(".SH ");
    for (const char *c = syntax->name; *c != '\0'; c++) {
        printf(*c == '-' ? "\\-" : "%c", toupper((unsigned char)*c));
    }
    printf("\n.B halobeat %s [OPTION...]", syntax->name);
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if ((row->flags & APP_ARGUMENT) != 0) {
            printf(" ");
            print_roff(row->name, strlen(row->name));
            printf("%s", (row->flags & APP_REPEATS) != 0 ? "..." : "");
        }
    }
    puts("\n.PP");
}

static void print_options(const app_syntax *syntax)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (row->type == HALO_OPTION_SECTION) {
            printf(".SS ");
            print_roff(row->help, strlen(row->help));
            putchar('\n');
        } else if (app_is_shown(row)) {
            print_option(row);
        }
    }
    puts(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nThe options, as above.");
}

void app_options_manual(const app_syntax *syntax)
{
    enum { DESCRIPTION = 8192 };
    char *more = calloc(1, DESCRIPTION);
    print_usage(syntax);
    print_paragraphs(syntax->about, LIST_INDENT, false);
    print_options(syntax);
    puts(".SS Notes");
    if (syntax->describe != NULL && more != NULL) {
        syntax->describe(syntax, more, DESCRIPTION);
        print_paragraphs(more, LIST_INDENT, true);
        puts(".PP");
    }
    print_paragraphs(syntax->notes, LIST_INDENT, false);
    free(more);
}

/* ---- completion for bash --------------------------------------------------------------------- */

enum { WORDS_SIZE = 2048 };

static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (islower((unsigned char)text[i]) == 0 && isdigit((unsigned char)text[i]) == 0 &&
            text[i] != '-' && text[i] != '_') {
            return false;
        }
    }
    return length > 0;
}

/* The words in a list of values, with their blanks before. "tail[:SIZE]" can begin with its name,
 * "change:SHARE" with all but the share. */
static void append_words(char *out, const char *list)
{
    const char *part = NULL;
    for (size_t n; (n = halo_list_next(list, &part)) > 0;) {
        size_t name = strcspn(part, "[|,");
        name = name < n ? name : n;
        size_t plain = strspn(part, "abcdefghijklmnopqrstuvwxyz0123456789-_");
        plain += part[plain] == ':' && plain < name;
        if (plain == name ? is_word(part, name) : plain > 1 && part[plain - 1] == ':') {
            size_t used = strlen(out);
            snprintf(out + used, WORDS_SIZE - used, " %.*s", (int)plain, part);
        }
    }
}

/* Does a part of the value stand for the name of a file? */
static bool names_file(const char *value)
{
    const char *part = NULL;
    while (halo_list_next(value, &part) > 0) {
        if (strncmp(part, "FILE", strlen("FILE")) == 0) {
            return true;
        }
    }
    return false;
}

/* Prints what completion offers for the value: words, names of files with certain endings,
 * folders. */
static void print_values(const halo_option *row)
{
    char value[APP_VALUE_SIZE], words[WORDS_SIZE] = "";
    const char *part = NULL;
    app_option_value(row, value);
    if (row->type == HALO_OPTION_INPUT || row->type == HALO_OPTION_OUTPUT) {
        printf("files");
        for (size_t n; (n = halo_list_next(row->choices, &part)) > 0;) {
            printf(" %.*s", (int)n, part);
        }
        return;
    }
    if (strcmp(value, "DIR") == 0) {
        printf("folders");
        return;
    }
    append_words(words, value);
    append_words(words, row->value != NULL ? row->choices : NULL);
    append_words(words, row->offers);
    for (int i = 0; row->offer != NULL && row->offer(i) != NULL; i++) {
        append_words(words, row->offer(i));
    }
    printf("%s%s", !names_file(value) ? "words" : words[0] != '\0' ? "either" : "files", words);
}

/* Prints the cases of completion behind the option, one for each of its names. */
static void print_cases(const char *command, const halo_option *row)
{
    printf("        \"%s --%s\"", command, row->name);
    if (row->letter != 0) {
        printf(" | \"%s -%c\"", command, row->letter);
    }
    printf(") echo \"");
    print_values(row);
    printf("\" ;;\n");
}

/* Words that may stand where no option does. */
static void print_words(const app_syntax *syntax, const char *words)
{
    const char *word = NULL;
    printf("        \"%s @\") echo \"either", syntax->name);
    for (size_t n; (n = halo_list_next(words, &word)) > 0;) {
        printf(" %.*s", (int)n, word);
    }
    printf("\" ;;\n");
}

static bool is_in(const halo_option *rows, const char *name)
{
    while (rows->type == HALO_OPTION_SECTION ||
           (rows->type != HALO_OPTION_END && strcmp(rows->name, name) != 0)) {
        rows++;
    }
    return rows->type != HALO_OPTION_END;
}

/* The options that only some words take: as cases, or by name. Each once, though several words may
 * take an option of the same name. */
static void print_options_of_words(const app_syntax *syntax, bool as_cases)
{
    halo_option *before = NULL, *rows;
    for (int i = 0; syntax->options_of_word != NULL; i++) {
        rows = syntax->options_of_word(i);
        if (rows == NULL) {
            break;
        }
        for (const halo_option *row = rows; row->type != HALO_OPTION_END; row++) {
            if (row->type == HALO_OPTION_SECTION || (before != NULL && is_in(before, row->name))) {
                continue;
            } else if (as_cases) {
                print_cases(syntax->name, row);
            } else {
                printf(" --%s", row->name);
            }
        }
        free(before);
        before = rows;
    }
    free(before);
}

void app_options_completion(const app_syntax *syntax)
{
    const char *words = syntax->words;
    app_place at = {0}, again = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (app_is_shown(row) && row->type != HALO_OPTION_FLAG) {
            print_cases(syntax->name, row);
        }
        bool chosen = row->type == HALO_OPTION_CHOICE || row->type == HALO_OPTION_INDEX;
        words = (row->flags & APP_ARGUMENT) != 0 && chosen ? row->choices : words;
    }
    if (words != NULL) {
        print_words(syntax, words);
    }
    print_options_of_words(syntax, true);
    printf("        \"%s\") echo \"words", syntax->name);
    for (const halo_option *row; (row = app_next_row(syntax, &again)) != NULL;) {
        if (app_is_shown(row)) {
            printf(" --%s", row->name);
        }
    }
    print_options_of_words(syntax, false);
    printf(" --help\" ;;\n");
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void set(json_t *row, const char *key, const char *text)
{
    json_object_set_new(row, key, text != NULL ? json_string(text) : json_null());
}

static json_t *json_of_row(const app_syntax *syntax, const halo_option *row)
{
    static const char *const types[] = {
        [HALO_OPTION_FLAG] = "flag",     [HALO_OPTION_INTEGER] = "integer",
        [HALO_OPTION_REAL] = "real",     [HALO_OPTION_SHARE] = "share",
        [HALO_OPTION_CHOICE] = "choice", [HALO_OPTION_INDEX] = "choice",
        [HALO_OPTION_TEXT] = "text",     [HALO_OPTION_INPUT] = "input",
        [HALO_OPTION_OUTPUT] = "output", [HALO_OPTION_CUSTOM] = "custom",
        [HALO_OPTION_END] = ""};
    json_t *made =
        json_pack("{s:s, s:f, s:f, s:b, s:b, s:b, s:b}", "type", types[row->type], "min", row->min,
                  "max", row->max, "argument", (int)((row->flags & APP_ARGUMENT) != 0), "saved",
                  (int)((row->flags & APP_SAVED) != 0), "own_parser", (int)(row->parse != NULL),
                  "repeats", (int)((row->flags & APP_REPEATS) != 0));
    const char letter[] = {row->letter, '\0'};
    set(made, "letter", letter);
    set(made, "command", syntax->name);
    set(made, "name", row->name);
    set(made, "word", row->word);
    set(made, "choices", row->choices);
    set(made, "offers", row->offers);
    set(made, "default", row->standard);
    set(made, "needs", row->needs);
    set(made, "excludes", row->excludes);
    set(made, "required", row->required);
    set(made, "instead", row->instead);
    set(made, "aliases", row->aliases);
    return made;
}

void app_options_list(const app_syntax *syntax, json_t *rows)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        if (row->type != HALO_OPTION_SECTION) {
            json_array_append_new(rows, json_of_row(syntax, row));
        }
    }
}
