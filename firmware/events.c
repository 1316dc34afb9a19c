/* Theory of operation. A ring of eight. Only the head is ever sent: at once, then every 30 ms, and after twenty times
 * every 250 ms, until exactly its SS is acknowledged. An event is kept as values, not as text, and is never changed. */
#include "events.h"

#include <stddef.h>

#define RESEND_MS 30u
#define SLOW_RESEND_MS 250u
#define QUICK_TRIES 20u

void events_reset(struct events *events)
{
    *events = (struct events){ .head = 0 };
}

uint8_t events_room(const struct events *events)
{
    return (uint8_t)(EVENTS_MAX - events->count);
}

void events_send_again(struct events *events, uint32_t now)
{
    events->tries = 0;
    events->due = now;
}

bool events_add(struct events *events, const struct event *event, uint32_t now)
{
    if (events->count == EVENTS_MAX) return false;
    struct event *place = &events->ring[(events->head + events->count) % EVENTS_MAX];
    *place = *event;
    place->ss = events->next_ss++;
    if (++events->count == 1) events_send_again(events, now);
    return true;
}

const struct event *events_to_send(const struct events *events, uint32_t now)
{
    if (!events->count || (int32_t)(now - events->due) < 0) return NULL;
    return &events->ring[events->head];
}

void events_sent(struct events *events, uint32_t now)
{
    events->due = now + (events->tries < QUICK_TRIES ? RESEND_MS : SLOW_RESEND_MS);
    if (events->tries < QUICK_TRIES) events->tries++;
}

bool events_acknowledge(struct events *events, uint8_t ss, uint32_t now)
{
    if (!events->count || events->ring[events->head].ss != ss) return false;
    events->head = (uint8_t)((events->head + 1u) % EVENTS_MAX);
    events->count--;
    events_send_again(events, now);
    return true;
}

uint8_t events_oldest_ss(const struct events *events)
{
    return events->count ? events->ring[events->head].ss : events->next_ss;
}
