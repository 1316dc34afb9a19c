/* The die: what the board tells it, and what it does about it. board.h is the other direction. */
#ifndef DIE_H
#define DIE_H
#include <stdbool.h>
#include <stdint.h>

#define BUTTON_A 0x01u
#define BUTTON_B 0x02u
#define BUTTON_C 0x04u
#define BUTTONS 3u

void die_start(uint8_t reset_cause, uint8_t buttons_down);
void die_hear(uint8_t byte);                                    /* a byte from the host */
void die_buttons(uint8_t changed, uint8_t down, uint16_t edge); /* settled levels; edge: a fast timer at the first edge */
void die_sample(uint8_t raw);                                   /* a raw sample of the noise input */
bool die_wants_samples(void);                                   /* as many as it can get: health is not yet known */
void die_tick(void);                                            /* every few milliseconds */
bool die_work(void);                                            /* one long job, some 2 ms; false: nothing to do */
#endif
