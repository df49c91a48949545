#include "app/options/options_internal.h"
#include "app/options/values.h"

#include <stdio.h>
#include <string.h>

/* Checks of what a row says about other options: needs, excludes, required. */

static bool any_named(const app_options *options, const char *names)
{
    const char *name = NULL;
    for (size_t n; (n = halo_list_next(names, &name)) > 0;) {
        const app_entry *found = app_entry_named(options, name, n);
        if (found != NULL && found->text != NULL) {
            return true;
        }
    }
    return false;
}

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
        const app_entry *of = app_entry_named(options, name, n);
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
    HALO_FAIL_IF(of->text == NULL && row->required != NULL && !any_named(options, row->instead),
                 HALO_ARGUMENT, "%s", row->required);
    return HALO_OK;
}

static halo_status check_others(const app_options *options, const app_entry *of)
{
    const halo_option *row = of->row;
    char name[APP_OPTION_NAME], others[HALO_MESSAGE_SIZE / 2];
    if (of->text == NULL) {
        return HALO_OK;
    }
    app_option_name(row, name);
    if (row->needs != NULL && !any_named(options, row->needs)) {
        print_needed(options, row->needs, others, sizeof others);
        return halo_fail(HALO_ARGUMENT, "%s needs %s", name, others);
    }
    const char *other = NULL;
    for (size_t n; (n = halo_list_next(row->excludes, &other)) > 0;) {
        const app_entry *found = app_entry_named(options, other, n);
        if (found != NULL && found->text != NULL) {
            app_option_name(found->row, others);
            return halo_fail(HALO_ARGUMENT, "%s cannot be given with %s%s%s", name, others,
                             row->why != NULL ? ": " : "", row->why != NULL ? row->why : "");
        }
    }
    return HALO_OK;
}

halo_status app_options_check_together(const app_options *options)
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
