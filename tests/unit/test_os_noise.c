/* Reading Linux's figures of slow ranks, from made-up files and from real ones, and explaining
 * them. */

#include "core/world/clock.h"
#include "core/world/os_noise.h"
#include "core/world/slowdown.h"
#include "support/images.h"
#include "support/scratch.h"
#include "support/unit_check.h"

enum { TEXT_SIZE = 512 };

/* A made-up system: /proc and /sys/fs/cgroup, in a folder for each test. */
static char root[40];

static void new_system(void)
{
    static int systems;
    snprintf(root, sizeof root, "system-%d", ++systems);
}

static void put(const char *name, const char *text)
{
    char path[TEXT_SIZE];
    snprintf(path, sizeof path, "%s/%s", root, name);
    scratch_text(path, text);
}

static halo_os_noise read_system(void)
{
    halo_os_noise now;
    char proc[TEXT_SIZE], cgroup[TEXT_SIZE];
    snprintf(proc, sizeof proc, "%s/proc", root);
    snprintf(cgroup, sizeof cgroup, "%s/cgroup", root);
    halo_os_noise_read_from(&now, proc, cgroup);
    return now;
}

static void expect_unknown(const halo_os_noise *now, const char *where)
{
    check(now->on_core < 0 && now->runnable < 0 && now->machine_waiting < 0 && now->throttled < 0 &&
              now->stolen < 0 && now->quota < 0 && now->cores < 0,
          "%s: something is known: %g %g %g %g %g %g %d", where, now->on_core, now->runnable,
          now->machine_waiting, now->throttled, now->stolen, now->quota, now->cores);
    check(now->seconds > 0, "%s: no time", where);
}

TEST("no files")
{
    new_system();
    halo_os_noise now = read_system();
    expect_unknown(&now, "no files");
    put("proc/self/cgroup/a", ""); /* folders where files should be */
    put("proc/stat/a", "");
    put("proc/thread-self/schedstat/a", "");
    now = read_system();
    expect_unknown(&now, "folders");
}

static void put_process(void)
{
    put("proc/thread-self/schedstat", "123456789012 4567890123 4711\n");
    put("proc/pressure/cpu", "some avg10=0.94 avg60=0.72 avg300=3.41 total=9790721876\n"
                             "full avg10=0.00 avg60=0.00 avg300=0.00 total=17\n");
    put("proc/thread-self/status", "Name:\ttest\nCpus_allowed:\tff\nCpus_allowed_list:\t1-2,5-7\n");
    put("proc/stat", "cpu  9 9 9 9 9 9 9 5000 0 0\n"
                     "cpu0 100 0 100 1000 0 0 0 700 0 0\n"
                     "cpu1 100 0 100 1000 0 0 0 150 0 0\n"
                     "cpu2 100 0 100 1000 0 0 0 31 0 0\n"
                     "cpu5 100 0 100 1000 0 0 0 1 0 0\n" /* 6 and 7 are off */
                     "cpu10 100 0 100 1000 0 0 0 99 0 0\n"
                     "intr 123 4 5 6\n");
}

TEST("process and machine")
{
    new_system();
    put_process();
    halo_os_noise now = read_system();
    NEAR(now.on_core, 123.456789012, 1e-9 * 123.456789012);
    NEAR(now.runnable, 4.567890123, 1e-9 * 4.567890123);
    NEAR(now.machine_waiting, 9790.721876, 1e-9 * 9790.721876);
    NEAR(now.stolen, 1.82, 1e-9 * 1.82);
    check(now.cores == 3, "%d cores", now.cores);
    check(now.quota < 0 && now.throttled < 0, "a quota from nowhere");
    put("proc/thread-self/status", "Cpus_allowed_list:\t10\n");
    now = read_system();
    NEAR(now.stolen, .99, 1e-9 * .99);
    check(now.cores == 1, "%d cores", now.cores);
}

