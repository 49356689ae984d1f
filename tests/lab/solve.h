/* Small dense systems of normal equations. */
#ifndef GP_LAB_SOLVE_H
#define GP_LAB_SOLVE_H

#include <stdbool.h>
#include <stddef.h>

/* Solves matrix x = right for a symmetric positive definite matrix (n x n, row by row), which is
 * overwritten; the solution replaces `right`. False when the matrix is not positive definite. */
bool gp_solve_symmetric(double *matrix, double *right, size_t n);

#endif
