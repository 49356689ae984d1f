/* Test support: figures that a report gives more than once are the same wherever they stand. */
#ifndef GP_TESTS_AGREEMENT_H
#define GP_TESTS_AGREEMENT_H

#include <gpuplan/report.h>

enum { AGREEMENT_WHY = 512 };

/* False where two contradict each other, which `why` names. */
bool figures_agree(const gp_report *report, char why[AGREEMENT_WHY]);

#endif
