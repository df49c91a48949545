#include "partition/decomposition.h"

#include "support/unit_check.h"

static const bool all_axes[HALO_AXES] = {true, true, true};

static halo_domain domain_of(int axes, int64_t n0, int64_t n1, int64_t n2)
{
    return (halo_domain){.axes = axes, .n = {n0, n1, n2}};
}

static void expect_parts(const char *text, const halo_domain *domain, int ranks, int depth,
                         const int wanted[HALO_AXES])
{
    int parts[HALO_AXES] = {0};
    halo_status status = halo_decomposition_parse(text, domain, all_axes, ranks, depth, parts);
    check(status == HALO_OK && memcmp(parts, wanted, sizeof parts) == 0,
          "%s of %d ranks, depth %d: %dx%dx%d instead of %dx%dx%d (%s)", text, ranks, depth,
          parts[0], parts[1], parts[2], wanted[0], wanted[1], wanted[2],
          status == HALO_OK ? "no failure" : halo_last_message());
}

#define PARTS(...) ((const int[HALO_AXES]){__VA_ARGS__})

TEST("strips")
{
    halo_domain domain = domain_of(2, 10, 100, 1);
    expect_parts("strips", &domain, 5, 1, PARTS(5, 1, 1));
    expect_parts(NULL, &domain, 7, 1, PARTS(7, 1, 1));
}

TEST("parts by number")
{
    halo_domain plane = domain_of(2, 10, 100, 1), space = domain_of(3, 10, 10, 10);
    expect_parts("2x3", &plane, 6, 1, PARTS(2, 3, 1));
    expect_parts("1x6", &plane, 6, 1, PARTS(1, 6, 1));
    expect_parts("2x3x1", &plane, 6, 1, PARTS(2, 3, 1));
    expect_parts("2x3", &space, 6, 1, PARTS(2, 3, 1));
    expect_parts("1x2x3", &space, 6, 1, PARTS(1, 2, 3));
}

TEST("blocks with the least surface")
{
    halo_domain square = domain_of(2, 100, 100, 1), wide = domain_of(2, 10, 1000, 1);
    halo_domain cube = domain_of(3, 64, 64, 64), line = domain_of(1, 100, 1, 1);
    expect_parts("blocks", &square, 1, 1, PARTS(1, 1, 1));
    expect_parts("blocks", &square, 2, 1, PARTS(2, 1, 1));
    expect_parts("blocks", &square, 4, 1, PARTS(2, 2, 1));
    expect_parts("blocks", &square, 12, 1, PARTS(4, 3, 1));
    expect_parts("blocks", &square, 7, 1, PARTS(7, 1, 1));
    expect_parts("blocks", &wide, 8, 1, PARTS(1, 8, 1));
    expect_parts("blocks", &cube, 8, 1, PARTS(2, 2, 2));
    expect_parts("blocks", &cube, 27, 1, PARTS(3, 3, 3));
    expect_parts("blocks", &line, 6, 1, PARTS(6, 1, 1));
}

/* Going round makes one cut more, so that cutting the other axis pays. */
TEST("domains that go round")
{
    halo_domain domain = domain_of(2, 100, 150, 1);
    expect_parts("blocks", &domain, 3, 1, PARTS(1, 3, 1));
    expect_parts("blocks", &domain, 6, 1, PARTS(2, 3, 1));
    domain.periodic[1] = true;
    domain.n[1] = 110;
    expect_parts("blocks", &domain, 2, 1, PARTS(2, 1, 1));
}

/* The least surface is no good where parts would be less deep than the halo. */
TEST("parts as deep as the halo")
{
    halo_domain domain = domain_of(2, 12, 12, 1);
    expect_parts("blocks", &domain, 16, 3, PARTS(4, 4, 1));
    domain = domain_of(2, 6, 1000, 1);
    expect_parts("blocks", &domain, 4, 4, PARTS(1, 4, 1));
    domain = domain_of(2, 3, 400, 1);
    expect_parts("blocks", &domain, 4, 1, PARTS(1, 4, 1));
    /* Nothing fits; there is an answer all the same, for the exchange to refuse. */
    domain = domain_of(2, 4, 4, 1);
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

/* Few ranks are faster as strips, whose messages are contiguous and few; many as blocks. */
TEST("whatever is predicted to be fastest")
{
    halo_domain domain = domain_of(2, 8192, 8192, 1);
    expect_parts("auto", &domain, 2, 1, PARTS(2, 1, 1));
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
    halo_status status = halo_decomposition_parse(text, domain, all_axes, ranks, 1, parts);
    check(status == HALO_ARGUMENT && strstr(halo_last_message(), says) != NULL,
          "\"%s\" of %d ranks: status %d, %s", text, ranks, (int)status, halo_last_message());
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
    refuse("2x3", &plane, 4, "use 2x2, or start as many ranks (mpiexec -n 6)");
    refuse("2x3", &plane, 1, "there is 1 rank; use 1x1");
    refuse("1048576x1048576x1", &plane, 1, "mpiexec -n 1099511627776");
    refuse("1x2x2", &plane, 4, "has only 2");
    SUCCEEDS(halo_decomposition_check("7x3x2"));
    SUCCEEDS(halo_decomposition_check(NULL));
}
