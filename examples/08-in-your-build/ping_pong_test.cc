// [test]
#include "ping_pong.h"

#include <ordeal/testing.h>

TEST(PingPong, OnePingGivesOnePong) { EXPECT_HOLDS(ping_pong(0)); }

TEST(PingPong, NeedsANetworkThatDoesNotRepeatItself) { EXPECT_VIOLATED(ping_pong(1), "one pong"); }
// [/test]
