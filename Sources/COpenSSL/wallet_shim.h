#pragma once

// What the test wallet needs of libcrypto and Swift cannot import: macros.

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

// OPENSSL_free is a macro that passes the caller's file and line.
static inline void sekisho_wallet_free(void *memory) { OPENSSL_free(memory); }
