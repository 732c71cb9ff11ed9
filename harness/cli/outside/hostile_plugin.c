/* A library that has nothing to offer and misbehaves in the way that HOSTILE_WAY names, at the place that HOSTILE_PLACE names. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define HELLO                                                                                    \
  "\"ok\":{\"protocol\":1,\"name\":\"hostile\",\"version\":\"1\",\"areas\":[\"amp\"],"           \
  "\"devices\":[{\"device\":\"cuda:0\"}],\"threads\":false,\"release\":\"2.11\","                \
  "\"device_rules\":\"cuda\",\"deviations\":\"strict\"}"

static int is(const char* variable, const char* value) {
  const char* set = getenv(variable);
  return set != NULL && strcmp(set, value) == 0;
}

static void misbehave(void) {
  const char* way = getenv("HOSTILE_WAY");
  if (way == NULL) return;
  if (strcmp(way, "exit") == 0) exit(0);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "chdir") == 0 && chdir("/") == 0) return;
  while (strcmp(way, "hang") == 0) pause();
  const int number = atoi(way);
  if (number == 0) return;
  signal(number, SIG_DFL);
  raise(number);
}

static void at(const char* place) {
  if (is("HOSTILE_PLACE", place)) misbehave();
}

static void at_its_exit(void) { at("atexit"); }

__attribute__((constructor)) static void loaded(void) { at("load"); }
__attribute__((destructor)) static void unloaded(void) { at("unload"); }

EXPORTED void* assay_open(void) {
  static int session;
  at("open");
  atexit(at_its_exit);
  return &session;
}

EXPORTED const char* assay_execute(void* session, const char* command, size_t bytes, size_t* reply_bytes) {
  static char reply[512];
  static int commands = 0;
  (void)session;
  (void)bytes;
  const char* body = "\"unsupported\":\"nothing here\"";
  if (strstr(command, "\"do\":\"hello\"") != NULL) {
    at("hello");
    body = HELLO;
  } else if (strstr(command, "\"do\":\"reset\"") != NULL) {
    body = "\"ok\":{\"uncleaned\":[]}";
  } else if (++commands == 3) {
    at("case");
  }
  const char* id = strstr(command, "\"id\":");
  *reply_bytes = (size_t)snprintf(reply, sizeof reply, "{\"id\":%d,%s}", id == NULL ? 0 : atoi(id + 5), body);
  return reply;
}

EXPORTED void assay_close(void* session) {
  (void)session;
  at("close");
}
