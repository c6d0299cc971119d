#pragma once

// Why this shim: MHD_start_daemon and MHD_get_connection_info are variadic, which Swift cannot call; and the kernel's
// tcp_info has grown past the C library's declaration of it.

#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

typedef void *(*sekisho_target_callback)(void *context, const char *target, struct MHD_Connection *connection);

/// Leaves a target as it came: percent-decoding is the request guard's.
static size_t sekisho_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// One event loop with a thread of its own; connections are handed to it, it listens to nothing.
static inline struct MHD_Daemon *sekisho_start_daemon(
    unsigned int connections, size_t connection_memory, void *context, MHD_LogCallback log, sekisho_target_callback target,
    MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection) {
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME
        | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, access, context,
        MHD_OPTION_EXTERNAL_LOGGER, log, context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_TIMEOUT, 0u,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection, context,
        MHD_OPTION_URI_LOG_CALLBACK, target, context,
        MHD_OPTION_UNESCAPE_CALLBACK, &sekisho_keep_escapes, NULL,
        MHD_OPTION_END);
}

/// The socket of a connection, or -1.
static inline int sekisho_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// What the connection notification stored with a connection.
static inline void *sekisho_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// The length of the head as it was received, from the method to the empty line, or 0.
static inline size_t sekisho_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// How many bytes a TCP socket has received since it was opened; 0 where the kernel does not say.
static inline unsigned long long sekisho_bytes_received(int socket) {
    // struct tcp_info of <linux/tcp.h>, which cannot be included beside <netinet/tcp.h>: tcpi_bytes_received is at 128.
    enum { bytes_received = 128, tcp_info = 11 };
    unsigned char info[256];
    socklen_t length = sizeof info;
    unsigned long long count = 0;
    if (getsockopt(socket, IPPROTO_TCP, tcp_info, info, &length) != 0) return 0;
    if (length < bytes_received + sizeof count) return 0;
    memcpy(&count, info + bytes_received, sizeof count);
    return count;
}

/// Gives every header field, in the order they came, to `each`.
static inline void sekisho_each_field(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN each, void *context) {
    (void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND, each, context);
}

/// Whether a notification is of a connection that begins, not of one that ends.
static inline _Bool sekisho_is_start(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// Whether libmicrohttpd ended a request by itself, mostly with a page of its own that says why.
static inline _Bool sekisho_is_own_refusal(enum MHD_RequestTerminationCode code) {
    return code == MHD_REQUEST_TERMINATED_WITH_ERROR;
}

// Declared only under _GNU_SOURCE, which a header that Swift imports must not define.
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

/// The next client of a listening socket, which neither blocks nor is inherited by a child process.
static inline int sekisho_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// An event counter that neither blocks nor is inherited.
static inline int sekisho_eventfd(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

/// Lets this process open as many descriptors as it may; returns how many that is.
static inline unsigned long sekisho_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = limit;
        raised.rlim_cur = raised.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur;
}

/// A response that owns a copy of its body.
static inline struct MHD_Response *sekisho_response(const void *body, size_t length) {
    return MHD_create_response_from_buffer(length, (void *)body, MHD_RESPMEM_MUST_COPY);
}
