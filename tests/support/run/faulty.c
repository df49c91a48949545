/* Kernels that break their contract, each in one way, and others that look as if they did: --fault
 * says which. Their cells are floating-point numbers, whole ones, two fields, or bits. */

#include "core/beat/kernel_export.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *fault;
} faulty_options;

typedef struct {
    const char *fault;
    int64_t calls, cells; /* of all ranks */
} faulty_state;

static halo_status faulty_create(void **out, const halo_domain *domain, const void *options)
{
    static const char none[] = "none";
    const faulty_options *given = options;
    faulty_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: faulty's state");
    }
    state->fault = given != NULL ? given->fault : none;
    state->cells = domain->n[0] * domain->n[1];
    *out = state;
    return HALO_OK;
}

static int64_t global(const halo_view *view, int axis, int64_t at)
{
    return view->owned.lo[axis] + at;
}

static float *cell(const halo_view *view, int64_t y, int64_t x)
{
    return (float *)halo_row(view, y) + x;
}

static bool is(const halo_step *step, const char *fault)
{
    return strcmp(((const faulty_state *)step->state)->fault, fault) == 0;
}

static halo_status faulty_start(void *state, const halo_view *fields)
{
    const faulty_state *s = state;
    bool local = strcmp(s->fault, "start") == 0;
    for (int64_t y = 0; y < fields->owned.n[0]; y++) {
        for (int64_t x = 0; x < fields->owned.n[1]; x++) {
            int64_t row = local ? y : global(fields, 0, y);
            *cell(fields, y, x) = (float)((row * row + 3 * global(fields, 1, x)) % 7);
        }
    }
    return HALO_OK;
}

/* Return a cell's next value without a fault. */
static float mean(const halo_step *step, int64_t y, int64_t x)
{
    const halo_view *in = step->in;
    return .25F *
           (*cell(in, y - 1, x) + *cell(in, y + 1, x) + *cell(in, y, x - 1) + *cell(in, y, x + 1));
}

static float faulty_cell(const halo_step *step, int64_t y, int64_t x)
{
    static int64_t calls;
    const halo_view *in = step->in;
    float value = mean(step, y, x);
    if (is(step, "far")) {
        value += .125F * *cell(in, y, x + 2);
    } else if (is(step, "far-rarely")) { /* where few cells have this value */
        value += *cell(in, y, x) == 6 ? *cell(in, y - 3, x) : 0;
    } else if (is(step, "diagonal") || is(step, "corners")) {
        value += .125F * *cell(in, y - 1, x + 1);
    } else if (is(step, "place")) {
        value += y == 0 ? 1 : 0;
    } else if (is(step, "random")) {
        value += (float)(calls++ % 11);
    } else if (is(step, "inside")) { /* takes what is not its own for the edge */
        value = x < 0 || y < 0 ? 0 : value;
    } else if (is(step, "far-for-nothing")) {
        value += *cell(in, y, x + 2) > 1e9F ? 1 : 0;
    }
    return value;
}

static halo_status faulty_step(halo_step *step)
{
    const halo_box *todo = &step->todo;
    int64_t columns = todo->n[1] - (is(step, "unwritten") && todo->n[1] > 1);
    for (int64_t y = todo->lo[0]; y < todo->lo[0] + todo->n[0]; y++) {
        for (int64_t x = todo->lo[1]; x < todo->lo[1] + columns; x++) {
            *cell(step->out, y, x) = faulty_cell(step, y, x);
            step->changed += *cell(step->out, y, x) != *cell(step->in, y, x);
        }
        if (is(step, "outside")) {
            *cell(step->out, y, todo->lo[1] + todo->n[1]) = 1;
        }
    }
    step->changed += is(step, "count");
    return HALO_OK;
}

#define COMMON                                                                               \
    .name = "faulty", .help = "breaks its contract", .axes = 2, .depth = 1, .options = rows, \
    .options_bytes = sizeof(faulty_options), .create = faulty_create,                        \
    .destroy = halo_kernel_free_state, .suited = suited

static const halo_kernel *suited(const void *options);

static const halo_option rows[] = {
    {HALO_OPTION_ROW(faulty_options, "fault", CHOICE, fault), .standard = "none",
     .choices =
         "none|far|far-rarely|diagonal|corners|place|random|inside|far-for-nothing|unwritten|"
         "outside|start|count|bits|bits-far|two|two-far|in-place|in-place-far|sum|advance|"
         "advance-far",
     .help = "What is wrong"},
    {0}};

static const halo_kernel plain = {COMMON,
                                  .cell_bits = {32},
                                  .cell_kind = {HALO_FLOAT},
                                  .step = faulty_step,
                                  .start = faulty_start,
                                  .converges = true};

static const halo_kernel with_corners = {
    COMMON,          .cell_bits = {32},   .cell_kind = {HALO_FLOAT},
    .corners = true, .step = faulty_step, .start = faulty_start};

/* ---- bits, with no first cells of their own -------------------------------------------------- */

