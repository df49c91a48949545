#ifndef HALOBEAT_TESTS_UNIT_CHECK_H
#define HALOBEAT_TESTS_UNIT_CHECK_H

#include "base/status.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUnit for tests of one process. Many tests check thousands of generated cases, so that assertions
 * have a message that names the case. */

/* A test: TEST("what it tests") { ... }. All tests of a program run in the order of the file, by a
 * main that is linked unless the program has its own, which then calls unit_check_run. */
#define TEST(name)                  UNIT_CHECK_TEST(name, __LINE__)
#define UNIT_CHECK_TEST(name, line) UNIT_CHECK_TEST_IN_LINE(name, line)
#define UNIT_CHECK_TEST_IN_LINE(name, line)                                \
    static void test_in_line_##line(void);                                 \
    __attribute__((constructor)) static void add_test_in_line_##line(void) \
    {                                                                      \
        unit_check_add(name, test_in_line_##line);                         \
    }                                                                      \
    static void test_in_line_##line(void)

void unit_check_add(const char *name, CU_TestFunc test);

/* Runs all tests. Returns main's exit status. */
int unit_check_run(void);

/* Returns the number of random cases that a test runs: `count`, or a third of it if the environment
 * variable HALOBEAT_TEST_FEW is set. */
int unit_cases(int count);

/* The number of elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An assertion with a message, formatted as by printf. Returns `holds`. */
#define check(holds, ...) unit_check(__FILE__, __LINE__, holds, __VA_ARGS__)
bool unit_check(const char *file, unsigned line, bool holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Asserts that a call succeeds; the failure's message is printed, and the test ends. */
#define SUCCEEDS(call) unit_check_succeeds(__FILE__, __LINE__, #call, call)
void unit_check_succeeds(const char *file, unsigned line, const char *call, halo_status status);

/* Asserts that a call fails with this status, and a message that contains these words. */
#define FAILS(wanted, words, call) unit_check_fails(__FILE__, __LINE__, wanted, words, call)
bool unit_check_fails(const char *file, unsigned line, halo_status wanted, const char *words,
                      halo_status status);

/* Asserts that two numbers differ by at most `tolerance`. */
#define NEAR(got, wanted, tolerance) \
    unit_check_near(__FILE__, __LINE__, #got, got, wanted, tolerance)
bool unit_check_near(const char *file, unsigned line, const char *what, double got, double wanted,
                     double tolerance);

#endif
