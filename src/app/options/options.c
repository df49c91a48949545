#define _DEFAULT_SOURCE
#include "app/options/command_line.h"
#include "app/options/options_internal.h"
#include "app/options/values.h"
#include "app/report/facts.h"
#include "base/printable.h"
#include "base/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys of options without a letter: beyond all characters, by their place in argp's table. */
enum { FIRST_KEY = 512, KEY_HELP = 256 };

/* ---- rows ------------------------------------------------------------------------------------ */

const halo_option *app_next_row(const app_syntax *syntax, app_place *at)
{
    const halo_option *table = syntax->tables[at->table];
    while (table != NULL && table[at->row].type == HALO_OPTION_END) {
        table = syntax->tables[++at->table];
        at->row = 0;
    }
    return table != NULL ? &table[at->row++] : NULL;
}

bool app_is_shown(const halo_option *row)
{
    return row->type != HALO_OPTION_SECTION && (row->flags & (APP_HIDDEN | APP_ARGUMENT)) == 0;
}

static bool is_argument(const halo_option *row)
{
    return (row->flags & APP_ARGUMENT) != 0;
}

/* Counts rows that are options or arguments, and the names that the options have at most: each
 * may have an American spelling. */
static int count_rows(const app_syntax *syntax, int *names)
{
    int rows = 0;
    app_place at = {0};
    *names = 0;
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        const char *alias = NULL;
        rows += row->type != HALO_OPTION_SECTION;
        *names += row->type != HALO_OPTION_SECTION && !is_argument(row) ? 2 : 0;
        while (halo_list_next(row->aliases, &alias) > 0) {
            *names += 2;
        }
    }
    return rows;
}

static app_entry *find_named(const app_options *options, const char *name, size_t length)
{
    for (int i = 0; i < options->count; i++) {
        const char *own = options->entries[i].row->name;
        if (strlen(own) == length && memcmp(own, name, length) == 0) {
            return &options->entries[i];
        }
    }
    return NULL;
}

static bool any_given(const app_options *options, const char *names)
{
    const char *name = NULL;
    for (size_t n; (n = halo_list_next(names, &name)) > 0;) {
        const app_entry *found = find_named(options, name, n);
        if (found != NULL && found->text != NULL) {
            return true;
        }
    }
    return false;
}

const app_entry *app_entry_given(const app_options *options, const void *field)
{
    for (int i = 0; i < options->count; i++) {
        if (options->entries[i].field == field && options->entries[i].text != NULL) {
            return &options->entries[i];
        }
    }
    return NULL;
}

const char *app_given_text(const app_options *options, const void *field)
{
    const app_entry *of = app_entry_given(options, field);
    return of != NULL ? of->text : NULL;
}

const char *app_options_line(const app_options *options)
{
    return options->line;
}

void *app_options_into(const app_options *options)
{
    return options->into;
}

bool app_given(const app_options *options, const void *field)
{
    return app_given_text(options, field) != NULL;
}

bool app_any_given(const app_options *options, const halo_option *rows)
{
    bool any = false;
    for (; rows->type != HALO_OPTION_END && !any; rows++) {
        any = rows->type != HALO_OPTION_SECTION &&
              app_given(options, (const char *)options->into + rows->offset);
    }
    return any;
}

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status fill_entries(app_options *options)
{
    app_entry *made = options->entries;
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(options->syntax, &at)) != NULL;) {
        if (row->type == HALO_OPTION_SECTION) {
            continue;
        }
        *made = (app_entry){
            .row = row, .field = (char *)options->into + row->offset, .shown = row->standard};
        if (row->standard != NULL) {
            HALO_TRY(app_value_parse(row, row->standard, made->field));
        }
        made++;
    }
    return HALO_OK;
}

/* `length` characters of a name in a list become a string of their own. */
static bool add_spelling(app_options *options, const app_entry *of, const char *name, size_t length,
                         int key)
{
    char *own = strndup(name, length);
    int at = options->names++;
    options->keys[at] = of;
    options->argp[at] = (struct argp_option){
        .name = own, .key = key, .arg = of->row->type == HALO_OPTION_FLAG ? NULL : "VALUE"};
    return own != NULL;
}

/* One name of an option, and its American spelling, which has the same key: what both begin with
 * then is no ambiguity. */
static bool add_name(app_options *options, const app_entry *of, const char *name, size_t length,
                     bool alias)
{
    char american[HALO_SPELLING];
    int letter = alias ? 0 : of->row->letter,
        key = letter != 0 ? letter : FIRST_KEY + options->names;
    bool other = halo_spelling_american(name, length, american) &&
                 find_named(options, american, strlen(american)) == NULL;
    return add_spelling(options, of, name, length, key) &&
           (!other || add_spelling(options, of, american, strlen(american), key));
}

static bool fill_names(app_options *options)
{
    bool good = true;
    for (int i = 0; good && i < options->count; i++) {
        const app_entry *of = &options->entries[i];
        const char *alias = NULL;
        if (!is_argument(of->row)) {
            good = add_name(options, of, of->row->name, strlen(of->row->name), false);
        }
        for (size_t n; good && (n = halo_list_next(of->row->aliases, &alias)) > 0;) {
            good = add_name(options, of, alias, n, true);
        }
    }
    return good;
}

