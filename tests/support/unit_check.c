#include "support/unit_check.h"

#include <CUnit/Basic.h>
#include <stdarg.h>

enum { MAX_TESTS = 64 };

static CU_TestInfo tests[MAX_TESTS + 1]; /* ended by CU_TEST_INFO_NULL */
static int test_count;

void unit_check_add(const char *name, CU_TestFunc test)
{
    if (test_count == MAX_TESTS) {
        fprintf(stderr, "more than %d tests in a program\n", (int)MAX_TESTS);
        abort();
    }
    tests[test_count++] = (CU_TestInfo){name, test};
}

int unit_check_run(void)
{
    CU_SuiteInfo suites[] = {{"unit tests", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        return 1;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    bool good = CU_get_number_of_failures() == 0 && CU_get_number_of_tests_run() > 0;
    CU_cleanup_registry();
    return good ? 0 : 1;
}

int unit_cases(int count)
{
    return getenv("HALOBEAT_TEST_FEW") != NULL ? count / 3 : count;
}

bool unit_check(const char *file, unsigned line, bool holds, const char *format, ...)
{
    char sentence[400] = "";
    if (!holds) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sentence, sizeof sentence, format, arguments);
        va_end(arguments);
    }
    CU_assertImplementation(holds, line, sentence, file, "", CU_FALSE);
    return holds;
}

void unit_check_succeeds(const char *file, unsigned line, const char *call, halo_status status)
{
    unit_check(file, line, status == HALO_OK, "%s: %s", call, halo_last_message());
    CU_assertImplementation(status == HALO_OK, line, call, file, "", CU_TRUE);
}

bool unit_check_fails(const char *file, unsigned line, halo_status wanted, const char *words,
                      halo_status status)
{
    const char *message = halo_last_message();
    return unit_check(file, line, status == wanted && strstr(message, words) != NULL,
                      "status %d, not %d with \"%s\": %s", (int)status, (int)wanted, words,
                      message);
}

bool unit_check_near(const char *file, unsigned line, const char *what, double got, double wanted,
                     double tolerance)
{
    return unit_check(file, line, fabs(got - wanted) <= tolerance, "%s: %.15g, not %.15g", what,
                      got, wanted);
}
