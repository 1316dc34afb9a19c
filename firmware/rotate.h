/* Rotations of a word by the distances that ChaCha and BLAKE2s use, put together from what an 8-bit machine is quick at:
 * whole bytes, half bytes and single bits. Left to itself, avr-gcc shifts by 12 or 7 one bit at a time, in a loop. */
#ifndef ROTATE_H
#define ROTATE_H
#include <stdint.h>

static inline uint32_t rotate_left_8(uint32_t x) { return (x << 8) | (x >> 24); }
static inline uint32_t rotate_left_16(uint32_t x) { return (x << 16) | (x >> 16); }
static inline uint32_t rotate_left_24(uint32_t x) { return (x << 24) | (x >> 8); }

static inline uint32_t rotate_left_1(uint32_t x)
{
    uint8_t top = (uint8_t)((uint8_t)(x >> 24) >> 7);
    return (x << 1) | top;
}

static inline uint32_t rotate_right_1(uint32_t x)
{
    uint8_t bottom = (uint8_t)x & 1u;
    x >>= 1;
    return bottom ? x | 0x80000000u : x;
}

#ifdef __AVR__
static inline uint32_t rotate_left_4(uint32_t x)
{
    union { uint32_t word; uint8_t byte[4]; } in = { .word = x }, out;      /* little-endian */
    out.byte[0] = (uint8_t)(in.byte[0] << 4 | in.byte[3] >> 4);
    out.byte[1] = (uint8_t)(in.byte[1] << 4 | in.byte[0] >> 4);
    out.byte[2] = (uint8_t)(in.byte[2] << 4 | in.byte[1] >> 4);
    out.byte[3] = (uint8_t)(in.byte[3] << 4 | in.byte[2] >> 4);
    return out.word;
}
#else
static inline uint32_t rotate_left_4(uint32_t x) { return (x << 4) | (x >> 28); }
#endif

static inline uint32_t rotate_left_12(uint32_t x) { return rotate_left_4(rotate_left_8(x)); }
static inline uint32_t rotate_left_7(uint32_t x) { return rotate_right_1(rotate_left_8(x)); }
static inline uint32_t rotate_right_8(uint32_t x) { return rotate_left_24(x); }
static inline uint32_t rotate_right_12(uint32_t x) { return rotate_left_4(rotate_left_16(x)); }
static inline uint32_t rotate_right_7(uint32_t x) { return rotate_left_1(rotate_left_24(x)); }
#endif
