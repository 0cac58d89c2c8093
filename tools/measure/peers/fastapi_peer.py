"""Stores SKAdNetwork 4.0 postbacks with FastAPI: one checked, durable insert a request.

Started by uvicorn as `fastapi_peer:app`. The environment gives DATABASE, PUBLIC_KEY (DER, base64) and VERIFIER,
which is `cryptography` or `vap`.
"""
import asyncio
import base64
from concurrent.futures import ThreadPoolExecutor
import json
import os
import sqlite3
import time

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

KEY = base64.b64decode(os.environ["PUBLIC_KEY"])

if os.environ["VERIFIER"] == "vap":
    from vap import verifier

    # The package knows Apple's key only; a test needs its own in that place.
    pem = "-----BEGIN PUBLIC KEY-----\n" + os.environ["PUBLIC_KEY"] + "\n-----END PUBLIC KEY-----"
    verifier._ecdsa_wrapper = verifier._EcdsaWrapper(pem)

    def is_signed(postback, raw):
        return verifier.verify_postback(json.loads(raw))
else:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    public_key = load_der_public_key(KEY)
    algorithm = ec.ECDSA(hashes.SHA256())

    def is_signed(postback, raw):
        try:
            signature = base64.b64decode(postback.signature, validate=True)
            public_key.verify(signature, postback.message(), algorithm)
            return True
        except (InvalidSignature, ValueError):
            return False


class Postback(BaseModel):
    model_config = ConfigDict(strict=True)

    version: str = Field(pattern=r"^4\.0$")
    network: str = Field(alias="ad-network-id")
    source: str = Field(alias="source-identifier")
    app: int = Field(alias="app-id")
    transaction: str = Field(alias="transaction-id")
    redownload: bool
    source_app: int | None = Field(None, alias="source-app-id")
    source_domain: str | None = Field(None, alias="source-domain")
    fidelity: int = Field(alias="fidelity-type")
    did_win: bool = Field(alias="did-win")
    window: int = Field(alias="postback-sequence-index", ge=0, le=2)
    fine: int | None = Field(None, alias="conversion-value", ge=0, le=63)
    coarse: str | None = Field(None, alias="coarse-conversion-value")
    signature: str = Field(alias="attribution-signature")

    def message(self):
        parts = [self.version, self.network, self.source, str(self.app), self.transaction, str(self.redownload).lower()]
        if self.source_app is not None:
            parts.append(str(self.source_app))
        elif self.source_domain is not None:
            parts.append(self.source_domain)
        parts += [str(self.fidelity), str(self.did_win).lower(), str(self.window)]
        return "\u2063".join(parts).encode()


def open_database():
    connection = sqlite3.connect(os.environ["DATABASE"], timeout=30, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS postback(id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, network TEXT NOT NULL,"
        " source TEXT NOT NULL, app INTEGER NOT NULL, identifier TEXT NOT NULL, window INTEGER NOT NULL, fine INTEGER,"
        " coarse TEXT, body BLOB NOT NULL, UNIQUE(identifier, window)) STRICT")
    return connection


database = open_database()
app = FastAPI()
writer = ThreadPoolExecutor(1)


@app.post("/.well-known/skadnetwork/report-attribution/")
async def receive(request: Request):
    raw = await request.body()
    try:
        postback = Postback.model_validate_json(raw)
    except ValidationError:
        return Response(status_code=400)
    if not is_signed(postback, raw):
        return Response(status_code=400)
    # Without an explicit transaction every statement commits by itself, and FULL waits for the disk: on a thread of its
    # own, so that the event loop goes on meanwhile.
    await asyncio.get_running_loop().run_in_executor(
        writer, database.execute,
        "INSERT INTO postback(received_at, network, source, app, identifier, window, fine, coarse, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (time.time_ns() // 1_000_000, postback.network, postback.source, postback.app, postback.transaction,
         postback.window, postback.fine, postback.coarse, raw))
    return Response(status_code=200)
