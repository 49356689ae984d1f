/* All of the library: sizing of GPU clusters for programs other than the command line. */
#ifndef GPUPLAN_GPUPLAN_H
#define GPUPLAN_GPUPLAN_H

#include <gpuplan/render.h>
#include <gpuplan/report.h>
#include <gpuplan/session.h>

/* "0.1.0", of the library that is linked. */
const char *gp_version(void);

#endif
