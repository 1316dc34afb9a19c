/* Seeded chance for the emulator: the same seed gives the same noise, the same bounces and the same faults. */
#ifndef CHANCE_H
#define CHANCE_H
#include <stdbool.h>
#include <stdint.h>

void chance_seed(uint64_t seed);
uint64_t chance_bits(void);
double chance_fraction(void);            /* 0 <= x < 1 */
double chance_gauss(void);               /* mean 0, deviation 1 */
bool chance_hits(double probability);
uint32_t chance_below(uint32_t bound);   /* 0 .. bound - 1; 0 when bound is 0 */
#endif
