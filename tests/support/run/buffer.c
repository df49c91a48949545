/* A kernel with variables that last as long as the program, as its author would write them for
 * ranks that are processes: a buffer for a row, and the number of columns of the part. It is built
 * with FLAGS in its table, with a buffer that all copies share (UNIQUE), and as a PROGRAM. */

#include "core/beat/kernel_export.h"

enum { WIDTH = 4096 }; /* 32768 bytes of a row */

#ifdef UNIQUE /* as compilers of C++ make a variable of an inline function */
extern double buffer_row[WIDTH];
#define row buffer_row
__asm__(".pushsection .bss.buffer_row, \"aw\", %nobits\n"
        ".balign 32\n"
        ".type buffer_row, %gnu_unique_object\n"
        ".size buffer_row, 32768\n"
        "buffer_row: .zero 32768\n"
        ".popsection\n");
#else
static double row[WIDTH];
#endif
static int64_t columns;

#ifndef FLAGS
#define FLAGS 0
#endif

static halo_status buffer_step(halo_step *step)
{
    const halo_box *todo = &step->todo;
    for (int64_t y = todo->lo[0]; y < todo->lo[0] + todo->n[0]; y++) {
        const double *above = halo_row(step->in, y - 1), *here = halo_row(step->in, y);
        const double *below = halo_row(step->in, y + 1);
        double *next = halo_row(step->out, y);
        int64_t first = todo->lo[1]; /* below 0 in the halo */
        columns = todo->n[1];
        for (int64_t x = 0; x < columns; x++) {
            row[x] = above[first + x] + below[first + x];
        }
        for (int64_t x = 0; x < columns; x++) {
            next[first + x] = .25 * (row[x] + here[first + x - 1] + here[first + x + 1]);
        }
    }
    return HALO_OK;
}

static halo_status buffer_start(void *state, const halo_view *fields)
{
    const halo_box *owned = &fields->owned;
    (void)state;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        double *here = halo_row(fields, y);
        for (int64_t x = 0; x < owned->n[1]; x++) {
            here[x] = (double)(((owned->lo[0] + y) * 7919 + (owned->lo[1] + x) * 104729) % 1009);
        }
    }
    return HALO_OK;
}

static const halo_kernel buffer_kernel = {.name = "buffer",
                                          .help = "heat by way of a buffer for a row",
                                          .flags = FLAGS,
                                          .axes = 2,
                                          .cell_bits = {64},
                                          .cell_kind = {HALO_FLOAT},
                                          .depth = 1,
                                          .step = buffer_step,
                                          .start = buffer_start};

#ifdef PROGRAM
#include "app/program.h"

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &buffer_kernel);
}
#else
HALO_KERNEL_EXPORT(buffer_kernel);
#endif
