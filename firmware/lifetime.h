/* What survives switching off: the boot counter and the die's own id. */
#ifndef LIFETIME_H
#define LIFETIME_H
#include <stdbool.h>
#include <stdint.h>

#define LIFETIME_ID_BYTES 6u            /* of the id in EEPROM, its CRC included */

typedef uint8_t (*lifetime_read)(uint16_t address);
typedef void (*lifetime_write)(uint16_t address, uint8_t byte);     /* a read waits until the byte is safe */

uint16_t lifetime_next_boot(lifetime_read read, lifetime_write write);
bool lifetime_id(lifetime_read read, uint8_t id[4]);                /* false: none was drawn yet */
void lifetime_keep_id_byte(lifetime_write write, const uint8_t id[4], uint8_t index);       /* 0 .. LIFETIME_ID_BYTES - 1 */
#endif
