/* Rotations by a constant that an 8-bit machine does as byte moves and a few shifts. avr-gcc would otherwise rotate by
 * 12 or 7 one bit at a time, in a loop. */
#ifndef ROTATE_H
#define ROTATE_H
#include <stdint.h>

static inline uint32_t rotate_left_8(uint32_t x) { return (x << 8) | (x >> 24); }
static inline uint32_t rotate_left_16(uint32_t x) { return (x << 16) | (x >> 16); }
static inline uint32_t rotate_left_24(uint32_t x) { return (x << 24) | (x >> 8); }
static inline uint32_t rotate_left_1(uint32_t x) { return (x << 1) | (x >> 31); }
static inline uint32_t rotate_left_4(uint32_t x) { return (x << 4) | (x >> 28); }
static inline uint32_t rotate_right_1(uint32_t x) { return (x >> 1) | (x << 31); }

static inline uint32_t rotate_left_12(uint32_t x) { return rotate_left_4(rotate_left_8(x)); }
static inline uint32_t rotate_left_7(uint32_t x) { return rotate_right_1(rotate_left_8(x)); }
static inline uint32_t rotate_right_8(uint32_t x) { return rotate_left_24(x); }
static inline uint32_t rotate_right_12(uint32_t x) { return rotate_left_4(rotate_left_16(x)); }
static inline uint32_t rotate_right_7(uint32_t x) { return rotate_left_1(rotate_left_24(x)); }
#endif
