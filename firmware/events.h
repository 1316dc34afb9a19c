/* The queue of events that the host has not acknowledged yet (PROTOCOL.md, section 6). */
#ifndef EVENTS_H
#define EVENTS_H
#include <stdbool.h>
#include <stdint.h>

#define EVENTS_MAX 8u

enum event_type { EVENT_ROLL, EVENT_REVEAL, EVENT_BUTTON, EVENT_FAULT };
enum fault_code { FAULT_STUCK, FAULT_FREED, FAULT_ENTROPY };

struct event {
    uint8_t type, ss;
    uint32_t at, number;                /* number: ROLL, REVEAL */
    char button;                        /* ROLL: cause. BUTTON, FAULT: which */
    uint8_t what;                       /* ROLL: sides. BUTTON: went down. FAULT: fault_code */
    uint8_t health;                     /* FAULT of the entropy: enum health */
    uint8_t count, nonce_used;          /* ROLL */
    uint8_t bytes[16];                  /* ROLL: faces. REVEAL: secret */
};

struct events {
    struct event ring[EVENTS_MAX];
    uint8_t head, count, next_ss, tries;
    uint32_t due;                       /* when the head is sent again */
};

void events_reset(struct events *events);
uint8_t events_room(const struct events *events);
bool events_add(struct events *events, const struct event *event, uint32_t now);   /* gives it its SS; false if full */
const struct event *events_to_send(const struct events *events, uint32_t now);     /* NULL: nothing is due */
void events_sent(struct events *events, uint32_t now);
bool events_acknowledge(struct events *events, uint8_t ss, uint32_t now);
void events_send_again(struct events *events, uint32_t now);                       /* a host has come back */
uint8_t events_oldest_ss(const struct events *events);
#endif
