#define _POSIX_C_SOURCE 200809L /* setenv */
/* The number of ranks of a process that no launcher has started. */
#include "app/options/shared_options.h"
#include "app/ranks/ranks.h"
#include "base/cores.h"
#include "support/unit_check.h"

#include <stdlib.h>
#include <string.h>

static void expect(int64_t requested, const char *environment, int count, bool is_requested)
{
    app_ranks ranks = {0};
    setenv("HALOBEAT_RANKS", environment, 1);
    check(app_ranks_choose(requested, &ranks) == HALO_OK, "\"%s\": %s", environment,
          halo_last_message());
    check(ranks.count == count && ranks.is_requested == is_requested, "\"%s\": %d ranks, not %d",
          environment, ranks.count, count);
}

static void refuse(const char *environment)
{
    app_ranks ranks;
    setenv("HALOBEAT_RANKS", environment, 1);
    check(app_ranks_choose(0, &ranks) == HALO_ARGUMENT, "\"%s\" is taken", environment);
    check(strstr(halo_last_message(), "from 1 to 4096; unset it") != NULL, "it says \"%s\"",
          halo_last_message());
}

TEST("the option, the environment, the cores")
{
    app_ranks ranks = {0};
    expect(3, "5", 3, true);
    expect(3, "x", 3, true);
    expect(0, "5", 5, true);
    expect(0, "4096", APP_MOST_THREADS, true);
    expect(0, "", halo_cores_usable(), false);
    unsetenv("HALOBEAT_RANKS");
    CU_ASSERT_EQUAL(app_ranks_choose(0, &ranks), HALO_OK);
    CU_ASSERT_EQUAL(ranks.count, halo_cores_usable());
    CU_ASSERT_FALSE(ranks.is_requested);
}

TEST("what is no number of ranks")
{
    refuse("0");
    refuse("-1");
    refuse("4097");
    refuse("99999999999999999999");
    refuse("two");
    refuse("2x");
    refuse(" 2");
    refuse("2.5");
}
