#include "core/balance/balancing.h"
#include "core/file/checkpoint.h"
#include "core/move/scatter_gather.h"
#include "core/transport/mpi/world_mpi.h"
#include "core/world/collect.h"
#include "io/array/npy_write.h"
#include "io/array/png_parallel.h"
#include "io/table/table.h"
#include "partition/cuts.h"
#include "support/failing_memory.h"
#include "support/label_case.h"
#include "support/mpi_check.h"
#include "support/mpi_folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Memory runs out on one rank, at every allocation in turn: all ranks must leave together with the
 * same status, and what was there before must still be of use. */

enum { MAX_RANKS = 64, HEIGHT = 41, WIDTH = 67 };

/* ---- the world ----------------------------------------------------------------------------- */

static halo_status run_world(void *context)
{
    (void)context;
    halo_world *world;
    MPI_Comm comm = halo_world_comm(mpi_check_world());
    halo_status status = comm != MPI_COMM_NULL
                             ? halo_world_create_mpi(&world, comm, NULL)
                             : halo_world_duplicate(&world, mpi_check_world(), NULL);
    halo_world_destroy(&world);
    return status;
}

static void test_world(void)
{
    failing_memory_each(run_world, NULL, NULL, false, "a world");
    EXPECT_AGREED();
}

/* ---- labelling ----------------------------------------------------------------------------- */

typedef struct {
    label_case many, few; /* the same but for the image: runs of foreground pixels */
    image images[2];
    oracle flood;
    int64_t cuts[MAX_RANKS + 1], column_cuts[MAX_RANKS + 1];
    halo_label *label;
} labelling;

static halo_status run_label(void *context)
{
    labelling *l = context;
    const label_case *c = &l->many;
    const halo_view *grey = c->grey != NULL ? halo_field_view(c->grey) : NULL;
    HALO_TRY(halo_label_create(&l->label, c->world, &c->domain, &c->partition, &c->options));
    return halo_label_run(l->label, halo_field_view(c->foreground), grey);
}

/* Buffers that could not grow must not be taken for ones that did. */
static void check_label(void *context)
{
    labelling *l = context;
    if (l->label != NULL) {
        label_case_run(&l->few, l->label, &l->flood);
    }
    halo_label_destroy(&l->label);
}

static halo_status run_again(void *context)
{
    labelling *l = context;
    const halo_view *grey = l->many.grey != NULL ? halo_field_view(l->many.grey) : NULL;
    return halo_label_run(l->label, halo_field_view(l->many.foreground), grey);
}

/* Leaves a label with buffers that are too small for the other image. */
static void start_over(void *context)
{
    labelling *l = context;
    const label_case *c = &l->few;
    check_label(context);
    expect(halo_label_create(&l->label, c->world, &c->domain, &c->partition, &c->options) ==
               HALO_OK,
           "%s", halo_last_message());
    label_case_run(c, l->label, &l->flood);
}

