#pragma once

// Only headers of libcrypto: TLS ends at the edge (nginx) or inside libcurl, so nothing here needs libssl. A wrapper
// is added only where the C form cannot be used safely from Swift, and its comment says why.

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// An OSSL_PARAM keeps the pointers to its name and its value. A Swift string lends a pointer for the time of one call
// only, so parameters made in Swift would point at freed memory; string literals in C live as long as the process.
static inline int sekisho_hmac_use_sha256(EVP_MAC_CTX *context) {
    char digest[] = "SHA2-256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(context, parameters);
}
