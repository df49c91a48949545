#include "core/field/field.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <limits.h>

static halo_box whole(const halo_domain *domain)
{
    return (halo_box){.n = {domain->n[0], domain->n[1], domain->n[2]}};
}

/* The first byte of a cell; of a bit, of its word. */
static char *address(const halo_view *view, const int64_t at[HALO_AXES])
{
    char *cell = view->origin;
    for (int axis = 0; axis < view->axes; axis++) {
        bool packed = view->cell_bits == HALO_BIT && axis == view->axes - 1;
        cell += packed ? (at[axis] >> 6) * 8 : at[axis] * view->stride[axis];
    }
    return cell;
}

/* Narrow rows lie one after another, so that tall images take no more than their pixels. */
static bool is_narrow(const halo_view *view)
{
    int64_t n = view->owned.n[view->axes - 1];
    bool bits = view->cell_bits == HALO_BIT;
    return view->axes > 1 && (bits ? n <= 64 : (n + 2 * view->depth) * view->cell_bits / 8 < 64);
}

static void check_row(const halo_view *view, const char *row)
{
    int64_t n = view->owned.n[view->axes - 1];
    bool bits = view->cell_bits == HALO_BIT;
    if (is_narrow(view)) {
        ptrdiff_t all = bits ? 3 * 8 : (n + 2 * view->depth) * view->cell_bits / 8;
        CU_ASSERT_EQUAL(view->stride[view->axes - 2], all);
        CU_ASSERT_TRUE(!bits || (uintptr_t)row % 8 == 0);
    } else {
        CU_ASSERT_EQUAL((uintptr_t)row % 64, 0);
    }
}

/* Every row but narrow ones starts on a cache line, and every cell and halo cell can be written
 * without meeting another: ones are added to each, then all are one. */
static void check_layout(const halo_view *view)
{
    int64_t lo[HALO_AXES] = {0}, n[HALO_AXES] = {1, 1, 1};
    for (int axis = 0; axis < view->axes; axis++) {
        lo[axis] = -view->depth;
        n[axis] = view->owned.n[axis] + 2 * view->depth;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) {
            int64_t at[HALO_AXES] = {lo[0] + i / (n[1] * n[2]), lo[1] + i / n[2] % n[1],
                                     lo[2] + i % n[2]};
            int64_t x = at[view->axes - 1];
            char *cell = address(view, at);
            if (x == 0) {
                check_row(view, cell);
            }
            if (view->cell_bits == HALO_BIT) {
                uint64_t *word = (uint64_t *)(void *)cell, bit = (uint64_t)1 << (x & 63);
                CU_ASSERT_EQUAL((*word & bit) != 0, pass == 1);
                *word |= bit;
            } else {
                char *end = cell + view->cell_bits / 8 - 1;
                CU_ASSERT_TRUE(*cell == pass && *end == pass);
                *cell = *end = 1;
            }
        }
    }
}

