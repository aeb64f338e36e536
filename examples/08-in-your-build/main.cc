// [main]
#include "ping_pong.h"

int main(int argc, char** argv) {
  ordeal::Suite suite;
  suite.add({.name = "ping-pong",
             .what = "one ping, one pong",
             .parameters = {{"duplicates", "0", "messages that may arrive twice", 0, 9}},
             .build = [](const ordeal::Arguments& args) {
               return ping_pong(args.number<uint32_t>("duplicates"));
             }});
  return ordeal::main(argc, argv, suite);
}
// [/main]