/* Version 2, where a group may use less than the one it is in, or more. */
TEST("control groups")
{
    new_system();
    put("proc/self/cgroup", "0::/batch/job/step\n");
    put("cgroup/cpu.stat", "usage_usec 99\nuser_usec 9\nsystem_usec 90\n");
    put("cgroup/batch/cpu.max", "400000 100000\n");
    put("cgroup/batch/cpu.stat", "usage_usec 99\nnr_throttled 3\nthrottled_usec 1500000\n");
    put("cgroup/batch/job/cpu.max", "75000 50000\n");
    put("cgroup/batch/job/cpu.stat", "nr_throttled 9\nthrottled_usec 2100000\n");
    put("cgroup/batch/job/step/cpu.max", "max 100000\n");
    put("cgroup/batch/job/step/cpu.stat", "throttled_usec 0\nnr_bursts 0\n");
    halo_os_noise now = read_system();
    NEAR(now.quota, 1.5, 1e-9 * 1.5);
    NEAR(now.throttled, 2.1, 1e-9 * 2.1);

    put("proc/self/cgroup", "0::/batch/other\n"); /* seen from inside a container */
    now = read_system();
    NEAR(now.quota, 4, 1e-9 * 4);
    NEAR(now.throttled, 1.5, 1e-9 * 1.5);

    put("proc/self/cgroup", "0::/\n");
    now = read_system();
    check(now.quota < 0 && now.throttled < 0, "the root is limited");
    put("cgroup/cpu.max", "25000 100000\n");
    now = read_system();
    NEAR(now.quota, .25, 1e-9 * .25);
}

TEST("control groups of version 1")
{
    new_system();
    put("proc/self/cgroup",
        "12:cpuset:/box\n5:cpuacct,cpu:/box\n4:memory:/box\n1:name=systemd:/box\n0::/box\n");
    put("cgroup/cpuset/box/cpu.cfs_quota_us", "1000\n");
    put("cgroup/cpuset/box/cpu.cfs_period_us", "100000\n");
    put("cgroup/cpuacct,cpu/box/cpu.cfs_quota_us", "250000\n");
    put("cgroup/cpuacct,cpu/box/cpu.cfs_period_us", "100000\n");
    put("cgroup/cpuacct,cpu/box/cpu.stat",
        "nr_periods 7\nnr_throttled 2\nthrottled_time 3250000000\n");
    put("cgroup/cpuacct,cpu/cpu.cfs_quota_us", "-1\n");
    put("cgroup/cpuacct,cpu/cpu.cfs_period_us", "100000\n");
    halo_os_noise now = read_system();
    NEAR(now.quota, 2.5, 1e-9 * 2.5);
    NEAR(now.throttled, 3.25, 1e-9 * 3.25);
    put("cgroup/cpuacct,cpu/box/cpu.cfs_quota_us", "-1\n");
    now = read_system();
    check(now.quota < 0, "no limit is a limit of %g", now.quota);
}

