/* Theory of operation.
 *
 * The pool is a ChaCha8 key. Raw bytes wait in the place of ChaCha's counter and nonce; when sixteen have come, half of
 * the block becomes the next key. Who does not know the key learns nothing from the bytes, who knows it loses track with
 * every byte he cannot guess. Drawing works the same way (half of the block is the next key, bytes of the other half go
 * out), so a secret cannot be computed back from the pool afterwards.
 *
 * Stirring makes even a dead source look random, so health is judged on the raw samples, before the pool: the two
 * continuous tests of NIST SP 800-90B, for an assumed 0.5 bit of entropy a sample and one false alarm in 2^20.
 *   repetition  1 + 20 / 0.5 = 41 equal samples running
 *   proportion  the first sample of a window of 512 comes back 410 times
 * A failure takes all credit away; it is over when as many good samples as at the start have come again: 512, which is
 * 256 bits at the assumed rate. Until then the die refuses to roll. Press timing is absorbed, never credited. */
#include "entropy.h"

#include "chacha.h"

#define ENOUGH 512u
#define REPEAT_LIMIT 41u
#define WINDOW 512u
#define WINDOW_LIMIT 410u

void entropy_reset(struct entropy *pool)
{
    *pool = (struct entropy){ .failure = HEALTH_START };
}

enum health entropy_health(const struct entropy *pool)
{
    return pool->good >= ENOUGH ? HEALTH_OK : (enum health)pool->failure;
}

static void fail(struct entropy *pool, enum health reason)
{
    pool->failure = (uint8_t)reason;
    pool->good = 0;
}

static void test_repetition(struct entropy *pool, uint8_t raw)
{
    if (raw != pool->last) {
        pool->last = raw;
        pool->repeats = 1;
    } else if (pool->repeats < REPEAT_LIMIT) {
        pool->repeats++;
    }
    if (pool->repeats == REPEAT_LIMIT) fail(pool, HEALTH_RCT);
}

static void test_proportion(struct entropy *pool, uint8_t raw)
{
    if (pool->window == 0) {
        pool->reference = raw;
        pool->matches = 0;
    }
    if (raw == pool->reference) pool->matches++;
    if (++pool->window < WINDOW) return;
    pool->window = 0;
    if (pool->matches >= WINDOW_LIMIT) fail(pool, HEALTH_APT);
}

void entropy_sample(struct entropy *pool, uint8_t raw)
{
    if (pool->good < ENOUGH) pool->good++;
    test_repetition(pool, raw);
    test_proportion(pool, raw);
    entropy_absorb(pool, raw);
}

void entropy_absorb(struct entropy *pool, uint8_t byte)
{
    uint8_t place = pool->waiting_count & 15u;          /* if nobody stirs in time, bytes add up: nothing is lost */
    pool->waiting[place] = (uint8_t)((pool->waiting[place] << 3 | pool->waiting[place] >> 5) ^ byte);
    if (++pool->waiting_count == 32) pool->waiting_count = 16;
}

bool entropy_must_stir(const struct entropy *pool)
{
    return pool->waiting_count >= 16;
}

static void next_key(struct entropy *pool, uint32_t label, uint32_t block[16])
{
    uint32_t input[4];
    for (uint8_t i = 0; i < 4; i++) {
        const uint8_t *bytes = pool->waiting + 4u * i;
        input[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    }
    input[3] ^= label;
    chacha8_block(pool->key, input, block);
    for (uint8_t i = 0; i < 8; i++) pool->key[i] = block[i];
    for (uint8_t i = 0; i < 16; i++) pool->waiting[i] = 0;
    pool->waiting_count = 0;
}

void entropy_stir(struct entropy *pool)
{
    uint32_t block[16];
    next_key(pool, 0, block);
}

void entropy_draw(struct entropy *pool, uint8_t *bytes, uint8_t count)
{
    uint32_t block[16];
    next_key(pool, 0x77617264u, block);                 /* "draw": never the same block as a stir */
    const uint8_t *source = (const uint8_t *)(block + 8);
    for (uint8_t i = 0; i < count; i++) bytes[i] = source[i];
}
