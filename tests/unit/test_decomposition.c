#include "partition/decomposition.h"

#include "support/unit_check.h"

static const bool all_axes[HALO_AXES] = {true, true, true};

static halo_domain domain_of(int axes, int64_t n0, int64_t n1, int64_t n2)
{
    return (halo_domain){.axes = axes, .n = {n0, n1, n2}};
}

TEST("parts of every text")
{
    static const struct {
        const char *text;
        halo_domain domain;
        int ranks, depth, wanted[HALO_AXES];
    } cases[] = {
        {"strips", {.axes = 2, .n = {10, 100, 1}}, 5, 1, {5, 1, 1}},
        {NULL, {.axes = 2, .n = {10, 100, 1}}, 7, 1, {7, 1, 1}},
        {"2x3", {.axes = 2, .n = {10, 100, 1}}, 6, 1, {2, 3, 1}},
        {"1x6", {.axes = 2, .n = {10, 100, 1}}, 6, 1, {1, 6, 1}},
        {"2x3x1", {.axes = 2, .n = {10, 100, 1}}, 6, 1, {2, 3, 1}},
        {"2x3", {.axes = 3, .n = {10, 10, 10}}, 6, 1, {2, 3, 1}},
        {"1x2x3", {.axes = 3, .n = {10, 10, 10}}, 6, 1, {1, 2, 3}},
        {"blocks", {.axes = 2, .n = {100, 100, 1}}, 1, 1, {1, 1, 1}},
        {"blocks", {.axes = 2, .n = {100, 100, 1}}, 2, 1, {2, 1, 1}},
        {"blocks", {.axes = 2, .n = {100, 100, 1}}, 4, 1, {2, 2, 1}},
        {"blocks", {.axes = 2, .n = {100, 100, 1}}, 12, 1, {4, 3, 1}},
        {"blocks", {.axes = 2, .n = {100, 100, 1}}, 7, 1, {7, 1, 1}},
        {"blocks", {.axes = 2, .n = {10, 1000, 1}}, 8, 1, {1, 8, 1}},
        {"blocks", {.axes = 3, .n = {64, 64, 64}}, 8, 1, {2, 2, 2}},
        {"blocks", {.axes = 3, .n = {64, 64, 64}}, 27, 1, {3, 3, 3}},
        {"blocks", {.axes = 1, .n = {100, 1, 1}}, 6, 1, {6, 1, 1}},
        /* Going round makes one cut more, so that cutting the other axis pays. */
        {"blocks", {.axes = 2, .n = {100, 150, 1}}, 3, 1, {1, 3, 1}},
        {"blocks", {.axes = 2, .n = {100, 150, 1}}, 6, 1, {2, 3, 1}},
        {"blocks", {.axes = 2, .n = {100, 110, 1}, .periodic = {false, true}}, 2, 1, {2, 1, 1}},
        /* The least surface is no good where parts would be less deep than the halo. */
        {"blocks", {.axes = 2, .n = {12, 12, 1}}, 16, 3, {4, 4, 1}},
        {"blocks", {.axes = 2, .n = {6, 1000, 1}}, 4, 4, {1, 4, 1}},
        {"blocks", {.axes = 2, .n = {3, 400, 1}}, 4, 1, {1, 4, 1}},
        /* Messages of strips are contiguous and few. */
        {"auto", {.axes = 2, .n = {8192, 8192, 1}}, 2, 1, {2, 1, 1}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const int *wanted = cases[i].wanted;
        int parts[HALO_AXES] = {0};
        halo_status status = halo_decomposition_parse(cases[i].text, &cases[i].domain, all_axes,
                                                      cases[i].ranks, cases[i].depth, parts);
        check(status == HALO_OK && memcmp(parts, wanted, sizeof parts) == 0,
              "case %zu: %dx%dx%d instead of %dx%dx%d", i, parts[0], parts[1], parts[2], wanted[0],
              wanted[1], wanted[2]);
    }
}

/* There is an answer all the same, for the exchange to refuse. */
TEST("parts that cannot be as deep as the halo")
{
    halo_domain domain = domain_of(2, 4, 4, 1);
    int parts[HALO_AXES];
    SUCCEEDS(halo_decomposition_parse("blocks", &domain, all_axes, 4, 9, parts));
    CU_ASSERT_EQUAL(parts[0] * parts[1] * parts[2], 4);
}

TEST("axes that cannot be cut")
{
    halo_domain domain = domain_of(2, 10, 1000, 1);
    const bool rows[HALO_AXES] = {true, false, false}, columns[HALO_AXES] = {false, true, false};
    int parts[HALO_AXES];
    SUCCEEDS(halo_decomposition_parse("blocks", &domain, rows, 5, 1, parts));
    CU_ASSERT_EQUAL(parts[0], 5);
    SUCCEEDS(halo_decomposition_parse("blocks", &domain, columns, 5, 1, parts));
    CU_ASSERT_EQUAL(parts[1], 5);
    FAILS(HALO_ARGUMENT, "axis 1", halo_decomposition_parse("2x2", &domain, rows, 4, 1, parts));
}

TEST("many ranks are fastest as blocks")
{
    halo_domain domain = domain_of(2, 8192, 8192, 1);
    int parts[HALO_AXES];
    SUCCEEDS(halo_decomposition_parse("auto", &domain, all_axes, 4096, 1, parts));
    check(parts[0] > 1 && parts[1] > 1, "4096 ranks: %dx%d", parts[0], parts[1]);
}

/* Every number of ranks has an answer of as many parts. */
TEST("any number of ranks")
{
    halo_domain domain = domain_of(3, 37, 50, 20);
    static const char *const texts[] = {"strips", "blocks", "auto"};
    for (int ranks = 1; ranks <= 300; ranks++) {
        for (int t = 0; t < 3; t++) {
            int parts[HALO_AXES];
            halo_status status =
                halo_decomposition_parse(texts[t], &domain, all_axes, ranks, 1, parts);
            check(status == HALO_OK && parts[0] * parts[1] * parts[2] == ranks,
                  "%s of %d ranks: %dx%dx%d", texts[t], ranks, parts[0], parts[1], parts[2]);
        }
    }
}

static void refuse(const char *text, const halo_domain *domain, int ranks, const char *says)
{
    int parts[HALO_AXES];
    FAILS(HALO_ARGUMENT, says, halo_decomposition_parse(text, domain, all_axes, ranks, 1, parts));
}

TEST("text that makes no sense")
{
    halo_domain plane = domain_of(2, 100, 100, 1);
    static const char *const bad[] = {
        "",     "stripes", "2x", "x2",      "0x4", "2x-2",  "2 x2",          "2x2 ",
        "+2x2", "2x2x1x1", "4",  "blocks ", "2X2", "2.5x2", "99999999999x1", "1048577x1"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuse(bad[i], &plane, 4, "such as 2x3");
        CU_ASSERT_EQUAL(halo_decomposition_check(bad[i]), HALO_ARGUMENT);
    }
    refuse("2x3", &plane, 4, "use 2x2, or start 6 ranks");
    refuse("2x3", &plane, 1, "there is 1 rank; use 1x1");
    refuse("1048576x1048576x1", &plane, 1, "start 1099511627776 ranks");
    refuse("1x2x2", &plane, 4, "has only 2");
    SUCCEEDS(halo_decomposition_check("7x3x2"));
    CU_ASSERT_EQUAL(halo_decomposition_count("7x3x2"), 42);
    CU_ASSERT_EQUAL(halo_decomposition_count("1000000x1000000x1000000"), 1000000000000000000);
    CU_ASSERT_EQUAL(halo_decomposition_count("blocks"), 0);
    CU_ASSERT_EQUAL(halo_decomposition_count(NULL), 0);
    SUCCEEDS(halo_decomposition_check(NULL));
}
