#pragma once

// Why this shim: curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot call, and a
// wrong type for an option would be undefined behaviour; each option is set through a function of its own type. The
// kernel's epoll and eventfd are not in the C library's Swift module.

#include <curl/curl.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

typedef size_t (*sekisho_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*sekisho_before_request_callback)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);
typedef int (*sekisho_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);

/// Options that take a `long`.
static inline CURLcode sekisho_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// Options that take a `curl_off_t`.
static inline CURLcode sekisho_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/// Options that take a string, which libcurl copies; NULL goes back to having none.
static inline CURLcode sekisho_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// The body, which libcurl does not copy: it must outlive the transfer.
static inline CURLcode sekisho_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_POSTFIELDS, (const char *)bytes);
}

/// The fields of the request, which libcurl does not copy: they must outlive the transfer.
static inline CURLcode sekisho_set_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

/// The parsed address, which libcurl reads when the transfer starts: it must outlive the transfer.
static inline CURLcode sekisho_set_address(CURL *easy, CURLU *address) {
    return curl_easy_setopt(easy, CURLOPT_CURLU, address);
}

/// Options that take bytes, which libcurl does not copy: they must outlive the transfer.
static inline CURLcode sekisho_set_bytes(CURL *easy, CURLoption option, void *bytes, size_t count) {
    struct curl_blob blob = {.data = bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
    return curl_easy_setopt(easy, option, &blob);
}

/// Who is called with the answer's body and with its head, and before the request is sent, each with `context`.
static inline CURLcode sekisho_set_callbacks(
    CURL *easy, void *context, sekisho_data_callback body, sekisho_data_callback head,
    sekisho_before_request_callback before) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
    return code;
}

/// A number libcurl keeps of a transfer, or -1.
static inline long sekisho_number_of(CURL *easy, CURLINFO info) {
    long value = -1;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

/// A text libcurl keeps of a transfer, or NULL; valid until the transfer is cleaned up.
static inline const char *sekisho_text_of(CURL *easy, CURLINFO info) {
    char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

/// Options of a pool that take a `long`.
static inline CURLMcode sekisho_set_pool_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Who is told which sockets to watch.
static inline CURLMcode sekisho_set_socket_callback(CURLM *multi, void *context, sekisho_socket_callback callback) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

/// The next transfer that has ended, and how; NULL where there is none. (The message is a union, and short-lived.)
static inline CURL *sekisho_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

/// Sets everything up, once in a process.
static inline CURLcode sekisho_curl_setup(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

/// What the library can do. (`CURLVERSION_NOW` is a macro.)
static inline const curl_version_info_data *sekisho_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }

/// A descriptor that is readable once somebody has written to it, or -1.
static inline int sekisho_client_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// A descriptor to watch others with, or -1.
static inline int sekisho_watcher(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Watches `socket`, or changes for what; `false` where the system refuses.
static inline int sekisho_watch(int watcher, int socket, int reads, int writes) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = (reads ? (uint32_t)EPOLLIN : 0) | (writes ? (uint32_t)EPOLLOUT : 0);
    event.data.fd = socket;
    if (epoll_ctl(watcher, EPOLL_CTL_MOD, socket, &event) == 0) return 1;
    return epoll_ctl(watcher, EPOLL_CTL_ADD, socket, &event) == 0;
}

/// Stops watching `socket`, which may be closed already.
static inline void sekisho_unwatch(int watcher, int socket) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    epoll_ctl(watcher, EPOLL_CTL_DEL, socket, &event);
}

/// Waits; fills in sockets and what libcurl is to be told of them, and returns how many.
static inline int sekisho_wait(int watcher, int timeout, int *sockets, int *actions, int capacity) {
    struct epoll_event events[64];
    int count = epoll_wait(watcher, events, capacity < 64 ? capacity : 64, timeout);
    for (int index = 0; index < count; index++) {
        uint32_t seen = events[index].events;
        sockets[index] = events[index].data.fd;
        actions[index] = (seen & (EPOLLIN | EPOLLHUP) ? CURL_CSELECT_IN : 0) | (seen & EPOLLOUT ? CURL_CSELECT_OUT : 0)
            | (seen & EPOLLERR ? CURL_CSELECT_ERR : 0);
    }
    return count < 0 ? 0 : count;
}

/// Overwrites memory that held something secret, in a way no compiler leaves out.
static inline void sekisho_client_wipe(void *memory, size_t count) {
    volatile unsigned char *bytes = memory;
    while (count-- > 0) *bytes++ = 0;
}
