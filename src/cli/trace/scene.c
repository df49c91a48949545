#include "cli/trace/job.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "io/nff/nff.h"
#include "io/source/source.h"

#include <inttypes.h>

/* From a file in NFF to the kernel's scene. Rank 0 reads, and all understand the same text. */

/* ---- what the file says ---------------------------------------------------------------------- */

static halo_trace_vector vector_of(halo_nff_vector v)
{
    return (halo_trace_vector){v.x, v.y, v.z};
}

static halo_status take_view(void *context, const halo_nff_view *view)
{
    trace_job *job = context;
    const trace_options *options = job->run->options;
    HALO_FAIL_IF(job->width != 0, HALO_ARGUMENT, "there is a second view; a scene has one");
    bool sized = options->size[0] > 0;
    job->width = sized ? options->size[0] : view->width;
    job->height = sized ? options->size[1] : view->height;
    HALO_FAIL_IF(job->width > HALO_TRACE_MAX_SIDE || job->height > HALO_TRACE_MAX_SIDE,
                 HALO_ARGUMENT,
                 "the resolution is %" PRId64 " x %" PRId64
                 " pixels; it is at most %d x %d, and --size gives another",
                 job->width, job->height, HALO_TRACE_MAX_SIDE, HALO_TRACE_MAX_SIDE);
    return halo_trace_scene_set_view(job->scene, &(halo_trace_view){.from = vector_of(view->from),
                                                                    .at = vector_of(view->at),
                                                                    .up = vector_of(view->up),
                                                                    .angle = view->angle});
}

static halo_status take_background(void *context, halo_nff_vector colour)
{
    return halo_trace_scene_set_background(((trace_job *)context)->scene, vector_of(colour));
}

static halo_status take_light(void *context, halo_nff_vector place, const halo_nff_vector *colour)
{
    halo_trace_vector own = colour != NULL ? vector_of(*colour) : (halo_trace_vector){0};
    return halo_trace_scene_add_light(((trace_job *)context)->scene, vector_of(place),
                                      colour != NULL ? &own : NULL);
}

static halo_status take_surface(void *context, const halo_nff_surface *surface)
{
    return halo_trace_scene_set_surface(
        ((trace_job *)context)->scene,
        &(halo_trace_surface){.colour = vector_of(surface->colour),
                              .diffuse = surface->diffuse,
                              .specular = surface->specular,
                              .shine = surface->shine,
                              .transmittance = surface->transmittance,
                              .index = surface->index});
}

/* After a shape: remembers the line of the first one without area. */
static halo_status note_empty(trace_job *job, halo_status status)
{
    if (job->empty_line == 0 && halo_trace_scene_get_facts(job->scene).empty > 0) {
        job->empty_line = job->line;
    }
    return status;
}

static halo_status take_sphere(void *context, halo_nff_vector centre, double radius)
{
    trace_job *job = context;
    return note_empty(job, halo_trace_scene_add_sphere(job->scene, vector_of(centre), radius));
}

static halo_status take_cone(void *context, halo_nff_vector base, double base_radius,
                             halo_nff_vector apex, double apex_radius)
{
    trace_job *job = context;
    return note_empty(job, halo_trace_scene_add_cone(job->scene, vector_of(base), base_radius,
                                                     vector_of(apex), apex_radius));
}

_Static_assert(sizeof(halo_nff_vector) == sizeof(halo_trace_vector), "corners go as they are");

static halo_status take_polygon(void *context, const halo_nff_vector *corners,
                                const halo_nff_vector *normals, int64_t count)
{
    trace_job *job = context;
    return note_empty(job, halo_trace_scene_add_polygon(
                               job->scene, (const halo_trace_vector *)(const void *)corners,
                               (const halo_trace_vector *)(const void *)normals, count));
}

/* ---- the file -------------------------------------------------------------------------------- */

static halo_status read_file(const char *path, halo_buffer *text)
{
    halo_source source;
    const unsigned char *bytes;
    halo_status status = halo_source_open(&source, path, NULL, 0, false);
    HALO_IF_OK(status, halo_source_begin_text(&source));
    while (status == HALO_OK && halo_source_next(&source) >= 0) {
        size_t count = halo_source_take(&source, (size_t)(source.end - source.at), &bytes);
        status = halo_buffer_append(text, bytes, count);
    }
    status = halo_status_first(status, source.status);
    halo_source_close(&source);
    return status;
}

static halo_status understand(trace_job *job)
{
    const trace_options *options = job->run->options;
    const halo_nff_sink sink = {.context = job,
                                .line = &job->line,
                                .view = take_view,
                                .background = take_background,
                                .light = take_light,
                                .surface = take_surface,
                                .sphere = take_sphere,
                                .cone = take_cone,
                                .polygon = take_polygon};
    HALO_TRY(halo_trace_scene_create(&job->scene));
    HALO_TRY(halo_nff_parse(options->scene, (const char *)job->text.data, job->text.size, &sink));
    int64_t empty = halo_trace_scene_get_facts(job->scene).empty;
    if (empty > 0) {
        app_warn(job->run,
                 "\"%.200s\": %" PRId64 " shape%s without area %s left out, the first in line "
                 "%" PRId64,
                 options->scene, empty, empty == 1 ? "" : "s", empty == 1 ? "is" : "are",
                 job->empty_line);
    }
    return HALO_REQUIRE(job->width > 0, HALO_FORMAT,
                        "\"%.200s\" has no view (v, from, at, up, angle, hither, resolution); it "
                        "says where the eye is",
                        options->scene);
}

halo_status trace_read_scene(app_run *run)
{
    trace_job *job = run->job;
    const trace_options *options = run->options;
    double begun = halo_seconds();
    job->run = run;
    progress_phase(&run->progress, "reading");
    HALO_TRY(halo_bcast_buffer(run->world,
                               app_is_root(run) ? read_file(options->scene, &job->text) : HALO_OK,
                               &job->text));
    halo_status status = halo_agree(run->world, understand(job));
    job->read_seconds = halo_seconds() - begun;
    return status;
}
