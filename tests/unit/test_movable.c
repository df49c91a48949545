#define _DEFAULT_SOURCE
#include "core/field/field.h"
#include "core/field/periodic.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Fields whose strip moves, beside an ordinary field of the whole domain that knows what every
 * layer holds. */
typedef struct {
    halo_domain domain;
    int cell_bits, depth;
    halo_field *field, *all;
} movable;

static halo_box strip(const halo_domain *domain, int64_t lo, int64_t hi)
{
    return (halo_box){.lo = {lo}, .n = {hi - lo, domain->n[1], domain->n[2]}};
}

static halo_box random_strip(const movable *m, uint64_t *random)
{
    int64_t n = m->domain.n[0];
    int64_t a = random_below(random, n + 1), b = random_below(random, n + 1);
    return strip(&m->domain, a < b ? a : b, a < b ? b : a);
}

static char *row_of(const halo_view *view, int64_t layer, int64_t y)
{
    return view->axes == 3 ? halo_row_of_plane(view, layer, y) : halo_row(view, layer);
}

static int64_t row_cells(const halo_view *view)
{
    return view->axes == 1 ? 1 : view->owned.n[view->axes - 1];
}

/* Random cells, nothing beside them. */
static void fill_layer(const halo_field *field, int64_t layer, uint64_t *random)
{
    const halo_view *view = halo_field_view(field);
    int64_t rows = view->axes == 3 ? view->owned.n[1] : 1, bits = row_cells(view) * view->cell_bits;
    for (int64_t y = 0; y < rows; y++) {
        char *row = row_of(view, layer, y);
        for (int64_t byte = 0; byte * 8 < bits; byte++) {
            unsigned char value = (unsigned char)random_next(random);
            int64_t left = bits - byte * 8;
            row[byte] = (char)(left < 8 ? value & ((1 << left) - 1) : value);
        }
    }
}

/* Bytes of a layer that no cell of the field may use and are not 0. */
static int64_t strays(const halo_field *field, int64_t layer)
{
    const halo_view *view = halo_field_view(field);
    int64_t depth = view->axes == 3 ? view->depth : 0, strays = 0;
    int64_t rows = view->axes == 3 ? view->owned.n[1] : 1, bits = row_cells(view) * view->cell_bits;
    size_t before = 0, span = (size_t)view->stride[0];
    if (view->axes > 1) {
        span = halo_field_row_span(field, &before);
    }
    for (int64_t y = -depth; y < rows + depth; y++) {
        const unsigned char *row = (unsigned char *)row_of(view, layer, y) - before;
        for (size_t i = 0; i < span; i++) {
            int64_t bit = ((int64_t)i - (int64_t)before) * 8, left = bits - bit;
            bool cell = y >= 0 && y < rows && bit >= 0 && left > 0;
            strays += (cell && left < 8 ? row[i] >> left : (cell ? 0 : row[i])) != 0;
        }
    }
    return strays;
}

static bool same_layer(const movable *m, int64_t layer)
{
    size_t bytes, as_many;
    const char *there =
        halo_layer_span(m->field, layer - halo_field_view(m->field)->owned.lo[0], 1, &bytes);
    const char *here = halo_layer_span(m->all, layer, 1, &as_many);
    return bytes == as_many && memcmp(there, here, bytes) == 0;
}

/* What a migration does: the layer's cells, wherever the strip is now. */
static void bring_layer(const movable *m, int64_t layer)
{
    size_t bytes;
    char *to = halo_layer_span(m->field, layer - halo_field_view(m->field)->owned.lo[0], 1, &bytes);
    memcpy(to, halo_layer_span(m->all, layer, 1, &bytes), bytes);
}

static bool has(const halo_box *box, int64_t layer)
{
    return layer >= box->lo[0] && layer < box->lo[0] + box->n[0];
}

/* ---- random moves ---------------------------------------------------------------------------- */

static void make_fields(movable *m, uint64_t *random)
{
    halo_box owned = random_strip(m, random), whole = strip(&m->domain, 0, m->domain.n[0]);
    halo_status status =
        halo_field_create_movable(&m->field, &m->domain, &owned, m->cell_bits, m->depth);
    CU_ASSERT_EQUAL_FATAL(status, HALO_OK);
    status = halo_field_create(&m->all, &m->domain, &whole, m->cell_bits, m->depth);
    CU_ASSERT_EQUAL_FATAL(status, HALO_OK);
    CU_ASSERT_TRUE(halo_field_is_movable(m->field) && !halo_field_is_movable(m->all));
}

