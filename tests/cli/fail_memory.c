/* Loaded into the program before its libraries (LD_PRELOAD): on a chosen rank, a chosen call for
 * memory from the program itself fails; those of libraries are left alone.
 *
 * FAIL_MEMORY="RANK NUMBER" in the environment says which: "1 23". */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static uintptr_t code_begin, code_end;
static long chosen;
static atomic_long calls;

static int find_code(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; info->dlpi_name[0] == '\0' && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            code_begin = info->dlpi_addr + part->p_vaddr;
            code_end = code_begin + part->p_memsz;
        }
    }
    return 0;
}

__attribute__((constructor)) static void choose(void)
{
    long rank = -1, number = 0;
    const char *point = getenv("FAIL_MEMORY"), *own = getenv("PMI_RANK");
    own = own != NULL ? own : getenv("OMPI_COMM_WORLD_RANK");
    if (point != NULL && own != NULL && sscanf(point, "%ld %ld", &rank, &number) == 2 &&
        rank == atol(own)) {
        dl_iterate_phdr(find_code, NULL);
        chosen = number;
    }
}

static int fails(const void *caller)
{
    uintptr_t from = (uintptr_t)caller;
    if (chosen == 0 || from < code_begin || from >= code_end || ++calls != chosen) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

char *strndup(const char *text, size_t length)
{
    size_t used = strnlen(text, length);
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(used + 1);
    if (copy != NULL) {
        memcpy(copy, text, used);
        copy[used] = '\0';
    }
    return copy;
}

char *strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}
