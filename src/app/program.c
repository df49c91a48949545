#include "app/program.h"

#include "app/frame.h"
#include "core/world/job.h"

#include <string.h>

/* Programs that bring what their ranks do. */

typedef struct {
    halo_rank_body *body;
    void *context;
    const char *name;
} body_program;

static int run_body(halo_world *all, int argc, char **argv, const void *context)
{
    const body_program *program = context;
    (void)argc;
    (void)argv;
    return app_agree_early(all, program->name, program->body(all, program->context));
}

const char *app_program_name(int argc, char *const *argv, const char *otherwise)
{
    const char *path = argc > 0 ? argv[0] : otherwise, *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int halo_program_run(int argc, char **argv, halo_rank_body *body, void *context)
{
    const body_program program = {
        .body = body, .context = context, .name = app_program_name(argc, argv, "program")};
    if (app_is_alone() && !halo_job_is_started()) {
        return app_run_threads(0, program.name, run_body, &program, argc, argv);
    }
    int status = app_begin(&argc, &argv, program.name, HALO_OK);
    return halo_job_end(status != 0 ? status : run_body(halo_job_world(), argc, argv, &program));
}
