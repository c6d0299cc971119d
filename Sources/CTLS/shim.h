#pragma once

// libssl for the sandbox alone: the gateway's own TLS is nginx's on one side and libcurl's on the other, and what
// production runs must not link this. Each wrapper stands for a macro, which Swift cannot import.

#include <openssl/err.h>
#include <openssl/ssl.h>

static inline int sekisho_tls_at_least_1_2(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// Clients that resume a session must do so for the same purpose; without an identifier a server that asks for client
// certificates refuses every resumption.
static inline int sekisho_tls_session_name(SSL_CTX *context, const char *name) {
    return SSL_CTX_set_session_id_context(context, (const unsigned char *)name, (unsigned int)strlen(name));
}

static inline long sekisho_tls_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }
