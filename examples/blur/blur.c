/* Blurs a picture: every pixel becomes the mean of the square around it, as far as that lies in the
 * picture. The mean of a square is that of its rows' means, so that one beat goes along rows and
 * one along columns, whatever the radius.
 *   blur photo.png blurred.png --radius 8 --decomposition blocks
 * The picture may be any PNG; the result is grey. The program runs the heartbeat itself, instead of
 * calling halo_main. */

#include <halobeat/halobeat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RADIUS = 127 }; /* whose sums of 16-bit pixels fit 32 bits */

/* ---- the kernel ------------------------------------------------------------------------------ */

typedef struct {
    int64_t n[2], radius;
    uint32_t *sums; /* of columns */
} blur_state;

static halo_status blur_create(void **state, const halo_domain *domain, const void *radius)
{
    blur_state *s;
    HALO_TRY(HALO_ALLOCATE(s, 1, "blur"));
    *s = (blur_state){.n = {domain->n[0], domain->n[1]}, .radius = *(const int64_t *)radius};
    *state = s;
    return HALO_ALLOCATE(s->sums, domain->n[1], "sums of columns");
}

static void blur_destroy(void **state)
{
    blur_state *s = *state;
    if (s != NULL) {
        free(s->sums);
        free(s);
    }
    *state = NULL;
}

/* Pixels of an axis not further than the radius from this one. */
static uint32_t count_around(int64_t place, int64_t n, int64_t radius)
{
    int64_t first = place < radius ? 0 : place - radius;
    int64_t last = place + radius < n ? place + radius : n - 1;
    return (uint32_t)(last - first + 1);
}

/* Beyond the edges cells are 0: sums are of what lies in the picture. */
static void sum_row(const blur_state *s, const halo_step *step, int64_t y)
{
    const uint32_t *in = halo_row(step->in, y);
    uint32_t *out = halo_row(step->out, y);
    int64_t lo = step->todo.lo[1], end = lo + step->todo.n[1], r = s->radius;
    uint32_t sum = 0;
    for (int64_t x = lo - r; x < lo + r; x++) {
        sum += in[x];
    }
    for (int64_t x = lo; x < end; x++) {
        sum += in[x + r];
        out[x] = sum;
        sum -= in[x - r];
    }
}

static void add_row(const blur_state *s, const halo_step *step, int64_t y)
{
    const uint32_t *in = (const uint32_t *)halo_row(step->in, y) + step->todo.lo[1];
    for (int64_t i = 0; i < step->todo.n[1]; i++) {
        s->sums[i] += in[i];
    }
}

/* The means of a row, from the sums of its columns; and these without the row that leaves them. */
static void divide_row(const blur_state *s, const halo_step *step, int64_t y)
{
    const uint32_t *leaves = (const uint32_t *)halo_row(step->in, y - s->radius) + step->todo.lo[1];
    uint32_t *out = (uint32_t *)halo_row(step->out, y) + step->todo.lo[1];
    uint32_t rows = count_around(step->in->owned.lo[0] + y, s->n[0], s->radius);
    int64_t column = step->in->owned.lo[1] + step->todo.lo[1];
    for (int64_t i = 0; i < step->todo.n[1]; i++) {
        uint32_t count = rows * count_around(column + i, s->n[1], s->radius);
        out[i] = (uint32_t)(((uint64_t)s->sums[i] + count / 2) / count);
        s->sums[i] -= leaves[i];
    }
}

static halo_status blur_step(halo_step *step)
{
    const blur_state *s = step->state;
    int64_t lo = step->todo.lo[0], end = lo + step->todo.n[0];
    if (step->beat % 2 == 0) {
        for (int64_t y = lo; y < end; y++) {
            sum_row(s, step, y);
        }
        return HALO_OK;
    }
    memset(s->sums, 0, (size_t)step->todo.n[1] * sizeof *s->sums);
    for (int64_t y = lo - s->radius; y < lo + s->radius; y++) {
        add_row(s, step, y);
    }
    for (int64_t y = lo; y < end; y++) {
        add_row(s, step, y + s->radius);
        divide_row(s, step, y);
    }
    return HALO_OK;
}

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct {
    const char *from, *to, *decomposition;
    int64_t radius;
    /* The same on all ranks once rank 0 has seen the file. */
    int64_t width, height, maximum;
    int grey_bits;
    /* On rank 0. */
    halo_png_reader *reader;
    halo_beat *beat;
} blur_job;

static bool is_deep(const blur_job *job)
{
    return job->maximum > 255;
}

/* Rank 0 decodes; halo_rows_scatter sends rows on to their owners. */
static halo_status decode(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    (void)first; /* they are asked for in order */
    return halo_png_reader_rows(((blur_job *)context)->reader, rows, out, pitch);
}

static uint32_t grey_at(const blur_job *job, const void *row, int64_t x)
{
    switch (job->grey_bits) {
    case 1:
        return 255 * (uint32_t)(((const uint64_t *)row)[x / 64] >> x % 64 & 1);
    case 8:
        return (uint32_t)(255 / job->maximum) * ((const uint8_t *)row)[x];
    default:
        return ((const uint16_t *)row)[x];
    }
}

