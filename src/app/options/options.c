#define _DEFAULT_SOURCE
#include "app/options/options_internal.h"
#include "app/options/values.h"
#include "app/services/service.h"
#include "base/spelling.h"

#include <stdlib.h>
#include <string.h>

/* The option rows of a command, the text given for each, and the options as argp parses them. */

/* Keys of options without a letter: beyond all characters, by their place in argp's table. */
enum { FIRST_KEY = 512 };

/* ---- rows ------------------------------------------------------------------------------------ */

/* Structures of options are aligned as any type may need it. */
static size_t round_up(size_t bytes)
{
    size_t unit = _Alignof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

/* The offset of the i-th service's options, which stand behind the command's own. */
static size_t service_base(const app_syntax *syntax, int i)
{
    size_t base = round_up(syntax->bytes);
    while (i-- > 0) {
        base += round_up(syntax->services[i].service->options_bytes);
    }
    return base;
}

size_t app_options_bytes(const app_syntax *syntax)
{
    int count = 0;
    while (syntax->services != NULL && syntax->services[count].service != NULL) {
        count++;
    }
    return count > 0 ? service_base(syntax, count) : syntax->bytes;
}

void *app_options_of_service(const app_syntax *syntax, void *options, const app_service *service)
{
    const app_service_use *use = syntax->services;
    int i = 0;
    while (use != NULL && use[i].service != NULL && use[i].service != service) {
        i++;
    }
    return use != NULL && use[i].service != NULL ? (char *)options + service_base(syntax, i) : NULL;
}

static const halo_option *rows_of(const app_service_use *use)
{
    return use->rows != NULL ? use->rows : use->service->rows;
}

/* Goes to the rows of the next service that has them in the place that the last table is. False if
 * there is none. */
static bool next_service(const app_syntax *syntax, app_place *at)
{
    const app_service_use *use = syntax->services;
    for (int i = at->services; use != NULL && use[i].service != NULL; i++) {
        if (use[i].service->place == syntax->tables[at->table - 1] && rows_of(&use[i]) != NULL) {
            at->services = i + 1;
            at->service = use[i].service;
            at->base = service_base(syntax, i);
            at->next = rows_of(&use[i]);
            return true;
        }
    }
    return false;
}

const halo_option *app_next_row(const app_syntax *syntax, app_place *at)
{
    while (at->next == NULL || at->next->type == HALO_OPTION_END) {
        if (at->table > 0 && next_service(syntax, at)) {
            continue;
        }
        at->next = syntax->tables[at->table];
        if (at->next == NULL) {
            return NULL;
        }
        at->table++;
        at->services = 0;
        at->service = NULL;
        at->base = 0;
    }
    at->row = at->next++;
    at->offset = at->base + at->row->offset;
    return at->row;
}

bool app_is_shown(const halo_option *row)
{
    return row->type != HALO_OPTION_SECTION && (row->flags & APP_ARGUMENT) == 0;
}

bool app_is_argument(const halo_option *row)
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
        *names += row->type != HALO_OPTION_SECTION && !app_is_argument(row) ? 2 : 0;
        while (halo_list_next(row->aliases, &alias) > 0) {
            *names += 2;
        }
    }
    return rows;
}

app_entry *app_entry_named(const app_options *options, const char *name, size_t length)
{
    for (int i = 0; i < options->count; i++) {
        const char *own = options->entries[i].row->name;
        if (strlen(own) == length && memcmp(own, name, length) == 0) {
            return &options->entries[i];
        }
    }
    return NULL;
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

const void *app_options_service(const app_options *options, const app_service *service)
{
    const void *there = app_options_of_service(options->syntax, options->into, service);
    return there != NULL ? there : &app_no_options;
}

bool app_any_given(const app_options *options, const halo_option *rows)
{
    bool any = false;
    for (int i = 0; i < options->count; i++) {
        const halo_option *row = rows;
        while (row->type != HALO_OPTION_END && row != options->entries[i].row) {
            row++;
        }
        any = any || (row->type != HALO_OPTION_END && options->entries[i].text != NULL);
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
            .row = row, .field = (char *)options->into + at.offset, .shown = row->standard};
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
                 app_entry_named(options, american, strlen(american)) == NULL;
    return add_spelling(options, of, name, length, key) &&
           (!other || add_spelling(options, of, american, strlen(american), key));
}

static bool fill_names(app_options *options)
{
    bool good = true;
    for (int i = 0; good && i < options->count; i++) {
        const app_entry *of = &options->entries[i];
        const char *alias = NULL;
        if (!app_is_argument(of->row)) {
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

halo_status app_options_create(app_options **out, const app_syntax *syntax, const char *program,
                               int argc, char *const *argv, void *into)
{
    HALO_FAIL_IF(!create(out, syntax), HALO_MEMORY, "out of memory: its options");
    (*out)->program = program;
    (*out)->into = into;
    (*out)->line = app_command_line(program, argc, argv);
    HALO_TRY((*out)->line != NULL ? fill_entries(*out)
                                  : halo_fail(HALO_MEMORY, "out of memory: its command line"));
    return HALO_REQUIRE(fill_names(*out), HALO_MEMORY, "out of memory: names of its options");
}
