#include "kernels/distance/array_rows.h"

#include "base/memory.h"
#include "base/minmax.h"

/* ---- bits ------------------------------------------------------------------------------------ */

static halo_status create_bits(halo_field **out, array_call *call, halo_world *world,
                               const halo_array *image)
{
    const double taking = .1;
    const halo_domain domain = array_domain(image);
    halo_partition strips;
    *out = NULL;
    HALO_TRY(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    halo_box own = halo_partition_box(&strips, halo_world_rank(world));
    halo_partition_free(&strips);
    HALO_TRY(halo_agree(world, halo_field_create(out, &domain, &own, HALO_BIT, 0)));
    array_call_phase(call, world, taking);
    halo_status status =
        halo_agree(world, array_nonzero(call, world, image, halo_field_view(*out)));
    if (status != HALO_OK) {
        halo_field_destroy(out);
    }
    return status;
}

halo_status distance_bits_run(halo_world *world, array_call *call, const halo_array *image,
                              distance_bits_body *body, void *job)
{
    halo_field *bits;
    HALO_TRY(create_bits(&bits, call, world, image));
    halo_status status = body(world, call, halo_field_view(bits), job);
    halo_field_destroy(&bits);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

halo_status distance_result_check(const halo_array *image, const halo_array *array,
                                  const distance_result *result)
{
    HALO_TRY(array_check_out(array, result->name, 1, HALO_AXES));
    HALO_TRY(array_check_same(image, "the image", array, result->name));
    bool whole = result->squared && !result->spaced && array->type != HALO_SAMPLE_BIT;
    return HALO_REQUIRE(halo_sample_types[array->type].real || whole, HALO_ARGUMENT,
                        "%s has elements of %s, and must have float32 or float64%s%s%s",
                        result->name, halo_sample_types[array->type].name,
                        result->squared ? "" : "; ", result->squared ? "" : result->squares,
                        result->squared ? "" : " may be whole numbers");
}

/* ---- rows and arrays ------------------------------------------------------------------------- */

halo_status distance_writer_create(distance_writer *writer, const halo_array *array)
{
    enum { ROWS = 32, BYTES = 1 << 20, LEAST = 8, CACHE = 1 << 24 };
    *writer = (distance_writer){.array = array_with_axes(array, HALO_AXES)};
    int64_t row = array->n[array->axes - 1] * array_element(array);
    writer->in_place = array_rows_are_contiguous(&writer->array);
    writer->streams = writer->in_place && array_cells(array) * array_element(array) > CACHE;
    writer->room = halo_max(LEAST, halo_min(ROWS, BYTES / halo_max(1, row)));
    return writer->in_place
               ? HALO_OK
               : halo_memory_create(&writer->rows, (size_t)(writer->room * row), "rows");
}

/* Rows that wait are of one plane. */
void distance_writer_flush(distance_writer *writer)
{
    enum { BYTE = 8 };
    const halo_array *array = &writer->array;
    ptrdiff_t size = array_element(array), pitch = size * array->n[2];
    int64_t plane = writer->first / halo_max(1, array->n[1]);
    const halo_box box = {.lo = {plane, writer->first - plane * array->n[1], 0},
                          .n = {1, writer->count, array->n[2]}};
    const halo_view view = {.origin = writer->rows,
                            .axes = HALO_AXES,
                            .cell_bits = (int)size * BYTE,
                            .stride = {pitch * writer->count, pitch, size}};
    if (writer->count > 0) {
        array_put_box(array, &box, &view);
    }
    writer->count = 0;
}

void *distance_writer_row(distance_writer *writer, int64_t row)
{
    const halo_array *array = &writer->array;
    int64_t rows = array->n[1];
    if (writer->in_place) {
        return array_at(array, row / rows, row % rows, 0);
    }
    if (writer->count == writer->room || row % rows == 0) {
        distance_writer_flush(writer);
    }
    if (writer->count == 0) {
        writer->first = row;
    }
    return (char *)writer->rows + writer->count++ * array->n[2] * array_element(array);
}

void distance_writer_free(distance_writer *writer)
{
    halo_memory_free(writer->rows);
    *writer = (distance_writer){.rows = NULL};
}
