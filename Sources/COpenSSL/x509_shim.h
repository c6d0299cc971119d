// OpenSSL's typed stacks and some field accesses are macros or unions, which Swift cannot import: one inline each.
#pragma once

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* RFC 4514 text: only what it reserves, and controls, is escaped; what is not ASCII stays UTF-8. */
static const unsigned long sekisho_name_flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;

static inline int sekisho_general_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline int sekisho_general_name_type(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index)->type;
}

/* The text of a name that is an IA5String (email, DNS, URI); NULL for the other kinds. */
static inline const ASN1_STRING *sekisho_general_name_text(const GENERAL_NAMES *names, int index) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    if (name->type != GEN_EMAIL && name->type != GEN_DNS && name->type != GEN_URI) return NULL;
    return name->d.ia5;
}

static inline int sekisho_dist_points_count(const CRL_DIST_POINTS *points) { return sk_DIST_POINT_num(points); }

static inline const DIST_POINT *sekisho_dist_point(const CRL_DIST_POINTS *points, int index) {
    return sk_DIST_POINT_value(points, index);
}

/* The full name of a distribution point; NULL where it is absent or relative to the issuer. */
static inline const GENERAL_NAMES *sekisho_dist_point_full_name(const DIST_POINT_NAME *name) {
    return name != NULL && name->type == 0 ? name->name.fullname : NULL;
}

static inline int sekisho_key_purposes_count(const EXTENDED_KEY_USAGE *usage) { return sk_ASN1_OBJECT_num(usage); }

static inline const ASN1_OBJECT *sekisho_key_purpose(const EXTENDED_KEY_USAGE *usage, int index) {
    return sk_ASN1_OBJECT_value(usage, index);
}

static inline int sekisho_revoked_count(X509_CRL *list) {
    STACK_OF(X509_REVOKED) *revoked = X509_CRL_get_REVOKED(list);
    return revoked == NULL ? 0 : sk_X509_REVOKED_num(revoked);
}

static inline const X509_REVOKED *sekisho_revoked(X509_CRL *list, int index) {
    return sk_X509_REVOKED_value(X509_CRL_get_REVOKED(list), index);
}