static movable make_random(uint64_t *random)
{
    static const int bits[] = {1, 8, 16, 24, 32, 64, 96};
    movable m = {.depth = (int)random_below(random, 4)};
    int axes = 1 + (int)random_below(random, 3);
    m.cell_bits = bits[axes == 1 ? 1 + random_below(random, 6) : random_below(random, 7)];
    m.domain = (halo_domain){.axes = axes, .n = {1 + random_below(random, 40), 1, 1}};
    for (int axis = 1; axis < axes; axis++) {
        m.domain.n[axis] = 1 + random_below(random, axis == axes - 1 ? 140 : 5);
    }
    make_fields(&m, random);
    return m;
}

static void check_view(const movable *m, const halo_box *owned)
{
    const halo_view *view = halo_field_view(m->field), *all = halo_field_view(m->all);
    CU_ASSERT_TRUE(memcmp(&view->owned, owned, sizeof *owned) == 0);
    CU_ASSERT_TRUE(memcmp(view->stride, all->stride, sizeof view->stride) == 0);
    CU_ASSERT_TRUE(view->axes == all->axes && view->depth == all->depth);
    CU_ASSERT_EQUAL(halo_field_layer(m->field, owned->lo[0]), view->origin);
    CU_ASSERT_EQUAL((uintptr_t)halo_field_layer(m->field, 0) % 64, 0);
    CU_ASSERT_TRUE(view->axes == 1 || (uintptr_t)view->origin % 64 == 0);
    size_t before, span = halo_field_row_span(m->field, &before);
    CU_ASSERT_TRUE(span > 0 || view->owned.n[0] == 0);
}

/* Cells beside the domain are 0, nothing beside cells is anything else, and the strip's own cells
 * are what they were. */
static void check_cells(const movable *m, const halo_box *stayed)
{
    const halo_view *view = halo_field_view(m->field);
    int64_t lo = view->owned.lo[0];
    for (int64_t i = -m->depth; i < view->owned.n[0] + m->depth && view->owned.n[0] > 0; i++) {
        bool inside = lo + i >= 0 && lo + i < m->domain.n[0];
        check(strays(m->field, i) == 0, "%" PRId64 " bytes beside the cells of layer %" PRId64,
              strays(m->field, i), lo + i);
        if (!inside) {
            size_t bytes;
            const char *layer = halo_layer_span(m->field, i, 1, &bytes);
            CU_ASSERT_TRUE(layer[0] == 0 && memcmp(layer, layer + 1, bytes - 1) == 0);
        } else if (has(stayed, lo + i) && has(&view->owned, lo + i)) {
            check(same_layer(m, lo + i), "layer %" PRId64 " stayed and changed", lo + i);
        }
    }
}

/* A beat: other cells in the strip, and in halo layers that the domain has. */
static void overwrite(const movable *m, uint64_t *random)
{
    const halo_box *owned = &halo_field_view(m->field)->owned;
    for (int64_t i = -m->depth; i < owned->n[0] + m->depth && owned->n[0] > 0; i++) {
        int64_t layer = owned->lo[0] + i;
        if (has(owned, layer)) {
            fill_layer(m->all, layer, random);
            bring_layer(m, layer);
        } else if (layer >= 0 && layer < m->domain.n[0]) {
            fill_layer(m->field, i, random);
        }
    }
}

static void move(const movable *m, uint64_t *random)
{
    halo_box before = halo_field_view(m->field)->owned, after = random_strip(m, random);
    bool early = random_below(random, 2) == 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int64_t layer = 0; layer < m->domain.n[0]; layer++) {
            if (has(&after, layer) && !has(&before, layer) && early == (turn == 0)) {
                bring_layer(m, layer);
            }
        }
        if (turn == 0) {
            halo_field_set_owned(m->field, &after);
            check_view(m, &after);
            check_cells(m, &before);
        }
    }
    check_cells(m, &after);
}

static void check_moves(movable *m, int moves, uint64_t *random)
{
    check_view(m, &halo_field_view(m->field)->owned);
    check_cells(m, &halo_field_view(m->field)->owned);
    for (int i = 0; i < moves; i++) {
        overwrite(m, random);
        move(m, random);
    }
    halo_field_destroy(&m->field);
    halo_field_destroy(&m->all);
}

TEST("random moves")
{
    uint64_t random = 1;
    for (int i = 0; i < 400; i++) {
        movable m = make_random(&random);
        check_moves(&m, 20, &random);
    }
}

/* Memory is given back and comes anew; in the second case a layer is 3 MiB, as much as stays beyond
 * an end. */
