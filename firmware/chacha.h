/* The ChaCha8 block function: a published stream cipher, here only to stir the entropy pool. */
#ifndef CHACHA_H
#define CHACHA_H
#include <stdint.h>

/* block = ChaCha8 of a 32-byte key and 16 bytes of counter and nonce, as sixteen words */
void chacha8_block(const uint32_t key[8], const uint32_t input[4], uint32_t block[16]);
#endif
