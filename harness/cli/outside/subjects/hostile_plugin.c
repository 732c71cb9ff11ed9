/* A library that has nothing to offer and misbehaves in the way that HOSTILE_WAY names, at the
 * place that HOSTILE_PLACE names. */
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define HELLO                                                                          \
  "\"ok\":{\"protocol\":1,\"name\":\"hostile\",\"version\":\"1\",\"areas\":[\"amp\"]," \
  "\"devices\":[{\"device\":\"cuda:0\"}],\"threads\":false,\"release\":\"2.15\","      \
  "\"device_rules\":\"cuda\",\"deviations\":\"strict\"}"

static int is(const char* variable, const char* value) {
  const char* set = getenv(variable);
  return set != NULL && strcmp(set, value) == 0;
}

static void* run_on(void* nothing) {
  for (;;) usleep(1000);
  return nothing;
}

static void leave_a_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run_on, NULL);
}

static void talk(void) {
  printf("::add-mask::mine\n ::stop-commands::x\nPASS 1 of 1 cases");
  fprintf(stderr, "##[error]mine\x1b[2J\n");
}

static void flood(void) {
  for (int line = 0; line < 20000; ++line) puts("a line");
  for (int byte = 0; byte < 100000; ++byte) putchar('x');
  puts("\nthe last line");
}

/* Puts a pipe that nobody reads in the place of every descriptor. */
static void replace_all(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  for (int fd = 3; fd < 256; ++fd) {
    if (fd != ends[0] && fd != ends[1]) dup2(ends[1], fd);
  }
}

/* Writes what a supervisor might take for the end of a successful run, and ends. */
static void forge_its_end(void) {
  for (int fd = 3; fd < 256; ++fd) {
    if (write(fd, "e\0" "0\0", 4) < 0) continue;
  }
  _exit(0);
}

/* Makes the file that HOSTILE_MARK names: from now on it misbehaves. */
static void announce(void) {
  const char* path = getenv("HOSTILE_MARK");
  FILE* mark = path == NULL ? NULL : fopen(path, "w");
  if (mark != NULL) fclose(mark);
}

static void misbehave(void) {
  const char* way = getenv("HOSTILE_WAY");
  if (way == NULL) return;
  announce();
  if (strcmp(way, "exit") == 0) exit(0);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "chdir") == 0 && chdir("/") == 0) return;
  if (strcmp(way, "talk") == 0) talk();
  if (strcmp(way, "flood") == 0) flood();
  if (strcmp(way, "leave_a_thread") == 0) leave_a_thread();
  if (strcmp(way, "end_thread") == 0) syscall(SYS_exit, 0);
  if (strcmp(way, "round") == 0) fesetround(FE_UPWARD);
  if (strcmp(way, "fork") == 0 && fork() < 0) abort();
  if (strcmp(way, "replace_all") == 0) replace_all();
  if (strcmp(way, "forge") == 0) forge_its_end();
  if (strcmp(way, "close_all") == 0) syscall(SYS_close_range, 3U, ~0U, 0U);
  while (strcmp(way, "hang") == 0) pause();
  if (strcmp(way, "sleep") == 0) sleep(120);  /* a signal ends it */
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

EXPORTED const char* assay_execute(void* session, const char* command, size_t bytes,
                                   size_t* reply_bytes) {
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
  *reply_bytes =
      (size_t)snprintf(reply, sizeof reply, "{\"id\":%d,%s}", id == NULL ? 0 : atoi(id + 5), body);
  return reply;
}

EXPORTED void assay_close(void* session) {
  (void)session;
  at("close");
}
