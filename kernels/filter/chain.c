#include "kernels/filter/chain.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "kernels/filter/second.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chains of steps, from their text. */

static const char blanks[] = " \t\n";

/* ---- filters --------------------------------------------------------------------------------- */

const halo_filter *filter_find(const char *name, size_t length)
{
    for (int i = 0; filter_table[i] != NULL; i++) {
        if (strlen(filter_table[i]->name) == length &&
            memcmp(filter_table[i]->name, name, length) == 0) {
            return filter_table[i];
        }
    }
    return NULL;
}

halo_status filter_named(const char *name, size_t length, const halo_filter **out)
{
    char near[HALO_GUESS_TEXT];
    halo_guess guess = {.word = name, .length = length};
    *out = filter_find(name, length);
    for (int i = 0; filter_table[i] != NULL; i++) {
        halo_guess_name(&guess, filter_table[i]->name, strlen(filter_table[i]->name));
    }
    return HALO_REQUIRE(*out != NULL, HALO_ARGUMENT,
                        "there is no filter \"%.*s\"%s; halobeat filter --help lists them",
                        (int)(length < HALO_SPELLING ? length : HALO_SPELLING), name,
                        halo_guess_text(&guess, "", near));
}

halo_status filter_refuse(const filter_step *step, const char *format, ...)
{
    char text[HALO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return halo_fail(HALO_ARGUMENT, "step %d, %s: %s", step->number, step->filter->name, text);
}

filter_part *filter_add_part(filter_step *step, const filter_part *part)
{
    filter_part *to = &step->part[step->parts];
    *to = *part;
    to->in = step->parts == 0 ? step->in : to[-1].out;
    to->out = step->out;
    to->index = step->parts++;
    to->step = step;
    return to;
}

/* ---- a step ---------------------------------------------------------------------------------- */

static halo_status set_type(filter_step *step, const char *name)
{
    HALO_TRY(step->typed ? filter_refuse(step, "dtype is given twice") : HALO_OK);
    const char *known = strcmp(name, "bool") == 0 ? halo_sample_types[HALO_SAMPLE_BIT].name : name;
    step->typed = halo_sample_find_type(known, &step->out);
    return step->typed ? HALO_OK
                       : filter_refuse(step,
                                       "dtype takes a type such as uint8, uint16 or float32, not "
                                       "\"%.40s\"",
                                       name);
}

/* The values of a step that were read. */
typedef struct {
    int count, place; /* of all, and of those without a key */
    uint64_t set;     /* bits of options */
} step_values;

static halo_status set_value(filter_step *step, step_values *values, const char *name,
                             const char *text)
{
    const halo_option *rows = step->filter->params;
    char owner[64];
    for (int i = 0; rows != NULL && rows[i].type != HALO_OPTION_END; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            HALO_TRY((values->set >> i & 1) != 0 ? filter_refuse(step, "%s is given twice", name)
                                                 : HALO_OK);
            values->set |= UINT64_C(1) << i;
        }
    }
    snprintf(owner, sizeof owner, "step %d, %s", step->number, step->filter->name);
    return halo_options_set(rows, step->params, owner, name, text);
}

/* Does a text begin with KEY=, where the filter has such an option? */
static bool begins_option(const halo_filter *filter, const char *text)
{
    size_t length = strcspn(text, "=:");
    bool known = length == strlen("dtype") && strncmp(text, "dtype", length) == 0;
    for (const halo_option *row = filter->params; row->type != HALO_OPTION_END; row++) {
        known = known || (strlen(row->name) == length && strncmp(text, row->name, length) == 0);
    }
    return known && text[length] == '=';
}

/* A value, VALUE or KEY=VALUE. */
static halo_status take_value(filter_step *step, char *text, step_values *values)
{
    const halo_filter *filter = step->filter;
    bool named = !filter->second || begins_option(filter, text);
    char *equals = named ? strchr(text, '=') : NULL;
    values->count++;
    if (equals != NULL) {
        *equals = '\0';
        return strcmp(text, "dtype") == 0 ? set_type(step, equals + 1)
                                          : set_value(step, values, text, equals + 1);
    }
    if (filter->params == NULL || filter->params[values->place].type == HALO_OPTION_END) {
        return filter_refuse(step, "\"%.60s\" is one value too many", text);
    }
    return set_value(step, values, filter->params[values->place++].name, text);
}

static halo_status check_required(const filter_step *step, int given)
{
    const halo_option *first = step->filter->params;
    return HALO_REQUIRE(given > 0 || first == NULL || first->required == NULL, HALO_ARGUMENT,
                        "step %d, %s: %s", step->number, step->filter->name, first->required);
}

/* The colon behind a value, or NULL. Names of files may have some, as x.tif:c=1: they end where an
 * option begins. */
static char *find_end(const halo_filter *filter, char *value)
{
    char *at = strchr(value, ':');
    while (at != NULL && filter->second && !begins_option(filter, at + 1)) {
        at = strchr(at + 1, ':');
    }
    return at;
}

static halo_status read_step(filter_step *step)
{
    step_values values = {0};
    HALO_TRY(halo_options_set_defaults(step->filter->params, step->params));
    char *at = strchr(step->text, ':');
    while (at != NULL) {
        char *value = at + 1;
        at = find_end(step->filter, value);
        if (at != NULL) {
            *at = '\0';
        }
        HALO_TRY(take_value(step, value, &values));
    }
    if (step->filter->second) {
        step->second.name = ((const filter_other *)step->params)->name;
    }
    return check_required(step, values.count);
}

static halo_status add_step(filter_chain *chain, const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    size_t named = colon != NULL ? (size_t)(colon - text) : length;
    const halo_filter *filter;
    HALO_FAIL_IF(chain->count == FILTER_MOST_STEPS, HALO_ARGUMENT,
                 "there are more than %d steps; write an image in between", FILTER_MOST_STEPS);
    HALO_TRY(filter_named(text, named, &filter));
    filter_step *step = &chain->step[chain->count];
    *step = (filter_step){.filter = filter, .number = ++chain->count};
    HALO_TRY(HALO_ALLOCATE(step->text, length + 1, "a step"));
    memcpy(step->text, text, length);
    char *params;
    HALO_TRY(HALO_ALLOCATE(params, filter->params_bytes + 1, "a step"));
    step->params = params;
    return read_step(step);
}

halo_status halo_filter_chain_add(filter_chain *chain, const char *text)
{
    return add_step(chain, text, strlen(text));
}

halo_status halo_filter_chain_read(filter_chain *chain, const char *text)
{
    for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        HALO_TRY(add_step(chain, text, length));
        text += length;
    }
    return HALO_REQUIRE(chain->count > 0, HALO_ARGUMENT,
                        "there is no step; give some, such as \"gaussian:2\"");
}

void halo_filter_chain_free(filter_chain *chain)
{
    for (int i = 0; i < chain->count; i++) {
        free(chain->step[i].params);
        free(chain->step[i].text);
    }
    *chain = (filter_chain){0};
}

void halo_filter_chain_destroy(filter_chain **chain)
{
    if (*chain != NULL) {
        halo_filter_chain_free(*chain);
    }
    free(*chain);
    *chain = NULL;
}
