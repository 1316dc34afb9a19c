/* Theory of operation. Decimal is written by subtracting powers of ten: a 32-bit division costs an 8-bit machine some
 * 600 cycles a digit, and the press of a button waits for this. There is one spelling of every value (no leading zero,
 * upper-case hex), and the readers accept no other. */
#include "text.h"

#include "memory_space.h"

static const IN_FLASH uint32_t powers[] = {
    1000000000u, 100000000u, 10000000u, 1000000u, 100000u, 10000u, 1000u, 100u, 10u,
};

char *text_number(char *to, uint32_t value)
{
    bool started = false;
    for (uint8_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        uint32_t power = powers[i];
        char digit = '0';
        while (value >= power) {
            value -= power;
            digit++;
        }
        started = started || digit != '0';
        if (started) *to++ = digit;
    }
    *to++ = (char)('0' + (uint8_t)value);
    return to;
}

static char hex_letter(uint8_t nibble)
{
    return (char)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10);
}

char *text_hex_byte(char *to, uint8_t byte)
{
    *to++ = hex_letter(byte >> 4);
    *to++ = hex_letter(byte & 15u);
    return to;
}

char *text_hex(char *to, const uint8_t *bytes, uint8_t count)
{
    while (count--) to = text_hex_byte(to, *bytes++);
    return to;
}

char *text_word(char *to, const char *word)
{
    while (*word) *to++ = *word++;
    return to;
}

static bool field_ends(char c)
{
    return c == ',' || c == 0;
}

bool text_next_field(const char **from)
{
    if (**from != ',') return false;
    (*from)++;
    return true;
}

bool text_read_number(const char **from, uint32_t most, uint32_t *value)
{
    const char *at = *from;
    uint32_t number = 0;
    if (*at == '0' && !field_ends(at[1])) return false;
    do {
        if (*at < '0' || *at > '9') return false;
        uint8_t digit = (uint8_t)(*at - '0');
        if (number > UINT32_MAX / 10u || (number == UINT32_MAX / 10u && digit > UINT32_MAX % 10u)) return false;
        number = number * 10u + digit;
        at++;
    } while (!field_ends(*at));
    if (number > most) return false;
    *from = at;
    *value = number;
    return true;
}

bool text_read_nibble(uint8_t c, uint8_t *nibble)
{
    if (c >= '0' && c <= '9') *nibble = (uint8_t)(c - '0');
    else if (c >= 'A' && c <= 'F') *nibble = (uint8_t)(c - 'A' + 10);
    else return false;
    return true;
}

bool text_read_hex(const char **from, uint8_t *bytes, uint8_t count)
{
    const char *at = *from;
    uint8_t high, low;
    for (; count; count--) {
        if (!text_read_nibble((uint8_t)at[0], &high) || !text_read_nibble((uint8_t)at[1], &low)) return false;
        *bytes++ = (uint8_t)(high << 4 | low);
        at += 2;
    }
    if (!field_ends(*at)) return false;
    *from = at;
    return true;
}

bool text_read_word(const char **from, const char *word)
{
    const char *at = *from;
    while (*word) if (*at++ != *word++) return false;
    if (!field_ends(*at)) return false;
    *from = at;
    return true;
}
