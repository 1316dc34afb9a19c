/* Theory of operation. RFC 7693 with one block only: the compression function runs once, the counter is the number of
 * bytes, the last-block flag is set. The order in which a round takes the message words is packed two to a byte. */
#include "blake2s.h"

#include "memory_space.h"
#include "rotate.h"

static const IN_FLASH uint32_t initial[8] = {
    0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au, 0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u,
};

static const IN_FLASH uint8_t order[10][8] = {
    { 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF }, { 0xEA, 0x48, 0x9F, 0xD6, 0x1C, 0x02, 0xB7, 0x53 },
    { 0xB8, 0xC0, 0x52, 0xFD, 0xAE, 0x36, 0x71, 0x94 }, { 0x79, 0x31, 0xDC, 0xBE, 0x26, 0x5A, 0x40, 0xF8 },
    { 0x90, 0x57, 0x24, 0xAF, 0xE1, 0xBC, 0x68, 0x3D }, { 0x2C, 0x6A, 0x0B, 0x83, 0x4D, 0x75, 0xFE, 0x19 },
    { 0xC5, 0x1F, 0xED, 0x4A, 0x07, 0x63, 0x92, 0x8B }, { 0xDB, 0x7E, 0xC1, 0x39, 0x50, 0xF4, 0x86, 0x2A },
    { 0x6F, 0xE9, 0xB3, 0x08, 0xC2, 0xD7, 0x14, 0xA5 }, { 0xA2, 0x84, 0x76, 0x15, 0xFB, 0x9E, 0x3C, 0xD0 },
};

/* Of one column; with a slant of 1, of one diagonal. Not inlined: in a frame of its own it keeps to registers. ChaCha's quarter round, rotated the other way. */
__attribute__((noinline)) static void mix(uint32_t v[16], uint8_t column, uint8_t slant, uint32_t first, uint32_t second)
{
    uint32_t *pa = v + column, *pb = v + 4 + ((column + slant) & 3);
    uint32_t *pc = v + 8 + ((column + 2 * slant) & 3), *pd = v + 12 + ((column + 3 * slant) & 3);
    uint32_t a = *pa, b = *pb, c = *pc, d = *pd;
    a += b + first;  d = rotate_left_16(d ^ a);
    c += d;          b = rotate_right_12(b ^ c);
    a += b + second; d = rotate_right_8(d ^ a);
    c += d;          b = rotate_right_7(b ^ c);
    *pa = a; *pb = b; *pc = c; *pd = d;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void write_word(uint8_t *bytes, uint32_t word)
{
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
}

static void set_up(uint32_t h[8], const char person[8], uint8_t digest_size)
{
    for (uint8_t i = 0; i < 8; i++) h[i] = initial[i];
    h[0] ^= 0x01010000u ^ digest_size;
    h[6] ^= word_at((const uint8_t *)person);
    h[7] ^= word_at((const uint8_t *)person + 4);
}

void blake2s(const uint8_t *data, uint8_t size, const char person[8], uint8_t *digest, uint8_t digest_size)
{
    uint32_t h[8], v[16], message[16] = { 0 };
    set_up(h, person, digest_size);
    for (uint8_t i = 0; i < size / 4u; i++) message[i] = word_at(data + 4u * i);
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = h[i];
        v[8 + i] = initial[i];
    }
    v[12] ^= size;
    v[14] = ~v[14];                                             /* the last block */
    for (uint8_t round = 0; round < 10; round++) {
        for (uint8_t i = 0; i < 8; i++) {
            uint8_t pair = order[round][i];
            mix(v, i & 3u, i >> 2, message[pair >> 4], message[pair & 15u]);
        }
    }
    for (uint8_t i = 0; i < digest_size / 4u; i++) write_word(digest + 4u * i, h[i] ^ v[i] ^ v[8 + i]);
}
