/* The tables of everything that is described by rows. */

#include <stddef.h>

#include "report/capacity.h"
#include "report/diff.h"
#include "report/produce.h"
#include "report/study.h"

#define GP_ROWS_AS_TABLES
#define GP_ROWS <gpuplan/report.def>
#include <gpuplan/rows.def>
#define GP_ROWS "report/capacity.def"
#include <gpuplan/rows.def>
#define GP_ROWS "report/diff.def"
#include <gpuplan/rows.def>
#define GP_ROWS "report/explain.def"
#include <gpuplan/rows.def>
#define GP_ROWS "report/study.def"
#include <gpuplan/rows.def>
