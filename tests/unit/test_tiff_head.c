#include "io/array/format.h"
#include "support/scratch.h"
#include "support/unit_check.h"

#include <stdlib.h>

/* Which TIFF a file is: classic below 4 GiB, where all offsets have 32 bits, BigTIFF beyond. */

enum { CLASSIC = 42, BIG = 43 };

static unsigned version_of(const halo_buffer *head)
{
    CU_ASSERT_FATAL(head->size > 4);
    return head->data[head->data[0] == 'I' ? 2 : 3];
}

/* Return a volume whose planes have 1 MiB. */
static halo_npy_header volume_of(int64_t planes)
{
    return (halo_npy_header){.width = 1024,
                             .height = 512 * planes,
                             .type = HALO_SAMPLE_U16,
                             .axes = 3,
                             .planes = planes};
}

TEST("the format follows from the size")
{
    const halo_array_about about = {.name = "labels"};
    for (int64_t planes = 4094; planes <= 4097; planes++) {
        halo_buffer head = {0};
        const halo_npy_header header = volume_of(planes);
        SUCCEEDS(halo_array_tiff_head(&head, &header, &about));
        int64_t bytes = (int64_t)head.size + (planes << 20);
        CU_ASSERT_EQUAL(version_of(&head), bytes <= UINT32_MAX ? CLASSIC : BIG);
        halo_buffer_free(&head);
    }
}

/* A compressed one may become longer than its samples. */
TEST("compressed files")
{
    const halo_array_about about = {.geometry.spacing = {1, 2, 3}};
    for (int64_t planes = 3600; planes <= 4000; planes += 400) {
        const halo_npy_header header = volume_of(planes);
        halo_buffer head = {0};
        int64_t *begins;
        SUCCEEDS(HALO_ALLOCATE(begins, planes + 1, "offsets"));
        SUCCEEDS(halo_array_tiff_packed_head(&head, &header, &about, 512, begins));
        CU_ASSERT_EQUAL(version_of(&head), planes < 3700 ? CLASSIC : BIG);
        CU_ASSERT_EQUAL((int64_t)head.size, halo_array_tiff_samples(&header, &about, 512));
        free(begins);
        halo_buffer_free(&head);
    }
}

int main(void)
{
    return scratch_run();
}
