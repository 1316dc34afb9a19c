/* Theory of operation. The lights are a function of the time and of a few facts; nobody waits for them. A roll is on the
 * wire before its animation starts: for 640 ms the faces tumble in a fixed order that has nothing to do with the result,
 * then they stand. A refused press (no room in the queue, a source that is not healthy) makes all three state lights
 * flash together and leaves the old faces: a light that never shows otherwise, so it is not mistaken for a roll. */
#include "lights.h"

#include "board.h"
#include "command.h"
#include "memory_space.h"

#define CENTRE 1u
#define FALLING 2u
#define RISING 4u
#define MIDDLE 8u
#define TUMBLE_MS 640u
#define REFUSAL_MS 1000u

static const IN_FLASH uint8_t faces[] = {
    0, CENTRE, FALLING, CENTRE | FALLING, FALLING | RISING, CENTRE | FALLING | RISING, FALLING | RISING | MIDDLE,
    CENTRE | FALLING | RISING | MIDDLE,
};

uint8_t lights_face(uint8_t face)
{
    return faces[face > 7 ? 7 : face];
}

void lights_roll(struct lights *lights, const uint8_t *rolled, uint8_t count, uint32_t now)
{
    lights->faces[0] = rolled[0];
    lights->faces[1] = count > 1 ? rolled[1] : 0;
    lights->rolled_at = now;
    lights->rolling = 1;
}

void lights_refuse(struct lights *lights, uint32_t now)
{
    lights->refused_at = now;
    lights->refusing = 1;
}

static uint16_t state_lights(struct lights *lights, uint8_t state, uint32_t now)
{
    if (lights->refusing && now - lights->refused_at >= REFUSAL_MS) lights->refusing = 0;
    if (lights->refusing) return now & 0x80u ? LIGHT_BIT_TURN | LIGHT_BIT_THINK | LIGHT_BIT_SEARCH : 0;
    switch (state) {
    case LIGHT_TURN: return LIGHT_BIT_TURN;
    case LIGHT_THINK: return now & 0x100u ? LIGHT_BIT_THINK : 0;
    case LIGHT_SEARCH: return now & 0x200u ? LIGHT_BIT_SEARCH : 0;
    default: return 0;
    }
}

static uint8_t shown(const struct lights *lights, uint8_t die, uint32_t now)
{
    static const IN_FLASH uint8_t tumble[8] = { 5, 2, 6, 1, 4, 3, 6, 2 };
    if (!lights->rolling || !lights->faces[die]) return lights->faces[die];
    return tumble[(uint8_t)((now >> 6) + 3u * die) & 7u];
}

uint16_t lights_at(struct lights *lights, uint8_t state, uint32_t now)
{
    if (lights->rolling && now - lights->rolled_at >= TUMBLE_MS) lights->rolling = 0;
    uint16_t bits = state_lights(lights, state, now);
    bits |= (uint16_t)(lights_face(shown(lights, 0, now)) << LIGHTS_ONE);
    bits |= (uint16_t)(lights_face(shown(lights, 1, now)) << LIGHTS_TWO);
    return now & 0x200u ? bits : bits | LIGHT_BIT_ALIVE;
}
