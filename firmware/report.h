/* What the die says, written as bodies (PROTOCOL.md, section 3.1). Each writes a body ended by a NUL into BODY_MAX + 1. */
#ifndef REPORT_H
#define REPORT_H
#include <stdint.h>

#include "events.h"

#define PROTOCOL_VERSION 1u
#define FIRMWARE_RELEASE "1.0.0"

enum refusal { REFUSED_ARG, REFUSED_UNKNOWN, REFUSED_HELLO, REFUSED_LATE, REFUSED_BUSY, REFUSED_ENTROPY };

struct hello { uint8_t id[4]; uint16_t boot; uint32_t uptime; uint8_t next_ss, heard; };

struct status {
    uint32_t uptime;
    uint16_t crc_errors, format_errors, overruns, framing_errors, alone;
    uint8_t queued, health;
    uint16_t stack_free;
    uint8_t reset_cause;
};

void report_hello(char *body, const struct hello *hello);
void report_heartbeat(char *body, uint16_t boot, uint32_t uptime);
void report_event(char *body, uint16_t boot, const struct event *event);
void report_ok(char *body, uint8_t ss);
void report_refusal(char *body, uint8_t ss, enum refusal reason);
void report_commitment(char *body, uint8_t ss, uint32_t number, const uint8_t commitment[16]);
void report_status(char *body, uint8_t ss, const struct status *status);
#endif
