#include "kernels/label/measure/second_pass.h"

#include "base/memory.h"
#include "kernels/label/label_internal.h"

halo_status label_second_pass_create(label_second_pass *pass, halo_label *label, size_t size,
                                     label_pass_rows rows)
{
    label_job *job = &label->job;
    bool part = rows == LABEL_PASS_PART;
    *pass = (label_second_pass){.label = label,
                                .width = part ? job->strip.input.width : job->n[2],
                                .left = part ? job->strip.input.left : 0};
    if (!label_has_numbers(label)) {
        return halo_fail(HALO_ARGUMENT, "what pixels tell of regions needs regions that are "
                                        "measured, and numbered from 1");
    }
    if (!part) {
        HALO_TRY(halo_label_painting_create(&pass->painting, label, HALO_LABEL_I64));
    }
    HALO_TRY(label_by_number_create(&pass->table, job->world, label, size));
    return halo_agree(job->world,
                      HALO_ALLOCATE_LARGE(pass->row, pass->width + 1, "rows of labels"));
}

/* Paints row `r` of the strip or part. */
static halo_status paint_row(label_second_pass *pass, int64_t r)
{
    const label_job *job = &pass->label->job;
    const label_input *input = &job->strip.input;
    bool part = pass->painting == NULL;
    int64_t lines = part ? input->rows : job->n[1];
    pass->plane = r / lines + (part ? input->front : 0);
    pass->line = r % lines + (part ? input->top : 0);
    return part ? halo_label_paint_rows(pass->label, HALO_LABEL_I64, r, 1, pass->row, 0)
                : halo_label_painting_rows(pass->painting, r, 1, pass->row, 0);
}

static halo_status take_row(label_second_pass *pass, const void *data, label_second_pass_add *add,
                            void *context)
{
    int64_t begin, end = 0, number;
    while ((number = label_next_run(pass->row, pass->width, &begin, &end)) != 0) {
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
    for (int64_t i = 0; i < rows && pass->width > 0; i++) {
        HALO_TRY(paint_row(pass, first_row + i));
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
