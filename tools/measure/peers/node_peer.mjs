// Stores SKAdNetwork 4.0 postbacks with Node's own modules: one checked, durable insert a request.
//
//   node node_peer.mjs PORT DATABASE PUBLIC_KEY     (the key is DER in base64)
import crypto from "node:crypto";
import http from "node:http";
import { DatabaseSync } from "node:sqlite";

const [port, file, publicKey] = process.argv.slice(2);
const key = crypto.createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
const database = new DatabaseSync(file);
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
database.exec(`CREATE TABLE IF NOT EXISTS postback(id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL,
  network TEXT NOT NULL, source TEXT NOT NULL, app INTEGER NOT NULL, identifier TEXT NOT NULL, window INTEGER NOT NULL,
  fine INTEGER, coarse TEXT, body BLOB NOT NULL, UNIQUE(identifier, window)) STRICT`);
const insert = database.prepare(`INSERT INTO postback(received_at, network, source, app, identifier, window, fine,
  coarse, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);

const texts = ["ad-network-id", "source-identifier", "transaction-id", "attribution-signature"];
const integers = ["app-id", "fidelity-type", "postback-sequence-index"];
const truths = ["redownload", "did-win"];

/** The postback of a body, or null where a member is missing or of a wrong type. */
function read(body) {
  let postback;
  try { postback = JSON.parse(body.toString()); } catch { return null; }
  const good = postback !== null && typeof postback === "object" && postback.version === "4.0"
    && texts.every((name) => typeof postback[name] === "string")
    && integers.every((name) => Number.isSafeInteger(postback[name]))
    && truths.every((name) => typeof postback[name] === "boolean")
    && ["undefined", "number"].includes(typeof postback["conversion-value"])
    && ["undefined", "string"].includes(typeof postback["coarse-conversion-value"]);
  return good ? postback : null;
}

function message(p) {
  const parts = [p.version, p["ad-network-id"], p["source-identifier"], p["app-id"], p["transaction-id"], p.redownload];
  const source = p["source-app-id"] ?? p["source-domain"];
  if (source !== undefined) parts.push(source);
  parts.push(p["fidelity-type"], p["did-win"], p["postback-sequence-index"]);
  return Buffer.from(parts.join("\u2063"));
}

function receive(body, answer) {
  const p = read(body);
  if (p === null) return answer(400);
  const signature = Buffer.from(p["attribution-signature"], "base64");
  // With a callback the check runs on Node's pool of threads, so that it uses a second processor.
  crypto.verify("sha256", message(p), key, signature, (error, good) => {
    if (error || !good) return answer(400);
    try {
      insert.run(Date.now(), p["ad-network-id"], p["source-identifier"], p["app-id"], p["transaction-id"],
        p["postback-sequence-index"], p["conversion-value"] ?? null, p["coarse-conversion-value"] ?? null, body);
    } catch { return answer(503); }
    answer(200);
  });
}

http.createServer((request, response) => {
  const answer = (status) => { response.writeHead(status, { "Content-Length": 0 }); response.end(); };
  if (request.method !== "POST" || request.url !== "/.well-known/skadnetwork/report-attribution/") return answer(404);
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => receive(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks), answer));
}).listen(Number(port), "127.0.0.1");
