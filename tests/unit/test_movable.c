#define _DEFAULT_SOURCE
#include "core/field/field.h"
#include "support/unit_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Memory of fields whose strip moves. That cells move with it is for tests/mpi/test_migrate.c. */

static halo_box strip(const halo_domain *domain, int64_t lo, int64_t hi)
{
    return (halo_box){.lo = {lo}, .n = {hi - lo, domain->n[1], domain->n[2]}};
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* In bytes. The sums in /proc/self/statm may be some MB off, since each processor adds up its own.
 */
static int64_t read_memory(const char *file_name, const char *name)
{
    char line[256];
    int64_t found = -1;
    FILE *file = fopen(file_name, "r");
    CU_ASSERT_FATAL(file != NULL);
    while (found < 0 && fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(name);
        if (strncmp(line, name, length) == 0) {
            found = strtoll(line + length, NULL, 10) * 1024;
        }
    }
    fclose(file);
    CU_ASSERT_FATAL(found >= 0);
    return found;
}

static int64_t resident(void)
{
    return read_memory("/proc/self/smaps_rollup", "Rss:");
}

static int64_t addresses(void)
{
    return read_memory("/proc/self/status", "VmSize:");
}

static void touch(const halo_field *field)
{
    const halo_view *view = halo_field_view(field);
    for (int64_t y = -view->depth; y < view->owned.n[0] + view->depth; y++) {
        memset(halo_row(view, y), 1, (size_t)view->stride[0] / 2);
    }
}

/* A strip of 8 MB goes through 160 MB: what it leaves behind is given back. Four huge pages
 * are for what stays beyond its ends, and for the program's own. */
TEST("memory is given back")
{
    const int64_t rows = 20000, high = 1000, max = high * 8192 + 4 * ((int64_t)2 << 20);
    halo_domain domain = {.axes = 2, .n = {rows, 1000, 1}};
    halo_box owned = strip(&domain, 0, high);
    halo_field *field;
    SUCCEEDS(halo_field_create_movable(&field, &domain, &owned, 64, 2));
    int64_t before = resident();
    for (int64_t lo = 0; lo + high <= rows; lo += 937) {
        owned = strip(&domain, lo, lo + high);
        halo_field_set_owned(field, &owned);
        touch(field);
        int64_t used = resident() - before;
        check(used <= max, "row %" PRId64 ": %" PRId64 " bytes, not %" PRId64, lo, used, max);
        CU_ASSERT_TRUE(used > high * 4000);
    }
    owned = strip(&domain, 5000, 5000);
    halo_field_set_owned(field, &owned);
    check(resident() - before < (int64_t)2 << 20, "an empty strip keeps %" PRId64 " bytes",
          resident() - before);
    halo_field_destroy(&field);
}

/* ---- what there is no room for --------------------------------------------------------------- */

static bool is_refused(const halo_domain *domain)
{
    halo_box owned = strip(domain, 3, 5);
    halo_field *field;
    halo_status status = halo_field_create_movable(&field, domain, &owned, 64, 1);
    bool refused = status == HALO_MEMORY && field == NULL &&
                   strstr(halo_last_message(), "sets aside no") != NULL &&
                   strstr(halo_last_message(), "ulimit -v") != NULL;
    halo_field_destroy(&field);
    status = halo_field_create(&field, domain, &owned, 64, 1);
    halo_field_destroy(&field);
    return refused && status == HALO_OK;
}

/* More than the 2^47 addresses of a program. */
TEST("more addresses than there are")
{
    halo_domain domain = {.axes = 2, .n = {(int64_t)1 << 38, 1000, 1}};
    CU_ASSERT_TRUE(is_refused(&domain));
}

/* In a child, since a limit once set holds for all that follows: room for 64 MiB, not for 8 GiB. */
TEST("more addresses than allowed")
{
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        rlim_t max = (rlim_t)(addresses() + ((int64_t)64 << 20));
        halo_domain domain = {.axes = 2, .n = {1000000, 1000, 1}};
        bool limited = setrlimit(RLIMIT_AS, &(struct rlimit){max, max}) == 0;
        _exit(limited && is_refused(&domain) ? 0 : 1);
    }
    int status = -1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST("bad arguments")
{
    halo_domain domain = {.axes = 2, .n = {5, 9, 1}};
    halo_box owned = strip(&domain, 2, 6);
    halo_field *field;
    CU_ASSERT_EQUAL(halo_field_create_movable(&field, &domain, &owned, 8, 0), HALO_ARGUMENT);
    CU_ASSERT_PTR_NULL(field);
    domain.n[0] = INT64_MAX;
    CU_ASSERT_EQUAL(halo_field_create_movable(&field, &domain, &owned, 8, 0), HALO_MEMORY);
    CU_ASSERT_PTR_NULL(field);
}
