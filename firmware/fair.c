/* Theory of operation. Everything that a roll needs is computed before the press: the secret when the roll before is
 * over, the stream when secret or nonce are new. At the press only bytes are looked up, so the roll is sent at once.
 * A byte that would favour low faces is passed over; a plain remainder of 256 by 6 makes four faces 2 % likelier. */
#include "fair.h"

#include "blake2s.h"

#include <string.h>

void fair_reset(struct fair *fair)
{
    *fair = (struct fair){ .number = 1 };
}

void fair_set_secret(struct fair *fair, const uint8_t secret[16])
{
    memcpy(fair->secret, secret, sizeof fair->secret);
    fair->has_secret = true;
    fair->has_stream = false;
}

void fair_set_nonce(struct fair *fair, const uint8_t nonce[16])
{
    memcpy(fair->nonce, nonce, sizeof fair->nonce);
    fair->has_nonce = true;
    fair->has_stream = false;
}

void fair_commitment(const struct fair *fair, uint8_t commitment[16])
{
    blake2s(fair->secret, sizeof fair->secret, "TTcommit", commitment, 16);
}

void fair_prepare(struct fair *fair)
{
    uint8_t both[32];
    memcpy(both, fair->secret, 16);
    memcpy(both + 16, fair->nonce, 16);
    blake2s(both, sizeof both, "TTCfaces", fair->stream, sizeof fair->stream);
    fair->has_stream = true;
}

static bool is_taken(uint8_t byte, uint8_t sides)
{
#ifdef BIASED_BITS                      /* only the tests build this, to prove that they would notice */
    (void)byte;
    (void)sides;
    return true;
#else
    return byte <= 255u - 256u % sides;
#endif
}

static uint8_t face_of(uint8_t byte, uint8_t sides)
{
#ifdef BIASED_BITS
    byte &= (1u << BIASED_BITS) - 1u;
#endif
    return (uint8_t)(byte % sides + 1u);
}

bool fair_roll(struct fair *fair, uint8_t count, uint8_t sides, uint8_t faces[FACES_MAX])
{
    uint8_t rolled = 0;
    if (!fair->has_stream) fair_prepare(fair);
    for (uint8_t i = 0; i < sizeof fair->stream && rolled < count; i++)
        if (is_taken(fair->stream[i], sides)) faces[rolled++] = face_of(fair->stream[i], sides);
    return rolled == count;
}

void fair_forget(struct fair *fair)
{
    uint32_t number = fair->number;
    fair_reset(fair);
    fair->number = number;
}

void fair_next(struct fair *fair)
{
    fair_forget(fair);
    fair->number++;
}
