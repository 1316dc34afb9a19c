/* Fields of a body (PROTOCOL.md, section 3): numbers, hex and words, written and read without division or libraries. */
#ifndef TEXT_H
#define TEXT_H
#include <stdbool.h>
#include <stdint.h>

/* Each writes at `to` and returns the place behind; nothing is ended by a NUL. */
char *text_number(char *to, uint32_t value);
char *text_hex(char *to, const uint8_t *bytes, uint8_t count);
char *text_hex_byte(char *to, uint8_t byte);
char *text_word(char *to, const char *word);

/* Each reads one field that must end at `,` or at the end of the body; on success `*from` is behind the field. */
bool text_read_number(const char **from, uint32_t most, uint32_t *value);
bool text_read_hex(const char **from, uint8_t *bytes, uint8_t count);
bool text_read_word(const char **from, const char *word);
bool text_read_nibble(uint8_t c, uint8_t *nibble);
bool text_next_field(const char **from);         /* step over a comma */
#endif