static halo_status bits_step(halo_step *step)
{
    enum { WORD = 64 };
    int64_t reach = is(step, "bits-far") ? 2 : 1, width = step->in->owned.n[1];
    int64_t words = (width + WORD - 1) / WORD;
    uint64_t last = width % WORD != 0 ? ((uint64_t)1 << width % WORD) - 1 : UINT64_MAX;
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const uint64_t *above = halo_row(step->in, y - reach), *below = halo_row(step->in, y + 1);
        uint64_t *next = halo_row(step->out, y);
        for (int64_t w = 0; w < words; w++) {
            uint64_t moved = below[w] << 1 | below[w - 1] >> (WORD - 1);
            next[w] = (above[w] ^ moved) & (w == words - 1 ? last : UINT64_MAX);
        }
    }
    return HALO_OK;
}

static const halo_kernel bits = {COMMON, .cell_bits = {HALO_BIT}, .corners = true,
                                 .step = bits_step};

/* ---- two fields, the second of which stays as it is ------------------------------------------ */

static halo_status two_step(halo_step *step)
{
    int64_t reach = is(step, "two-far") ? 2 : 0;
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            const uint8_t *kept = halo_row(&step->in[1], y), *beside = kept + reach;
            ((uint8_t *)halo_row(&step->out[1], y))[x] = kept[x];
            *cell(step->out, y, x) = mean(step, y, x) * (float)(1 + beside[x]);
        }
    }
    return HALO_OK;
}

static const halo_kernel two = {COMMON, .cell_bits = {32, 8},
                                .cell_kind = {HALO_FLOAT, HALO_UNSIGNED}, .step = two_step,
                                .start = faulty_start};

/* ---- in place, cells of 16 bits: towards the greatest beside --------------------------------- */

static int16_t *whole(const halo_view *view, int64_t y, int64_t x)
{
    return (int16_t *)halo_row(view, y) + x;
}

static halo_status in_place_step(halo_step *step)
{
    int64_t reach = is(step, "in-place-far") ? 2 : 1;
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            int16_t before = *whole(step->in, y, x), left = *whole(step->in, y, x - reach);
            *whole(step->out, y, x) = left > before ? left : before;
            step->changed += left > before;
        }
    }
    return HALO_OK;
}

static const halo_kernel in_place = {COMMON,
                                     .cell_bits = {16},
                                     .cell_kind = {HALO_SIGNED},
                                     .in_place = true,
                                     .converges = true,
                                     .single = true,
                                     .step = in_place_step};

/* ---- sums over all ranks that steer the beats after them ------------------------------------- */

static halo_status sum_step(halo_step *step)
{
    const faulty_state *s = step->state;
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            *cell(step->out, y, x) = mean(step, y, x) + (float)(s->calls % 5);
        }
    }
    return HALO_OK;
}

static halo_status sum_beat(void *state, int64_t *sums, bool agreed)
{
    faulty_state *s = state;
    if (agreed) {
        s->calls += sums[0] > 0 ? s->cells : 0;
    } else {
        sums[0] = s->cells;
    }
    return HALO_OK;
}

static const halo_kernel sum = {COMMON,           .cell_bits = {32},     .cell_kind = {HALO_FLOAT},
                                .step = sum_step, .start = faulty_start, .sums = 1,
                                .beat = sum_beat};

/* ---- several beats at once, for the check one --------------------------------------------------
 */

static halo_status advance(halo_advance *how)
{
    const faulty_state *s = how->state;
    const halo_view *cells = how->fields;
    int64_t width = cells->owned.n[1], reach = strcmp(s->fault, "advance-far") == 0 ? 2 : 1;
    float *before = calloc((size_t)width, sizeof *before);
    if (before == NULL || how->beats != 1) {
        free(before);
        return halo_fail(HALO_ARGUMENT, "faulty advances one beat only");
    }
    memcpy(before, cell(cells, how->lo - 1, 0), (size_t)width * sizeof *before);
    for (int64_t y = how->lo; y < how->hi; y++) {
        for (int64_t x = 0; x < width; x++) {
            float here = *cell(cells, y, x), both = before[x] + here;
            *cell(cells, y, x) = .5F * (both + *cell(cells, y + reach, x));
            before[x] = here;
        }
    }
    free(before);
    return HALO_OK;
}

static const halo_kernel advances = {
    COMMON,           .cell_bits = {32},  .cell_kind = {HALO_FLOAT},
    .in_place = true, .advance = advance, .start = faulty_start};

static const halo_kernel *suited(const void *options)
{
    static const struct {
        const char *fault;
        const halo_kernel *kernel;
    } kernels[] = {{"corners", &with_corners},  {"bits", &bits},
                   {"bits-far", &bits},         {"two", &two},
                   {"two-far", &two},           {"in-place", &in_place},
                   {"in-place-far", &in_place}, {"sum", &sum},
                   {"advance", &advances},      {"advance-far", &advances}};
    const faulty_options *given = options;
    for (size_t i = 0; given != NULL && i < sizeof kernels / sizeof kernels[0]; i++) {
        if (strcmp(given->fault, kernels[i].fault) == 0) {
            return kernels[i].kernel;
        }
    }
    return &plain;
}

HALO_KERNEL_EXPORT(plain);
