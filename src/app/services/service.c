#include "app/services/service.h"

#include "app/run.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const halo_option app_place_of_results[] = {{.type = HALO_OPTION_END}};
const halo_option app_place_of_runs[] = {{.type = HALO_OPTION_END}};
const halo_option app_place_of_ranks[] = {{.type = HALO_OPTION_END}};

const app_nothing_given app_no_options;

const app_service_use *app_service_uses(const app_command *command)
{
    return command->services != NULL ? command->services : command->syntax->services;
}

/* The i-th service of a command; NULL after the last. */
static const app_service *service_of(const app_command *command, int i)
{
    return app_service_uses(command) != NULL ? app_service_uses(command)[i].service : NULL;
}

static const app_service *service_at(const app_run *run, int i)
{
    return service_of(run->command, i);
}

static int count_services(const app_run *run)
{
    int count = 0;
    while (service_at(run, count) != NULL) {
        count++;
    }
    return count;
}

halo_status app_services_create(app_run *run)
{
    int count = count_services(run);
    HALO_TRY(HALO_ALLOCATE(run->states, count, "the services of a command"));
    for (int i = 0; i < count; i++) {
        char *state;
        HALO_TRY(HALO_ALLOCATE(state, service_at(run, i)->bytes, "a service of a command"));
        run->states[i] = state;
    }
    return HALO_OK;
}

void app_services_destroy(app_run *run)
{
    for (int i = count_services(run) - 1; run->states != NULL && i >= 0; i--) {
        if (run->states[i] != NULL && service_at(run, i)->close != NULL) {
            service_at(run, i)->close(run);
        }
        free(run->states[i]);
        run->states[i] = NULL;
    }
    free((void *)run->states);
    run->states = NULL;
}

/* The number of a service in the command's list; -1: the command does not have it. */
static int find_service(const app_command *command, const app_service *service)
{
    int i = 0;
    while (service_of(command, i) != NULL && service_of(command, i) != service) {
        i++;
    }
    return service_of(command, i) != NULL ? i : -1;
}

void *app_service_state(const app_run *run, const app_service *service)
{
    int i = run->states != NULL ? find_service(run->command, service) : -1;
    return i >= 0 ? run->states[i] : NULL;
}

const void *app_service_options(const app_run *run, const app_service *service)
{
    const void *there = app_options_of_service(run->command->syntax, run->options, service);
    return there != NULL ? there : &app_no_options;
}

const void *app_service_with(const app_command *command, const app_service *service)
{
    int i = find_service(command, service);
    return i >= 0 ? app_service_uses(command)[i].with : NULL;
}

/* The next service of a list, from *i on, that has this function; NULL after the last. */
static const app_service *next_of(const app_service_use *uses, size_t member, int *i)
{
    app_step *function = NULL;
    const app_service *service = NULL;
    while (uses != NULL && uses[*i].service != NULL && function == NULL) {
        service = uses[(*i)++].service;
        memcpy(&function, (const char *)service + member, sizeof function);
    }
    return function != NULL ? service : NULL;
}

static const app_service *next_with(const app_run *run, size_t member, int *i)
{
    return next_of(app_service_uses(run->command), member, i);
}

/* The same of services whose options the command takes. */
static const app_service *next_requested(const app_run *run, size_t member, int *i)
{
    return next_of(run->command->syntax->services, member, i);
}

halo_status app_services_call(app_run *run, size_t step)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, step, &i)) != NULL;) {
        app_step *call;
        memcpy(&call, (const char *)next + step, sizeof call);
        HALO_TRY(call(run));
    }
    return HALO_OK;
}

halo_status app_services_turn(app_run *run, size_t turn, bool *done)
{
    const app_service *next;
    *done = false;
    for (int i = 0; !*done && (next = next_with(run, turn, &i)) != NULL;) {
        app_turn *call;
        memcpy(&call, (const char *)next + turn, sizeof call);
        HALO_TRY(call(run, done));
    }
    return HALO_OK;
}

void app_services_world(app_run *run, struct halo_world_options *options)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, APP_STEP(world), &i)) != NULL;) {
        next->world(run, options);
    }
}

void app_services_file(const app_run *run, const app_place *at, struct app_option_file *file)
{
    const app_service *next;
    for (int i = 0; (next = next_requested(run, APP_STEP(file), &i)) != NULL;) {
        next->file(run, at, file);
    }
}

halo_status app_services_files(app_run *run, struct app_files *files)
{
    const app_service *next;
    for (int i = 0; (next = next_requested(run, APP_STEP(files), &i)) != NULL;) {
        HALO_TRY(next->files(run, files));
    }
    return HALO_OK;
}

int64_t app_services_until(const app_run *run)
{
    const app_service *next;
    int64_t least = -1;
    for (int i = 0; (next = next_with(run, APP_STEP(until), &i)) != NULL;) {
        int64_t until = next->until(run);
        least = least < 0 || (until >= 0 && until < least) ? until : least;
    }
    return least;
}

void app_services_join(const app_run *run, struct halo_beat_options *options)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, APP_STEP(join), &i)) != NULL;) {
        next->join(run, options);
    }
}

void app_services_expect(const app_run *run, int64_t beats)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, APP_STEP(expect), &i)) != NULL;) {
        next->expect(run, beats);
    }
}

void app_services_left(const app_run *run, char text[HALO_MESSAGE_SIZE])
{
    const app_service *next;
    text[0] = '\0';
    for (int i = 0; text[0] == '\0' && (next = next_with(run, APP_STEP(left), &i)) != NULL;) {
        next->left(run, text);
    }
}

halo_status app_services_end(app_run *run, halo_status mine)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, APP_STEP(end), &i)) != NULL;) {
        mine = next->end(run, mine);
    }
    return mine;
}

halo_status app_services_report(app_run *run, const struct app_page *page)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, APP_STEP(report), &i)) != NULL;) {
        HALO_TRY(next->report(run, page));
    }
    return HALO_OK;
}

bool app_services_facts(const app_run *run, json_t *facts, json_t *texts)
{
    const app_service *next;
    bool good = true;
    for (int i = 0; good && (next = next_with(run, APP_STEP(facts), &i)) != NULL;) {
        good = next->facts(run, facts, texts);
    }
    return good;
}

void app_services_print(const app_run *run)
{
    const app_service *next;
    for (int i = 0; (next = next_with(run, APP_STEP(print), &i)) != NULL;) {
        next->print(run);
    }
}
