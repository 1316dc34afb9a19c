/* Raw noise in, secrets out, with health tests in between. */
#ifndef ENTROPY_H
#define ENTROPY_H
#include <stdbool.h>
#include <stdint.h>

enum health { HEALTH_OK, HEALTH_START, HEALTH_RCT, HEALTH_APT };      /* the words of PROTOCOL.md, STAT */

struct entropy {
    uint32_t key[8];                    /* the pool */
    uint8_t waiting[16], waiting_count; /* absorbed, not yet stirred in */
    uint8_t last, repeats;              /* repetition test */
    uint8_t reference;                  /* proportion test: the sample that is counted */
    uint16_t window, matches;
    uint16_t good;                      /* samples since the start or the last failure */
    uint8_t failure;                    /* what failed last: HEALTH_START for nothing */
};

void entropy_reset(struct entropy *pool);
void entropy_sample(struct entropy *pool, uint8_t raw);         /* one raw sample of the noise input */
void entropy_absorb(struct entropy *pool, uint8_t byte);        /* anything else: not counted as entropy */
enum health entropy_health(const struct entropy *pool);

bool entropy_must_stir(const struct entropy *pool);             /* long: for a quiet moment */
void entropy_stir(struct entropy *pool);
void entropy_draw(struct entropy *pool, uint8_t *bytes, uint8_t count);     /* at most 32; long */
#endif
