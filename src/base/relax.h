#ifndef HALOBEAT_BASE_RELAX_H
#define HALOBEAT_BASE_RELAX_H

/* Local. Between two looks at memory that another core is about to write: lets the other thread of
 * this core go on, and does not flood the memory system. */
static inline void halo_relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

#endif