/* With boundaries that move every beat, or not; in strips or in blocks side by side. */
static void check_method(const char *method, bool periodic, bool measure, bool seeds, bool moves,
                         bool blocks)
{
    halo_world *world = mpi_check_world();
    labelling l = {.images = {image_make(IMAGE_noise_50, WIDTH, HEIGHT, 1),
                              image_make(IMAGE_rings, WIDTH, HEIGHT, 1)}};
    int columns = blocks ? halo_world_ranks(world) : 1;
    halo_cuts_even(HEIGHT, halo_world_ranks(world) / columns, l.cuts);
    halo_cuts_even(WIDTH, columns, l.column_cuts);
    label_case both = {.world = world,
                       .periodic = periodic,
                       .grey_bits = measure ? 8 : 0,
                       .cuts = l.cuts,
                       .columns = columns,
                       .column_cuts = l.column_cuts,
                       .options = {.connectivity = 8, .method = method, .vote = "tree"}};
    halo_balance_options random = {.balancer = "random:seed=7", .every = 1};
    expect(!moves || halo_balancing_create(&both.options.balancing, world, &random) == HALO_OK,
           "%s", halo_last_message());
    both.options.measure = measure;
    both.options.numbering = seeds ? HALO_LABEL_SEED : HALO_LABEL_SCAN;
    label_case *cases[] = {&l.many, &l.few};
    for (int i = 0; i < 2; i++) {
        *cases[i] = both;
        cases[i]->made = &l.images[i];
        label_case_name(cases[i], "out of memory");
        label_case_make_fields(cases[i]);
        label_case_fill(cases[i]);
    }
    l.flood = oracle_make(&l.images[1], 8, (bool[2]){periodic, periodic});
    /* Without address space to move in, fields are made anew. */
    failing_memory_each(run_label, check_label, &l, moves, l.many.text);
    start_over(&l);
    failing_memory_each(run_again, start_over, &l, moves, l.many.text);
    check_label(&l);
    oracle_free(&l.flood);
    for (int i = 0; i < 2; i++) {
        label_case_free_fields(cases[i]);
        image_free(&l.images[i]);
    }
    halo_balancing_destroy(&both.options.balancing);
}

static void test_labelling(void)
{
    check_method("union", false, false, false, false, false);
    check_method("union", true, true, false, false, false);
    check_method("union", false, true, true, false, false);
    check_method("union", true, true, false, false, true);
    check_method("union", false, false, true, false, true);
    check_method("settle", false, true, false, false, false);
    check_method("settle", true, false, false, true, false);
    check_method("settle", true, true, false, false, true);
    EXPECT_AGREED();
}

static halo_status run_distributed(void *context)
{
    labelling *l = context;
    label_case *c = &l->many;
    HALO_TRY(halo_label_create(&l->label, c->world, &c->domain, &c->partition, &c->options));
    HALO_TRY(halo_label_distribute(l->label, &c->foreground, &c->grey));
    HALO_TRY(halo_label_run(l->label, halo_field_view(c->foreground), halo_field_view(c->grey)));
    halo_label_painting *painting;
    halo_status status = halo_label_painting_create(&painting, l->label, HALO_LABEL_I32);
    halo_label_painting_destroy(&painting);
    return status;
}

/* Fields are still there, whatever has become of the pixels; new ones for the next time. */
static void renew(void *context)
{
    labelling *l = context;
    halo_label_destroy(&l->label);
    label_case_free_fields(&l->many);
    label_case_make_fields(&l->many);
    label_case_fill(&l->many);
}

/* Into blocks, or strips of other heights. */
static void check_distribution(const char *decomposition)
{
    halo_world *world = mpi_check_world();
    labelling l = {.images = {image_make(IMAGE_noise_50, 2 * WIDTH, HEIGHT, 1)}};
    const halo_balance_options random = {.balancer = "random:seed=7"};
    halo_cuts_even(HEIGHT, halo_world_ranks(world), l.cuts);
    l.many = (label_case){
        .world = world,
        .made = &l.images[0],
        .grey_bits = 8,
        .cuts = l.cuts,
        .options = {
            .method = "union", .vote = "tree", .decomposition = decomposition, .measure = true}};
    expect_ok(halo_balancing_create(&l.many.options.balancing, world, &random));
    label_case_make_fields(&l.many);
    label_case_fill(&l.many);
    /* As above: fields that cannot be had movable are had as ones that stay. */
    failing_memory_each(run_distributed, renew, &l, true, decomposition);
    label_case_free_fields(&l.many);
    halo_balancing_destroy(&l.many.options.balancing);
    image_free(&l.images[0]);
}

static void test_distribution(void)
{
    char columns[32];
    snprintf(columns, sizeof columns, "1x%d", all_ranks());
    check_distribution(columns);
    check_distribution("strips");
    EXPECT_AGREED();
}

/* ---- files and streams --------------------------------------------------------------------- */

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    (void)context;
    for (int64_t i = 0; i < rows; i++) {
        memset((char *)out + (size_t)i * pitch, (int)(first + i), WIDTH);
    }
    return HALO_OK;
}

