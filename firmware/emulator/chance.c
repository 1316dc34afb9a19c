/* SplitMix64: small, seedable, and good enough for faults. It never makes a roll: the firmware does that. */
#include "chance.h"

#include <math.h>

static uint64_t state;

void chance_seed(uint64_t seed)
{
    state = seed;
}

uint64_t chance_bits(void)
{
    state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

double chance_fraction(void)
{
    return (double)(chance_bits() >> 11) / 9007199254740992.0;
}

double chance_gauss(void)
{
    double radius = sqrt(-2.0 * log(1.0 - chance_fraction()));
    return radius * cos(2.0 * M_PI * chance_fraction());
}

bool chance_hits(double probability)
{
    return probability > 0.0 && chance_fraction() < probability;
}

uint32_t chance_below(uint32_t bound)
{
    return bound ? (uint32_t)(chance_bits() % bound) : 0u;
}
