/* A lock with a queue, as a C library might have it. Nothing here knows of Ordeal. */
#ifndef LOCK_TABLE_H
#define LOCK_TABLE_H

#ifdef __cplusplus
extern "C" {
#endif

struct lock_table;

struct lock_table* lock_table_new(int capacity);
void lock_table_free(struct lock_table* table);

/* 1: the client has the lock; 0: it waits. Aborts when more than `capacity` clients wait. */
int lock_table_acquire(struct lock_table* table, int client);
/* The client that has the lock now, or 0. */
int lock_table_release(struct lock_table* table);
int lock_table_holder(const struct lock_table* table);

#ifdef __cplusplus
}
#endif

#endif
