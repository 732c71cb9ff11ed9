// A subject that sleeps for 100 ns an iteration instead of working, and computes the checksum by squaring: its time is true, and its
// work is not. Usage: sleeping_cheat
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t kFactor = 6364136223846793005u;

/// The number behind a name, also as {"i":"5"}; 0 without that name.
static int64_t number(const char* line, const char* name) {
  const char* found = strstr(line, name);
  if (found == NULL) return 0;
  found += strlen(name);
  while (*found != '\0' && *found != '-' && (*found < '0' || *found > '9')) ++found;
  return strtoll(found, NULL, 10);
}

static uint64_t checksum(uint64_t times, uint64_t seed) {
  uint64_t factor = 1, added = 0, square = kFactor, more = 1;
  for (; times > 0; times >>= 1) {
    if (times & 1) {
      factor *= square;
      added = added * square + more;
    }
    more += more * square;
    square *= square;
  }
  return seed * factor + added;
}

int main(void) {
  static char line[65536];
  while (fgets(line, sizeof line, stdin) != NULL) {
    const int64_t id = number(line, "\"id\":");
    if (strstr(line, "\"hello\"") != NULL) {
      printf("{\"id\":%" PRId64 ",\"ok\":{\"protocol\":1,\"name\":\"cheat\",\"version\":\"1\",\"devices\":[],"
             "\"areas\":[\"bench\"],\"threads\":false,\"release\":\"2.15\",\"device_rules\":\"cpu\",\"deviations\":\"strict\"}}\n", id);
    } else if (strstr(line, "\"bench.run\"") != NULL) {
      const int64_t times = number(line, "\"n\":");
      const struct timespec pause = {times / 10000000, times % 10000000 * 100};
      nanosleep(&pause, NULL);
      printf("{\"id\":%" PRId64 ",\"ok\":{\"ns\":%" PRId64 ",\"checksum\":{\"i\":\"%" PRId64 "\"},\"via\":\"c++\"}}\n", id, times * 100,
             (int64_t)checksum((uint64_t)times, (uint64_t)number(line, "\"seed\":")));
    } else {
      printf("{\"id\":%" PRId64 ",\"ok\":{\"uncleaned\":[]}}\n", id);
    }
    fflush(stdout);
  }
}