static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    const blur_job *job = context;
    const halo_view *view = halo_beat_view(job->beat, 0);
    for (int64_t y = 0; y < rows; y++) {
        uint32_t *cells = halo_row(view, first + y - view->owned.lo[0]);
        for (int64_t x = 0; x < job->width; x++) {
            cells[x] = grey_at(job, (const char *)data + (size_t)y * pitch, x);
        }
    }
    return HALO_OK;
}

/* Rows for the file, from their owners. */
static halo_status give(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const blur_job *job = context;
    const halo_view *view = halo_beat_view(job->beat, 0);
    for (int64_t y = 0; y < rows; y++) {
        const uint32_t *cells = halo_row(view, first + y - view->owned.lo[0]);
        void *row = (char *)out + (size_t)y * pitch;
        for (int64_t x = 0; x < job->width; x++) {
            if (is_deep(job)) {
                ((uint16_t *)row)[x] = (uint16_t)cells[x];
            } else {
                ((uint8_t *)row)[x] = (uint8_t)cells[x];
            }
        }
    }
    return HALO_OK;
}

/* Rank 0 opens the file, and all hear of it. */
static halo_status open_picture(blur_job *job, halo_world *world)
{
    halo_status status = HALO_OK;
    halo_png_info info = {0};
    if (halo_world_rank(world) == 0) {
        status = halo_png_reader_open(&job->reader, job->from, NULL);
        info = status == HALO_OK ? *halo_png_reader_info(job->reader) : info;
    }
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_bcast(world, &info, sizeof info, 0)); /* its strings are rank 0's */
    job->width = info.width;
    job->height = info.height;
    job->maximum = info.maximum;
    job->grey_bits = info.grey_bits;
    return HALO_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* With rows in strips, for the files; in between as the user likes it. */
static halo_status blur_parts(blur_job *job, halo_world *world, const halo_partition *strips,
                              const halo_partition *blocks)
{
    size_t row_bytes = (size_t)(job->grey_bits == 1 ? (job->width + 63) / 64 * 8
                                                    : job->width * job->grey_bits / 8);
    halo_clock clock = {0};
    halo_png_header header = {.width = job->width,
                              .height = job->height,
                              .kind = is_deep(job) ? HALO_PNG_GREY16 : HALO_PNG_GREY8};
    halo_rows rows = {.fill = give, .context = job};
    HALO_TRY(halo_rows_scatter(world, strips->cuts[0], row_bytes, decode, take, job, &clock));
    HALO_TRY(halo_beat_repartition(job->beat, blocks));
    HALO_TRY(halo_beat_run(job->beat, 2));
    HALO_TRY(halo_beat_repartition(job->beat, strips));
    return halo_png_write(world, job->to, &header, strips->cuts[0], &rows);
}

static halo_status blur_picture(blur_job *job, halo_world *world)
{
    HALO_TRY(open_picture(job, world));
    halo_domain domain = {.axes = 2, .n = {job->height, job->width, 1}};
    const bool cut[HALO_AXES] = {true, true, false};
    const halo_kernel kernel = {.name = "blur",
                                .help = "means of squares",
                                .axes = 2,
                                .cell_bits = {32},
                                .depth = (int)job->radius,
                                .create = blur_create,
                                .destroy = blur_destroy,
                                .step = blur_step};
    halo_beat_options options = {.kernel_options = &job->radius};
    halo_partition strips = {0}, blocks = {0};
    int ranks = halo_world_ranks(world), parts[HALO_AXES];
    HALO_TRY(
        halo_decomposition_parse(job->decomposition, &domain, cut, ranks, kernel.depth, parts));
    halo_status status = halo_partition_strips(&strips, &domain, ranks);
    status = status == HALO_OK ? halo_partition_blocks(&blocks, &domain, parts) : status;
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_beat_create(&job->beat, world, &domain, &strips, &kernel, &options));
    status = blur_parts(job, world, &strips, &blocks);
done:
    halo_beat_destroy(&job->beat);
    halo_partition_free(&strips);
    halo_partition_free(&blocks);
    return status;
}

/* False for arguments that make no sense. */
static bool read_arguments(int argc, char **argv, blur_job *job)
{
    *job = (blur_job){.radius = 4, .decomposition = "strips"};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--radius") == 0 && i + 1 < argc) {
            job->radius = strtoll(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--decomposition") == 0 && i + 1 < argc) {
            job->decomposition = argv[++i];
        } else if (job->from == NULL) {
            job->from = argv[i];
        } else if (job->to == NULL) {
            job->to = argv[i];
        } else {
            return false;
        }
    }
    return job->to != NULL && job->radius >= 1 && job->radius <= MAX_RADIUS;
}

typedef struct {
    int argc;
    char **argv;
} words;

static halo_status blur_on_rank(halo_world *world, void *given)
{
    const words *all = given;
    blur_job job;
    if (!read_arguments(all->argc, all->argv, &job)) {
        return halo_fail(HALO_ARGUMENT,
                         "usage: blur IN.png OUT.png [--radius 1 to %d] "
                         "[--decomposition strips|blocks|AxB|auto]",
                         MAX_RADIUS);
    }
    halo_status status = blur_picture(&job, world);
    halo_png_reader_close(&job.reader);
    return status;
}

int main(int argc, char **argv)
{
    words all = {argc, argv};
    return halo_program_run(argc, argv, blur_on_rank, &all);
}