/* Files that are there and not what they should be: known is nothing, or a number that is one. */
TEST("garbage")
{
    static const char *const names[] = {
        "proc/thread-self/schedstat",
        "proc/pressure/cpu",
        "proc/thread-self/status",
        "proc/stat",
        "proc/self/cgroup",
        "cgroup/a/cpu.max",
        "cgroup/a/cpu.stat",
        "cgroup/cpu.max",
        "cgroup/cpu.stat",
        "cgroup/cpu/cpu.stat",
        "cgroup/cpu.cfs_quota_us",
        "cgroup/a/b/cpu.max",
    };
    static const char *const texts[] = {
        "",
        "\n\n",
        "0 0 0\n",
        "-5 -6 -7\n",
        "nan nan nan\n",
        "inf inf inf\n",
        "12 x 4\n",
        "1e999 1e999 1e999\n",
        "some avg10=0 total=\nsome avg10=0 total=-3\nfull total=4\n",
        "Cpus_allowed_list:\nCpus_allowed_list:\t3-1\nCpus_allowed_list: x,\n",
        "Cpus_allowed_list: 0-99999999999999999999\n",
        "cpu\ncpux 1 2\ncpu-1 1 2 3 4 5 6 7 8\ncpu99999999999999999999 1 2 3 4 5 6 7 8\n",
        "::\n0::\n0:\n:cpu:\n1:cpu:x\n",
        "throttled_usec\nthrottled_usec -4\nthrottled_time max\n",
        "100000\n",
        "1 0\n",
        "max max\n",
    };
    enum { NAMES = COUNT(names), TEXTS = COUNT(texts) };
    new_system();
    for (int t = 0; t < TEXTS; t++) {
        for (int n = 0; n < NAMES; n++) {
            put(names[n], strcmp(names[n], "proc/self/cgroup") == 0 && t % 2 != 0
                              ? "0::/a/b\n2:cpu:/\n"
                              : texts[t]);
        }
        halo_os_noise now = read_system();
        expect_unknown(&now, texts[t]);
    }
    uint64_t random = 3;
    for (int round = 0; round < 200; round++) { /* parts of good and bad texts in any file */
        for (int n = 0; n < NAMES; n++) {
            char text[200];
            const char *a = texts[random_below(&random, TEXTS)];
            const char *b = texts[random_below(&random, TEXTS)];
            snprintf(text, sizeof text, "%.*s%s", (int)random_below(&random, 40), a, b);
            put(names[n], text);
        }
        halo_os_noise now = read_system();
        check(isfinite(now.on_core) && isfinite(now.runnable) && isfinite(now.machine_waiting) &&
                  isfinite(now.throttled) && isfinite(now.stolen) && isfinite(now.quota),
              "round %d: not a number", round);
    }
}

/* Longer lines than any buffer, as /proc/stat has on large machines, with what looks like another
 * line where a buffer may end. */
TEST("long lines")
{
    enum { BUFFER = 4096, SIZE = 3 * BUFFER };
    new_system();
    put_process();
    char *text = malloc(SIZE);
    if (text == NULL) {
        exit(1);
    }
    snprintf(text, SIZE, "%-*sCpus_allowed_list:\t1%*s\nCpus_allowed_list:\t0\n", BUFFER - 1,
             "Name:", BUFFER, "x");
    put("proc/thread-self/status", text);
    snprintf(text, SIZE, "%-*scpu0 1 1 1 1 1 1 1 1 1 1%*s\ncpu0 100 0 100 1000 0 0 0 700 0 0\n",
             BUFFER - 1, "intr", BUFFER, "9");
    put("proc/stat", text);
    free(text);
    halo_os_noise now = read_system();
    check(now.cores == 1, "%d cores", now.cores);
    NEAR(now.stolen, 7, 1e-9 * 7);
}

static void expect_explained(const halo_os_noise *before, const halo_os_noise *after,
                             const char *wanted)
{
    char text[TEXT_SIZE] = "left over";
    bool told = halo_os_noise_explain(before, after, text, sizeof text);
    check(told == (*wanted != '\0') && strcmp(text, wanted) == 0, "\"%s\", not \"%s\"", text,
          wanted);
}

#define NOT_FREE  "31 % of the time no core was free for it"
#define COMPETED  "% of the time programs competed for its machine's cores"
#define HELD_BACK "held back 2.10 s (all cores together) by its control group's limit of "

