"""A second opinion on an answer of the test wallet, by another implementation: pyca/cryptography and the CBOR below.

Usage: second_opinion.py MERCHANT_KEY IACA NONCE_HEX MERCHANT_ID TEAM_ID <envelope
Prints the disclosed elements as JSON, or fails.
"""
import hashlib
import json
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
import hmac


class Tag:
    def __init__(self, number, value):
        self.number, self.value = number, value


def read(data, at=0):
    major, info = data[at] >> 5, data[at] & 31
    at += 1
    if info < 24:
        count = info
    elif info < 28:
        size = 1 << (info - 24)
        count = int.from_bytes(data[at:at + size], "big")
        at += size
    else:
        raise ValueError("indefinite length")
    if major == 0:
        return count, at
    if major == 1:
        return -1 - count, at
    if major in (2, 3):
        part = bytes(data[at:at + count])
        assert len(part) == count
        return (part if major == 2 else part.decode()), at + count
    if major == 4:
        items = []
        for _ in range(count):
            item, at = read(data, at)
            items.append(item)
        return items, at
    if major == 5:
        members = {}
        for _ in range(count):
            key, at = read(data, at)
            assert key not in members
            members[key], at = read(data, at)
        return members, at
    if major == 6:
        value, at = read(data, at)
        return Tag(count, value), at
    return {20: False, 21: True, 22: None}[count], at


def loads(data):
    value, end = read(data)
    assert end == len(data), "trailing bytes"
    return value


def head(major, count):
    if count < 24:
        return bytes([major << 5 | count])
    size = 1 if count < 256 else 2 if count < 65536 else 4
    return bytes([major << 5 | 24 + {1: 0, 2: 1, 4: 2}[size]]) + count.to_bytes(size, "big")


def bstr(data):
    return head(2, len(data)) + data


def tstr(text):
    return head(3, len(text.encode())) + text.encode()


def extract(salt, label, material, suite):
    return hmac.digest(salt, b"HPKE-v1" + suite + label + material, "sha256")


def expand(key, label, info, length, suite):
    text = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(key, text + b"\x01", "sha256")[:length]


def open_sealed(key, enc, ciphertext, info):
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), enc)
    own = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    kem = b"KEM\x00\x10"
    suite = b"HPKE\x00\x10\x00\x01\x00\x01"
    prk = extract(b"", b"eae_prk", key.exchange(ec.ECDH(), point), kem)
    shared = expand(prk, b"shared_secret", enc + own, 32, kem)
    context = b"\x00" + extract(b"", b"psk_id_hash", b"", suite) + extract(b"", b"info_hash", info, suite)
    secret = extract(shared, b"secret", b"", suite)
    return AESGCM(expand(secret, b"key", context, 16, suite)).decrypt(
        expand(secret, b"base_nonce", context, 12, suite), ciphertext, None)


def check(key, signed, signature):
    half = len(signature) // 2
    der = utils.encode_dss_signature(
        int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big"))
    key.verify(der, signed, ec.ECDSA(hashes.SHA256()))


def main(key_file, root_file, nonce, merchant, team):
    key = serialization.load_pem_private_key(open(key_file, "rb").read(), None)
    root = x509.load_pem_x509_certificate(open(root_file, "rb").read())
    envelope = loads(sys.stdin.buffer.read())
    assert envelope["algorithm"] == "APPLE-HPKE-v1" and envelope["params"]["mode"] == 0
    own = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    assert envelope["params"]["pkRHash"] == hashlib.sha256(own).digest()
    transcript = (
        b"\x83\xf6\xf6\x85" + tstr("AppleIdentityPresentment_1.0") + bstr(bytes.fromhex(nonce)) + tstr(merchant)
        + tstr(team) + bstr(envelope["params"]["pkRHash"]))
    assert envelope["params"]["infoHash"] == hashlib.sha256(transcript).digest()
    response = loads(open_sealed(key, envelope["params"]["pkEm"], envelope["data"], transcript))["identity"]
    assert response["version"] == "1.0" and response["status"] == 0 and len(response["documents"]) == 1
    document = response["documents"][0]
    protected, unprotected, payload, signature = document["issuerSigned"]["issuerAuth"]
    assert loads(protected) == {1: -7}
    signer = x509.load_der_x509_certificate(unprotected[33])
    signer.verify_directly_issued_by(root)
    check(signer.public_key(), b"\x84" + tstr("Signature1") + bstr(protected) + b"\x40" + bstr(payload), signature)
    wrapped = loads(payload)
    assert wrapped.number == 24
    mso = loads(wrapped.value)
    assert mso["docType"] == document["docType"] and mso["digestAlgorithm"] == "SHA-256"
    elements = {}
    for namespace, items in document["issuerSigned"]["nameSpaces"].items():
        for item in items:
            assert item.number == 24
            inner = loads(item.value)
            assert len(inner["random"]) >= 16
            digest = hashlib.sha256(b"\xd8\x18" + bstr(item.value)).digest()
            assert mso["valueDigests"][namespace][inner["digestID"]] == digest
            value = inner["elementValue"]
            value = value.value if isinstance(value, Tag) else value
            elements[inner["elementIdentifier"]] = len(value) if isinstance(value, bytes) else value
    device = mso["deviceKeyInfo"]["deviceKey"]
    numbers = ec.EllipticCurvePublicNumbers(
        int.from_bytes(device[-2], "big"), int.from_bytes(device[-3], "big"), ec.SECP256R1())
    protected, _, payload, signature = document["deviceSigned"]["deviceAuth"]["deviceSignature"]
    assert payload is None
    names = document["deviceSigned"]["nameSpaces"]
    authentication = (
        b"\x84" + tstr("DeviceAuthentication") + transcript + tstr(document["docType"])
        + b"\xd8\x18" + bstr(names.value))
    signed = b"\xd8\x18" + bstr(authentication)
    check(
        numbers.public_key(), b"\x84" + tstr("Signature1") + bstr(protected) + b"\x40" + bstr(signed), signature)
    print(json.dumps(elements, ensure_ascii=False))


main(*sys.argv[1:])
