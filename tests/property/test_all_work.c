/* The properties of test_plans.c over all kinds of work, simulated as plans are printed. */
#define PROPERTY_TEST "test_all_work"
#include "test_plans.c"
