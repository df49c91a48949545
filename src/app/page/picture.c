#include "app/page/page_internal.h"

#include "io/png/png_write.h"

#include <stdlib.h>

static halo_status encode(halo_png_header header, const unsigned char *pixels, halo_buffer *png)
{
    int64_t rows = halo_png_idat_rows(&header);
    size_t pitch = halo_png_row_bytes(&header);
    halo_png_sums sums = {1, 0}, more;
    halo_png_encoder *encoder;
    HALO_TRY(halo_png_encoder_create(&encoder, &header));
    halo_status status = halo_png_begin(encoder, png);
    for (int64_t chunk = 0; status == HALO_OK && chunk * rows < header.height; chunk++) {
        status = halo_png_idat(encoder, png, pixels + (size_t)(chunk * rows) * pitch, pitch, chunk,
                               &more);
        sums = halo_png_sums_join(sums, more);
    }
    HALO_IF_OK(status, halo_png_end(encoder, png, sums.adler));
    halo_png_encoder_destroy(&encoder);
    return status;
}

halo_status page_picture_encode(int64_t width, int64_t height, const unsigned char *greys,
                                halo_buffer *png)
{
    return encode((halo_png_header){.width = width, .height = height, .kind = HALO_PNG_GREY8},
                  greys, png);
}

halo_status page_picture_scale(const char *path, const halo_image_options *as, bool labels,
                               app_scaled *out, halo_buffer *png)
{
    unsigned char *pixels;
    HALO_TRY(app_scaled_read(path, as, labels, out, &pixels));
    const halo_png_header header = {
        .width = out->width, .height = out->height, .kind = HALO_PNG_RGB8};
    halo_status status = encode(header, pixels, png);
    free(pixels);
    return status;
}
