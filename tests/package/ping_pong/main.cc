// A program outside the tree that uses the installed package.
#include <ordeal/result.h>

#include <iostream>

ordeal::Result<int> pong(int ping) {
  if (ping < 0) return ordeal::Error{"a ping is not negative"};
  return ping + 1;
}

int main() {
  const ordeal::Result<int> reply = pong(1);
  std::cout << (reply ? "pong " + std::to_string(*reply) : reply.error().message) << "\n";
  return reply && *reply == 2 && !pong(-1) ? 0 : 1;
}
