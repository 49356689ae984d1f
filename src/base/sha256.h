/* SHA-256 (FIPS 180-4), for the digests of inputs in a report. */
#ifndef GP_BASE_SHA256_H
#define GP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { GP_SHA256_HEX = 65 }; /* 64 lower-case hexadecimal digits and a NUL */

typedef struct gp_sha256 {
    uint32_t state[8];
    uint64_t total; /* bytes so far */
    unsigned char block[64];
} gp_sha256;

void gp_sha256_init(gp_sha256 *hash);
void gp_sha256_add(gp_sha256 *hash, const void *data, size_t len);
void gp_sha256_finish(gp_sha256 *hash, char ret_hex[GP_SHA256_HEX]);
/* All at once. */
void gp_sha256_hex(const void *data, size_t len, char ret_hex[GP_SHA256_HEX]);

#endif
