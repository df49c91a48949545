#include "kernels/label/measure/contacts.h"
#include "app/outputs.h"
#include "base/memory.h"
#include "cli/label/job.h"
#include "io/table/table.h"

/* The table of regions that touch. */

typedef struct {
    const halo_contact *contacts;
    const double *size; /* of a pixel along each axis, or NULL */
} contact_rows;

static void contact_row(const void *context, int64_t row, halo_table_value *values)
{
    const contact_rows *rows = context;
    const halo_contact *contact = &rows->contacts[row];
    int64_t faces = 0;
    double shared = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int one = (axis + 1) % HALO_AXES, other = (axis + 2) % HALO_AXES;
        faces += contact->faces[axis];
        shared += rows->size != NULL
                      ? (double)contact->faces[axis] * rows->size[one] * rows->size[other]
                      : 0;
    }
    values[0] = (halo_table_value){contact->first, 1};
    values[1] = (halo_table_value){contact->second, 1};
    values[2] = (halo_table_value){faces, 1};
    values[3] = halo_table_real(shared);
}

halo_status label_write_contacts(app_run *run, const char *path)
{
    const label_job *job = run->job;
    const label_pixel pixel = label_pixel_of(run);
    bool spaced = pixel.spaced, solid = run->domain.axes == HALO_AXES;
    /* A plane of images is as thick as 1: faces are lengths. */
    const double size[HALO_AXES] = {solid ? pixel.size[0] : 1, pixel.size[1], pixel.size[2]};
    const halo_table_column columns[] = {{"label", HALO_TABLE_INTEGER},
                                         {"neighbour", HALO_TABLE_INTEGER},
                                         {"faces", HALO_TABLE_INTEGER},
                                         {solid ? "area" : "length", HALO_TABLE_REAL}};
    halo_contact *contacts;
    contact_rows rows = {.size = spaced ? size : NULL};
    halo_table table = {
        .columns = columns, .column_count = spaced ? 4 : 3, .row = contact_row, .context = &rows};
    HALO_TRY(halo_label_contacts(job->label, &contacts, &table.rows));
    rows.contacts = contacts;
    halo_status status = app_write_table(run, path, &table);
    halo_memory_free(contacts);
    return status;
}
