/* A master and workers that repeat a computation: k-means of the grey values of a picture. In each
 * beat the master sends every worker all centres and some lines of the picture; a worker finds the
 * nearest centre of each pixel and sends back the sums of its pixels. How many lines each rank gets
 * follows from what the beats before took.
 *   kmeans lb2
 * The balancer is none, lb1 or lb2. */

#include <halobeat/halobeat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1000, COLUMNS = 1000, CLUSTERS = 12, BEATS = 12 };

typedef struct {
    int64_t pixels, sum;
} cluster;

/* A picture of waves. */
static void draw(unsigned char *picture)
{
    for (int y = 0; y < LINES; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            picture[y * COLUMNS + x] = (unsigned char)((x * x + y * y) / 999 + x / 7 * (y / 9));
        }
    }
}

static int nearest(const double *centres, double grey)
{
    int best = 0;
    for (int k = 1; k < CLUSTERS; k++) {
        double to_best = (grey - centres[best]) * (grey - centres[best]);
        best = (grey - centres[k]) * (grey - centres[k]) < to_best ? k : best;
    }
    return best;
}

/* On any rank, on the master in a thread of its own: must not call MPI. A rank may get its lines in
 * several pieces, and adds up the sums of all. */
static halo_status work(void *context, const halo_work_part *part)
{
    const unsigned char *pixels = part->units;
    cluster *clusters = part->constant_back;
    (void)context;
    for (int64_t i = 0; i < (part->hi - part->lo) * COLUMNS; i++) {
        cluster *found = &clusters[nearest(part->constant, pixels[i])];
        found->pixels++;
        found->sum += pixels[i];
    }
    return HALO_OK;
}

/* On rank 0: the centres of all ranks' sums. */
static void move_centres(double *centres, const cluster *clusters, int ranks)
{
    for (int k = 0; k < CLUSTERS; k++) {
        cluster all = {0, 0};
        for (int r = 0; r < ranks; r++) {
            all.pixels += clusters[r * CLUSTERS + k].pixels;
            all.sum += clusters[r * CLUSTERS + k].sum;
        }
        centres[k] = all.pixels > 0 ? (double)all.sum / (double)all.pixels : centres[k];
    }
}

static void print(const double *centres, const halo_repeated_work *repeated)
{
    halo_repeated_work_report report = halo_repeated_work_get_report(repeated);
    printf("centres");
    for (int k = 0; k < CLUSTERS; k++) {
        printf(" %.3f", centres[k]);
    }
    printf("\nlast beat %.4f s, imbalance %.1f %%\n", report.seconds, 100 * report.imbalance);
    for (int r = 0; r < report.ranks; r++) {
        const halo_repeated_work_load *load = &report.loads[r];
        printf("rank %d: %" PRId64 " lines, %.4f s computing, %.4f s predicted in all\n", r,
               load->hi - load->lo, load->time.computing, load->predicted);
    }
}

static halo_status iterate(halo_world *world, halo_repeated_work *repeated)
{
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    double centres[CLUSTERS];
    unsigned char *picture;
    cluster *clusters;
    HALO_TRY(HALO_ALLOCATE(picture, LINES * COLUMNS, "a picture"));
    halo_status status = HALO_ALLOCATE(clusters, ranks * CLUSTERS, "sums of ranks");
    HALO_TRY_OR(done, status);
    draw(picture);
    for (int k = 0; k < CLUSTERS; k++) {
        centres[k] = 255. * k / (CLUSTERS - 1);
    }
    for (int beat = 0; beat < BEATS && status == HALO_OK; beat++) {
        const halo_repeated_work_beat one = {
            .constant = centres, .units = picture, .constants_back = clusters};
        status = halo_repeated_work_run(repeated, &one, NULL);
        if (status == HALO_OK && rank == 0) {
            move_centres(centres, clusters, ranks);
        }
    }
    if (status == HALO_OK && rank == 0) {
        print(centres, repeated);
    }
    free(clusters);
done:
    free(picture);
    return status;
}

static halo_status run(halo_world *world, void *words)
{
    const char *balancer = *(char **)words; /* or NULL */
    const halo_repeated_work_options options = {.units = LINES,
                                                .constant_out = CLUSTERS * sizeof(double),
                                                .constant_back = CLUSTERS * sizeof(cluster),
                                                .unit_out = COLUMNS,
                                                .work = work,
                                                .balancer = balancer};
    halo_repeated_work *repeated;
    HALO_TRY(halo_repeated_work_create(&repeated, world, &options));
    halo_status status = iterate(world, repeated);
    halo_repeated_work_destroy(&repeated);
    return status;
}

int main(int argc, char **argv)
{
    return halo_program_run(argc, argv, run, argv + 1);
}
