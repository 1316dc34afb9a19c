/* Fair rolls: the die commits to a secret, the host adds a nonce, the faces follow from both (PROTOCOL.md, section 7). */
#ifndef FAIR_H
#define FAIR_H
#include <stdbool.h>
#include <stdint.h>

#define FACES_MAX 5u

struct fair {
    uint32_t number;                    /* of the next roll, from 1 */
    uint8_t secret[16], nonce[16];
    uint8_t stream[32];
    bool has_secret, has_nonce, has_stream;
};

void fair_reset(struct fair *fair);
void fair_set_secret(struct fair *fair, const uint8_t secret[16]);
void fair_set_nonce(struct fair *fair, const uint8_t nonce[16]);
void fair_commitment(const struct fair *fair, uint8_t commitment[16]);      /* long */
void fair_prepare(struct fair *fair);                                       /* long; a roll does it if need be */

/* The faces of this roll; false if the stream ran out, when there is no roll. Needs a secret. */
bool fair_roll(struct fair *fair, uint8_t count, uint8_t sides, uint8_t faces[FACES_MAX]);
void fair_forget(struct fair *fair);    /* secret and nonce; the number stays */
void fair_next(struct fair *fair);      /* forget, and go on to the next number */
#endif
