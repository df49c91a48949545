#ifndef HALOBEAT_IO_HDF5_HELPER_H
#define HALOBEAT_IO_HDF5_HELPER_H

#include "base/status.h"
#include "io/hdf5/protocol.h"

#include <stdbool.h>
#include <stddef.h>

#define H5_USE_110_API /* later versions have these functions under the same names */
#include <hdf5.h>

/* Internals of halobeat-hdf5, the only program that calls libhdf5. Failures are sentences without
 * the file's name, which the reader puts in front. */

/* Filters that are undone here: deflate, shuffle and Fletcher's checksum, whatever their order. */
enum { HDF5_FILTERS = 32 };

typedef struct {
    int count;
    H5Z_filter_t ids[HDF5_FILTERS];
    unsigned elements[HDF5_FILTERS]; /* of shuffle: bytes of an element */
} hdf5_pipeline;

typedef struct {
    unsigned char *raw, *from, *to; /* [room] a chunk as it is stored; and between two filters */
    unsigned char *chunk;           /* a chunk as it is read */
    size_t room;
} hdf5_buffers;

typedef struct {
    hid_t file, set, access; /* below 0: not open; `access`: properties of an access by path */
    uint64_t file_bytes;
    bool follows;                  /* links to other files are followed */
    char elsewhere[HDF5_SENTENCE]; /* the link to another file that was met last; "": none */
    bool is_elsewhere;             /* the data set is in another file */
    hdf5_description about;
    bool by_chunks; /* chunks are unpacked here, and not by the library */
    hdf5_pipeline pipeline;
    hdf5_buffers buffers;
    hid_t type, memory;                 /* of samples in the file and in the window */
    bool converted;                     /* they differ */
    size_t stored_bytes, sample_bytes;  /* of a sample in the file, and the larger of both */
    unsigned char fill[sizeof(double)]; /* the value of samples that were never written */
    unsigned char *window;
    size_t window_bytes;
} hdf5_helper;

/* ---- limits.c: what the library may use ------------------------------------------------------ */

/* Sets the limits for the first time; the libraries are loaded. */
void hdf5_limits_begin(void);

/* Progress was made, and `bytes` bytes of samples may be worked on before the next. */
void hdf5_limits_progress(uint64_t bytes);

/* From now on `bytes` bytes of samples are in memory. */
void hdf5_limits_allow(uint64_t bytes);

/* May further files be opened? */
void hdf5_limits_files(bool allowed);

/* ---- types.c: types and axes ----------------------------------------------------------------- */

/* Describe a type, and the axes of a data space, in `about`. */
void hdf5_describe_type(hdf5_description *about, hid_t type);
void hdf5_describe_shape(hdf5_description *about, hid_t space);

/* True if two or three axes are left without those of one sample. */
bool hdf5_is_image(const hdf5_description *about);

/* True if it has more axes, along which one can be chosen. */
bool hdf5_has_images(const hdf5_description *about);

/* ---- find.c: what is in a file --------------------------------------------------------------- */

/* Sets helper->about.name to the path of the data set to read. HALO_FORMAT, with a list, unless
 * there is exactly one that is like an image. */
halo_status hdf5_find(hdf5_helper *helper);

/* HALO_FORMAT: `what` is wrong; with a list of the data sets below `root`, called `name`. */
halo_status hdf5_fail_list(const hdf5_helper *helper, hid_t root, const char *name,
                           const char *what);

/* ---- open.c ---------------------------------------------------------------------------------- */

/* HALO_FORMAT: `what` is wrong, with the library's message and the remedy. */
halo_status hdf5_fail(const char *what, const char *remedy);

/* Opens an object by its path. Below 0: there is none. */
hid_t hdf5_open_object(hdf5_helper *helper, const char *path);

/* Opens the file and a data set of it, and describes that in helper->about. */
halo_status hdf5_open(hdf5_helper *helper, const char *path);

/* ---- elsewhere.c: samples in other files ----------------------------------------------------- */

/* HALO_FORMAT, with a name, unless links are followed and all files of a virtual data set, or of
 * one with external storage, are there; the latter is opened again. */
halo_status hdf5_check_virtual(hdf5_helper *helper, hid_t create);
halo_status hdf5_check_external(hdf5_helper *helper, hid_t create);

/* HALO_FORMAT if a file that samples were to be read from could not be opened. */
halo_status hdf5_check_read(const hdf5_helper *helper);

/* Sets out->text to the name of file `index` of those that were opened; out->found is false if
 * there are fewer, or links are not followed. */
halo_status hdf5_file_name(const hdf5_helper *helper, uint64_t index, hdf5_attribute *out);

/* ---- dimension.c: names of axes ---------------------------------------------------------------
 */

/* Sets out->text as HDF5_DIMENSION says; out->found is false if the axis has no name. */
halo_status hdf5_read_dimension(const hdf5_helper *helper, uint64_t axis, hdf5_attribute *out);

/* ---- attribute.c, box.c, filters.c ----------------------------------------------------------- */

/* Reads an attribute of the object with this path; "": the open data set. */
halo_status hdf5_read_attribute(hdf5_helper *helper, const char *path, const char *name,
                                hdf5_attribute *out);

/* The same of an object that is open. */
void hdf5_read_attribute_of(hid_t object, const char *name, hdf5_attribute *out);

/* Prepares the reading of boxes from the layout `create` of the open data set. */
halo_status hdf5_prepare_boxes(hdf5_helper *helper, hid_t create);

/* Reads samples of the open data set into the window, in this machine's byte order. */
halo_status hdf5_read_box(hdf5_helper *helper, const hdf5_request *request);

/* False if there are other filters. */
bool hdf5_pipeline_read(hdf5_pipeline *pipeline, hid_t create);

/* Undoes the filters, of which those in `skipped` (bit i: the i-th) were not applied, of the
 * `bytes` bytes at the end of buffers->raw. The chunk has `wanted` bytes, which are written to
 * `out`. HALO_FORMAT if it becomes another number of bytes, or its checksum is wrong. */
halo_status hdf5_pipeline_undo(const hdf5_pipeline *pipeline, uint32_t skipped,
                               hdf5_buffers *buffers, size_t bytes, unsigned char *out,
                               size_t wanted);

#endif
