/* Readers of what others write, each as one function of bytes. */
#ifndef GP_TESTS_FUZZ_H
#define GP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Gives the bytes to the reader of this name, and what it read to all that is made of it. False
 * where there is no such reader. */
int fuzz_run(const char *name, const uint8_t *bytes, size_t len);

#endif
