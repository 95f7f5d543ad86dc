#!/usr/bin/env python3
"""Makes the vectors of SSH signatures: base64 of raw SSHSIG blobs over "message", public keys, expected.tsv.

Every key is made anew and thrown away. What ssh-keygen would not make (weak keys, other versions, old
hashes, security keys without hardware) is put together here and signed by openssl.
"""

import base64
import hashlib
import pathlib
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
NAMESPACE = b"git-plan-audit"
MESSAGE = b"message"
L = 2**252 + 27742317777372353535851937790883648493


def run(*words, given=None):
    return subprocess.run([str(word) for word in words], input=given, check=True, capture_output=True).stdout


def string(data):
    return struct.pack(">I", len(data)) + data


def mpint(number):
    return string(number.to_bytes(number.bit_length() // 8 + 1, "big") if number else b"")


def take(data):
    length = struct.unpack(">I", data[:4])[0]
    return data[4 : 4 + length], data[4 + length :]


def digest(hash_name, data):
    return hashlib.new(hash_name, data).digest()


def signed_data(namespace=NAMESPACE, reserved=b"", hash_name=b"sha512", hashed=None):
    hashed = digest(hash_name.decode(), MESSAGE) if hashed is None else hashed
    return b"SSHSIG" + string(namespace) + string(reserved) + string(hash_name) + string(hashed)


def blob(key, signature, namespace=NAMESPACE, reserved=b"", hash_name=b"sha512", version=1, magic=b"SSHSIG"):
    head = magic + struct.pack(">I", version) + string(key)
    return head + string(namespace) + string(reserved) + string(hash_name) + string(signature)


class Maker:
    def __init__(self, scratch):
        self.scratch = pathlib.Path(scratch)
        self.rows = []

    def keep(self, name, outcome, data, key=""):
        (HERE / f"{name}.b64").write_text(base64.b64encode(data).decode() + "\n")
        self.rows.append(f"{name}.b64\t{outcome}\t{key}\n")

    def keep_key(self, name, kind, key):
        (HERE / f"{name}.pub").write_text(f"{kind} {base64.b64encode(key).decode()} git plan-audit vector\n")

    def path(self, name):
        return self.scratch / name

    def by_ssh_keygen(self, name, *kind):
        """Makes a key with ssh-keygen, keeps its public half, and returns that as raw bytes."""
        run("ssh-keygen", "-q", *kind, "-N", "", "-C", "git plan-audit vector", "-f", self.path(name))
        text = self.path(f"{name}.pub").read_text()
        (HERE / f"{name}.pub").write_text(text)
        return base64.b64decode(text.split()[1])

    def sign(self, name, *options, namespace="git-plan-audit"):
        armoured = run("ssh-keygen", "-q", "-Y", "sign", *options, "-n", namespace, "-f", self.path(name), given=MESSAGE)
        lines = [line for line in armoured.decode().splitlines() if "SSH SIGNATURE" not in line]
        return base64.b64decode("".join(lines))

    def openssl_key(self, name, *words):
        run("openssl", *words, "-out", self.path(name))

    def ed25519(self, name):
        """Makes a key with openssl and returns its 32 public bytes."""
        self.openssl_key(name, "genpkey", "-algorithm", "ed25519")
        return run("openssl", "pkey", "-in", self.path(name), "-pubout", "-outform", "DER")[-32:]

    def sign_ed25519(self, name, data):
        self.path("data").write_bytes(data)
        return run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.path(name), "-in", self.path("data"))

    def sign_hashed(self, name, hash_name, data):
        return run("openssl", "dgst", f"-{hash_name}", "-sign", self.path(name), given=data)


def rsa_key(maker, name, bits):
    maker.openssl_key(name, "genpkey", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}")
    text = run("openssl", "rsa", "-in", maker.path(name), "-noout", "-modulus").decode()
    modulus = int(text.strip().split("=")[1], 16)
    assert modulus.bit_length() == bits
    return modulus


def rsa_blob(modulus):
    return string(b"ssh-rsa") + mpint(65537) + mpint(modulus)


def der_pair(data):
    """Reads the two integers of a DER signature."""
    at = 2 if data[1] < 0x80 else 3
    numbers = []
    for _ in range(2):
        length = data[at + 1]
        numbers.append(int.from_bytes(data[at + 2 : at + 2 + length], "big"))
        at += 2 + length
    return numbers


def good(maker):
    maker.by_ssh_keygen("key", "-t", "ed25519")
    maker.keep("good", "good", maker.sign("key"), "key.pub")
    maker.keep("good-sha256", "good", maker.sign("key", "-O", "hashalg=sha256"), "key.pub")
    for name, *kind in [
        ("rsa2048", "-t", "rsa", "-b", "2048"), ("rsa3072", "-t", "rsa", "-b", "3072"), ("ecdsa256", "-t", "ecdsa", "-b", "256"),
        ("ecdsa384", "-t", "ecdsa", "-b", "384"), ("ecdsa521", "-t", "ecdsa", "-b", "521"),
    ]:
        maker.by_ssh_keygen(name, *kind)
        maker.keep(f"good-{name}", "good", maker.sign(name), f"{name}.pub")

def rsa(maker):
    modulus = rsa_key(maker, "rsa-own", 2048)
    key = rsa_blob(modulus)
    maker.keep_key("rsa-own", "ssh-rsa", key)

    def signature(hash_name, name="rsa-own"):
        kind = {"sha1": b"ssh-rsa", "sha256": b"rsa-sha2-256", "sha512": b"rsa-sha2-512"}[hash_name]
        return string(kind) + string(maker.sign_hashed(name, hash_name, signed_data()))

    maker.keep("good-rsa-sha2-256", "good", blob(key, signature("sha256")), "rsa-own.pub")
    maker.keep("refused-rsa-sha1", "NotASignature", blob(key, signature("sha1")))
    padded = string(b"ssh-rsa") + mpint(65537) + string(b"\0\0" + modulus.to_bytes(256, "big"))
    maker.keep("refused-rsa-padded-modulus", "NotASignature", blob(padded, signature("sha512")))
    for bits in [1024, 2047]:
        name = f"rsa{bits}"
        weak = rsa_blob(rsa_key(maker, name, bits))
        maker.keep_key(name, "ssh-rsa", weak)
        maker.keep(f"refused-{name}", "Key", blob(weak, signature("sha512", name)))


def dsa(maker):
    sizes = ["-pkeyopt", "dsa_paramgen_bits:1024", "-pkeyopt", "dsa_paramgen_q_bits:160"]
    maker.openssl_key("dsa-parameters", "genpkey", "-genparam", "-algorithm", "DSA", *sizes)
    maker.openssl_key("dsa", "genpkey", "-paramfile", maker.path("dsa-parameters"))
    public = run("openssl", "dsa", "-in", maker.path("dsa"), "-pubout", "-outform", "PEM")
    maker.path("dsa.pem").write_bytes(public)
    text = run("ssh-keygen", "-i", "-m", "PKCS8", "-f", maker.path("dsa.pem")).decode()
    key = base64.b64decode(text.split()[1])
    maker.keep_key("dsa", "ssh-dss", key)
    r, s = der_pair(maker.sign_hashed("dsa", "sha1", signed_data()))
    maker.keep("refused-dsa", "Key", blob(key, string(b"ssh-dss") + string(r.to_bytes(20, "big") + s.to_bytes(20, "big"))))


def certificate(maker):
    """A certificate in the place of its key, under a signature that fits."""
    maker.by_ssh_keygen("authority", "-t", "ed25519")
    (HERE / "authority.pub").unlink()
    run("ssh-keygen", "-q", "-s", maker.path("authority"), "-I", "id", "-n", "a", maker.path("key.pub"))
    text = maker.path("key-cert.pub").read_text()
    (HERE / "certificate.pub").write_text(text)
    _, rest = take(maker.sign("key")[10:])
    maker.keep("refused-certificate", "NotASignature", b"SSHSIG" + struct.pack(">I", 1) + string(base64.b64decode(text.split()[1])) + rest)


def security_keys(maker):
    touched = bytes([1]) + struct.pack(">I", 7)
    application = b"ssh:"

    def data():
        return digest("sha256", application) + touched + digest("sha256", signed_data())

    key = string(b"sk-ssh-ed25519@openssh.com") + string(maker.ed25519("sk-own")) + string(application)
    maker.keep_key("sk-ed25519", "sk-ssh-ed25519@openssh.com", key)
    signature = string(b"sk-ssh-ed25519@openssh.com") + string(maker.sign_ed25519("sk-own", data())) + touched
    maker.keep("good-sk-ed25519", "good", blob(key, signature), "sk-ed25519.pub")
    other = bytes([0]) + struct.pack(">I", 8)
    changed = string(b"sk-ssh-ed25519@openssh.com") + string(maker.sign_ed25519("sk-own", data())) + other
    maker.keep("refused-sk-other-counter", "Mismatch", blob(key, changed))
    maker.openssl_key("sk-ec", "ecparam", "-name", "prime256v1", "-genkey", "-noout")
    point = run("openssl", "ec", "-in", maker.path("sk-ec"), "-pubout", "-outform", "DER")[-65:]
    kind = b"sk-ecdsa-sha2-nistp256@openssh.com"
    key = string(kind) + string(b"nistp256") + string(point) + string(application)
    maker.keep_key("sk-ecdsa", kind.decode(), key)
    r, s = der_pair(maker.sign_hashed("sk-ec", "sha256", data()))
    maker.keep("refused-sk-ecdsa", "NotASignature", blob(key, string(kind) + string(mpint(r) + mpint(s)) + touched))


def own(maker):
    """What a key of openssl signs that ssh-keygen would not."""
    key = string(b"ssh-ed25519") + string(maker.ed25519("own"))

    def signature(**what):
        return string(b"ssh-ed25519") + string(maker.sign_ed25519("own", signed_data(**what)))

    maker.keep_key("own", "ssh-ed25519", key)
    maker.keep("good-own", "good", blob(key, signature()), "own.pub")
    maker.keep("refused-reserved", "NotASignature", blob(key, signature(reserved=b"x"), reserved=b"x"))
    for name in [b"sha1", b"md5"]:
        maker.keep(f"refused-hash-{name.decode()}", "NotASignature", blob(key, signature(hash_name=name), hash_name=name))
    unknown = signature(hash_name=b"none", hashed=MESSAGE)
    maker.keep("refused-hash-none", "NotASignature", blob(key, unknown, hash_name=b"none"))
    maker.keep("refused-hash-other", "Mismatch", blob(key, signature(), hash_name=b"sha256"))
    for name, space in [("approve", b"git-plan-audit-approve"), ("git", b"git"), ("longer", b"git-plan-audit\0"), ("upper-case", b"Git-Plan-Audit")]:
        maker.keep(f"refused-namespace-{name}", "Namespace", blob(key, signature(namespace=space), namespace=space))
    maker.keep("refused-namespace-empty", "NotASignature", blob(key, signature(namespace=b""), namespace=b""))
    maker.keep("refused-namespace-exchanged", "Mismatch", blob(key, signature(namespace=b"git")))
    hashed = digest("sha512", b"another message")
    maker.keep("refused-message", "Mismatch", blob(key, signature(hashed=hashed)))
    bare = string(b"ssh-ed25519") + string(maker.sign_ed25519("own", MESSAGE))
    maker.keep("refused-bare-message", "Mismatch", blob(key, bare))
    raw = take(signature())[1][4:]
    large = raw[:32] + (int.from_bytes(raw[32:], "little") + L).to_bytes(32, "little")
    maker.keep("refused-malleable", "Mismatch", blob(key, string(b"ssh-ed25519") + string(large)))
    maker.keep("refused-signature-short", "NotASignature", blob(key, string(b"ssh-ed25519") + string(raw[:63])))
    maker.keep("refused-signature-long", "NotASignature", blob(key, string(b"ssh-ed25519") + string(raw + b"\0")))
    maker.keep("refused-signature-more", "NotASignature", blob(key, signature() + b"\0"))
    maker.keep("refused-signature-zero", "Mismatch", blob(key, string(b"ssh-ed25519") + string(bytes(64))))
    maker.keep("refused-algorithm-other", "NotASignature", blob(key, string(b"ssh-rsa") + string(raw)))
    maker.keep("refused-algorithm-unknown", "Mismatch", blob(key, string(b"x@example.org") + string(raw)))
    maker.keep("refused-key-unknown", "Key", blob(string(b"x@example.org") + string(raw), string(b"x@example.org") + string(raw)))
    maker.keep("refused-key-more", "NotASignature", blob(key + b"\0", signature()))
    maker.keep("refused-key-empty", "NotASignature", blob(b"", signature()))
    return signature()


def frame(maker, signature):
    raw = maker.sign("key")
    fields = raw[10:]
    key, rest = take(fields)
    maker.keep("refused-magic", "NotASignature", b"SSHSIH" + raw[6:])
    for version in [0, 2, 2**32 - 1]:
        maker.keep(f"refused-version-{version}", "NotASignature", raw[:6] + struct.pack(">I", version) + fields)
    maker.keep("refused-trailing", "NotASignature", raw + b"\0")
    maker.keep("refused-twice", "NotASignature", raw + raw)
    maker.keep("refused-truncated", "NotASignature", raw[:-1])
    maker.keep("refused-head-only", "NotASignature", raw[:10])
    maker.keep("refused-empty", "NotASignature", b"")
    maker.keep("refused-length-huge", "NotASignature", raw[:10] + b"\xff\xff\xff\xff" + raw[14:])
    armour = b"-----BEGIN SSH SIGNATURE-----\n" + base64.b64encode(raw) + b"\n-----END SSH SIGNATURE-----\n"
    maker.keep("refused-armoured", "NotASignature", armour)
    maker.keep("refused-key-of-another", "Mismatch", blob(key, signature))
    flipped = bytearray(raw)
    flipped[-1] ^= 1
    maker.keep("refused-flipped", "Mismatch", bytes(flipped))
    assert rest


def main():
    for old in [*HERE.glob("*.b64"), *HERE.glob("*.pub")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        maker = Maker(scratch)
        good(maker)
        rsa(maker)
        dsa(maker)
        signature = own(maker)
        certificate(maker)
        security_keys(maker)
        frame(maker, signature)
        table = "file\toutcome\tkey\n" + "".join(sorted(maker.rows))
        (HERE / "expected.tsv").write_text(table)


main()
