#define _DEFAULT_SOURCE
#include "app/options/options_internal.h"
#include "app/options/values.h"
#include "app/report/facts.h"
#include "base/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parsing the command line, by argp. */

enum { KEY_HELP = 256 };

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
    return HALO_REQUIRE(json_array_append_new(of->texts, app_fact_text(of->text)) == 0, HALO_MEMORY,
                        "out of memory: the values of --%s", of->row->name);
}

/* Complaints have the name that was given, which may be an alias. */
static error_t store(app_options *options, app_entry *of, const char *name, char *text)
{
    halo_option row = *of->row;
    row.name = name;
    of->text = of->shown = text != NULL ? text : "";
    halo_status status = (row.flags & APP_REPEATS) != 0 ? keep_text(of) : HALO_OK;
    HALO_IF_OK(status, app_value_parse(&row, of->text, of->field));
    return status == HALO_OK ? 0 : complain(options, status);
}

/* The first argument that has not got a word yet, or that takes many. */
static error_t store_argument(app_options *options, char *text)
{
    const char *names = "";
    for (int i = 0; i < options->count; i++) {
        app_entry *of = &options->entries[i];
        if (app_is_argument(of->row) && (of->text == NULL || (of->row->flags & APP_REPEATS) != 0)) {
            return store(options, of, of->row->name, text);
        }
        names = app_is_argument(of->row) ? of->row->name : names;
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
        options->asked = state->next < state->argc ? state->argv[state->next] : NULL;
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

/* Prints the help, or that of the word behind --help. */
static app_verdict help(app_options *options)
{
    const app_syntax *syntax = options->syntax;
    halo_status known = HALO_OK;
    if (options->asked != NULL && syntax->explain != NULL) {
        known = syntax->explain(options->asked, options->speaks);
    } else if (options->speaks) {
        app_options_help(syntax, options->program);
    }
    if (known != HALO_OK) {
        complain(options, known);
    }
    return known == HALO_OK ? APP_HELPED : APP_REFUSED;
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
        return help(options);
    }
    halo_status status = app_options_check_together(options);
    if (status != HALO_OK) {
        complain(options, status);
        return options->lacks_memory ? APP_NO_MEMORY : APP_REFUSED;
    }
    return APP_PARSED;
}

app_verdict app_options_parse(app_options **out, const app_syntax *syntax, const char *program,
                              int argc, char **argv, bool speaks, void *into)
{
    memset(into, 0, app_options_bytes(syntax));
    halo_status status = app_options_create(out, syntax, program, argc, argv, into);
    if (status != HALO_OK) {
        if (speaks) {
            halo_print_line(program, halo_last_message());
        }
        return status == HALO_MEMORY ? APP_NO_MEMORY : APP_REFUSED;
    }
    (*out)->speaks = speaks;
    return parse(*out, argc, argv);
}
