#include "partition/decomposition.h"

#include "base/scan.h"
#include "partition/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PARTS = 1 << 20 }; /* of an axis; the product of three can be counted */

/* A text is classified so before the domain is known. */
typedef enum { STRIPS, BLOCKS, AUTO, NUMBERS, NONSENSE } scheme;

/* "AxB" or "AxBxC". */
static bool scan_numbers(const char *text, int parts[HALO_AXES])
{
    parts[0] = parts[1] = parts[2] = 1;
    int axis = 0;
    for (int64_t n; halo_scan_integer(&text, 1, MAX_PARTS, &n);) {
        parts[axis++] = (int)n;
        if (*text == '\0') {
            return axis > 1;
        }
        if (*text++ != 'x' || axis == HALO_AXES) {
            return false;
        }
    }
    return false;
}

static scheme read_scheme(const char *text, int parts[HALO_AXES])
{
    static const char *const names[] = {[STRIPS] = "strips", [BLOCKS] = "blocks", [AUTO] = "auto"};
    parts[0] = parts[1] = parts[2] = 1;
    if (text == NULL) {
        return STRIPS;
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (strcmp(text, names[i]) == 0) {
            return (scheme)i;
        }
    }
    return scan_numbers(text, parts) ? NUMBERS : NONSENSE;
}

halo_status halo_decomposition_check(const char *text)
{
    int parts[HALO_AXES];
    return read_scheme(text, parts) != NONSENSE
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "a decomposition is strips, blocks, auto, or parts along each axis, 1 "
                           "to %d, such as 2x3 or 2x2x2, not \"%.40s\"",
                           MAX_PARTS, text);
}

static int64_t count_parts(const int parts[HALO_AXES])
{
    return (int64_t)parts[0] * parts[1] * parts[2];
}

int64_t halo_decomposition_count(const char *text)
{
    int parts[HALO_AXES];
    return read_scheme(text, parts) == NUMBERS ? count_parts(parts) : 0;
}

/* ---- the best of all ------------------------------------------------------------------------- */

/* The faults of a decomposition, the worst first: they order all decompositions. */
typedef struct {
    bool shallow;   /* a halo is deeper than a part it is taken from */
    bool empty;     /* there are more parts than cells on an axis */
    double surface; /* cells on all cuts together: what is exchanged, for each layer of depth */
} badness;

static badness estimate(const halo_domain *domain, int depth, const int parts[HALO_AXES])
{
    badness all = {0};
    for (int a = 0; a < HALO_AXES; a++) {
        int64_t n = domain->n[a], owners = parts[a] < n ? parts[a] : n;
        all.shallow = all.shallow || (owners > 1 && n / owners < depth);
        all.empty = all.empty || owners < parts[a];
        int cuts = parts[a] - 1 + (parts[a] > 1 && domain->periodic[a]);
        double face = 1;
        for (int other = 0; other < HALO_AXES; other++) {
            face *= other == a ? 1 : (double)domain->n[other];
        }
        all.surface += cuts * face;
    }
    return all;
}

static bool is_better(const badness *a, const badness *b)
{
    if (a->shallow != b->shallow) {
        return b->shallow;
    }
    if (a->empty != b->empty) {
        return b->empty;
    }
    return a->surface < b->surface;
}

/* Among equally good decompositions, choose the one with most parts on the first axes: its
 * messages are contiguous. */
static void choose_blocks(const halo_domain *domain, const bool cut[HALO_AXES], int ranks,
                          int depth, int parts[HALO_AXES])
{
    badness min = {.shallow = true, .empty = true, .surface = -1};
    int tried[HALO_AXES] = {0};
    while (halo_model_next_parts(ranks, cut, tried)) {
        badness found = estimate(domain, depth, tried);
        if (min.surface < 0 || is_better(&found, &min)) {
            min = found;
            memcpy(parts, tried, sizeof tried);
        }
    }
}

enum { DEFAULT_CELL_BYTES = 8 };

/* Strips, if no halo fits anything. */
static void choose_fastest(const halo_domain *domain, const bool cut[HALO_AXES], int ranks,
                           int depth, int parts[HALO_AXES])
{
    halo_machine machine = halo_machine_ordinary();
    halo_workload workload = {
        .domain = *domain, .cell_bytes = DEFAULT_CELL_BYTES, .depth = depth, .beats = 1};
    halo_model_best(&machine, &workload, cut, ranks, false, parts);
}

/* ---- what was asked for ---------------------------------------------------------------------- */

static void print_parts(const int parts[HALO_AXES], int axes, char *text, size_t size)
{
    int used = snprintf(text, size, "%dx%d", parts[0], parts[1]);
    if (axes > 2 || parts[2] > 1) {
        snprintf(text + used, size - (size_t)used, "x%d", parts[2]);
    }
}

/* Check numbers of parts that the user has chosen. */
static halo_status check_parts(const char *text, const halo_domain *domain,
                               const bool cut[HALO_AXES], int ranks, int depth,
                               const int parts[HALO_AXES])
{
    for (int a = 0; a < HALO_AXES; a++) {
        if (parts[a] > 1 && a >= domain->axes) {
            return halo_fail(HALO_ARGUMENT,
                             "decomposition %.40s cuts axis %d, and the domain has only %d; leave "
                             "that number out or make it 1",
                             text, a, domain->axes);
        }
        if (parts[a] > 1 && !cut[a]) {
            return halo_fail(HALO_ARGUMENT,
                             "decomposition %.40s cuts axis %d, which cannot be cut here; make "
                             "that number 1, or use strips",
                             text, a);
        }
    }
    int64_t product = count_parts(parts);
    if (product != ranks) {
        int good[HALO_AXES] = {ranks, 1, 1};
        char names[64];
        choose_blocks(domain, cut, ranks, depth, good);
        print_parts(good, domain->axes, names, sizeof names);
        return halo_fail(HALO_ARGUMENT,
                         "decomposition %.40s makes %" PRId64
                         " parts, and there %s %d rank%s; use %s, or start %" PRId64 " ranks",
                         text, product, ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s",
                         names, product);
    }
    return HALO_OK;
}

halo_status halo_decomposition_parse(const char *text, const halo_domain *domain,
                                     const bool cut[HALO_AXES], int ranks, int depth,
                                     int parts[HALO_AXES])
{
    int chosen[HALO_AXES];
    bool may[HALO_AXES];
    HALO_TRY(halo_decomposition_check(text));
    scheme kind = read_scheme(text, chosen);
    for (int a = 0; a < HALO_AXES; a++) {
        may[a] = cut[a] && a < domain->axes;
    }
    if (kind == NUMBERS) {
        HALO_TRY(check_parts(text, domain, may, ranks, depth, chosen));
    } else {
        chosen[0] = ranks;
    }
    if (kind == BLOCKS) {
        choose_blocks(domain, may, ranks, depth, chosen);
    } else if (kind == AUTO) {
        choose_fastest(domain, may, ranks, depth, chosen);
    }
    memcpy(parts, chosen, sizeof chosen);
    return HALO_OK;
}
