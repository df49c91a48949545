#include "kernels/filter/second_arrays.h"

#include "base/memory.h"
#include "kernels/array/array_internal.h"

#include <stdlib.h>
#include <string.h>

/* Each step has a reader of its own, since each reads rows in order. */
typedef struct {
    array_reader reader;
    size_t bytes; /* of a row */
    bool boolean;
} second_reader;

struct filter_second_arrays {
    int count;
    second_reader of[FILTER_MOST_STEPS];
};

/* True is 1, though the byte may be another one. */
static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    second_reader *r = context;
    unsigned char *bytes = out;
    memcpy(out, array_reader_row(&r->reader, z, y), r->bytes);
    for (size_t i = 0; i < r->bytes && r->boolean; i++) {
        bytes[i] = bytes[i] != 0;
    }
    return HALO_OK;
}

static const halo_filter_second *find(const halo_filter_second *given, int64_t count,
                                      const char *name)
{
    for (int64_t i = 0; i < count; i++) {
        if (strcmp(given[i].name, name) == 0) {
            return &given[i];
        }
    }
    return NULL;
}

static halo_status open_step(filter_second_arrays *arrays, filter_step *step,
                             const halo_filter_second *given)
{
    const halo_array *array = given->array;
    second_reader *r = &arrays->of[arrays->count];
    HALO_TRY(array_check(array, given->name, 1, HALO_AXES));
    const halo_array wide = array_with_axes(array, HALO_AXES);
    r->boolean = array->type == HALO_SAMPLE_BIT;
    r->bytes = (size_t)wide.n[2] * halo_sample_types[array->type].stored;
    step->second.row = read_row;
    step->second.context = r;
    step->second.type = r->boolean ? HALO_SAMPLE_U8 : array->type;
    step->second.axes = array->axes;
    memcpy(step->second.n, wide.n, sizeof step->second.n);
    arrays->count++;
    return array_reader_create(&r->reader, &wide);
}

halo_status filter_second_arrays_open(filter_second_arrays **out, filter_chain *chain,
                                      const halo_filter_second *given, int64_t count)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "second arrays"));
    for (int i = 0; i < chain->count; i++) {
        filter_step *step = &chain->step[i];
        const halo_filter_second *found =
            step->second.name != NULL ? find(given, count, step->second.name) : NULL;
        if (found != NULL) {
            HALO_TRY(open_step(*out, step, found));
        } else if (step->second.name != NULL) {
            return filter_refuse(
                step,
                "no array \"%.200s\" is given; give one, in Python in a tuple with "
                "the name of the filter",
                step->second.name);
        }
    }
    return HALO_OK;
}

void filter_second_arrays_close(filter_second_arrays **arrays)
{
    for (int i = 0; *arrays != NULL && i < (*arrays)->count; i++) {
        array_reader_free(&(*arrays)->of[i].reader);
    }
    free(*arrays);
    *arrays = NULL;
}
