/* bench_motion FRAMES ROWS COLUMNS COUNT [KEY=VALUE ...]: motion between COUNT frames of 8 bits,
 * one after another in the file FRAMES, without reading PNGs or writing flow. Keys: clusters,
 * radius, flow, balancer, instructions, engine as in halo_motion_options; runs=N for N times;
 * out=FILE for the flow of the last pair, ROWS x COLUMNS pairs of floats. Prints a line of
 * key=value: nanoseconds a pixel and pair (median of the runs), those of clustering and of
 * matching, and per beat of the last pair seconds, predicted seconds and imbalance. */

#include "base/memory.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "kernels/motion/motion.h"
#include "tests/bench/measure.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t rows, columns, count;
    unsigned char *pixels;
    halo_motion_options options;
    int runs;
    const char *out;
    double seconds; /* of all pairs, last run */
} bench;

static const char *value_of(const char *argument, const char *key)
{
    size_t length = strlen(key);
    return strncmp(argument, key, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                          : NULL;
}

static bool parse(bench *b, int argc, char **argv)
{
    if (argc < 5) {
        return false;
    }
    b->rows = strtoll(argv[2], NULL, 10);
    b->columns = strtoll(argv[3], NULL, 10);
    b->count = strtoll(argv[4], NULL, 10);
    b->runs = 1;
    for (int i = 5; i < argc; i++) {
        const char *text;
        if ((text = value_of(argv[i], "clusters")) != NULL) {
            b->options.clusters = atoi(text);
        } else if ((text = value_of(argv[i], "radius")) != NULL) {
            b->options.radius = atoi(text);
        } else if ((text = value_of(argv[i], "runs")) != NULL) {
            b->runs = atoi(text);
        } else if ((text = value_of(argv[i], "flow")) != NULL) {
            b->options.flow = text;
        } else if ((text = value_of(argv[i], "balancer")) != NULL) {
            b->options.balancer = text;
        } else if ((text = value_of(argv[i], "instructions")) != NULL) {
            b->options.instructions = text;
        } else if ((text = value_of(argv[i], "engine")) != NULL) {
            b->options.engine = text;
        } else if ((text = value_of(argv[i], "out")) != NULL) {
            b->out = text;
        } else {
            return false;
        }
    }
    return b->rows > 0 && b->columns > 0 && b->count > 1 && b->runs > 0;
}

static bool read_frames(bench *b, const char *path)
{
    size_t bytes = (size_t)(b->rows * b->columns * b->count);
    FILE *file = fopen(path, "rb");
    b->pixels = malloc(bytes);
    bool good = file != NULL && b->pixels != NULL && fread(b->pixels, 1, bytes, file) == bytes;
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

static halo_status write_flow(const bench *b, halo_world *world, const halo_motion *motion)
{
    size_t pitch = (size_t)b->columns * 2 * sizeof(float);
    int64_t rows = halo_motion_view(motion)->owned.n[0];
    float *mine = malloc((size_t)rows * pitch + 1);
    void *all = NULL;
    size_t ranks = (size_t)halo_world_ranks(world), *counts = calloc(2 * ranks, sizeof *counts);
    if (mine == NULL || counts == NULL) {
        return HALO_MEMORY;
    }
    halo_motion_flow(motion, 0, rows, mine, pitch);
    counts[0] = (size_t)rows * pitch;
    halo_status status = halo_alltoallv(world, mine, counts, &all, counts + ranks);
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        FILE *file = fopen(b->out, "wb");
        bool good = file != NULL && fwrite(all, pitch, (size_t)b->rows, file) == (size_t)b->rows;
        status = good && fclose(file) == 0 ? HALO_OK : HALO_FILE;
    }
    halo_memory_free(all);
    free(counts);
    free(mine);
    return status;
}

static halo_status run(bench *b, halo_world *world, halo_motion **out)
{
    halo_domain domain = {.axes = 2, .n = {b->rows, b->columns, 1}};
    HALO_TRY(halo_motion_create(out, world, &domain, 8, &b->options));
    const halo_view *view = halo_motion_view(*out);
    for (int64_t f = 0; f < b->count; f++) {
        const unsigned char *frame = b->pixels + f * b->rows * b->columns;
        for (int64_t y = 0; y < view->owned.n[0]; y++) {
            memcpy(halo_row(view, y), frame + (view->owned.lo[0] + y) * b->columns,
                   (size_t)b->columns);
        }
        b->seconds = f <= 1 ? halo_seconds() : b->seconds;
        HALO_TRY(halo_motion_next(*out));
    }
    b->seconds = halo_seconds() - b->seconds;
    return HALO_OK;
}

static void print(const bench *b, double seconds, const halo_motion *motion)
{
    const halo_motion_report *r = halo_motion_get_report(motion);
    double pixels = (double)(b->rows * b->columns * (b->count - 1)), matching = 0;
    for (int64_t i = 0; i < r->last_beats; i++) {
        matching += r->last[i].seconds;
    }
    printf("ns=%.1f matching_ns=%.1f instructions=%s clustering_beats=%lld imbalance=%.3f",
           seconds * 1e9 / pixels, matching * 1e9 / (double)(b->rows * b->columns), r->instructions,
           (long long)r->clustering_beats, r->imbalance);
    for (int64_t i = 0; i < r->last_beats; i++) {
        const halo_motion_beat *beat = &r->last[i];
        printf(" %s=%.3f/%.3fms,%.2f", beat->name, beat->seconds * 1e3,
               beat->predicted_seconds * 1e3, beat->imbalance);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    bench b = {.runs = 1};
    halo_world *world = NULL;
    halo_motion *motion = NULL;
    if (!parse(&b, argc, argv) || !read_frames(&b, argv[1])) {
        fprintf(stderr, "usage: bench_motion FRAMES ROWS COLUMNS COUNT [KEY=VALUE ...]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double *seconds = calloc((size_t)b.runs, sizeof *seconds);
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, NULL);
    for (int i = 0; i < b.runs && status == HALO_OK && seconds != NULL; i++) {
        halo_motion_destroy(&motion);
        status = run(&b, world, &motion);
        seconds[i] = b.seconds;
    }
    if (status == HALO_OK && b.out != NULL) {
        status = write_flow(&b, world, motion);
    }
    if (status != HALO_OK || seconds == NULL) {
        fprintf(stderr, "bench_motion: %s\n", halo_last_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double median = measure_median(seconds, b.runs);
    if (halo_world_rank(world) == 0) {
        print(&b, median, motion);
    }
    halo_motion_destroy(&motion);
    halo_world_destroy(&world);
    free(seconds);
    free(b.pixels);
    MPI_Finalize();
    return 0;
}
