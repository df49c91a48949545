#include "base/names.h"
#include "base/option.h"
#include "kernels/snake/snake.h"
#include "kernels/snake/snake_ops.h"

const halo_isa_variant snake_variants[] = HALO_ISA_VARIANTS(snake_ops, AVX512);

/* Also false for numbers that are none. */
static bool is_weight(double weight)
{
    return weight >= 0 && weight <= 1e6;
}

halo_status halo_snake_check_sized(const halo_snake_options *given, size_t given_bytes)
{
#define ORDER_NAME(code, name, help) name,
    static const char *const orders[] = {HALO_SNAKE_ORDER_LIST(ORDER_NAME)};
#undef ORDER_NAME
    const halo_isa_variant *variant;
    halo_snake_options options;
    int order;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_snake_options"));
    HALO_TRY(halo_names_find("order", orders, HALO_NAMES_COUNT(orders), options.order, &order));
    if (options.window != 3 && options.window != 5 && options.window != 7) {
        return halo_fail(HALO_ARGUMENT, "a window of %d positions across; use 3, 5 or 7",
                         options.window);
    }
    int step = options.step;
    if (step < 0 || step > HALO_SNAKE_SUBPIXELS || (step & (step - 1)) != 0) {
        return halo_fail(HALO_ARGUMENT, "a step of %d; use 0, or a power of 2 up to %d", step,
                         HALO_SNAKE_SUBPIXELS);
    }
    if (!is_weight(options.alpha) || !is_weight(options.beta) || !is_weight(options.gamma) ||
        !is_weight(options.floor)) {
        return halo_fail(HALO_ARGUMENT,
                         "weights %g, %g and %g and a floor of %g; use 0 to a million for each",
                         options.alpha, options.beta, options.gamma, options.floor);
    }
    if (!(options.settled_moved >= 0 && options.settled_moved <= 1) ||
        !(options.settled_distance >= 0)) {
        return halo_fail(HALO_ARGUMENT,
                         "settled when a share of %g moves, or %g pixels on average; use a share of"
                         " 0 to 1, and 0 pixels or more",
                         options.settled_moved, options.settled_distance);
    }
    return halo_isa_pick(&variant, snake_variants, options.instructions);
}
