/* Theory of operation. As published by D. J. Bernstein, with eight rounds; four words of counter and nonce are the
 * caller's. The quarter round is a function, not a macro: on the AVR that is smaller, and fast enough. */
#include "chacha.h"

#include "rotate.h"

/* Of one column; with a slant of 1, of one diagonal. Not inlined: in a frame of its own it keeps to registers. */
__attribute__((noinline)) static void quarter_round(uint32_t x[16], uint8_t column, uint8_t slant)
{
    uint32_t *pa = x + column, *pb = x + 4 + ((column + slant) & 3);
    uint32_t *pc = x + 8 + ((column + 2 * slant) & 3), *pd = x + 12 + ((column + 3 * slant) & 3);
    uint32_t a = *pa, b = *pb, c = *pc, d = *pd;
    a += b; d = rotate_left_16(d ^ a);
    c += d; b = rotate_left_12(b ^ c);
    a += b; d = rotate_left_8(d ^ a);
    c += d; b = rotate_left_7(b ^ c);
    *pa = a; *pb = b; *pc = c; *pd = d;
}

static void set_up(const uint32_t key[8], const uint32_t input[4], uint32_t x[16])
{
    x[0] = 0x61707865u; x[1] = 0x3320646Eu; x[2] = 0x79622D32u; x[3] = 0x6B206574u;    /* "expand 32-byte k" */
    for (uint8_t i = 0; i < 8; i++) x[4 + i] = key[i];
    for (uint8_t i = 0; i < 4; i++) x[12 + i] = input[i];
}

void chacha8_block(const uint32_t key[8], const uint32_t input[4], uint32_t block[16])
{
    uint32_t start[16];
    set_up(key, input, start);
    set_up(key, input, block);
    for (uint8_t round = 0; round < 8; round++)
        for (uint8_t column = 0; column < 4; column++) quarter_round(block, column, round & 1u);
    for (uint8_t i = 0; i < 16; i++) block[i] += start[i];
}
