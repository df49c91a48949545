#include "partition/cuts.h"
#include "partition/peel.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { MAX_PARTS = 12 };

static const struct {
    int64_t cuts[4];
    int parts;
    bool valid;
} validity[] = {{{0, 0, 5, 5}, 3, true},
                {{0, 3, 2, 5}, 3, false},
                {{1, 3, 5}, 2, false},
                {{0, 3, 4}, 2, false},
                {{0, 3, 5}, 0, false}};

TEST("cuts of which the first part has all cells")
{
    int64_t cuts[4];
    halo_cuts_whole(7, 3, cuts);
    CU_ASSERT(cuts[0] == 0 && cuts[1] == 7 && cuts[2] == 7 && cuts[3] == 7);
    halo_cuts_whole(0, 1, cuts);
    CU_ASSERT(cuts[0] == 0 && cuts[1] == 0);
}

TEST("even cuts, and which are valid")
{
    int64_t many[4];
    halo_cuts_even(INT64_MAX, 3, many);
    CU_ASSERT(halo_cuts_are_valid(many, 3, INT64_MAX) && many[1] == INT64_MAX / 3 + 1);
    for (size_t i = 0; i < COUNT(validity); i++) {
        check(halo_cuts_are_valid(validity[i].cuts, validity[i].parts, 5) == validity[i].valid,
              "case %zu", i);
    }
    for (int64_t n = 0; n < 40; n++) {
        for (int parts = 1; parts <= MAX_PARTS; parts++) {
            int64_t cuts[MAX_PARTS + 1];
            halo_cuts_even(n, parts, cuts);
            CU_ASSERT_TRUE(halo_cuts_are_valid(cuts, parts, n));
            for (int p = 0; p < parts; p++) {
                int64_t owned = cuts[p + 1] - cuts[p];
                CU_ASSERT_TRUE(owned == n / parts || owned == n / parts + 1);
                CU_ASSERT_TRUE(p == 0 || owned <= cuts[p] - cuts[p - 1]);
            }
        }
    }
}

static const struct {
    int64_t n, unit, cuts[5];
    int parts;
} alignments[] = {
    {512, 64, {0, 256, 512}, 2},        /* nothing moves */
    {500, 64, {0, 256, 500}, 2},        /* 250 is moved up, */
    {520, 64, {0, 256, 520}, 2},        /* and 260 down: the last part is of a piece of a unit */
    {512, 64, {0, 171, 342, 512}, 3},   /* a unit more would be an eighth more */
    {1000, 16, {0, 336, 672, 1000}, 3}, /* 334 to 336: less than a twentieth */
    {1000, 1, {0, 334, 667, 1000}, 3},  /* any cell */
    {1000, 0, {0, 334, 667, 1000}, 3},  /* the same */
    {10, 1000, {0, 3, 6, 8, 10}, 4},    /* one unit */
    {3, 2, {0, 1, 2, 3, 3}, 4},         /* fewer cells than parts */
    {INT64_MAX, INT64_MAX, {0, INT64_MAX}, 1},
};

TEST("cuts at multiples")
{
    for (size_t i = 0; i < COUNT(alignments); i++) {
        int64_t cuts[5] = {0};
        halo_cuts_aligned(alignments[i].n, alignments[i].parts, alignments[i].unit, cuts);
        check(memcmp(cuts, alignments[i].cuts, sizeof cuts) == 0, "case %zu", i);
    }
    for (int64_t n = 0; n < 300; n++) {
        for (int parts = 1; parts <= MAX_PARTS; parts++) {
            int64_t cuts[MAX_PARTS + 1], even[MAX_PARTS + 1];
            halo_cuts_even(n, parts, even);
            halo_cuts_aligned(n, parts, 7, cuts);
            bool aligned = true, same = memcmp(cuts, even, sizeof *cuts * (size_t)(parts + 1)) == 0;
            CU_ASSERT_TRUE(halo_cuts_are_valid(cuts, parts, n));
            for (int p = 0; p < parts; p++) {
                aligned = aligned && (cuts[p] % 7 == 0 || cuts[p] == n);
                CU_ASSERT_TRUE(20 * (cuts[p + 1] - cuts[p]) <= 21 * even[1]);
            }
            CU_ASSERT_TRUE(aligned || same);
        }
    }
}

TEST("depth")
{
    const int64_t cuts[] = {0, 4, 4, 7, 12};
    SUCCEEDS(halo_cuts_check_depth(cuts, 4, 3));
    FAILS(HALO_RANKS, "at most 3 ranks", halo_cuts_check_depth(cuts, 4, 4));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "rank 2's strip of 3"));
    SUCCEEDS(halo_cuts_check_depth(cuts, 4, 0));
    const int64_t lone[] = {0, 0, 2, 2};
    SUCCEEDS(halo_cuts_check_depth(lone, 3, 5));
}

