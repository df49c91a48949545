#include "support/unit_check.h"

/* The main of programs of tests that have none of their own. */
int main(void)
{
    return unit_check_run();
}
