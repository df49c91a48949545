#ifndef HALOBEAT_TESTS_UNIT_CHECK_H
#define HALOBEAT_TESTS_UNIT_CHECK_H

#include <CUnit/CUnit.h>
#include <stdbool.h>

/* CUnit for tests of one process that check thousands of generated cases: an assertion alone would
 * not say which case failed. */

/* An assertion with a sentence; printf's rules. Returns `holds`. */
bool check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Run the tests (ended by CU_TEST_INFO_NULL); main's exit status. */
int unit_check_run(const char *suite, CU_TestInfo *tests);

/* The main of a program: its suite and its tests, {name, function}. */
#define UNIT_CHECK_MAIN(suite, ...)                             \
    int main(void)                                              \
    {                                                           \
        CU_TestInfo tests[] = {__VA_ARGS__, CU_TEST_INFO_NULL}; \
        return unit_check_run(suite, tests);                    \
    }

#endif
