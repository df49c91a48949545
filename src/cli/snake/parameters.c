#include "cli/snake/parameters.h"

#include "kernels/snake/snake_field.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* Those that are numbers, with their names in JSON, where options have dashes instead. */
static const struct {
    const char *name, *option;
    size_t offset;
} numbers[] = {
    {"alpha", "alpha", offsetof(snake_parameters, alpha)},
    {"beta", "beta", offsetof(snake_parameters, beta)},
    {"gamma", "gamma", offsetof(snake_parameters, gamma)},
    {"sigma_pixels", "sigma", offsetof(snake_parameters, sigma)},
    {"floor", "floor", offsetof(snake_parameters, floor)},
    {"stop_moved", "stop-moved", offsetof(snake_parameters, stop_moved)},
    {"stop_distance_pixels", "stop-distance", offsetof(snake_parameters, stop_distance)},
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static double *number_of(snake_parameters *p, int i)
{
    return (double *)(void *)((char *)p + numbers[i].offset);
}

static double value_of(const snake_parameters *p, int i)
{
    return *(const double *)(const void *)((const char *)p + numbers[i].offset);
}

snake_parameters snake_parameters_none(void)
{
    snake_parameters none = {.window = -1};
    for (int i = 0; i < NUMBERS; i++) {
        *number_of(&none, i) = -1;
    }
    return none;
}

snake_parameters snake_parameters_usual(void)
{
    halo_snake_options usual = halo_snake_defaults();
    return (snake_parameters){.alpha = usual.alpha,
                              .beta = usual.beta,
                              .gamma = usual.gamma,
                              .sigma = HALO_SNAKE_USUAL_SIGMA,
                              .floor = usual.floor,
                              .stop_moved = usual.settled_moved,
                              .stop_distance = usual.settled_distance,
                              .window = usual.window,
                              .order = usual.order};
}

snake_parameters snake_parameters_or(const snake_parameters *asked, const snake_parameters *others)
{
    snake_parameters all = *asked;
    for (int i = 0; i < NUMBERS; i++) {
        if (value_of(asked, i) < 0) {
            *number_of(&all, i) = value_of(others, i);
        }
    }
    all.window = asked->window < 0 ? others->window : asked->window;
    all.order = asked->order == NULL ? others->order : asked->order;
    return all;
}

halo_status snake_parameters_agree(const snake_parameters *asked, const snake_parameters *saved,
                                   const char *path)
{
    static const char remedy[] = "leave it out";
    for (int i = 0; i < NUMBERS; i++) {
        if (value_of(asked, i) >= 0 && value_of(asked, i) != value_of(saved, i)) {
            return halo_fail(HALO_ARGUMENT, "--%s is %g, and \"%s\" was computed with %g; %s",
                             numbers[i].option, value_of(asked, i), path, value_of(saved, i),
                             remedy);
        }
    }
    if (asked->window >= 0 && asked->window != saved->window) {
        return halo_fail(HALO_ARGUMENT,
                         "--window is %" PRId64 ", and \"%s\" was computed with %" PRId64 "; %s",
                         asked->window, path, saved->window, remedy);
    }
    return asked->order == NULL || strcmp(asked->order, saved->order) == 0
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT, "--order is %s, and \"%s\" was computed with %s; %s",
                           asked->order, path, saved->order, remedy);
}

halo_snake_options snake_parameters_options(const snake_parameters *parameters)
{
    halo_snake_options options = halo_snake_defaults();
    options.alpha = parameters->alpha;
    options.beta = parameters->beta;
    options.gamma = parameters->gamma;
    options.floor = parameters->floor;
    options.settled_moved = parameters->stop_moved;
    options.settled_distance = parameters->stop_distance;
    options.window = (int)parameters->window;
    options.order = parameters->order;
    return options;
}

json_t *snake_parameters_json(const snake_parameters *parameters)
{
    json_t *json = json_pack("{s:I, s:s}", "window_pixels", (json_int_t)parameters->window, "order",
                             parameters->order);
    for (int i = 0; i < NUMBERS && json != NULL; i++) {
        json_object_set_new(json, numbers[i].name, json_real(value_of(parameters, i)));
    }
    return json;
}

/* The name in the list, which lives on. */
static const char *order_named(const char *name)
{
    static const char *const orders[] = {
#define ORDER_ENTRY(code, name, help) name,
        HALO_SNAKE_ORDER_LIST(ORDER_ENTRY)
#undef ORDER_ENTRY
    };
    for (size_t i = 0; name != NULL && i < sizeof orders / sizeof orders[0]; i++) {
        if (strcmp(orders[i], name) == 0) {
            return orders[i];
        }
    }
    return NULL;
}

bool snake_parameters_parse(const json_t *json, snake_parameters *parameters)
{
    const json_t *window = json_object_get(json, "window_pixels");
    bool good = json_is_integer(window);
    *parameters = snake_parameters_none();
    for (int i = 0; i < NUMBERS; i++) {
        const json_t *number = json_object_get(json, numbers[i].name);
        good = good && json_is_number(number) && json_number_value(number) >= 0;
        *number_of(parameters, i) = json_number_value(number);
    }
    parameters->window = json_integer_value(window);
    parameters->order = order_named(json_string_value(json_object_get(json, "order")));
    return good && parameters->window >= 3 && parameters->window <= 7 && parameters->order != NULL;
}
