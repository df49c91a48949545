#include "kernels/filter/sizes.h"

#include <math.h>

/* Windows from a radius or from sizes. */

static halo_status check_size(const filter_step *step, double size, bool radius)
{
    double least = radius ? 0 : 1, most = radius ? FILTER_MOST_SIZE / 2 - 1 : FILTER_MOST_SIZE;
    return size >= least && size <= most && size == floor(size) /* NOLINT: exactly */
               ? HALO_OK
               : filter_refuse(step, "a %s of %g is not possible; use a whole number from %g to %g",
                               radius ? "radius" : "size", size, least, most);
}

halo_status filter_sizes_find(const filter_sizes *sizes, const filter_step *step,
                              filter_element *window)
{
    bool radius = sizes->radius.count > 0;
    const filter_per_axis *given = radius ? &sizes->radius : &sizes->size;
    *window = (filter_element){.shape = FILTER_SHAPE_BOX};
    if (radius == (sizes->size.count > 0)) {
        return filter_refuse(step, "%s",
                             radius ? "it has a radius and a size; give one of them"
                                    : "it needs a radius, such as :2, or size=5");
    }
    HALO_TRY(filter_check_per_axis(given, step, radius ? "radii" : "sizes"));
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        double value = filter_of_axis(given, step, axis);
        HALO_TRY(check_size(step, value, radius));
        int64_t size = radius ? 2 * (int64_t)value + 1 : (int64_t)value;
        window->before[axis] = size / 2;
        window->after[axis] = size - size / 2 - 1;
    }
    return HALO_OK;
}
