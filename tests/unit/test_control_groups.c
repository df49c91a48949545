#define _GNU_SOURCE /* mkdtemp */
/* Limits of control groups, in folders made as Linux makes them. */
#include "base/control_groups.h"
#include "base/cores.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/halobeat-groups-XXXXXX";

/* A file of one group: "a/b/memory.max". */
static void put(const char *name, const char *text)
{
    char command[600];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s/%s')\" && printf -- '%s' >'%s/%s'",
             folder, name, text, folder, name);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static char mounts[100], groups[100];

/* The groups of a process. */
static void join(const char *list)
{
    put("list", list);
    snprintf(groups, sizeof groups, "%s/list", folder);
    snprintf(mounts, sizeof mounts, "%s/mounts", folder);
}

static void expect_left(const char *list, int64_t expected)
{
    join(list);
    int64_t left = halo_memory_left_in_groups(mounts, groups);
    check(left == expected, "%s: %" PRId64 " are left, not %" PRId64, list, left, expected);
}

static void expect_cores(const char *list, int expected)
{
    join(list);
    int cores = halo_cores_whole(halo_cores_quota_in_groups(mounts, groups));
    check(cores == expected, "%s: %d cores, not %d", list, cores, expected);
}

/* A line of the list of mounts: group `root` of a hierarchy is the folder `place`, in which
 * blanks are written as Linux writes them. */
static void mount_groups(const char *root, const char *place, const char *type, const char *options)
{
    char path[100];
    snprintf(path, sizeof path, "%s/mounts", folder);
    FILE *file = fopen(path, "a");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "21 1 0:20 / /proc rw shared:7 - proc proc rw,memory\n");
    fprintf(file, "36 35 0:31 %s %s/%s rw,nosuid shared:9 master:2 - %s cgroup rw,%s\n", root,
            folder, place, type, options);
    fclose(file);
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
    mount_groups("/", "", "cgroup2", "nsdelegate");
    put("memory.max", "max\n");
    put("slice/memory.max", "1000000\n");
    put("slice/memory.current", "400000\n");
    put("slice/memory.stat", "anon 7\ninactive_file 60000\nactive_file 40000\n");
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
    mount_groups("/", "", "cgroup2", "nsdelegate");
    mount_groups("/", "cpu", "cgroup", "cpu,cpuacct");
    mount_groups("/", "memory", "cgroup", "memory");
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

TEST("version 1 with other controllers in one hierarchy")
{
    begin();
    mount_groups("/", "cpu,memory", "cgroup", "cpu,memory");
    put("cpu,memory/memory.limit_in_bytes", "900\n");
    put("cpu,memory/job/memory.limit_in_bytes", "700\n");
    put("cpu,memory/job/memory.usage_in_bytes", "200\n");
    expect_left("7:cpu,memory:/job\n", 500);
    expect_left("7:memory,cpu:/job\n", 500);
    expect_left("7:memory:/job\n", 500);
    expect_left("7:cpu,memory:/\n", 900);
    expect_left("7:cpu,memoryless:/job\n", INT64_MAX);
    expect_left("7:cpu:/job\n", INT64_MAX);
    end();
}

TEST("hierarchies at other places, and containers that see a part of one")
{
    begin();
    mount_groups("/docker/7", "a\\040place", "cgroup", "blkio,memory");
    mount_groups("/../..", "second", "cgroup2", "rw");
    put("a place/memory.limit_in_bytes", "900\n");
    put("a place/job/memory.limit_in_bytes", "700\n");
    put("memory.limit_in_bytes", "1\n");
    put("second/memory.max", "600\n");
    expect_left("3:blkio,memory:/docker/7/job\n", 700);
    expect_left("3:blkio,memory:/docker/7\n", 900);
    expect_left("3:blkio,memory:/docker/77\n", 900);
    expect_left("3:blkio,memory:/docker/7/job\n0::/anything\n", 600);
    end();
}

TEST("cores, version 2")
{
    begin();
    mount_groups("/", "", "cgroup2", "nsdelegate");
    put("slice/cpu.max", "400000 100000\n");
    put("slice/job/cpu.max", "max 100000\n");
    put("slice/part/cpu.max", "150000 100000\n");
    put("slice/little/cpu.max", "1000 100000\n");
    put("slice/much/cpu.max", "9223372036854775807 1\n");
    put("slice/bad/cpu.max", "none\n");
    put("slice/zero/cpu.max", "0 0\n");
    expect_cores("0::/slice\n", 4);
    expect_cores("0::/slice/job\n", 4);
    expect_cores("0::/slice/part\n", 2);
    expect_cores("0::/slice/part/inner\n", 2);
    expect_cores("0::/slice/little\n", 1);
    expect_cores("0::/slice/much\n", 4);
    expect_cores("0::/slice/bad\n", 4);
    expect_cores("0::/slice/zero\n", 4);
    expect_cores("0::/\n", INT_MAX);
    expect_cores("", INT_MAX);
    end();
}

TEST("cores, version 1")
{
    begin();
    mount_groups("/", "cpu,cpuacct", "cgroup", "cpu,cpuacct");
    mount_groups("/", "memory", "cgroup", "memory");
    put("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    put("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    put("cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
    put("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    put("cpu,cpuacct/job/one/cpu.cfs_quota_us", "50000\n");
    put("cpu,cpuacct/job/one/cpu.cfs_period_us", "50000\n");
    put("memory/job/cpu.cfs_quota_us", "1\n");
    put("memory/job/cpu.cfs_period_us", "1\n");
    expect_cores("5:cpu,cpuacct:/job\n4:memory:/job\n0::/\n", 3);
    expect_cores("5:cpu,cpuacct:/job/one\n", 1);
    expect_cores("5:cpu,cpuacct:/\n4:memory:/job\n", INT_MAX);
    expect_cores("5:cpuset:/job/one\n", INT_MAX);
    end();
}

TEST("the cores of this process")
{
    cpu_set_t all, one;
    int list[2] = {-1, -1}, count = halo_cores_allowed(list, 1);
    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof all, &all), 0);
    CU_ASSERT_EQUAL(count, CPU_COUNT(&all));
    CU_ASSERT_FATAL(list[0] >= 0);
    size_t first = (size_t)list[0];
    CU_ASSERT(CPU_ISSET(first, &all) != 0);
    CU_ASSERT_EQUAL(list[1], -1);
    CU_ASSERT(halo_cores_usable() >= 1 && halo_cores_usable() <= count);
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CU_ASSERT_EQUAL_FATAL(sched_setaffinity(0, sizeof one, &one), 0);
    CU_ASSERT_EQUAL(halo_cores_allowed(list, 2), 1);
    CU_ASSERT_EQUAL(halo_cores_usable(), 1);
    CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof all, &all), 0);
}