TEST("moves of huge pages")
{
    uint64_t random = 4;
    movable large[] = {
        {.domain = {.axes = 3, .n = {300, 20, 400}}, .cell_bits = 32, .depth = 2},
        {.domain = {.axes = 2, .n = {8, 3 << 20, 1}}, .cell_bits = 8},
        {.domain = {.axes = 1, .n = {1 << 16, 1, 1}}, .cell_bits = 1024, .depth = 3},
    };
    for (int i = 0; i < 3; i++) {
        make_fields(&large[i], &random);
        check_moves(&large[i], 8, &random);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int64_t pages(int column)
{
    int64_t all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CU_ASSERT_FATAL(file != NULL && fscanf(file, "%" SCNd64 "%" SCNd64, &all, &resident) == 2);
    fclose(file);
    return (column == 0 ? all : resident) * sysconf(_SC_PAGESIZE);
}

static void touch(const halo_field *field)
{
    const halo_view *view = halo_field_view(field);
    for (int64_t y = -view->depth; y < view->owned.n[0] + view->depth; y++) {
        memset(halo_row(view, y), 1, (size_t)view->stride[0] / 2);
    }
}

/* A strip of 8 MB goes through 160 MB: what it leaves behind is given back. Four huge pages
 * are for what stays beyond its ends, and for the program's own. */
TEST("memory is given back")
{
    const int64_t rows = 20000, high = 1000, max = high * 8192 + 4 * ((int64_t)2 << 20);
    halo_domain domain = {.axes = 2, .n = {rows, 1000, 1}};
    halo_box owned = strip(&domain, 0, high);
    halo_field *field;
    SUCCEEDS(halo_field_create_movable(&field, &domain, &owned, 64, 2));
    int64_t before = pages(1);
    for (int64_t lo = 0; lo + high <= rows; lo += 937) {
        owned = strip(&domain, lo, lo + high);
        halo_field_set_owned(field, &owned);
        touch(field);
        int64_t used = pages(1) - before;
        check(used <= max, "row %" PRId64 ": %" PRId64 " bytes, not %" PRId64, lo, used, max);
        CU_ASSERT_TRUE(used > high * 4000);
    }
    owned = strip(&domain, 5000, 5000);
    halo_field_set_owned(field, &owned);
    check(pages(1) - before < (int64_t)2 << 20, "an empty strip keeps %" PRId64 " bytes",
          pages(1) - before);
    halo_field_destroy(&field);
}

/* ---- what there is no room for --------------------------------------------------------------- */

static bool is_refused(const halo_domain *domain)
{
    halo_box owned = strip(domain, 3, 5);
    halo_field *field;
    halo_status status = halo_field_create_movable(&field, domain, &owned, 64, 1);
    bool refused = status == HALO_MEMORY && field == NULL &&
                   strstr(halo_last_message(), "sets aside no") != NULL &&
                   strstr(halo_last_message(), "ulimit -v") != NULL;
    halo_field_destroy(&field);
    status = halo_field_create(&field, domain, &owned, 64, 1);
    halo_field_destroy(&field);
    return refused && status == HALO_OK;
}

/* More than the 2^47 addresses of a program. */
TEST("more addresses than there are")
{
    halo_domain domain = {.axes = 2, .n = {(int64_t)1 << 38, 1000, 1}};
    CU_ASSERT_TRUE(is_refused(&domain));
}

/* In a child, since a limit once set holds for all that follows: room for 64 MiB, not for 8 GiB. */
TEST("more addresses than allowed")
{
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        rlim_t max = (rlim_t)(pages(0) + ((int64_t)64 << 20));
        halo_domain domain = {.axes = 2, .n = {1000000, 1000, 1}};
        bool limited = setrlimit(RLIMIT_AS, &(struct rlimit){max, max}) == 0;
        _exit(limited && is_refused(&domain) ? 0 : 1);
    }
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST("bad arguments")
{
    halo_domain domain = {.axes = 2, .n = {5, 9, 1}};
    halo_box owned = strip(&domain, 2, 6);
    halo_field *field;
    CU_ASSERT_EQUAL(halo_field_create_movable(&field, &domain, &owned, 8, 0), HALO_ARGUMENT);
    CU_ASSERT_PTR_NULL(field);
    domain.n[0] = INT64_MAX;
    CU_ASSERT_EQUAL(halo_field_create_movable(&field, &domain, &owned, 8, 0), HALO_MEMORY);
    CU_ASSERT_PTR_NULL(field);
}
