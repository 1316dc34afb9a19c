/* What the LEDs show at a moment: faces, the roll animation, the state light, refusals. */
#ifndef LIGHTS_H
#define LIGHTS_H
#include <stdint.h>

struct lights {
    uint8_t faces[2];                   /* 0: dark */
    uint8_t state;                      /* enum light_state, as the host wants it */
    uint32_t rolled_at, refused_at;
    uint8_t rolling, refusing;          /* an animation is still running */
};

uint8_t lights_face(uint8_t face);      /* the four lines of a face; above six all seven LEDs: look at the phone */
void lights_roll(struct lights *lights, const uint8_t *faces, uint8_t count, uint32_t now);
void lights_refuse(struct lights *lights, uint32_t now);
uint16_t lights_at(struct lights *lights, uint8_t state, uint32_t now);      /* bits of board.h */
#endif
