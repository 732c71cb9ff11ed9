/* The three functions that a shared library exports to be a subject. Plain C: any compiler, any
 * language. */
#ifndef ASSAY_PLUGIN_H
#define ASSAY_PLUGIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A session's state, or null when it cannot be made. */
void* assay_open(void);

/* One command in, its reply out: JSON texts as on a pipe, without line breaks. The reply belongs to
   the library and stays valid until the next call on this session from the same thread. */
const char* assay_execute(void* session, const char* command, size_t command_bytes,
                          size_t* reply_bytes);

void assay_close(void* session);

#ifdef __cplusplus
}
#endif

#endif
