#ifndef HALOBEAT_BASE_PRINTABLE_H
#define HALOBEAT_BASE_PRINTABLE_H

/* Local. Replaces every control character of `text` (ASCII, and Unicode U+0080 to U+009F in UTF-8)
 * by '?', so that names and contents of files cannot control a terminal. */
void halo_make_printable(char *text);

/* Local. Replaces every byte of `text` that belongs to no character of UTF-8 (RFC 3629) by '?'. */
void halo_make_utf8(char *text);

/* Local. Prints a line on stderr, "PROGRAM: TEXT", made printable, by one write(2): stdio may be
 * locked by a stopped thread, and lines of several ranks must not be mixed. Long texts are cut.
 * Every message of the program is printed by this function. */
void halo_print_line(const char *program, const char *text);

/* Local. The same, formatted as by printf. */
void halo_print_message(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
