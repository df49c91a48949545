#ifndef HALOBEAT_IO_IMAGE_NIFTI_LAYOUT_H
#define HALOBEAT_IO_IMAGE_NIFTI_LAYOUT_H

#include "base/sample.h"

/* The offsets of the fields of a header of NIfTI-1 and NIfTI-2, and the width of its numbers:
 * version 2 has room for sizes above 32767, and for real numbers of 8 bytes. Layouts: nifti1.h and
 * nifti2.h of the NIfTI Data Format Working Group. */

/* HALO_NIFTI_INTENT_...: codes of the intent, for samples that are indices of labels, and for
 * vectors along the fifth axis. */
enum {
    HALO_NIFTI_LAYOUTS = 2,
    HALO_NIFTI_HEADER_BYTES = 540,
    HALO_NIFTI_INTENT_LABEL = 1002,
    HALO_NIFTI_INTENT_VECTOR = 1007,
    HALO_NIFTI_TYPES = 12
};

typedef struct {
    int header_bytes, magic, datatype, bits, dim, pixdim, offset, slope, inter;
    int intent;
    int units, codes, quaternion, rows; /* codes: of qform and sform; rows: of sform */
    int size_bytes, real_bytes, unit_bytes, code_bytes;
    bool whole_offset; /* it is an integer */
    char version;
} halo_nifti_layout;

/* Codes of types of samples, of which a pixel has `channels`. */
typedef struct {
    int code, channels;
    halo_sample_type type;
} halo_nifti_type;

extern const halo_nifti_type halo_nifti_types[HALO_NIFTI_TYPES];
extern const halo_nifti_layout halo_nifti_layouts[HALO_NIFTI_LAYOUTS];

#endif