static halo_status run_png(void *context)
{
    const halo_png_header header = {WIDTH / 2, HEIGHT, HALO_PNG_GREY16, 0, NULL, {0}};
    const halo_rows rows = {fill, NULL, NULL};
    return halo_png_write(mpi_check_world(), path_of("memory.png"), &header, context, &rows);
}

static halo_status run_npy(void *context)
{
    const halo_npy_header header = {.width = WIDTH, .height = HEIGHT, .type = HALO_SAMPLE_U8};
    const halo_rows rows = {fill, NULL, NULL};
    return halo_npy_write(mpi_check_world(), path_of("memory.npy"), &header, context, &rows);
}

static void table_row(const void *context, int64_t row, halo_table_value *values)
{
    (void)context;
    values[0].numerator = row;
}

static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    (void)context;
    for (int64_t i = 0; i < rows; i++) {
        expect(((const char *)data)[(size_t)i * pitch] == (char)(first + i), "row %" PRId64,
               first + i);
    }
    return HALO_OK;
}

static halo_status run_checkpoint(void *context)
{
    halo_world *world = mpi_check_world();
    const halo_checkpoint what = {.kernel = "test", .rows = HEIGHT, .row_bytes = WIDTH};
    const halo_rows rows = {fill, NULL, NULL};
    halo_checkpoint_reader *reader;
    HALO_TRY(halo_checkpoint_write(world, path_of("memory.checkpoint"), &what, context, &rows));
    HALO_TRY(halo_checkpoint_open(&reader, world, path_of("memory.checkpoint")));
    halo_status status = halo_checkpoint_read(reader, context, take, NULL);
    halo_checkpoint_close(&reader);
    return status;
}

static halo_status run_table(void *context)
{
    static const halo_table_column column = {"row", HALO_TABLE_INTEGER};
    (void)context;
    const halo_table table = {.columns = &column, .column_count = 1, .rows = 9, .row = table_row};
    return halo_table_write(mpi_check_world(), path_of("memory.csv"), &table);
}

static halo_status run_stream(void *context)
{
    halo_world *world = mpi_check_world();
    const int64_t *cuts = context;
    int rank = halo_world_rank(world);
    const halo_domain domain = {.axes = 2, .n = {HEIGHT, WIDTH, 1}};
    const halo_box owned = {.lo = {cuts[rank]}, .n = {cuts[rank + 1] - cuts[rank], WIDTH, 1}};
    const halo_rows_input input = {.source = fill};
    halo_clock clock = {0};
    halo_field *field;
    halo_status status = halo_agree(world, halo_field_create(&field, &domain, &owned, 8, 0));
    if (status == HALO_OK) {
        status = halo_rows_scatter_field(world, cuts, halo_field_view(field), &input, &clock);
    }
    halo_field_destroy(&field);
    return status;
}

static void check_folder(void *context)
{
    static const char *const names[] = {"memory.png", "memory.npy", "memory.csv",
                                        "memory.checkpoint"};
    (void)context;
    for (int i = 0; i < 4 && my_rank() == 0; i++) {
        unlink(path_of(names[i])); /* there only if all went well */
    }
    expect_nothing_left();
}

static void test_files(void)
{
    int64_t cuts[MAX_RANKS + 1];
    halo_cuts_even(HEIGHT, all_ranks(), cuts);
    failing_memory_each(run_png, check_folder, cuts, false, "a PNG");
    failing_memory_each(run_npy, check_folder, cuts, false, "an array");
    failing_memory_each(run_checkpoint, check_folder, cuts, false, "a checkpoint");
    failing_memory_each(run_table, check_folder, cuts, false, "a table");
    failing_memory_each(run_stream, check_folder, cuts, false, "a stream");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN_HOOKED("out of memory", folder_make, folder_remove,
                      {"a world without memory", test_world},
                      {"labelling without memory", test_labelling},
                      {"pixels to be labelled elsewhere", test_distribution},
                      {"files and streams without memory", test_files})
