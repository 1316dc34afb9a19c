/* Theory of operation. A cell of EEPROM wears out after some 100,000 writes, and power can fail during one. So the boot
 * counter walks through 48 records of number and CRC: each start writes the record behind the newest and leaves the
 * others alone. A record that was torn by a power failure does not fit its CRC and is passed over; the one before it is
 * still there. 48 records share the wear: 100,000 writes a cell are 4.8 million starts, and the counter itself wraps at
 * 65536. Numbers are compared modulo 2^16, which is sound as the valid ones are never more than 48 apart.
 *
 * The id is written once, with its CRC last: torn, it does not fit, and another is drawn. */
#include "lifetime.h"

#include "frame.h"

#define RECORD 4u
#define RECORDS 48u
#define MOST_TRIES 8u                   /* of 4 bytes and 3.4 ms each: done before the watchdog bites */
#define ID_AT (RECORD * RECORDS)

static uint16_t crc_of(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = 0xFFFFu;
    while (count--) crc = frame_crc(crc, *bytes++);
    return crc;
}

static bool read_checked(lifetime_read read, uint16_t address, uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) bytes[i] = read(address++);
    uint8_t low = read(address++), high = read(address);
    return crc_of(bytes, count) == (uint16_t)(low | (uint16_t)high << 8);
}

static void write_checked(lifetime_write write, uint16_t address, const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = crc_of(bytes, count);
    for (uint8_t i = 0; i < count; i++) write(address++, bytes[i]);
    write(address++, (uint8_t)crc);
    write(address, (uint8_t)(crc >> 8));
}

static bool read_boot(lifetime_read read, uint8_t place, uint16_t *boot)
{
    uint8_t bytes[2];
    if (!read_checked(read, (uint16_t)(place * RECORD), bytes, 2)) return false;
    *boot = (uint16_t)(bytes[0] | (uint16_t)bytes[1] << 8);
    return true;
}

static void find_newest(lifetime_read read, uint8_t *place, uint16_t *newest)
{
    bool found = false;
    uint16_t boot;
    for (uint8_t i = 0; i < RECORDS; i++) {
        if (!read_boot(read, i, &boot)) continue;
        if (found && (int16_t)(uint16_t)(boot - *newest) <= 0) continue;
        found = true;
        *newest = boot;
        *place = i;
    }
}

uint16_t lifetime_next_boot(lifetime_read read, lifetime_write write)
{
    uint16_t boot = 0, written;
    uint8_t place = RECORDS - 1u;
    find_newest(read, &place, &boot);
    boot = (uint16_t)(boot + 1u);
    const uint8_t bytes[2] = { (uint8_t)boot, (uint8_t)(boot >> 8) };
    for (uint8_t tries = 0; tries < MOST_TRIES; tries++) {      /* a cell that is worn out is passed over, too */
        place = (uint8_t)((place + 1u) % RECORDS);
        write_checked(write, (uint16_t)(place * RECORD), bytes, 2);
        if (read_boot(read, place, &written) && written == boot) break;
    }
    return boot;
}

bool lifetime_id(lifetime_read read, uint8_t id[4])
{
    return read_checked(read, ID_AT, id, 4);
}

void lifetime_keep_id_byte(lifetime_write write, const uint8_t id[4], uint8_t index)
{
    uint16_t crc = crc_of(id, 4);
    const uint8_t bytes[LIFETIME_ID_BYTES] = { id[0], id[1], id[2], id[3], (uint8_t)crc, (uint8_t)(crc >> 8) };
    write((uint16_t)(ID_AT + index), bytes[index]);
}
