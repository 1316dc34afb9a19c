/* BLAKE2s of data that fits one block (PROTOCOL.md, section 7): unkeyed, no salt, with a personalisation. */
#ifndef BLAKE2S_H
#define BLAKE2S_H
#include <stdint.h>

/* size and digest_size are multiples of four, at most 64 and 32 */
void blake2s(const uint8_t *data, uint8_t size, const char person[8], uint8_t *digest, uint8_t digest_size);
#endif
