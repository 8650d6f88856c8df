/* What libmicrohttpd calls for a request: when its target is known, for its header and body, at its
 * end. The context is the server. */
#ifndef ADIT_SERVE_REQUEST_H
#define ADIT_SERVE_REQUEST_H

#include <microhttpd.h>

void *serve_on_uri(void *ctx, const char *uri, struct MHD_Connection *connection);
enum MHD_Result serve_on_request(void *ctx, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *data_len, void **con_cls);
void serve_on_completed(void *ctx, struct MHD_Connection *connection, void **con_cls,
                        enum MHD_RequestTerminationCode why);

#endif
