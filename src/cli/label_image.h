#ifndef HALOBEAT_CLI_LABEL_IMAGE_H
#define HALOBEAT_CLI_LABEL_IMAGE_H

#include "app/run.h"
#include "cli/threshold.h"
#include "kernels/label/threshold/label_signs.h"

/* Label images and segmentations that are given to commands which divide pictures by a threshold.
 */

/* Local, on rank 0 at least, after the samples have been counted for Otsu's method. Warns of a file
 * that says of itself that it has labels, and has more than two of them, and of one that looks so;
 * not if the user has chosen Otsu's method. `remedy` says what can be done instead. */
void cli_warn_of_labels(app_run *run, const cli_threshold *asked, const halo_label_signs *signs,
                        const halo_label_histogram *histogram, const char *remedy);

#endif
