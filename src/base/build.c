#define _GNU_SOURCE /* dl_iterate_phdr */
#include "base/build.h"

#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { NOTE_ALIGNMENT = 4, DIGITS = HALO_BUILD_TEXT - 1 };

/* A walk over the objects of the process, of which the program is the first. */
typedef struct {
    bool program;     /* wanted is that, or else */
    uintptr_t inside; /* what has this address */
    int objects;      /* seen */
    bool found;
    char *text; /* [HALO_BUILD_TEXT] */
} search;

static void print_bytes(char *text, const unsigned char *bytes, size_t count)
{
    text[0] = '\0';
    for (size_t i = 0; i < count && 2 * i < DIGITS; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
}

static size_t padded(size_t bytes)
{
    return (bytes + NOTE_ALIGNMENT - 1) / NOTE_ALIGNMENT * NOTE_ALIGNMENT;
}

/* The build-id among the notes of a segment. */
static bool find_note(const unsigned char *at, size_t bytes, char *text)
{
    ElfW(Nhdr) note;
    while (bytes >= sizeof note) {
        memcpy(&note, at, sizeof note);
        size_t name = sizeof note, content = name + padded(note.n_namesz);
        size_t end = content + padded(note.n_descsz);
        if (end > bytes) {
            return false;
        }
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            memcmp(at + name, "GNU", sizeof "GNU") == 0 && note.n_descsz > 0) {
            print_bytes(text, at + content, note.n_descsz);
            return true;
        }
        at += end;
        bytes -= end;
    }
    return false;
}

static const unsigned char *segment_of(const struct dl_phdr_info *object, int s)
{
    return (const unsigned char *)object->dlpi_addr + object->dlpi_phdr[s].p_vaddr;
}

static bool has_address(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int s = 0; s < object->dlpi_phnum; s++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[s];
        uintptr_t begin = (uintptr_t)object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= begin && address - begin < segment->p_memsz) {
            return true;
        }
    }
    return false;
}

static void print_build(const struct dl_phdr_info *object, char *text)
{
    uint64_t hash = 0;
    for (int s = 0; s < object->dlpi_phnum; s++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[s];
        if (segment->p_type == PT_NOTE &&
            find_note(segment_of(object, s), segment->p_memsz, text)) {
            return;
        }
    }
    for (int s = 0; s < object->dlpi_phnum; s++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[s];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0) {
            hash = XXH3_64bits_withSeed(segment_of(object, s), segment->p_filesz, hash);
        }
    }
    snprintf(text, HALO_BUILD_TEXT, "%016" PRIx64, hash);
}

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    search *wanted = context;
    bool is_program = wanted->objects++ == 0;
    (void)size;
    if (wanted->program ? is_program : has_address(object, wanted->inside)) {
        wanted->found = wanted->program || !is_program;
        if (wanted->found) {
            print_build(object, wanted->text);
        }
        return 1;
    }
    return 0;
}

void halo_build_of_program(char text[HALO_BUILD_TEXT])
{
    search wanted = {.program = true, .text = text};
    text[0] = '\0';
    dl_iterate_phdr(look_at, &wanted);
}

bool halo_build_of_object(char text[HALO_BUILD_TEXT], const void *inside)
{
    search wanted = {.inside = (uintptr_t)inside, .text = text};
    text[0] = '\0';
    dl_iterate_phdr(look_at, &wanted);
    return wanted.found;
}
