/* The ATmega328P as libsimavr runs it, with a bench around it: pins that can be driven, a voltage on the noise
 * input, events due at a cycle, resets of every kind, EEPROM kept in a file, and a record of what was executed. */
#ifndef CHIP_H
#define CHIP_H
#include <stdbool.h>
#include <stdint.h>

#define CHIP_HZ 16000000u

enum chip_reset { RESET_POWER, RESET_EXTERNAL, RESET_BROWNOUT, RESET_WATCHDOG };

typedef void (*chip_event)(uint32_t what, uint32_t value);

/* Load the ELF and stop before its first instruction. False when the file cannot be read. */
bool chip_start(const char *elf, const char *eeprom_path, bool record_coverage);
void chip_stop(const char *coverage_path);

uint64_t chip_now(void);                                      /* cycles since start, resets included */
uint64_t chip_cycles(double microseconds);
void chip_at(uint64_t cycle, chip_event event, uint32_t what, uint32_t value);

/* Run until that cycle, or until chip_halt() is called by an event. False when the chip has crashed. */
bool chip_run_until(uint64_t cycle);
void chip_halt(void);

void chip_reset(enum chip_reset cause);
void chip_hang(void);                                         /* into an endless loop: only the watchdog helps */

/* A pin is named by its port letter and bit, "D2"; false when there is no such pin. */
bool chip_pin(const char *name, uint32_t *pin);
void chip_drive(uint32_t pin, bool high);
void chip_drive_at(uint64_t cycle, uint32_t pin, bool high);
bool chip_is_high(uint32_t pin);                              /* the level that an LED on it would see */
bool chip_is_output(uint32_t pin);

void chip_noise(double millivolts, double deviation);         /* deviation 0 is a dead source */

/* The serial port of the chip: bytes out with the cycle they were written, bytes in with a framing-error flag. */
void chip_on_byte_out(void (*listener)(uint8_t byte));
void chip_byte_in(uint8_t byte, bool framing_error, bool overrun);
bool chip_hears(void);                                        /* receiver switched on */
bool chip_is_full(void);                                      /* libsimavr's receiver needs a moment; see chip.c */
double chip_baud(void);

void chip_eeprom(uint8_t out[1024]);
#endif
