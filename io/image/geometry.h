#ifndef HALOBEAT_IO_IMAGE_GEOMETRY_H
#define HALOBEAT_IO_IMAGE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

/* The place of an image's samples in space. Pure functions.
 *
 * Axes are x, y and z of the array: x, the fastest one, goes from one pixel of a row to the next, y
 * from row to row, z from plane to plane. The first sample's centre lies at `origin`, and sample
 * (x, y, z) at origin + x * spacing[0] * direction[0] + y * spacing[1] * direction[1] + z *
 * spacing[2] * direction[2]. The components of places and directions are those of ITK and DICOM: of
 * a patient the first points to the left, the second to the back, the third to the head (LPS).
 * Formats with other ones (NIfTI: right, front, head) are converted as ITK converts them. */

/* Units of length: code, name, metres. */
#define HALO_LENGTH_LIST(X)        \
    X(UNKNOWN, "", 0)              \
    X(PICOMETRE, "pm", 1e-12)      \
    X(ANGSTROM, "angstrom", 1e-10) \
    X(NANOMETRE, "nm", 1e-9)       \
    X(MICROMETRE, "um", 1e-6)      \
    X(MILLIMETRE, "mm", 1e-3)      \
    X(CENTIMETRE, "cm", 1e-2)      \
    X(INCH, "inch", 0.0254)        \
    X(FOOT, "foot", 0.3048)        \
    X(METRE, "m", 1)               \
    X(KILOMETRE, "km", 1e3)

typedef enum {
#define HALO_LENGTH_ENUM(code, name, metres) HALO_LENGTH_##code,
    HALO_LENGTH_LIST(HALO_LENGTH_ENUM)
#undef HALO_LENGTH_ENUM
} halo_length;

/* Zero-initialised, nothing is known. It has no pointers, so that it can be sent to other ranks. */
typedef struct {
    double spacing[3];      /* along x, y, z; 0: unknown, otherwise finite and above 0 */
    double origin[3];       /* read only if `placed` is set */
    double direction[3][3]; /* [axis][component]: unit vectors; read only if `placed` is set */
    halo_length unit;       /* of spacing and origin */
    bool placed;            /* origin and direction are known */
    bool anatomical;        /* the components are left, posterior and superior */
    bool assumed; /* the file names no unit, and this is the one that its format usually has */
    bool printed; /* the spacing is that of dots on paper or a screen, and measures nothing */
    bool ignored; /* what the file says is no geometry, and was left out */
} halo_image_geometry;

/* Tags by which a GeoTIFF file says where it lies, as they are in the file but in this machine's
 * byte order. */
enum { HALO_GEOTIFF_TAGS = 6, HALO_GEOTIFF_BYTES = 3072 };

typedef struct {
    uint16_t tag, type;
    uint32_t count, at; /* values, and the offset of the first one */
} halo_geotiff_tag;

typedef struct {
    int count; /* tags, in ascending order; 0: none */
    halo_geotiff_tag tags[HALO_GEOTIFF_TAGS];
    unsigned char values[HALO_GEOTIFF_BYTES];
} halo_geotiff;

/* The unit's name as in the list, and its metres. */
const char *halo_length_name(halo_length unit);
double halo_length_metres(halo_length unit);

/* The unit that a text names, in one of the spellings of image formats ("mm", "millimeter",
 * "microns", a Greek letter mu); HALO_LENGTH_UNKNOWN for other texts. */
halo_length halo_length_find(const char *text);

/* Sets directions along the axes and the origin 0. */
void halo_geometry_set_identity(halo_image_geometry *geometry);

/* Sets spacing, directions and origin from a matrix [component][x, y, z, origin]. */
void halo_geometry_set_affine(halo_image_geometry *geometry, const double affine[3][4]);

/* Leaves out what cannot be used, of an image of `axes` axes, and sets `ignored` then: spacing that
 * is not finite or is 0; origin and directions that are not finite, or lie in one plane. The sign
 * of a spacing is dropped. */
void halo_geometry_check(halo_image_geometry *geometry, int axes);

/* True if the unit is known, and the spacing along all `axes` axes, and it is not printed. A
 * spacing of 1 along all of them is none where the unit is only what the format usually has:
 * programs write it for want of a better one. */
bool halo_geometry_measures(const halo_image_geometry *geometry, int axes);

/* True if the spacing along any axis is known; the spacing along an axis, or 1. */
bool halo_geometry_is_spaced(const halo_image_geometry *geometry);
double halo_geometry_spacing(const halo_image_geometry *geometry, int axis);

/* The same in another unit; unchanged if one of the units is unknown. */
halo_image_geometry halo_geometry_in(const halo_image_geometry *geometry, halo_length unit);

/* True if the first two axes lie in the plane of the first two components, so that a format of two
 * axes can hold them. */
bool halo_geometry_is_flat(const halo_image_geometry *geometry);

#endif
