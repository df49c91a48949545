#ifndef HALOBEAT_IO_ARRAY_ARRAY_INTERNAL_H
#define HALOBEAT_IO_ARRAY_ARRAY_INTERNAL_H

#include "io/array/array_write.h"

/* Headers of the formats; not installed. Each function appends what precedes the samples to `out`.
 * Local. HALO_MEMORY. */

static inline int64_t halo_array_planes(const halo_npy_header *header)
{
    return header->axes == 3 && header->pixel == 0 ? header->planes : 1;
}

/* Samples per pixel. */
static inline int64_t halo_array_channels(const halo_npy_header *header)
{
    return header->axes == 3 && header->pixel > 0 ? header->pixel : 1;
}

static inline int64_t halo_array_plane_rows(const halo_npy_header *header)
{
    return header->height / halo_array_planes(header);
}

/* Classic TIFF if the file is below 4 GiB in any case, otherwise BigTIFF. */
halo_status halo_array_tiff_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about);

/* As above, for strips of `strip_rows` rows compressed by deflate: `begins` are the offsets of the
 * strips after the header, plane by plane, and the end of the last one. */
halo_status halo_array_tiff_packed_head(halo_buffer *out, const halo_npy_header *header,
                                        const halo_array_about *about, int64_t strip_rows,
                                        const int64_t *begins);

/* Bytes of that header, which do not depend on the sizes of the strips. */
int64_t halo_array_tiff_samples(const halo_npy_header *header, const halo_array_about *about,
                                int64_t strip_rows);

/* `path` is FILE.h5 or FILE.h5:/PATH/IN/IT. HALO_ARGUMENT for a path within the file that is too
 * long. */
halo_status halo_array_hdf5_head(halo_buffer *out, const char *path, const halo_npy_header *header,
                                 const halo_array_about *about);

/* `data` is the name of the file with the samples; NULL: they follow the header. */
halo_status halo_array_meta_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about, const char *data);

/* The same before compressed samples of `stream` bytes, which follow it; it has the same length for
 * all of them. */
halo_status halo_array_meta_packed_head(halo_buffer *out, const halo_npy_header *header,
                                        const halo_array_about *about, int64_t stream);

halo_status halo_array_nifti_head(halo_buffer *out, const halo_npy_header *header,
                                  const halo_array_about *about);

halo_status halo_array_nrrd_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about);

/* Local. True if samples of the format that the name asks for can be one compressed stream. */
bool halo_array_is_stream(const char *path);

/* Collective. As halo_array_write, with samples that are one stream of zlib or gzip; about->packing
 * is deflate. */
halo_status halo_array_stream_write(halo_world *world, const char *path,
                                    const halo_npy_header *header, const halo_array_about *about,
                                    const int64_t *cuts, const halo_rows *rows);

/* Collective. As halo_array_write, with strips compressed by deflate. */
halo_status halo_array_tiff_write(halo_world *world, const char *path,
                                  const halo_npy_header *header, const halo_array_about *about,
                                  const int64_t *cuts, const halo_rows *rows);

/* Collective. As halo_array_write, as a folder of chunks. */
halo_status halo_array_zarr_write(halo_world *world, const char *path,
                                  const halo_npy_header *header, const halo_array_about *about,
                                  const int64_t *cuts, const halo_rows *rows);

/* Local. The attributes of such an array, a text for free(); NULL where there is nothing to say.
 * HALO_MEMORY. */
halo_status halo_array_zarr_attributes(char **out, const halo_npy_header *header,
                                       const halo_array_about *about);

#endif
