#include "core/field/region.h"

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

halo_region halo_region_of(const halo_field *field, const halo_box *box)
{
    const halo_view *view = halo_field_view(field);
    int last = view->axes - 1;
    size_t before = 0;
    halo_region region = {.start = view->origin, .n = {1, 1}};
    if (view->cell_bits == HALO_BIT) {
        region.run = halo_field_row_span(field, &before);
        region.start -= before;
    } else {
        region.run = (size_t)box->n[last] * ((size_t)view->cell_bits / 8);
        region.start += box->lo[last] * view->stride[last];
    }
    bool whole = view->cell_bits == HALO_BIT || is_whole(view, box, last);
    int level = 1;
    for (int axis = last - 1; axis >= 0; axis--) {
        region.start += box->lo[axis] * view->stride[axis];
        if (whole || box->n[axis] == 1) {
            region.run += (size_t)((box->n[axis] - 1) * view->stride[axis]);
        } else {
            region.n[level] = box->n[axis];
            region.stride[level] = view->stride[axis];
            level--;
        }
        whole = whole && is_whole(view, box, axis);
    }
    return region;
}

size_t halo_region_bytes(const halo_region *region)
{
    return region->run * (size_t)region->n[0] * (size_t)region->n[1];
}

bool halo_region_is_contiguous(const halo_region *region)
{
    return region->n[0] == 1 && region->n[1] == 1;
}

static inline void copy_runs(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride,
                             size_t run, int64_t count)
{
    for (int64_t i = 0; i < count; i++, to += to_stride, from += from_stride) {
        memcpy(to, from, run);
    }
}

/* A call of memcpy for every cell of a column takes longer than the cell: sizes that the compiler
 * knows are copied in registers. */
static void copy(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride, size_t run,
                 int64_t count)
{
#define COPY_SIZE_LIST(X) X(1) X(2) X(4) X(8) X(16) X(24) X(32) X(64)
#define COPY_SIZE(bytes)                                           \
    case bytes:                                                    \
        copy_runs(to, to_stride, from, from_stride, bytes, count); \
        break;
    switch (run) {
        COPY_SIZE_LIST(COPY_SIZE)
    default:
        copy_runs(to, to_stride, from, from_stride, run, count);
    }
#undef COPY_SIZE
#undef COPY_SIZE_LIST
}

void halo_region_pack(const halo_region *region, void *out)
{
    char *to = out;
    ptrdiff_t run = (ptrdiff_t)region->run;
    for (int64_t i = 0; i < region->n[0]; i++, to += run * region->n[1]) {
        copy(to, run, region->start + i * region->stride[0], region->stride[1], region->run,
             region->n[1]);
    }
}

void halo_region_unpack(const halo_region *region, const void *in)
{
    const char *from = in;
    ptrdiff_t run = (ptrdiff_t)region->run;
    for (int64_t i = 0; i < region->n[0]; i++, from += run * region->n[1]) {
        copy(region->start + i * region->stride[0], region->stride[1], from, run, region->run,
             region->n[1]);
    }
}

void halo_region_copy(const halo_region *to, const halo_region *from)
{
    for (int64_t i = 0; i < to->n[0]; i++) {
        copy_runs(to->start + i * to->stride[0], to->stride[1], from->start + i * from->stride[0],
                  from->stride[1], to->run, to->n[1]);
    }
}
