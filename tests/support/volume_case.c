#include "support/volume_case.h"

#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *entries(int64_t count, size_t size)
{
    void *made = calloc((size_t)count + 1, size);
    if (made == NULL) {
        fprintf(stderr, "out of memory: a volume\n");
        exit(1);
    }
    return made;
}

/* The voxel `step` away from another one, or -1. */
static int64_t neighbour(const halo_domain *domain, int64_t voxel, const int step[HALO_AXES])
{
    const int64_t *n = domain->n;
    int64_t at[HALO_AXES] = {voxel / n[2] / n[1], voxel / n[2] % n[1], voxel % n[2]};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        at[axis] += step[axis];
        if (domain->periodic[axis]) {
            at[axis] = (at[axis] + n[axis]) % n[axis];
        }
        if (at[axis] < 0 || at[axis] >= n[axis]) {
            return -1;
        }
    }
    return (at[0] * n[1] + at[1]) * n[2] + at[2];
}

int64_t volume_flood(const halo_domain *domain, const uint8_t *foreground, int connectivity,
                     int32_t *numbers)
{
    int64_t voxels = domain->n[0] * domain->n[1] * domain->n[2], depth = 0;
    int64_t *stack = entries(voxels, sizeof *stack);
    int order = connectivity == 26 ? 3 : connectivity == 18 ? 2 : 1;
    int32_t regions = 0;
    memset(numbers, 0, (size_t)voxels * sizeof *numbers);
    for (int64_t first = 0; first < voxels; first++) {
        if (!foreground[first] || numbers[first] != 0) {
            continue;
        }
        numbers[first] = ++regions;
        stack[depth++] = first;
        while (depth > 0) {
            int64_t voxel = stack[--depth];
            for (int i = 0; i < 27; i++) {
                const int step[HALO_AXES] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
                int64_t next = neighbour(domain, voxel, step);
                if (abs(step[0]) + abs(step[1]) + abs(step[2]) <= order && next >= 0 &&
                    foreground[next] && numbers[next] == 0) {
                    numbers[next] = regions;
                    stack[depth++] = next;
                }
            }
        }
    }
    free(stack);
    return regions;
}

static int64_t grey_of(int64_t voxel)
{
    return voxel * 7 % 251;
}

static void fill(const volume_case *c, const halo_view *foreground, const halo_view *grey)
{
    const halo_box *own = &foreground->owned;
    const int64_t *n = c->domain.n;
    for (int64_t z = 0; z < own->n[0]; z++) {
        for (int64_t y = 0; y < own->n[1]; y++) {
            uint64_t *bits = halo_row_of_plane(foreground, z, y);
            uint8_t *row = halo_row_of_plane(grey, z, y);
            int64_t first = ((own->lo[0] + z) * n[1] + own->lo[1] + y) * n[2] + own->lo[2];
            for (int64_t x = 0; x < own->n[2]; x++) {
                bits[x / 64] |= (uint64_t)c->foreground[first + x] << (x % 64);
                row[x] = (uint8_t)grey_of(first + x);
            }
        }
    }
}

/* Compute the expected regions, before any are dropped. */
static halo_region *make_regions(const volume_case *c, const int32_t *numbers, int64_t count)
{
    halo_region *regions = entries(count, sizeof *regions);
    const int64_t *n = c->domain.n;
    for (int64_t voxel = 0; voxel < n[0] * n[1] * n[2]; voxel++) {
        if (numbers[voxel] == 0) {
            continue;
        }
        int64_t z = voxel / n[2] / n[1], y = voxel / n[2] % n[1], x = voxel % n[2];
        halo_region *r = &regions[numbers[voxel] - 1];
        if (r->area == 0) {
            *r = (halo_region){.number = numbers[voxel],
                               .front = z,
                               .top = y,
                               .left = x,
                               .grey_min = grey_of(voxel)};
        }
        r->area++;
        r->top = y < r->top ? y : r->top;
        r->left = x < r->left ? x : r->left;
        r->back = z + 1;
        r->bottom = y >= r->bottom ? y + 1 : r->bottom;
        r->right = x >= r->right ? x + 1 : r->right;
        r->plane_sum += z;
        r->row_sum += y;
        r->column_sum += x;
        r->grey_sum += grey_of(voxel);
        r->grey_min = grey_of(voxel) < r->grey_min ? grey_of(voxel) : r->grey_min;
        r->grey_max = grey_of(voxel) > r->grey_max ? grey_of(voxel) : r->grey_max;
        r->last = voxel;
    }
    return regions;
}

static bool is_kept(const volume_case *c, const halo_region *r)
{
    const halo_region_filter *filter = &c->options.filter;
    const int64_t *n = c->domain.n;
    const bool *around = c->domain.periodic;
    bool edge = (!around[0] && (r->front == 0 || r->back == n[0])) ||
                (!around[1] && (r->top == 0 || r->bottom == n[1])) ||
                (!around[2] && (r->left == 0 || r->right == n[2]));
    return r->area >= filter->min_area && r->grey_max >= filter->min_peak &&
           (filter->max_area == 0 || r->area <= filter->max_area) &&
           !(filter->clear_border && edge);
}

/* Return the number of kept regions that are larger than one, or as large and before it. */
static int64_t place_of(const halo_region *regions, int64_t count, const halo_region *region)
{
    int64_t place = 0;
    for (int64_t i = 0; i < count; i++) {
        place +=
            regions[i].number > 0 && (regions[i].area > region->area ||
                                      (regions[i].area == region->area && &regions[i] < region));
    }
    return place;
}

