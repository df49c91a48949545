#include "kernels/label/second_pass.h"

#include "base/memory.h"
#include "kernels/label/label_internal.h"

halo_status label_second_pass_create(label_second_pass *pass, halo_label *label, size_t size)
{
    label_job *job = &label->job;
    *pass = (label_second_pass){.label = label};
    if (label->naming.seeds || !label->asked) {
        return halo_fail(HALO_ARGUMENT, "what pixels tell of regions needs regions that are "
                                        "measured, and numbered from 1");
    }
    HALO_TRY(halo_label_painting_create(&pass->painting, label, HALO_LABEL_I64));
    HALO_TRY(label_by_number_create(&pass->table, job->world, label, size));
    return halo_agree(job->world, HALO_ALLOCATE_LARGE(pass->row, job->n[2] + 1, "rows of labels"));
}

static halo_status take_row(label_second_pass *pass, const void *data, label_second_pass_add *add,
                            void *context)
{
    const int64_t *row = pass->row, width = pass->label->job.n[2];
    int64_t begin, end = 0, number;
    while ((number = label_next_run(row, width, &begin, &end)) != 0) {
        void *entry = label_by_number_find(&pass->table, number);
        if (entry == NULL) {
            return HALO_MEMORY;
        }
        add(context, entry, data, begin, end);
    }
    return HALO_OK;
}

halo_status label_second_pass_take(label_second_pass *pass, int64_t first_row, int64_t rows,
                                   const void *data, size_t pitch, label_second_pass_add *add,
                                   void *context)
{
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(halo_label_painting_rows(pass->painting, first_row + i, 1, pass->row, 0));
        HALO_TRY(take_row(pass, (const char *)data + (size_t)i * pitch, add, context));
    }
    return HALO_OK;
}

void label_second_pass_free(label_second_pass *pass)
{
    halo_label_painting_destroy(&pass->painting);
    label_by_number_free(&pass->table);
    halo_memory_free(pass->row);
    *pass = (label_second_pass){0};
}