/* Boxes of all parts cover every cell once. */
TEST("partitions")
{
    halo_domain domain = {.axes = 3, .n = {11, 3, 2}};
    halo_partition partition;
    for (int parts = 1; parts <= MAX_PARTS + 2; parts++) {
        SUCCEEDS(halo_partition_strips(&partition, &domain, parts));
        int64_t row = 0;
        for (int p = 0; p < parts; p++) {
            halo_box box = halo_partition_box(&partition, p);
            CU_ASSERT_EQUAL(box.lo[0], row);
            CU_ASSERT_TRUE(box.lo[1] == 0 && box.n[1] == 3 && box.lo[2] == 0 && box.n[2] == 2);
            row += box.n[0];
        }
        CU_ASSERT_EQUAL(row, 11);
        halo_partition_free(&partition);
    }
    CU_ASSERT_EQUAL(halo_partition_strips(&partition, &domain, 0), HALO_ARGUMENT);
    const int64_t wrong[] = {0, 12};
    CU_ASSERT_EQUAL(halo_partition_with_cuts(&partition, &domain, 1, wrong), HALO_ARGUMENT);
    halo_partition_free(&partition);
}

/* Strips are even, or the first ones are thick enough. */
TEST("thick strips")
{
    halo_domain domain = {.axes = 2, .n = {11, 3, 1}};
    const struct {
        int64_t min, cuts[5];
    } cases[] = {{1, {0, 3, 6, 9, 11}},
                 {3, {0, 4, 8, 11, 11}},
                 {6, {0, 11, 11, 11, 11}},
                 {0, {0, 3, 6, 9, 11}},
                 {40, {0, 11, 11, 11, 11}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        halo_partition partition;
        SUCCEEDS(halo_partition_thick_strips(&partition, &domain, 4, cases[i].min));
        CU_ASSERT_EQUAL(memcmp(partition.cuts[0], cases[i].cuts, sizeof cases[i].cuts), 0);
        SUCCEEDS(halo_partition_check_depth(&partition, (int)cases[i].min));
        halo_partition_free(&partition);
    }
    halo_partition none;
    CU_ASSERT_EQUAL(halo_partition_thick_strips(&none, &domain, 0, 1), HALO_ARGUMENT);
}

/* A random partition of up to three axes, parts without cells included. */
static halo_partition random_partition(uint64_t *random, halo_domain *domain)
{
    int parts[HALO_AXES];
    *domain = (halo_domain){.axes = HALO_AXES};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        parts[axis] = 1 + (int)random_below(random, 4);
        domain->n[axis] = 1 + random_below(random, 6);
        domain->periodic[axis] = random_below(random, 2);
    }
    halo_partition partition;
    SUCCEEDS(halo_partition_blocks(&partition, domain, parts));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        random_cuts(random, domain->n[axis], parts[axis], 1, partition.cuts[axis]);
    }
    return partition;
}

static bool holds(const halo_box *box, const int64_t at[HALO_AXES])
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (at[axis] < box->lo[axis] || at[axis] >= box->lo[axis] + box->n[axis]) {
            return false;
        }
    }
    return true;
}

/* The part that owns a cell, found box by box. */
static int owner_of(const halo_partition *partition, const int64_t at[HALO_AXES])
{
    int owner = -1;
    for (int p = 0; p < halo_partition_parts(partition); p++) {
        halo_box box = halo_partition_box(partition, p);
        CU_ASSERT_FALSE(holds(&box, at) && owner >= 0);
        owner = holds(&box, at) ? p : owner;
    }
    return owner;
}

TEST("places of blocks")
{
    uint64_t random = 4;
    for (int i = 0; i < 100; i++) {
        halo_domain domain;
        halo_partition partition = random_partition(&random, &domain);
        for (int p = 0; p < halo_partition_parts(&partition); p++) {
            int place[HALO_AXES];
            halo_partition_place(&partition, p, place);
            CU_ASSERT_EQUAL(halo_partition_at(&partition, place), p);
            CU_ASSERT_EQUAL(
                (place[0] * partition.parts[1] + place[1]) * partition.parts[2] + place[2], p);
            halo_box box = halo_partition_box(&partition, p);
            for (int axis = 0; axis < HALO_AXES; axis++) {
                CU_ASSERT_TRUE(place[axis] >= 0 && place[axis] < partition.parts[axis]);
                CU_ASSERT_EQUAL(box.lo[axis], partition.cuts[axis][place[axis]]);
            }
        }
        for (int64_t cell = 0; cell < domain.n[0] * domain.n[1] * domain.n[2]; cell++) {
            const int64_t at[HALO_AXES] = {cell / (domain.n[1] * domain.n[2]),
                                           cell / domain.n[2] % domain.n[1], cell % domain.n[2]};
            CU_ASSERT_TRUE(owner_of(&partition, at) >= 0);
        }
        halo_partition_free(&partition);
    }
}

