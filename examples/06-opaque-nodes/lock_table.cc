#include "lock_table.h"

#include <cstdlib>

struct lock_table {
  int holder;
  int capacity;
  int waiting;
  int* queue;
};

lock_table* lock_table_new(int capacity) {
  auto* table = static_cast<lock_table*>(std::calloc(1, sizeof(lock_table)));
  if (table == nullptr) std::abort();
  table->capacity = capacity;
  table->queue = static_cast<int*>(std::calloc(static_cast<size_t>(capacity), sizeof(int)));
  return table;
}

void lock_table_free(lock_table* table) {
  std::free(table->queue);
  std::free(table);
}

int lock_table_acquire(lock_table* table, int client) {
  if (table->holder == 0) {
    table->holder = client;
    return 1;
  }
  if (table->waiting == table->capacity) std::abort();
  table->queue[table->waiting++] = client;
  return 0;
}

int lock_table_release(lock_table* table) {
  table->holder = 0;
  if (table->waiting == 0) return 0;
  table->holder = table->queue[0];
  --table->waiting;
  for (int i = 0; i < table->waiting; ++i) table->queue[i] = table->queue[i + 1];
  return table->holder;
}

int lock_table_holder(const lock_table* table) { return table->holder; }
