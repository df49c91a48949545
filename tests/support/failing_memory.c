#include "support/failing_memory.h"

#include "base/memory.h"

#include <stddef.h>

/* Allocations have no argument for it. */
static bool armed, failed;
static int64_t left;

void failing_memory_arm(int64_t allocations)
{
    armed = true;
    failed = false;
    left = allocations;
}

bool failing_memory_disarm(void)
{
    armed = false;
    return failed;
}

static bool refuse(void)
{
    if (!armed || failed || left-- > 0) {
        return false;
    }
    failed = true;
    return true;
}

/* The linker's names for a wrapped function (--wrap) and for what it stands in front of. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
halo_status __real_halo_memory_create(void **out, size_t bytes, const char *what);
halo_status __real_halo_memory_reserve(void **out, size_t bytes, const char *what);

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return refuse() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return refuse() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
    return refuse() ? NULL : __real_realloc(memory, bytes);
}

halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what);
halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what)
{
    if (refuse()) {
        *out = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: %s", what);
    }
    return __real_halo_memory_create(out, bytes, what);
}

halo_status __wrap_halo_memory_reserve(void **out, size_t bytes, const char *what);
halo_status __wrap_halo_memory_reserve(void **out, size_t bytes, const char *what)
{
    if (refuse()) {
        *out = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: %s", what);
    }
    return __real_halo_memory_reserve(out, bytes, what);
}