/* Number those that are kept, in the table and in the volume; returns how many there are. */
static int64_t drop_regions(const volume_case *c, halo_region *regions, int64_t count,
                            int32_t *numbers)
{
    int64_t kept = 0, most = c->options.filter.largest;
    int32_t *renamed = entries(count + 1, sizeof *renamed);
    for (int64_t i = 0; i < count; i++) {
        regions[i].number = is_kept(c, &regions[i]);
    }
    for (int64_t i = 0; i < count; i++) {
        bool stays =
            regions[i].number > 0 && (most == 0 || place_of(regions, count, &regions[i]) < most);
        renamed[i + 1] = stays ? (int32_t)++kept : 0;
    }
    for (int64_t i = 0; i < count; i++) {
        regions[i].number = renamed[i + 1];
        if (renamed[i + 1] > 0) {
            regions[renamed[i + 1] - 1] = regions[i];
        }
    }
    for (int64_t voxel = 0; voxel < c->domain.n[0] * c->domain.n[1] * c->domain.n[2]; voxel++) {
        numbers[voxel] = renamed[numbers[voxel]];
    }
    free(renamed);
    return kept;
}

static void check_regions(const volume_case *c, halo_label *label, const halo_region *should,
                          int64_t total)
{
    int64_t count, all, before, wrong = 0;
    const halo_region *is = halo_label_regions(label, &count);
    all = before = count;
    expect_ok(halo_exscan(c->world, &before, 1));
    expect_ok(halo_allreduce_sum(c->world, &all, 1));
    expect(all == total, "%s: %" PRId64 " regions in the table, not %" PRId64, c->text, all, total);
    for (int64_t i = 0; i < count && before + i < total; i++) {
        wrong += memcmp(&is[i], &should[before + i], sizeof *is) != 0;
    }
    expect(wrong == 0, "%s: %" PRId64 " regions are wrong", c->text, wrong);
}

static void check_painted(const volume_case *c, halo_label *label, const int32_t *numbers)
{
    halo_box own = halo_partition_box(&c->partition, halo_world_rank(c->world));
    int64_t width = own.n[2], rows = halo_box_cells(&own) > 0 ? own.n[0] * own.n[1] : 0, wrong = 0;
    int32_t *out = entries(rows * width, sizeof *out);
    expect(halo_label_paint_rows(label, HALO_LABEL_I32, 0, rows, out,
                                 (size_t)width * sizeof *out) == HALO_OK,
           "%s: %s", c->text, halo_last_message());
    for (int64_t i = 0; i < rows * width; i++) {
        int64_t z = own.lo[0] + i / width / own.n[1], y = own.lo[1] + i / width % own.n[1];
        int64_t x = own.lo[2] + i % width;
        wrong += out[i] != numbers[(z * c->domain.n[1] + y) * c->domain.n[2] + x];
    }
    expect(wrong == 0, "%s: %" PRId64 " voxels are wrong", c->text, wrong);
    free(out);
}

static void check_rows(const volume_case *c, halo_label *label, const int32_t *numbers)
{
    halo_label_painting *painting = NULL;
    expect_ok(halo_label_painting_create(&painting, label, HALO_LABEL_I32));
    int rank = halo_world_rank(c->world);
    const int64_t *cuts = halo_label_painting_cuts(painting);
    int64_t width = c->domain.n[2], rows = cuts[rank + 1] - cuts[rank];
    int32_t *out = entries(rows * width, sizeof *out);
    expect_ok(
        halo_label_painting_rows(painting, cuts[rank], rows, out, (size_t)width * sizeof *out));
    expect(memcmp(out, numbers + cuts[rank] * width, (size_t)(rows * width) * sizeof *out) == 0,
           "%s: whole rows", c->text);
    free(out);
    halo_label_painting_destroy(&painting);
}

void volume_case_check(const volume_case *c)
{
    halo_box own = halo_partition_box(&c->partition, halo_world_rank(c->world));
    halo_field *foreground = NULL, *grey = NULL;
    halo_label *label = NULL;
    int32_t *numbers = entries(c->domain.n[0] * c->domain.n[1] * c->domain.n[2], sizeof *numbers);
    int64_t found = volume_flood(&c->domain, c->foreground, c->options.connectivity, numbers);
    halo_region *should = make_regions(c, numbers, found);
    int64_t total = drop_regions(c, should, found, numbers);
    expect_ok(halo_field_create(&foreground, &c->domain, &own, HALO_BIT, 0));
    expect_ok(halo_field_create(&grey, &c->domain, &own, 8, 0));
    fill(c, halo_field_view(foreground), halo_field_view(grey));
    halo_status status =
        halo_label_create(&label, c->world, &c->domain, &c->partition, &c->options);
    if (status == HALO_OK) {
        status = halo_label_run(label, halo_field_view(foreground), halo_field_view(grey));
    }
    expect_case_ok(c->text, status);
    if (status == HALO_OK) {
        expect(halo_label_total(label) == total, "%s: %" PRId64 " regions, not %" PRId64, c->text,
               halo_label_total(label), total);
        if (c->options.measure) {
            check_regions(c, label, should, total);
        }
        check_painted(c, label, numbers);
        check_rows(c, label, numbers);
    }
    halo_label_destroy(&label);
    halo_field_destroy(&foreground);
    halo_field_destroy(&grey);
    free(should);
    free(numbers);
}
