#include "kernels/snake/field.h"

#include "core/instructions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

halo_status halo_snake_field_check(const halo_snake_field_options *options)
{
    if (!(options->sigma >= 0 && options->sigma <= HALO_SNAKE_MOST_SIGMA)) {
        return halo_fail(HALO_ARGUMENT, "a blur of sigma %g pixels; use 0 (none) to %d",
                         options->sigma, HALO_SNAKE_MOST_SIGMA);
    }
    return HALO_OK;
}

halo_status halo_snake_field_create(halo_field **out, halo_world *world, const halo_field *picture,
                                    const int64_t *cuts, const halo_snake_field_options *options,
                                    halo_clock *clock)
{
    (void)cuts;
    (void)clock;
    *out = NULL;
    halo_field_wishes wishes = {.movable = true};
    halo_status status = halo_snake_field_check(options);
    if (status == HALO_OK) {
        status =
            halo_field_create_with(out, halo_field_domain(picture),
                                   &halo_field_view(picture)->owned, 16, HALO_SNAKE_REACH, &wishes);
    }
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_field_destroy(out);
    }
    return status;
}
