#define _GNU_SOURCE /* mkdtemp */
/* Limits of control groups, in folders made as Linux makes them. */
#include "base/memory.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/halobeat-groups-XXXXXX";

/* A file of one group: "a/b/memory.max". */
static void put(const char *name, const char *text)
{
    char command[600];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname %s/%s)\" && printf '%s' >%s/%s", folder,
             name, text, folder, name);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void expect_left(const char *list, int64_t expected)
{
    char path[100];
    put("list", list);
    snprintf(path, sizeof path, "%s/list", folder);
    int64_t left = halo_memory_left_in_groups(folder, path);
    check(left == expected, "%s: %" PRId64 " are left, not %" PRId64, list, left, expected);
}

static void begin(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

static void end(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CU_ASSERT_EQUAL(system(command), 0);
    strcpy(folder + sizeof folder - 7, "XXXXXX");
}

TEST("version 2")
{
    begin();
    put("memory.max", "max\n");
    put("slice/memory.max", "1000000\n");
    put("slice/memory.current", "400000\n");
    put("slice/memory.stat", "anon 7\ninactive_file 100000\n");
    put("slice/job/memory.max", "max\n");
    put("slice/job/memory.current", "900000\n");
    put("slice/tight/memory.max", "500\n");
    put("slice/tight/memory.current", "800\n");
    expect_left("0::/slice/job\n", 700000);
    expect_left("0::/slice\n", 700000);
    expect_left("0::/slice/tight\n", 0);
    expect_left("0::/\n", INT64_MAX);
    expect_left("0::/gone\n", INT64_MAX);
    expect_left("", INT64_MAX);
    end();
}

TEST("version 1, and both")
{
    begin();
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/docker/memory.limit_in_bytes", "314572800\n");
    put("memory/docker/memory.usage_in_bytes", "104857600\n");
    put("memory/docker/memory.stat", "inactive_file 1\ntotal_inactive_file 4096\n");
    put("memory/docker/x/memory.limit_in_bytes", "9223372036854771712\n");
    expect_left("5:cpu,cpuacct:/other\n4:memory:/docker/x\n0::/\n", 314572800 - 104857600 + 4096);
    expect_left("5:cpu,cpuacct:/other\n4:memory:/\n", INT64_MAX);
    put("both/memory.max", "100\n");
    expect_left("4:memory:/docker/x\n0::/both\n", 100);
    expect_left("4:cpu:/docker\n1:name=systemd:/memory:/docker\n", INT64_MAX);
    end();
}
