#include "app/services/service.h"

#include "app/run.h"

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
    run->states = calloc((size_t)count + 1, sizeof *run->states);
    bool good = run->states != NULL;
    for (int i = 0; good && i < count; i++) {
        run->states[i] = calloc(1, service_at(run, i)->bytes + 1); /* there are stateless ones */
        good = run->states[i] != NULL;
    }
    return good ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: the services of a command");
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

halo_status app_services_call(app_run *run, size_t step)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        app_step *call;
        memcpy(&call, (const char *)service_at(run, i) + step, sizeof call);
        HALO_TRY(call != NULL ? call(run) : HALO_OK);
    }
    return HALO_OK;
}

halo_status app_services_turn(app_run *run, size_t turn, bool *done)
{
    *done = false;
    for (int i = 0; service_at(run, i) != NULL && !*done; i++) {
        app_turn *call;
        memcpy(&call, (const char *)service_at(run, i) + turn, sizeof call);
        HALO_TRY(call != NULL ? call(run, done) : HALO_OK);
    }
    return HALO_OK;
}

void app_services_world(app_run *run, struct halo_world_options *options)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        if (service_at(run, i)->world != NULL) {
            service_at(run, i)->world(run, options);
        }
    }
}

/* The i-th service whose options the command takes; NULL after the last. */
static const app_service *option_service_at(const app_run *run, int i)
{
    const app_service_use *uses = run->command->syntax->services;
    return uses != NULL ? uses[i].service : NULL;
}

void app_services_file(const app_run *run, const app_place *at, struct app_option_file *file)
{
    for (int i = 0; option_service_at(run, i) != NULL; i++) {
        if (option_service_at(run, i)->file != NULL) {
            option_service_at(run, i)->file(run, at, file);
        }
    }
}

halo_status app_services_files(app_run *run, struct app_files *files)
{
    for (int i = 0; option_service_at(run, i) != NULL; i++) {
        if (option_service_at(run, i)->files != NULL) {
            HALO_TRY(option_service_at(run, i)->files(run, files));
        }
    }
    return HALO_OK;
}

int64_t app_services_until(const app_run *run)
{
    int64_t least = -1;
    for (int i = 0; service_at(run, i) != NULL; i++) {
        int64_t until = service_at(run, i)->until != NULL ? service_at(run, i)->until(run) : -1;
        least = least < 0 || (until >= 0 && until < least) ? until : least;
    }
    return least;
}

void app_services_join(const app_run *run, struct halo_beat_options *options)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        if (service_at(run, i)->join != NULL) {
            service_at(run, i)->join(run, options);
        }
    }
}

void app_services_expect(const app_run *run, int64_t beats)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        if (service_at(run, i)->expect != NULL) {
            service_at(run, i)->expect(run, beats);
        }
    }
}

void app_services_left(const app_run *run, char text[HALO_MESSAGE_SIZE])
{
    text[0] = '\0';
    for (int i = 0; service_at(run, i) != NULL && text[0] == '\0'; i++) {
        if (service_at(run, i)->left != NULL) {
            service_at(run, i)->left(run, text);
        }
    }
}

halo_status app_services_end(app_run *run, halo_status mine)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        if (service_at(run, i)->end != NULL) {
            mine = service_at(run, i)->end(run, mine);
        }
    }
    return mine;
}

halo_status app_services_report(app_run *run, const struct app_page *page)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        if (service_at(run, i)->report != NULL) {
            HALO_TRY(service_at(run, i)->report(run, page));
        }
    }
    return HALO_OK;
}

bool app_services_facts(const app_run *run, json_t *facts, json_t *texts)
{
    bool good = true;
    for (int i = 0; good && service_at(run, i) != NULL; i++) {
        good = service_at(run, i)->facts == NULL || service_at(run, i)->facts(run, facts, texts);
    }
    return good;
}

void app_services_print(const app_run *run)
{
    for (int i = 0; service_at(run, i) != NULL; i++) {
        if (service_at(run, i)->print != NULL) {
            service_at(run, i)->print(run);
        }
    }
}
