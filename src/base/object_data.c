#define _POSIX_C_SOURCE 200809L
#include "base/object_data.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef STB_GNU_UNIQUE
#define STB_GNU_UNIQUE 10
#endif

/* The layout of both sizes of ELF is the same here. */
#define SYMBOL_BIND(info) ((info) >> 4)
#define SYMBOL_TYPE(info) ((info)&15)

/* A file in memory. */
typedef struct {
    const unsigned char *bytes;
    size_t size;
} elf_file;

/* Returns a pointer to `count` entries of `size` bytes at a place of the file; NULL if the file
 * ends before their end, or if they are not aligned. */
static const void *entries_at(const elf_file *file, uint64_t place, uint64_t count, size_t size)
{
    bool inside = place <= file->size && count <= (file->size - place) / size;
    return inside && (uintptr_t)(file->bytes + place) % sizeof(ElfW(Addr)) == 0
               ? file->bytes + place
               : NULL;
}

typedef struct {
    elf_file file;
    const ElfW(Ehdr) * head;
    const ElfW(Shdr) * sections;
    const ElfW(Phdr) * segments;
} elf_tables;

static bool find_tables(elf_tables *of)
{
    of->head = entries_at(&of->file, 0, 1, sizeof *of->head);
    if (of->head == NULL || memcmp(of->head->e_ident, ELFMAG, SELFMAG) != 0 ||
        of->head->e_shentsize != sizeof *of->sections ||
        of->head->e_phentsize != sizeof *of->segments) {
        return false;
    }
    of->sections =
        entries_at(&of->file, of->head->e_shoff, of->head->e_shnum, sizeof *of->sections);
    of->segments =
        entries_at(&of->file, of->head->e_phoff, of->head->e_phnum, sizeof *of->segments);
    return of->sections != NULL && of->segments != NULL;
}

/* Is it written by the loader only, which then protects it? */
static bool is_protected(const elf_tables *of, ElfW(Addr) address)
{
    for (int s = 0; s < of->head->e_phnum; s++) {
        const ElfW(Phdr) *segment = &of->segments[s];
        if (segment->p_type == PT_GNU_RELRO && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_memsz) {
            return true;
        }
    }
    return false;
}

/* Compilers put these into every object. */
static bool is_of_compiler(const char *name)
{
    return strncmp(name, "completed.", sizeof "completed." - 1) == 0 ||
           strncmp(name, "dtor_idx.", sizeof "dtor_idx." - 1) == 0 ||
           strcmp(name, "__dso_handle") == 0;
}

static bool is_variable(const elf_tables *of, const ElfW(Sym) * symbol, const char *name)
{
    unsigned section = symbol->st_shndx;
    return SYMBOL_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size > 0 &&
           section != SHN_UNDEF && section < of->head->e_shnum &&
           (of->sections[section].sh_flags & SHF_WRITE) != 0 &&
           !is_protected(of, symbol->st_value) && !is_of_compiler(name);
}

/* Look through a symbol table; return false if it cannot be read. */
static bool look_at_symbols(const elf_tables *of, const ElfW(Shdr) * table, halo_object_data *found)
{
    const ElfW(Shdr) *texts =
        table->sh_link < of->head->e_shnum ? &of->sections[table->sh_link] : NULL;
    const ElfW(Sym) *symbols =
        entries_at(&of->file, table->sh_offset, table->sh_size / sizeof *symbols, sizeof *symbols);
    bool good = symbols != NULL && texts != NULL && texts->sh_size > 0 &&
                texts->sh_offset <= of->file.size &&
                texts->sh_size <= of->file.size - texts->sh_offset &&
                of->file.bytes[texts->sh_offset + texts->sh_size - 1] == '\0';
    for (size_t i = 0; good && i < table->sh_size / sizeof *symbols; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        good = symbol->st_name < texts->sh_size;
        if (good &&
            is_variable(of, symbol,
                        (const char *)of->file.bytes + texts->sh_offset + symbol->st_name)) {
            bool shared = SYMBOL_BIND(symbol->st_info) == STB_GNU_UNIQUE;
            halo_object_data more = shared ? HALO_DATA_UNIQUE : HALO_DATA_OWN;
            *found = more > *found ? more : *found;
        }
    }
    return good;
}

/* Symbols that other objects see are always there; static ones may have been stripped. */
static halo_object_data look_at_file(const elf_file *file)
{
    elf_tables of = {.file = *file};
    halo_object_data found = HALO_DATA_NONE;
    bool all = false;
    if (!find_tables(&of)) {
        return HALO_DATA_OWN;
    }
    for (int s = 0; s < of.head->e_shnum; s++) {
        const ElfW(Shdr) *section = &of.sections[s];
        if (section->sh_type == SHT_SYMTAB || section->sh_type == SHT_DYNSYM) {
            bool read = look_at_symbols(&of, section, &found);
            all = all || (read && section->sh_type == SHT_SYMTAB);
        }
    }
    return all || found == HALO_DATA_UNIQUE ? found : HALO_DATA_OWN;
}

halo_object_data halo_object_data_of(const char *path)
{
    halo_object_data found = HALO_DATA_OWN;
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 && fstat(descriptor, &about) == 0 && about.st_size > 0) {
        elf_file file = {.size = (size_t)about.st_size};
        void *bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes != MAP_FAILED) {
            file.bytes = bytes;
            found = look_at_file(&file);
            munmap(bytes, file.size);
        }
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return found;
}
