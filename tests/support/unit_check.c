#include "support/unit_check.h"

#include <CUnit/Basic.h>
#include <stdarg.h>
#include <stdio.h>

bool check(bool holds, const char *format, ...)
{
    char sentence[400] = "";
    if (!holds) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sentence, sizeof sentence, format, arguments);
        va_end(arguments);
    }
    CU_assertImplementation(holds, __LINE__, sentence, __FILE__, "", CU_FALSE);
    return holds;
}

int unit_check_run(const char *suite, CU_TestInfo *tests)
{
    CU_SuiteInfo suites[] = {{suite, NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        return 1;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    bool good = CU_get_number_of_failures() == 0 && CU_get_number_of_tests_run() > 0;
    CU_cleanup_registry();
    return good ? 0 : 1;
}