TEST("blocks that cannot be are refused")
{
    halo_domain plate = {.axes = 2, .n = {5, 5, 1}};
    halo_partition partition;
    CU_ASSERT_EQUAL(halo_partition_blocks(&partition, &plate, (const int[]){2, 0, 1}),
                    HALO_ARGUMENT);
    FAILS(HALO_ARGUMENT, "2 axes",
          halo_partition_blocks(&partition, &plate, (const int[]){2, 1, 2}));
    CU_ASSERT_PTR_NULL(partition.cuts[0]);
}

/* A copy is equal, shares nothing, and is another one after any change. */
TEST("copies and equality")
{
    uint64_t random = 6;
    for (int i = 0; i < 50; i++) {
        halo_domain domain;
        halo_partition partition = random_partition(&random, &domain), copy;
        SUCCEEDS(halo_partition_copy(&copy, &partition));
        CU_ASSERT_TRUE(halo_partition_equal(&partition, &copy));
        CU_ASSERT_TRUE(halo_partition_is_valid(&copy, &domain));
        for (int axis = 0; axis < HALO_AXES; axis++) {
            int last = copy.parts[axis];
            copy.cuts[axis][last]++;
            CU_ASSERT_FALSE(halo_partition_equal(&partition, &copy));
            CU_ASSERT_FALSE(halo_partition_is_valid(&copy, &domain));
            CU_ASSERT_TRUE(halo_partition_is_valid(&partition, &domain));
            copy.cuts[axis][last]--;
            copy.parts[axis] = last - 1;
            CU_ASSERT_FALSE(halo_partition_equal(&partition, &copy));
            copy.parts[axis] = last;
            domain.n[axis]++;
            CU_ASSERT_FALSE(halo_partition_is_valid(&partition, &domain));
            domain.n[axis]--;
        }
        CU_ASSERT_TRUE(halo_partition_equal(&partition, &copy));
        halo_partition_free(&copy);
        halo_partition_free(&partition);
    }
}

/* The message names the axis, what its layers are called, and how many parts would do. */
TEST("depth of blocks")
{
    halo_domain domain = {.axes = 3, .n = {9, 8, 7}};
    halo_partition partition;
    SUCCEEDS(halo_partition_blocks(&partition, &domain, (const int[]){3, 2, 2}));
    SUCCEEDS(halo_partition_check_depth(&partition, 3));
    FAILS(HALO_RANKS, "4 planes", halo_partition_check_depth(&partition, 4));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "at most 2 parts"));
    FAILS(HALO_RANKS, "5 rows", halo_partition_check_depths(&partition, (const int[]){3, 5, 3}));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "at most 1 part there"));
    FAILS(HALO_RANKS, "4 columns", halo_partition_check_depths(&partition, (const int[]){3, 4, 4}));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "axis 2"));
    halo_partition_free(&partition);
    SUCCEEDS(halo_partition_strips(&partition, &domain, 3));
    FAILS(HALO_RANKS, "4 planes is deeper than rank 0's strip",
          halo_partition_check_depth(&partition, 4));
    CU_ASSERT_PTR_NOT_NULL(strstr(halo_last_message(), "at most 2 ranks"));
    halo_partition_free(&partition);
}

/* Each cell is in the interior or in one edge, and in the interior only if it is deep enough. */
static void check_peel(const halo_box *box, const int *before, const int *after)
{
    halo_box interior, edges[HALO_EDGES];
    int count = halo_box_peel(box, before, after, &interior, edges);
    for (int64_t i = 0; i < halo_box_cells(box); i++) {
        int64_t at[HALO_AXES] = {box->lo[0] + i / (box->n[1] * box->n[2]),
                                 box->lo[1] + i / box->n[2] % box->n[1],
                                 box->lo[2] + i % box->n[2]};
        bool deep = true;
        for (int axis = 0; axis < HALO_AXES; axis++) {
            deep = deep && at[axis] >= box->lo[axis] + before[axis] &&
                   at[axis] < box->lo[axis] + box->n[axis] - after[axis];
        }
        int in = 0;
        for (int e = 0; e < count; e++) {
            in += holds(&edges[e], at);
        }
        CU_ASSERT_EQUAL(holds(&interior, at), deep);
        CU_ASSERT_EQUAL(in, deep ? 0 : 1);
    }
    for (int e = 0; e < count; e++) {
        CU_ASSERT_TRUE(halo_box_cells(&edges[e]) > 0);
    }
}

TEST("interior and edges")
{
    uint64_t random = 3;
    for (int i = 0; i < 500; i++) {
        halo_box box;
        int before[HALO_AXES], after[HALO_AXES];
        for (int axis = 0; axis < HALO_AXES; axis++) {
            box.lo[axis] = random_below(&random, 5) - 2;
            box.n[axis] = random_below(&random, 7);
            before[axis] = (int)random_below(&random, 4);
            after[axis] = (int)random_below(&random, 4);
        }
        check_peel(&box, before, after);
    }
}
