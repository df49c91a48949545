#include "app/image/pull.h"

#include "app/image/image_internal.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"

#include <string.h>

/* Rows of the file of an image on the way to who asks for them, about 256 KiB at a time. */

enum { BAND = 1 << 18 };

halo_status app_image_pull_any(app_image *image, bool *any)
{
    return app_image_open_everywhere(image, any);
}

halo_status app_image_pull_begin(app_image_pull *pull, app_image *image, const int64_t strip[2],
                                 const int64_t asks[2], halo_clock *clock)
{
    pull->image = image;
    pull->clock = clock;
    pull->lo = strip[0];
    pull->hi = strip[1];
    pull->begin = asks[0];
    pull->end = asks[1];
    pull->readings = 1;
    pull->row_bytes = halo_image_row_bytes(&image->info);
    pull->room = halo_max(1, BAND / (int64_t)halo_max((int64_t)pull->row_bytes, 1));
    if (image->reader != NULL) {
        halo_image_reader_expect(image->reader, asks[0], asks[1] - asks[0]);
    }
    return halo_agree(image->world,
                      halo_memory_create((void **)&pull->band, (size_t)pull->room * pull->row_bytes,
                                         "rows of an image"));
}

halo_status app_image_pull_again(void *context)
{
    app_image_pull *pull = context;
    app_image *image = pull->image;
    pull->readings++;
    pull->count = 0;
    if (image->info.random_access) {
        return HALO_OK;
    }
    app_image_close(image);
    image->counted = true; /* by the reading before */
    HALO_TRY(app_image_open_again(image));
    return HALO_OK;
}

/* Rows of the strip are read apart from those beside it, which other ranks count. */
static halo_status read_band(app_image_pull *pull, int64_t row)
{
    halo_image_reader *reader = pull->image->reader;
    int64_t stop = row < pull->lo ? pull->lo : row < pull->hi ? pull->hi : pull->end;
    stop = row < pull->end ? halo_min(stop, pull->end) : pull->image->info.rows;
    int64_t rows = halo_min(pull->room, stop - row);
    int64_t before = halo_image_reader_missing(reader);
    HALO_TRY(halo_image_reader_rows(reader, row, rows, pull->band, pull->row_bytes));
    bool counts = row >= pull->lo && row < pull->hi && pull->readings == 1;
    pull->missing += counts ? halo_image_reader_missing(reader) - before : 0;
    pull->first = row;
    pull->count = rows;
    return row + rows < pull->image->info.rows ? HALO_OK : halo_image_reader_finish(reader);
}

static halo_status read_timed(app_image_pull *pull, int64_t row)
{
    halo_stretch stretch = halo_clock_begin(pull->image->world);
    halo_status status = read_band(pull, row);
    halo_clock_end(pull->clock, HALO_PHASE_DECODE, stretch, pull->image->world);
    return status == HALO_FILE ? HALO_FORMAT : status;
}

halo_status app_image_pull_row(void *context, int64_t z, int64_t y, void *out)
{
    app_image_pull *pull = context;
    int64_t row = z * pull->image->info.height + y;
    if (row < pull->first || row >= pull->first + pull->count) {
        HALO_TRY(read_timed(pull, row));
    }
    memcpy(out, pull->band + (size_t)(row - pull->first) * pull->row_bytes, pull->row_bytes);
    return HALO_OK;
}

halo_status app_image_pull_check(const app_image_pull *pull)
{
    return HALO_REQUIRE(pull->missing == 0, HALO_FORMAT, "%s: samples are missing",
                        pull->image->path);
}

halo_status app_image_pull_end(app_image_pull *pull, halo_status status, const char *what)
{
    app_image *image = pull->image;
    int64_t missing = pull->missing;
    halo_status closed = app_image_close_read(image);
    HALO_IF_OK(closed, halo_allreduce_sum(image->world, &missing, 1));
    image->missing_pixels = closed == HALO_OK ? missing : 0;
    if (image->missing_pixels > 0 && (status == HALO_OK || status == HALO_FORMAT)) {
        return app_image_check_missing(image, what);
    }
    return status == HALO_OK ? closed : status;
}

void app_image_pull_free(app_image_pull *pull)
{
    halo_memory_free(pull->band);
    pull->band = NULL;
}
