"""Draws shares as docs/routing.md describes them, apart from the Swift that does it in the gateway."""

import hashlib
import json
import math


def unit(use, rule, verifier, session):
    text = "\0".join([use, rule, verifier, session]) + "\0"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return ((number >> 11) + 1) / 2**53


def order(weights, rule, session):
    draws = [(-math.log(unit("target", rule, name, session)) / weight, name) for name, weight in weights if weight > 0]
    return [name for _, name in sorted(draws)]


cases = []
for rule, weights in [
    ("trial", [("alpha", 90), ("beta", 10)]),
    ("trial", [("alpha", 80), ("beta", 20)]),
    ("three", [("alpha", 50), ("beta", 30), ("gamma", 20)]),
    ("uneven", [("alpha", 1), ("beta", 999), ("gamma", 0)]),
]:
    for number in range(25):
        session = f"ses_{number:022d}"
        cases.append(
            {
                "rule": rule,
                "session": session,
                "weights": [{"id": name, "weight": weight} for name, weight in weights],
                "order": order(weights, rule, session),
                "shadowed_at_30": unit("shadow", rule, "delta", session) * 100 <= 30,
            }
        )
print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
