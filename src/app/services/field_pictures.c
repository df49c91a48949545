#include "app/services/field_pictures.h"
#include "app/run.h"
#include "app/services/dots.h"
#include "app/services/movie.h"
#include "app/stencil/picture.h"
#include "base/memory.h"
#include "io/canvas/picture.h"

/* Movies of a field of run->beat in colours. */

enum { MAX_CELL = 32 /* pixels */, WHITE = 255 };

/* A cell that is not a number adds this to its dot, which is then none either: it is more than
 * all others together, and negative. */
static const int64_t NOTHING = -((int64_t)1 << 40);

app_field_pictures *app_field_pictures_of(const app_run *run)
{
    return app_service_state(run, &app_field_pictures_service);
}

static halo_status open_pictures(app_run *run)
{
    *app_field_pictures_of(run) =
        (app_field_pictures){.how = {.plane = -1, .own_range = true}, .not_numbers = -1};
    return HALO_OK;
}

const app_service app_field_pictures_service = {.bytes = sizeof(app_field_pictures),
                                                .open = open_pictures};

static halo_status begin(app_run *run)
{
    const stencil_picture_options *how = &app_field_pictures_of(run)->how;
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    stencil_picture *picture = app_movie_of(run)->drawing;
    HALO_TRY(stencil_picture_create(picture, run->world, run->kernel, &run->domain, how));
    int scale = halo_picture_scale_to_fit(picture->width, picture->rows, APP_DOTS_SIDE,
                                          APP_DOTS_SIDE, MAX_CELL);
    HALO_TRY(app_dots_create(&app_movie_of(run)->dots, run->world, picture->rows, picture->width,
                             scale, false));
    halo_colour_map_fill(how->colours, palette);
    return app_movie_open(app_movie_of(run), palette);
}

static halo_status add_levels(void *context, const app_dots *dots, int64_t first, int64_t *sums)
{
    const app_run *run = context;
    const stencil_picture *picture = app_movie_of(run)->drawing;
    stencil_picture_part part = stencil_picture_own(picture, run->beat);
    void *room;
    HALO_TRY(halo_memory_create(&room, ((size_t)part.columns + 1) * (sizeof(double) + 1),
                                "a row of colours"));
    double *numbers = room;
    unsigned char *levels = (unsigned char *)(numbers + part.columns + 1);
    for (int64_t i = 0; i < part.rows; i++) {
        int64_t *into = sums + ((part.row + i) / dots->reduce - first) * dots->columns;
        stencil_picture_line(picture, stencil_picture_row(&part, i), 0, part.columns, numbers,
                             levels);
        for (int64_t x = 0; x < part.columns; x++) {
            into[(part.column + x) / dots->reduce] +=
                levels[x] == HALO_COLOUR_NONE ? NOTHING : levels[x];
        }
    }
    halo_memory_free(room);
    return HALO_OK;
}

halo_status app_find_range(app_run *run, stencil_picture *picture)
{
    app_field_pictures *pictures = app_field_pictures_of(run);
    stencil_picture_options *shown = &pictures->how;
    picture->how.has_range = shown->has_range;
    picture->how.lo = shown->lo;
    picture->how.hi = shown->hi;
    HALO_TRY(stencil_picture_find_range(picture, run->beat));
    pictures->range[0] = picture->lo;
    pictures->range[1] = picture->hi;
    pictures->not_numbers = picture->not_numbers;
    if (picture->found) {
        shown->has_range = true;
        shown->lo = picture->lo;
        shown->hi = picture->hi;
    }
    return HALO_OK;
}

static halo_status draw(app_run *run)
{
    stencil_picture *picture = app_movie_of(run)->drawing;
    stencil_picture_part own = stencil_picture_own(picture, run->beat);
    HALO_TRY(app_find_range(run, picture));
    HALO_TRY(app_dots_collect(&app_movie_of(run)->dots, own.row, own.rows, add_levels, run));
    if (app_movie_of(run)->pixels != NULL) {
        app_dots_paint(&app_movie_of(run)->dots, WHITE, app_movie_of(run)->pixels);
    }
    return HALO_OK;
}

const app_drawing app_field_drawing = {
    .bytes = sizeof(stencil_picture), .begin = begin, .draw = draw};
