/* The speed that the program on the other end of the PTY has asked for, odd speeds such as 250000 included. */
#ifndef BAUD_H
#define BAUD_H

unsigned baud_of(int fd);                 /* 0 when it cannot be told */
void baud_set(int fd, unsigned baud);
#endif
