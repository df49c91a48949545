/* Kernels refuse options that make no sense, with the reason. */

#include "kernels/chan_vese/chan_vese.h"
#include "kernels/cluster/cluster.h"
#include "kernels/heat/heat.h"
#include "kernels/synthetic/synthetic.h"
#include "support/blocks.h"
#include "support/mpi_check.h"

#include <math.h>
#include <string.h>

/* A run of the kernel in even strips; refused unless `reason` is NULL. */
static void check(const halo_kernel *kernel, halo_domain domain, const void *options,
                  const char *reason)
{
    halo_partition strips = even_strips(&domain);
    halo_beat *beat = NULL;
    halo_status status = halo_beat_create(&beat, mpi_check_world(), &domain, &strips, kernel,
                                          &(halo_beat_options){.kernel_options = options});
    if (reason == NULL) {
        expect_case_ok(kernel->name, status);
    } else {
        expect_fails(status, HALO_ARGUMENT, reason);
        expect(beat == NULL, "%s, %s: a run", kernel->name, reason);
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
}

static halo_domain plate(int64_t rows, int64_t columns, bool periodic)
{
    return (halo_domain){.axes = 2, .n = {rows, columns, 1}, .periodic = {periodic}};
}

static void test_chan_vese(void)
{
    static const struct {
        halo_chan_vese_options options;
        bool periodic;
        const char *reason;
    } cases[] = {
        {{8, 0, 1, 1, NULL}, false, NULL},         {{8, 0, 1, 1, NULL}, true, "a periodic picture"},
        {{32, 0, 1, 1, NULL}, false, "32"},        {{8, 0, -1, 1, NULL}, false, "-1"},
        {{8, 0, 1, 1e300, NULL}, false, "1e+300"}, {{8, 0, 1, 1, "abacus"}, false, "abacus"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        halo_kernel kernel = halo_chan_vese_kernel(&cases[i].options);
        check(&kernel, plate(200, 100, cases[i].periodic), &cases[i].options, cases[i].reason);
    }
    EXPECT_AGREED();
}

static void test_heat(void)
{
    static const struct {
        halo_heat_options options;
        const char *reason;
    } cases[] = {{{0}, NULL},
                 {{.edge = "-1e3", .source = .5}, NULL},
                 {{.instructions = "plain"}, NULL},
                 {{.shape = "linear"}, NULL},
                 {{.shape = ""}, ""},
                 {{.shape = "round"}, "round"},
                 {{.shape = "mode:3"}, "mode:3"},
                 {{.shape = "mode:3x"}, "mode:3x"},
                 {{.shape = "mode:0x1"}, "mode:0x1"},
                 {{.shape = "mode:1x2x3"}, "mode:1x2x3"},
                 {{.shape = "mode:1x2 "}, "mode:1x2 "},
                 {{.edge = ""}, ""},
                 {{.edge = "cold"}, "cold"},
                 {{.edge = "1x"}, "1x"},
                 {{.source = NAN}, "nan"},
                 {{.source = INFINITY}, "inf"},
                 {{.instructions = "mmx"}, "mmx"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(&halo_heat_kernel, plate(25, 6, false), &cases[i].options, cases[i].reason);
    }
    check(&halo_heat_kernel, plate(25, 6, true), &cases[3].options, "linear");
    check(&halo_heat_kernel, plate(25, 6, false), NULL, NULL);
    EXPECT_AGREED();
}

static void test_synthetic(void)
{
    static const halo_synthetic_options good = {.rows = 20, .columns = 5},
                                        bad = {.rows = 20, .columns = 5, .profile = "cubic"};
    check(&halo_synthetic_kernel, plate(20, 5, false), &good, NULL);
    check(&halo_synthetic_kernel, plate(20, 5, false), &bad, "cubic");
    check(&halo_synthetic_kernel, plate(21, 5, false), &good, "and a domain of");
    EXPECT_AGREED();
}

/* Some are found when the kernel is made. */
static void test_clustering(void)
{
    static const struct {
        halo_cluster_options options;
        int cell_bits;
        const char *reason;
    } cases[] = {{{.clusters = 0}, 8, "0 clusters"},
                 {{.clusters = 65536}, 8, "65536 clusters"},
                 {{.clusters = 2, .weight = -1}, 8, "weight -1"},
                 {{.clusters = 2, .engine = "magic"}, 8, "magic"},
                 {{.clusters = 2, .instructions = "mmx"}, 8, "mmx"},
                 {{.clusters = 2}, 32, "32 bits"},
                 {{.clusters = 2, .colour = true}, 8, "8 bits"}};
    halo_kernel kernel;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_fails(halo_cluster_kernel(&kernel, &cases[i].options, cases[i].cell_bits),
                     HALO_ARGUMENT, cases[i].reason);
    }
    const halo_cluster_options seven = {.clusters = 7};
    expect_ok(halo_cluster_kernel(&kernel, &seven, 8));
    check(&kernel, plate(2, 3, false), &seven, "7 clusters");
    EXPECT_AGREED();
}

/* Threads would share the variables of a kernel that is not safe for them. */
static void test_threads(void)
{
    halo_kernel kernel = halo_heat_kernel;
    bool threads =
        all_ranks() > 1 && strcmp(halo_world_transport(mpi_check_world()), "threads") == 0;
    kernel.flags |= HALO_KERNEL_NOT_THREAD_SAFE;
    check(&kernel, plate(100, 6, false), NULL,
          threads ? "is not thread-safe, as its table says" : NULL);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("what kernels refuse", {"Chan-Vese", test_chan_vese},
               {"clustering", test_clustering}, {"heat", test_heat}, {"synthetic", test_synthetic},
               {"threads", test_threads})
