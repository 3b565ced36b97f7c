"""A certificate that its owner signs, with its key in the same file, for who is given a copy of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from grader.disk import whole

_DAYS: Final = 3650
"""A certificate is valid for 3650 days; delete the file to have another one made."""


def ensure_certificate(path: Path, host: str) -> Path:
    """Return the path of a PEM file with a certificate for a host and its key; make it if it is missing.

    Raises DiskError.
    """
    if path.exists():
        return path
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "maze-grader")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with whole(path) as partial:
        partial.touch(mode=0o600)
        partial.write_bytes(made.public_bytes(serialization.Encoding.PEM) + secret)
    return path
