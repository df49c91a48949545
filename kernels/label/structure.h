#ifndef HALOBEAT_LABEL_STRUCTURE_H
#define HALOBEAT_LABEL_STRUCTURE_H

#include "kernels/label/label_array_internal.h"

/* Labelling an array whose neighbours are those of any symmetric structuring element, as
 * scipy.ndimage.label takes it. The kernel's own loops, and its borders between blocks, are for
 * neighbours that are the same to both sides; here runs are united by one direction after the
 * other. Internal to the label kernel. */

/* Local. Reads 3^axes characters 0 or 1, in C's order. Sets *connectivity if these are the
 * neighbours of one, and otherwise to 0. HALO_ARGUMENT for other texts, and if the opposite of a
 * neighbour is none. */
halo_status label_structure_read(const char *text, int axes, label_structure *structure,
                                 int *connectivity);

/* Local. Labels the image of a job that has a structure, and writes its labels. Threads unite the
 * runs of a strip each, and the calling one those of the seams: labels are the same for any
 * number. */
halo_status label_structure_run(halo_context *context, label_array_job *job);

#endif
