#include "core/field/subarray.h"

#include <string.h>

/* The halo of an axis; 0 on axes that the domain does not use. */
static int64_t depth_along(const halo_view *view, int axis)
{
    return axis >= view->axes ? 0 : axis == 0 ? view->depth : view->side_depth;
}

static bool is_whole(const halo_view *view, const halo_box *box, int axis)
{
    int64_t depth = depth_along(view, axis);
    return box->lo[axis] == -depth && box->n[axis] == view->owned.n[axis] + 2 * depth;
}

halo_subarray halo_subarray_of(const halo_field *field, const halo_box *box)
{
    const halo_view *view = halo_field_view(field);
    int last = view->axes - 1;
    size_t before = 0;
    halo_subarray subarray = {.start = view->origin, .n = {1, 1}};
    if (view->cell_bits == HALO_BIT) {
        subarray.row_bytes = halo_field_row_span(field, &before);
        subarray.start -= before;
    } else {
        subarray.row_bytes = (size_t)box->n[last] * ((size_t)view->cell_bits / 8);
        subarray.start += box->lo[last] * view->stride[last];
    }
    bool whole = view->cell_bits == HALO_BIT || is_whole(view, box, last);
    int level = 1;
    for (int axis = last - 1; axis >= 0; axis--) {
        subarray.start += box->lo[axis] * view->stride[axis];
        if (whole || box->n[axis] == 1) {
            subarray.row_bytes += (size_t)((box->n[axis] - 1) * view->stride[axis]);
        } else {
            subarray.n[level] = box->n[axis];
            subarray.stride[level] = view->stride[axis];
            level--;
        }
        whole = whole && is_whole(view, box, axis);
    }
    return subarray;
}

size_t halo_subarray_bytes(const halo_subarray *subarray)
{
    return subarray->row_bytes * (size_t)subarray->n[0] * (size_t)subarray->n[1];
}

bool halo_subarray_is_contiguous(const halo_subarray *subarray)
{
    return subarray->n[0] == 1 && subarray->n[1] == 1;
}

static inline void copy_rows(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride,
                             size_t row_bytes, int64_t count)
{
    for (int64_t i = 0; i < count; i++, to += to_stride, from += from_stride) {
        memcpy(to, from, row_bytes);
    }
}

/* A call of memcpy for every cell of a column takes longer than the cell: sizes that the compiler
 * knows are copied in registers. */
static void copy(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride,
                 size_t row_bytes, int64_t count)
{
#define COPY_SIZE_LIST(X) X(1) X(2) X(4) X(8) X(16) X(24) X(32) X(64)
#define COPY_SIZE(bytes)                                           \
    case bytes:                                                    \
        copy_rows(to, to_stride, from, from_stride, bytes, count); \
        break;
    switch (row_bytes) {
        COPY_SIZE_LIST(COPY_SIZE)
    default:
        copy_rows(to, to_stride, from, from_stride, row_bytes, count);
    }
#undef COPY_SIZE
#undef COPY_SIZE_LIST
}

void halo_subarray_pack(const halo_subarray *subarray, void *out)
{
    char *to = out;
    ptrdiff_t row_bytes = (ptrdiff_t)subarray->row_bytes;
    for (int64_t i = 0; i < subarray->n[0]; i++, to += row_bytes * subarray->n[1]) {
        copy(to, row_bytes, subarray->start + i * subarray->stride[0], subarray->stride[1],
             subarray->row_bytes, subarray->n[1]);
    }
}

void halo_subarray_unpack(const halo_subarray *subarray, const void *in)
{
    const char *from = in;
    ptrdiff_t row_bytes = (ptrdiff_t)subarray->row_bytes;
    for (int64_t i = 0; i < subarray->n[0]; i++, from += row_bytes * subarray->n[1]) {
        copy(subarray->start + i * subarray->stride[0], subarray->stride[1], from, row_bytes,
             subarray->row_bytes, subarray->n[1]);
    }
}

void halo_subarray_copy(const halo_subarray *to, const halo_subarray *from)
{
    for (int64_t i = 0; i < to->n[0]; i++) {
        copy_rows(to->start + i * to->stride[0], to->stride[1], from->start + i * from->stride[0],
                  from->stride[1], to->row_bytes, to->n[1]);
    }
}