static bool create(app_options **out, const app_syntax *syntax)
{
    enum { OWN_NAMES = 3 }; /* --help, --usage, and the end of argp's table */
    int names, rows = count_rows(syntax, &names);
    app_options *options = calloc(1, sizeof *options);
    *out = options;
    if (options == NULL) {
        return false;
    }
    options->entries = calloc((size_t)rows, sizeof *options->entries);
    options->argp = calloc((size_t)names + OWN_NAMES, sizeof *options->argp);
    options->keys = calloc((size_t)names + OWN_NAMES, sizeof *options->keys);
    options->syntax = syntax;
    options->count = rows;
    return options->entries != NULL && options->argp != NULL && options->keys != NULL;
}

void app_options_destroy(app_options **options)
{
    if (*options != NULL) {
        for (int i = 0; i < (*options)->names; i++) {
            free((char *)(*options)->argp[i].name);
        }
        for (int i = 0; (*options)->entries != NULL && i < (*options)->count; i++) {
            json_decref((*options)->entries[i].texts);
        }
        free((*options)->entries);
        free((*options)->argp);
        free((*options)->keys);
        free((*options)->line);
        free(*options);
        *options = NULL;
    }
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* Say what the last failure was, and where to find help. */
static error_t complain(app_options *options, halo_status status)
{
    options->complained = true;
    options->lacks_memory = status == HALO_MEMORY;
    if (options->speaks) {
        halo_print_line(options->program, halo_last_message());
    }
    if (options->speaks && !options->lacks_memory) {
        fprintf(stderr, "`%s --help` lists all options\n", options->program);
    }
    return EINVAL;
}

/* Keeps the text of an option that repeats, each time it is given. */
static halo_status keep_text(app_entry *of)
{
    of->texts = of->texts != NULL ? of->texts : json_array();
    return json_array_append_new(of->texts, app_fact_text(of->text)) == 0
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: the values of --%s", of->row->name);
}

/* Complaints have the name that was given, which may be an alias. */
static error_t store(app_options *options, app_entry *of, const char *name, char *text)
{
    halo_option row = *of->row;
    row.name = name;
    of->text = of->shown = text != NULL ? text : "";
    halo_status status = (row.flags & APP_REPEATS) != 0 ? keep_text(of) : HALO_OK;
    if (status == HALO_OK) {
        status = app_value_parse(&row, of->text, of->field);
    }
    return status == HALO_OK ? 0 : complain(options, status);
}

/* The first argument that has not got a word yet, or that takes many. */
static error_t store_argument(app_options *options, char *text)
{
    const char *names = "";
    for (int i = 0; i < options->count; i++) {
        app_entry *of = &options->entries[i];
        if (is_argument(of->row) && (of->text == NULL || (of->row->flags & APP_REPEATS) != 0)) {
            return store(options, of, of->row->name, text);
        }
        names = is_argument(of->row) ? of->row->name : names;
    }
    return complain(options,
                    halo_fail(HALO_ARGUMENT, "\"%.200s\" is one argument too many; %s%s", text,
                              *names != '\0' ? "give one " : "all are options", names));
}

/* The place of a key in argp's table, or -1. */
static int find_key(const app_options *options, int key)
{
    for (int i = 0; i < options->names; i++) {
        if (options->argp[i].key == key) {
            return i;
        }
    }
    return -1;
}

static error_t parse_key(int key, char *text, struct argp_state *state)
{
    app_options *options = state->input;
    if (key == 'h' || key == KEY_HELP) {
        options->helped = true;
        state->next = state->argc; /* nothing after --help matters */
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        return store_argument(options, text);
    }
    int at = find_key(options, key);
    return at < 0 ? ARGP_ERR_UNKNOWN
                  : store(options, (app_entry *)options->keys[at], options->argp[at].name, text);
}

/* ---- what one row says about others ---------------------------------------------------------- */

/* An example of them could be one that is no use here: --compress is not for --output FILE.png. */
static bool has_many_endings(const halo_option *row)
{
    enum { MANY = 8 };
    int count = 0;
    const char *ending = NULL;
    while (row->type == HALO_OPTION_OUTPUT && halo_list_next(row->choices, &ending) > 0) {
        count++;
    }
    return count >= MANY;
}

/* "--movie FILE.gif", or "--frames DIR or --movie FILE.gif": what is needed, as typed. */
static void print_needed(const app_options *options, const char *names, char *text, size_t size)
{
    const char *name = NULL;
    size_t used = 0;
    int count = 0;
    for (size_t n; (n = halo_list_next(names, &name)) > 0 && used < size; count++) {
        char value[APP_VALUE_SIZE] = "";
        const app_entry *of = find_named(options, name, n);
        if (of != NULL) {
            app_option_value(of->row, value);
            value[strcspn(value, has_many_endings(of->row) ? "." : "|[")] = '\0';
        }
        used += (size_t)snprintf(text + used, size - used, "%s--%.*s%s%s", count > 0 ? " or " : "",
                                 (int)n, name, *value != '\0' ? " " : "", value);
    }
}

static halo_status check_required(const app_options *options, const app_entry *of)
{
    const halo_option *row = of->row;
    return of->text == NULL && row->required != NULL && !any_given(options, row->instead)
               ? halo_fail(HALO_ARGUMENT, "%s", row->required)
               : HALO_OK;
}

static halo_status check_others(const app_options *options, const app_entry *of)
{
    const halo_option *row = of->row;
    char name[APP_OPTION_NAME], others[HALO_MESSAGE_SIZE / 2];
    app_option_name(row, name);
    if (of->text == NULL) {
        return HALO_OK;
    }
    if (row->needs != NULL && !any_given(options, row->needs)) {
        print_needed(options, row->needs, others, sizeof others);
        return halo_fail(HALO_ARGUMENT, "%s needs %s", name, others);
    }
    const char *other = NULL;
    for (size_t n; (n = halo_list_next(row->excludes, &other)) > 0;) {
        const app_entry *found = find_named(options, other, n);
        if (found != NULL && found->text != NULL) {
            app_option_name(found->row, others);
            return halo_fail(HALO_ARGUMENT, "%s cannot be given with %s%s%s", name, others,
                             row->why != NULL ? ": " : "", row->why != NULL ? row->why : "");
        }
    }
    return HALO_OK;
}

static halo_status check_together(const app_options *options)
{
    for (int i = 0; i < options->count; i++) {
        HALO_TRY(check_others(options, &options->entries[i]));
    }
    for (int i = 0; i < options->count; i++) {
        HALO_TRY(check_required(options, &options->entries[i]));
    }
    return options->syntax->check != NULL ? options->syntax->check(options, options->into)
                                          : HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static error_t parse_nothing(int key, char *text, struct argp_state *state)
{
    (void)key;
    (void)text;
    (void)state;
    return 0;
}

/* argp and getopt put arguments that they do not understand into their messages. So they read a
 * copy of them again, which is printable, to print these messages. */
static void explain(const app_options *options, int argc, char *const *argv)
{
    const struct argp argp = {.options = options->argp, .parser = parse_nothing};
    char **words = calloc((size_t)argc + 1, sizeof *words);
    bool good = words != NULL;
    for (int i = 0; good && i < argc; i++) {
        words[i] = strdup(argv[i]);
        good = words[i] != NULL;
        if (good) {
            halo_make_printable(words[i]);
        }
    }
    if (good) {
        (void)argp_parse(&argp, argc, words, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, NULL);
    } else {
        halo_print_line(options->program, "out of memory: its arguments");
    }
    for (int i = 0; words != NULL && i < argc; i++) {
        free(words[i]);
    }
    free(words);
}

static app_verdict parse(app_options *options, int argc, char **argv)
{
    options->argp[options->names] = (struct argp_option){.name = "help", .key = 'h'};
    options->argp[options->names + 1] = (struct argp_option){.name = "usage", .key = KEY_HELP};
    const struct argp argp = {.options = options->argp, .parser = parse_key};
    argv[0] = (char *)options->program; /* what getopt calls the program */
    unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | ARGP_NO_ERRS;
    halo_status known = app_options_check_names(options, argc, argv);
    if (known != HALO_OK) {
        complain(options, known);
        return APP_REFUSED;
    }
    error_t failed = argp_parse(&argp, argc, argv, flags, NULL, options);
    if (failed == ENOMEM) {
        complain(options, halo_fail(HALO_MEMORY, "out of memory: its options"));
    }
    if (failed != 0 && options->speaks && !options->complained) {
        explain(options, argc, argv);
    }
    if (failed != 0) {
        return options->lacks_memory ? APP_NO_MEMORY : APP_REFUSED;
    }
    if (options->helped) {
        if (options->speaks) {
            app_options_help(options->syntax, options->program);
        }
        return APP_HELPED;
    }
    halo_status status = check_together(options);
    if (status != HALO_OK) {
        complain(options, status);
        return options->lacks_memory ? APP_NO_MEMORY : APP_REFUSED;
    }
    return APP_PARSED;
}

app_verdict app_options_parse(app_options **out, const app_syntax *syntax, const char *program,
                              int argc, char **argv, bool speaks, void *into)
{
    memset(into, 0, syntax->bytes);
    halo_status status =
        create(out, syntax) ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: its options");
    if (status == HALO_OK) {
        (*out)->program = program;
        (*out)->speaks = speaks;
        (*out)->into = into;
        (*out)->line = app_command_line(program, argc, argv);
        status = (*out)->line != NULL ? fill_entries(*out)
                                      : halo_fail(HALO_MEMORY, "out of memory: its command line");
    }
    if (status == HALO_OK && !fill_names(*out)) {
        status = halo_fail(HALO_MEMORY, "out of memory: names of its options");
    }
    if (status != HALO_OK) {
        if (speaks) {
            halo_print_line(program, halo_last_message());
        }
        return status == HALO_MEMORY ? APP_NO_MEMORY : APP_REFUSED;
    }
    return parse(*out, argc, argv);
}