TEST("layouts")
{
    static const int bits[] = {1, 8, 16, 24, 32, 64, 96};
    static const int64_t widths[] = {1, 2, 63, 64, 65, 130};
    for (int i = 0; i < 7 * 6 * 3 * 5; i++) {
        int axes = 1 + i / 42 % 3, depth = i / 126;
        halo_domain domain = {.axes = axes, .n = {3, 2, 1}};
        domain.n[1] = axes > 1 ? 2 : 1;
        domain.n[axes - 1] = widths[i / 7 % 6];
        halo_box owned = whole(&domain);
        halo_field *field;
        halo_status status = halo_field_create(&field, &domain, &owned, bits[i % 7], depth);
        if (axes == 1 && bits[i % 7] == 1) {
            CU_ASSERT_EQUAL(status, HALO_ARGUMENT);
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(status, HALO_OK);
        check_layout(halo_field_view(field));
        halo_field_destroy(&field);
        CU_ASSERT_PTR_NULL(field);
    }
}

TEST("rows one after the other, and copies of them")
{
    static const int bits[] = {1, 8, 64};
    for (int axes = 1; axes <= HALO_AXES; axes++) {
        for (size_t b = axes == 1; b < COUNT(bits); b++) {
            const halo_domain domain = {.axes = axes, .n = {3, axes > 1 ? 5 : 1, axes > 2 ? 7 : 1}};
            const halo_box owned = whole(&domain);
            int64_t cells = domain.n[axes - 1], rows = axes == 1 ? 1 : axes == 2 ? 3 : 15;
            size_t bytes = ((size_t)cells * (size_t)bits[b] + 7) / 8;
            halo_field *from, *to;
            CU_ASSERT_EQUAL_FATAL(halo_field_create(&from, &domain, &owned, bits[b], 0), HALO_OK);
            CU_ASSERT_EQUAL_FATAL(halo_field_create(&to, &domain, &owned, bits[b], 2), HALO_OK);
            CU_ASSERT_EQUAL(halo_view_rows(halo_field_view(from)), rows);
            for (int64_t i = 0; i < rows; i++) {
                memset(halo_view_row(halo_field_view(from), i), (int)(1 + i), bytes);
            }
            halo_view_copy(halo_field_view(to), halo_field_view(from));
            for (int64_t i = 0; i < rows; i++) {
                const halo_view *view = halo_field_view(to);
                const char *row =
                    axes == 3 ? halo_row_of_plane(view, i / 5, i % 5) : halo_row(view, i);
                CU_ASSERT_EQUAL(row[0], (char)(1 + i));
                CU_ASSERT_EQUAL(row[bytes - 1], (char)(1 + i));
                CU_ASSERT_EQUAL(row[bytes], 0);
            }
            halo_field_destroy(&from);
            halo_field_destroy(&to);
        }
    }
    const halo_view none = {.axes = 2, .owned = {.n = {0, 5, 1}}};
    CU_ASSERT_EQUAL(halo_view_rows(&none), 0);
}

TEST("words beside bit-packed rows")
{
    halo_domain domain = {.axes = 2, .n = {3, 128, 1}};
    halo_box owned = whole(&domain);
    halo_field *field;
    SUCCEEDS(halo_field_create(&field, &domain, &owned, 1, 0));
    for (int64_t y = 0; y < 3; y++) {
        uint64_t *row = halo_row(halo_field_view(field), y);
        CU_ASSERT_TRUE(row[-1] == 0 && row[2] == 0);
        row[0] = row[1] = UINT64_MAX; /* no neighbour's word */
    }
    for (int64_t y = 0; y < 3; y++) {
        const uint64_t *row = halo_row(halo_field_view(field), y);
        CU_ASSERT_TRUE(row[-1] == 0 && row[2] == 0);
    }
    size_t before;
    CU_ASSERT_EQUAL(halo_field_row_span(field, &before), 32);
    CU_ASSERT_EQUAL(before, 8);
    halo_field_destroy(&field);
}

TEST("a field without cells")
{
    halo_domain domain = {.axes = 2, .n = {5, 9, 1}};
    halo_box nothing = {.lo = {5}, .n = {0, 9, 1}};
    halo_field *field;
    SUCCEEDS(halo_field_create(&field, &domain, &nothing, 64, 3));
    CU_ASSERT_PTR_NOT_NULL(halo_field_view(field)->origin);
    CU_ASSERT_EQUAL(halo_field_view(field)->owned.n[0], 0);
    CU_ASSERT_EQUAL(halo_field_domain(field)->n[1], 9);
    halo_field_destroy(&field);
    halo_field_destroy(&field); /* again: nothing happens */
}

/* A tall field asks for huge pages; its first and last cells are there and zero. */
TEST("a large field")
{
    halo_domain domain = {.axes = 2, .n = {4000, 1000, 1}};
    halo_box owned = whole(&domain);
    halo_field *field;
    SUCCEEDS(halo_field_create(&field, &domain, &owned, 64, 2));
    const halo_view *view = halo_field_view(field);
    int64_t *first = (int64_t *)halo_row(view, -2) - 2,
            *last = (int64_t *)halo_row(view, 4001) + 1001;
    CU_ASSERT_TRUE(*first == 0 && *last == 0);
    *first = *last = 1;
    halo_field_destroy(&field);
}

TEST("bad arguments")
{
    static const struct {
        int axes, bits, depth;
        int64_t lo;
    } cases[] = {{2, 12, 0, 0}, {2, 0, 0, 0}, {2, 8, -1, 0}, {2, 8, 0, 1}, {4, 8, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        halo_domain domain = {.axes = cases[i].axes, .n = {5, 9, 1}};
        halo_box owned = {.lo = {cases[i].lo}, .n = {5, 9, 1}};
        halo_field *field;
        FAILS(HALO_ARGUMENT, i == 0 ? "not 12" : "",
              halo_field_create(&field, &domain, &owned, cases[i].bits, cases[i].depth));
        CU_ASSERT_PTR_NULL(field);
    }
}

/* Sizes beyond size_t are refused, not wrapped to something small. */
TEST("sizes beyond memory")
{
    halo_field *field;
    const int64_t huge = INT64_MAX;
    const halo_domain domains[] = {{.axes = 1, .n = {huge, 1, 1}},
                                   {.axes = 2, .n = {huge, huge, 1}},
                                   {.axes = 3, .n = {huge, huge, huge}},
                                   {.axes = 3, .n = {(int64_t)1 << 32, (int64_t)1 << 32, 1}},
                                   {.axes = 2, .n = {3, huge - 10, 1}}};
    for (int i = 0; i < 5; i++) {
        for (int bits = 8; bits <= 128; bits *= 2) {
            halo_box owned = whole(&domains[i]);
            CU_ASSERT_EQUAL(halo_field_create(&field, &domains[i], &owned, bits, INT_MAX),
                            HALO_MEMORY);
            CU_ASSERT_PTR_NULL(field);
        }
    }
}
