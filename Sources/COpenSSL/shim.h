#pragma once

// Only headers of libcrypto: TLS ends at the edge (nginx) or inside libcurl, so nothing here needs libssl. Each
// wrapper below exists because the C form cannot be called from Swift; its comment says why.

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
#include <openssl/x509.h>
#include <openssl/x509v3.h>