TEST("explanations")
{
    /* The values are for ten seconds: on core, runnable, machine waiting, throttled, stolen,
     * quota. */
    static const struct {
        double values[6];
        const char *text;
    } cases[] = {
        {{0, 0, 0, 0, 0, -1}, ""},
        {{10, .19, 9, .19, .79, -1}, ""},
        {{10, 3.1, .1, .19, .79, -1}, NOT_FREE},
        {{10, 3.1, 4, .19, .79, -1}, NOT_FREE "; 40 " COMPETED},
        {{10, 0, 4, .19, 4.8, -1}, "12 % of its cores' time went to other virtual machines"},
        {{10, 0, 4, 2.1, 0, 1.5}, HELD_BACK "1.5 cores"},
        /* More than there was: counters are not read at one time. */
        {{10, 20, 0, 2.1, 0, 1},
         "100 % of the time it could have run and did not; " HELD_BACK "1 core"},
        /* These values are unknown. */
        {{-1, -1, -1, -1, -1, -1}, ""},
        {{-1, -1, 5, -1, -1, -1}, "50 " COMPETED},
    };
    const halo_os_noise none = {.seconds = 100,
                                .on_core = -1,
                                .runnable = -1,
                                .machine_waiting = -1,
                                .throttled = -1,
                                .stolen = -1,
                                .quota = -1,
                                .cores = -1};
    const halo_os_noise before = {.seconds = 100, .quota = -1, .cores = 4};
    expect_explained(&before, &before, ""); /* no time has passed */
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double *v = cases[i].values;
        halo_os_noise after = {110, v[0], v[1], v[2], v[3], v[4], v[5], 4};
        expect_explained(&before, &after, cases[i].text);
        expect_explained(&after, &before, "");
        after.seconds = 120;
        expect_explained(&none, &after, "");
    }
}

/* Never more than there is room for, whatever is told. */
TEST("too little room")
{
    halo_os_noise before = {.quota = -1, .cores = 2};
    halo_os_noise after = {.seconds = 10,
                           .on_core = 1,
                           .runnable = 5,
                           .machine_waiting = 5,
                           .throttled = 5,
                           .stolen = 5,
                           .quota = 2.25,
                           .cores = 2};
    char whole[TEXT_SIZE], text[TEXT_SIZE];
    halo_os_noise_explain(&before, &after, whole, sizeof whole);
    check(strlen(whole) > 150, "only \"%s\"", whole);
    for (size_t size = 2; size < strlen(whole) + 2; size++) {
        memset(text, '#', sizeof text);
        check(halo_os_noise_explain(&before, &after, text, size), "%zu bytes: nothing", size);
        size_t length = strlen(whole) < size ? strlen(whole) : size - 1;
        check(strlen(text) == length && strncmp(text, whole, length) == 0 && text[size] == '#',
              "%zu bytes: \"%.40s\"", size, text);
    }
}

/* Computes until the system has counted it, which it does by ticks of up to 10 ms. A process that
 * is not given a core counts nothing, and does not go on here either. */
static void compute_until_counted(const halo_os_noise *before, halo_os_noise *after)
{
    enum { ROUNDS = 1000 };
    halo_slowdown_inject(.1);
    halo_os_noise_read(after);
    for (int i = 0; i < ROUNDS && before->on_core >= 0 && after->on_core <= before->on_core; i++) {
        halo_slowdown_inject(.01);
        halo_os_noise_read(after);
    }
}

/* This system itself: a process that computes has run, if that is counted here at all. */
TEST("the system that is here")
{
    halo_os_noise before, after;
    double begun = halo_seconds();
    halo_os_noise_read(&before);
    check(before.seconds > 0 && before.cores != 0 && before.quota != 0, "%d cores, quota %g",
          before.cores, before.quota);
    compute_until_counted(&before, &after);
    double elapsed = after.seconds - before.seconds;
    check(elapsed >= .1, "%g s have passed", elapsed);
    check((before.on_core < 0) == (after.on_core < 0), "known only at times");
    if (before.on_core >= 0) {
        double run = after.on_core - before.on_core, waited = after.runnable - before.runnable;
        /* Around both readings: others may have had the core between a file and the clock. */
        double max = halo_seconds() - begun + .02;
        check(run > 0 && waited >= 0 && run + waited <= max,
              "ran %g s and waited %g s, of %g s at most", run, waited, max);
    }
    char text[TEXT_SIZE];
    check(halo_os_noise_explain(&before, &after, text, sizeof text) == (*text != '\0'), "%s", text);
}

int main(void)
{
    return scratch_run();
}
