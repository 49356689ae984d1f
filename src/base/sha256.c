/* SHA-256 by the letter of FIPS 180-4, section 6.2; names follow the standard. */
#include "base/sha256.h"

#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n) {
    return x >> n | x << (32 - n);
}

static void message_schedule(const unsigned char *block, uint32_t w[64]) {
    for (size_t t = 0; t < 16; t++) {
        const unsigned char *b = block + t * 4;
        w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (size_t t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void compress(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64];
    uint32_t v[8]; /* a to h */
    message_schedule(block, w);
    memcpy(v, state, sizeof v);
    for (size_t t = 0; t < 64; t++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + round_constants[t] + w[t];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

void gp_sha256_init(gp_sha256 *hash) {
    *hash = (gp_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void gp_sha256_add(gp_sha256 *hash, const void *data, size_t len) {
    const unsigned char *bytes = data;
    while (len) {
        size_t filled = (size_t)(hash->total % sizeof hash->block);
        size_t part = sizeof hash->block - filled;
        part = part < len ? part : len;
        memcpy(hash->block + filled, bytes, part);
        hash->total += part;
        bytes += part;
        len -= part;
        if (filled + part == sizeof hash->block)
            compress(hash->state, hash->block);
    }
}

void gp_sha256_finish(gp_sha256 *hash, char ret_hex[GP_SHA256_HEX]) {
    static const unsigned char padding[64] = {0x80};
    static const char digits[] = "0123456789abcdef";
    uint64_t bits = hash->total * 8;
    size_t filled = (size_t)(hash->total % 64);
    gp_sha256_add(hash, padding, filled < 56 ? 56 - filled : 120 - filled);
    unsigned char length[8];
    for (size_t i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i) & 0xffu);
    gp_sha256_add(hash, length, sizeof length);
    for (size_t i = 0; i < GP_SHA256_HEX - 1; i++)
        ret_hex[i] = digits[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15u];
    ret_hex[GP_SHA256_HEX - 1] = '\0';
}

void gp_sha256_hex(const void *data, size_t len, char ret_hex[GP_SHA256_HEX]) {
    gp_sha256 hash;
    gp_sha256_init(&hash);
    gp_sha256_add(&hash, data, len);
    gp_sha256_finish(&hash, ret_hex);
}
