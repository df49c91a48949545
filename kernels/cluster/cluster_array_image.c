#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/cluster/cluster_array_internal.h"
#include "kernels/cluster/cluster_chunk.h"
#include "kernels/cluster/engine.h"

enum { BYTE = 8, SHORT = 16, BYTE_MAX = 255, SHORT_MAX = 65535 };

/* ---- what is an image ------------------------------------------------------------------------ */

static halo_status check_axes(const halo_array *array, bool colour)
{
    HALO_FAIL_IF(array->axes == HALO_AXES && !colour, HALO_ARGUMENT,
                 "the image has 3 axes; set colour if the last one has red, green and blue, or "
                 "pass one plane at a time");
    HALO_FAIL_IF(colour && (array->axes != HALO_AXES || array->n[2] != HALO_CLUSTER_CHANNELS),
                 HALO_ARGUMENT,
                 "an image in colour has 3 axes, and 3 elements along the last one: red, green "
                 "and blue; leave colour out for greys");
    HALO_TRY(array_check(array, "the image", 2, HALO_AXES));
    return HALO_REQUIRE(array_cells(array) > 0, HALO_ARGUMENT,
                        "the image is empty; there must be a pixel for a cluster");
}

/* The colours of reals are from 0 to 1, as sRGB's are. */
static halo_status take_range(cluster_image *image)
{
    halo_sample_type type = image->array.type;
    bool known =
        !image->colour || image->range.given || type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16;
    image->unit = !known && halo_sample_types[type].real;
    if (image->unit) {
        image->range =
            (halo_sample_range){.given = true, .low = halo_number_of(0), .high = halo_number_of(1)};
    }
    return HALO_REQUIRE(known || image->unit, HALO_ARGUMENT,
                        "colours are of %s; convert them to uint8, or give the range of black and "
                        "white, such as 0..255",
                        halo_sample_types[type].name);
}

halo_status cluster_image_take(cluster_image *image, const halo_array *array, bool colour,
                               const halo_sample_range *range)
{
    *image = (cluster_image){.array = *array, .colour = colour, .range = *range};
    HALO_TRY(check_axes(array, colour));
    HALO_TRY(take_range(image));
    bool bytes = array->type == HALO_SAMPLE_U8 && !range->given;
    return colour ? halo_lab_create(&image->lab, bytes ? BYTE : SHORT) : HALO_OK;
}

void cluster_image_free(cluster_image *image)
{
    halo_lab_destroy(&image->lab);
}

halo_status cluster_image_measure(cluster_image *image, array_call *call, halo_world *world,
                                  const halo_box *mine)
{
    halo_sample_type type = image->array.type;
    const halo_sample_extremes *of = &image->greys.extremes;
    HALO_TRY(array_greys_choose(&image->greys, call, world, &image->array, "the image", mine,
                                &image->range));
    image->maximum = image->greys.converts     ? image->greys.greys.top
                     : type == HALO_SAMPLE_BIT ? 1
                     : type == HALO_SAMPLE_U8  ? BYTE_MAX
                                               : SHORT_MAX;
    double least = halo_sample_real(type, of->min), most = halo_sample_real(type, of->max);
    return HALO_REQUIRE(!image->unit || of->finite == 0 || (least >= 0 && most <= 1), HALO_ARGUMENT,
                        "colours are from %g to %g, and of %s they are from 0 to 1; give the range "
                        "of black and white, such as 0..255",
                        least, most, halo_sample_types[type].name);
}

int cluster_image_bits(const cluster_image *image)
{
    enum { LAB = HALO_CLUSTER_CHANNELS * SHORT };
    return image->colour ? LAB : image->greys.bits;
}

/* Elements of a row. */
static int64_t width_of(const cluster_image *image)
{
    return image->array.n[1] * (image->colour ? HALO_CLUSTER_CHANNELS : 1);
}

/* ---- cells ----------------------------------------------------------------------------------- */

bool cluster_image_is_in_place(const cluster_image *image, const halo_box *mine, halo_view *memory)
{
    const halo_array *array = &image->array;
    bool in_place = !image->greys.converts && !image->colour && array->type != HALO_SAMPLE_BIT &&
                    array_rows_are_contiguous(array) &&
                    array->stride[0] >= array->n[1] * array_element(array);
    if (in_place) {
        *memory = (halo_view){.origin = (char *)array->data + mine->lo[0] * array->stride[0],
                              .stride = {array->stride[0], array_element(array)}};
    }
    return in_place;
}

typedef struct {
    const cluster_image *image;
    const halo_view *cells;
    uint16_t *shorts; /* a row, of elements that become colours of 16 bits; or NULL */
    /* Sums of colours: */
    halo_cluster_chunk chunk;
    int64_t (*sums)[HALO_CLUSTER_CHANNELS];
    int64_t first;
} filling;

/* The colours of a row, of 8 or 16 bits each. */
static const void *colours_of(const filling *f, const void *elements)
{
    if (!f->image->greys.converts) {
        return elements;
    }
    halo_sample_greys_row(&f->image->greys.greys, elements, width_of(f->image), f->shorts);
    return f->shorts;
}

static halo_status fill_row(void *context, int64_t row, const void *elements)
{
    const filling *f = context;
    halo_lab_row(f->image->lab, colours_of(f, elements), f->image->array.n[1],
                 halo_row_of_domain(f->cells, row));
    return HALO_OK;
}

static halo_status create_row(filling *f)
{
    return !f->image->greys.converts
               ? HALO_OK
               : HALO_ALLOCATE_LARGE(f->shorts, width_of(f->image), "a row of an image");
}

halo_status cluster_image_fill(const cluster_image *image, array_call *call,
                               const halo_world *world, const halo_view *cells)
{
    filling f = {.image = image, .cells = cells};
    if (!image->colour) {
        return array_greys_get(&image->greys, call, world, &image->array, cells);
    }
    halo_status status = create_row(&f);
    HALO_IF_OK(status, array_read_rows(call, world, &image->array, cells->owned.lo[0],
                                       cells->owned.n[0], fill_row, &f));
    halo_memory_free(f.shorts);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

static halo_status sum_row(void *context, int64_t row, const void *elements)
{
    filling *f = context;
    int bits = f->image->greys.bits;
    const uint16_t *labels;
    HALO_TRY(halo_cluster_chunk_row(&f->chunk, row - f->first, &labels, NULL));
    cluster_add_colours(f->sums, labels, colours_of(f, elements), HALO_CLUSTER_CHANNELS * bits,
                        f->chunk.width);
    return HALO_OK;
}

halo_status cluster_image_sum(const cluster_image *image, array_call *call, halo_world *world,
                              const halo_beat *beat, int64_t (*sums)[HALO_CLUSTER_CHANNELS])
{
    const halo_box *mine = &halo_beat_view(beat, 0)->owned;
    filling f = {.image = image, .sums = sums, .first = mine->lo[0]};
    halo_status status = halo_cluster_chunk_create(&f.chunk, world, beat, false);
    HALO_IF_OK(status, create_row(&f));
    HALO_IF_OK(status,
               array_read_rows(call, world, &image->array, mine->lo[0], mine->n[0], sum_row, &f));
    halo_cluster_chunk_free(&f.chunk);
    halo_memory_free(f.shorts);
    return status;
}
