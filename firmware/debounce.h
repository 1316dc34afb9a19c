/* Debounce for up to eight buttons at once.
 *
 * Theory of operation. Called once a millisecond from the timer interrupt with the raw levels, so nothing that the main
 * loop does can delay it. A level counts when it has been seen six times running: whatever is shorter than 5 ms is never
 * believed, and a press is believed 5 to 6 ms after its last bounce. The counters are vertical: bit n of the three bytes
 * is the counter of button n, so all buttons cost one handful of instructions. In a header, to be inlined there. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H
#include <stdint.h>

struct debounce { uint8_t settled, count0, count1, count2; };

/* The buttons whose settled level has just changed. */
static inline uint8_t debounce_sample(struct debounce *d, uint8_t raw)
{
    uint8_t moving = raw ^ d->settled;
    d->count2 = (d->count2 ^ (d->count1 & d->count0)) & moving;
    d->count1 = (d->count1 ^ d->count0) & moving;
    d->count0 = (uint8_t)~d->count0 & moving;
    uint8_t changed = d->count2 & d->count1 & (uint8_t)~d->count0;      /* counted to six */
    d->count2 &= (uint8_t)~changed;
    d->count1 &= (uint8_t)~changed;
    d->settled ^= changed;
    return changed;
}

/* A button may settle within 3 ms: no time now to start anything long. */
static inline uint8_t debounce_is_about_to_settle(const struct debounce *d)
{
    return d->count2 | (d->count1 & d->count0);                         /* counted to three or more */
}
#endif
