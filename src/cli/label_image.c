#include "cli/label_image.h"
#include "app/image/image.h"

#include <inttypes.h>

/* A warning, even of a file that says what it has: its numbers are names, and what Otsu's method
 * makes of them is wrong; but commands that were right with the samples of one file would fail with
 * those of the next, and who only wants the samples in another format has no threshold in mind. */

/* Samples of 2 and 4 bits cannot have but few values. */
static bool has_narrow_samples(const app_image *image)
{
    enum { BITS = 4 };
    return image->info.bits <= BITS && !image->info.colourful;
}

void cli_warn_of_labels(app_run *run, const cli_threshold *asked, const halo_label_signs *signs,
                        const halo_label_histogram *histogram, const char *remedy)
{
    const app_image *image = run->image;
    int64_t values;
    if (app_was_given(run, asked)) {
        return;
    }
    halo_label_look look = halo_label_signs_judge(signs, histogram, &values);
    if (look == HALO_LOOKS_MASK) {
        return;
    }
    if (image->info.labels) {
        app_warn(run,
                 "%.300s says that its samples are labels, which Otsu's threshold divides by their "
                 "numbers: %s, and -t otsu divides them without this warning",
                 image->path, remedy);
    } else if (look == HALO_LOOKS_FEW && !has_narrow_samples(image)) {
        app_warn(
            run,
            "%.300s has only %" PRId64 " different values, as segmentations have, and Otsu's "
            "threshold divides them as greys: %s, and -t otsu divides them without this warning",
            image->path, values, remedy);
    } else if (look == HALO_LOOKS_LABELS) {
        app_warn(run,
                 "%.300s looks like an image of labels, which Otsu's threshold divides by their "
                 "numbers: %s, and -t otsu divides them without this warning",
                 image->path, remedy);
    }
}
