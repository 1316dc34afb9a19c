/* Tables stay in flash on a Harvard machine such as the AVR; elsewhere IN_FLASH is nothing. A keyword of the compiler,
 * not a header, so the portable files stay portable. */
#ifndef MEMORY_SPACE_H
#define MEMORY_SPACE_H
#ifdef __AVR__
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif
#endif
