//! Stores SKAdNetwork 4.0 postbacks with hyper, OpenSSL and rusqlite, answered only after a durable commit.
//!
//!     rust_peer HOST:PORT DATABASE PUBLIC_KEY     (the key is DER in base64)
//!
//! One writer commits what has come together.
use std::cell::RefCell;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use http_body::Limited;
use hyper::body::{to_bytes, Bytes};
use hyper::service::{make_service_fn, service_fn};
use hyper::{Body, Method, Request, Response, Server, StatusCode};
use openssl::base64::decode_block;
use openssl::pkey::{PKey, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::sha::sha256;
use rusqlite::{params, Connection, TransactionBehavior};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};

const PATH: &str = "/.well-known/skadnetwork/report-attribution/";
const MOST_BYTES: usize = 64 << 10;
const MOST_AT_ONCE: usize = 512;

const SCHEMA: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS postback(id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, network TEXT NOT NULL,
source TEXT NOT NULL, app INTEGER NOT NULL, identifier TEXT NOT NULL, window INTEGER NOT NULL, fine INTEGER,
coarse TEXT, body BLOB NOT NULL, UNIQUE(identifier, window)) STRICT";

const INSERTION: &str = "INSERT INTO postback(received_at, network, source, app, identifier, window, fine, coarse, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Postback {
    version: String,
    ad_network_id: String,
    source_identifier: String,
    app_id: i64,
    transaction_id: String,
    redownload: bool,
    source_app_id: Option<i64>,
    source_domain: Option<String>,
    fidelity_type: u8,
    did_win: bool,
    postback_sequence_index: u8,
    conversion_value: Option<u8>,
    coarse_conversion_value: Option<String>,
    attribution_signature: String,
}

impl Postback {
    fn message(&self) -> String {
        let source = match (self.source_app_id, &self.source_domain) {
            (Some(app), _) => format!("\u{2063}{app}"),
            (None, Some(domain)) => format!("\u{2063}{domain}"),
            (None, None) => String::new(),
        };
        format!(
            "{}\u{2063}{}\u{2063}{}\u{2063}{}\u{2063}{}\u{2063}{}{}\u{2063}{}\u{2063}{}\u{2063}{}",
            self.version, self.ad_network_id, self.source_identifier, self.app_id, self.transaction_id, self.redownload,
            source, self.fidelity_type, self.did_win, self.postback_sequence_index,
        )
    }
}

thread_local! {
    // A context for each thread, so that no check waits for another or sets the key up again.
    static VERIFIER: RefCell<Option<PkeyCtx<Public>>> = RefCell::new(None);
}

fn is_signed(postback: &Postback, key: &PKey<Public>) -> bool {
    let signature = match decode_block(&postback.attribution_signature) {
        Ok(signature) => signature,
        Err(_) => return false,
    };
    let digest = sha256(postback.message().as_bytes());
    VERIFIER.with(|slot| {
        let mut slot = slot.borrow_mut();
        let context = slot.get_or_insert_with(|| {
            let mut context = PkeyCtx::new(key).expect("a context for the key");
            context.verify_init().expect("a key that can check");
            context
        });
        context.verify(&digest, &signature).unwrap_or(false)
    })
}

struct Job {
    postback: Postback,
    body: Bytes,
    done: oneshot::Sender<bool>,
}

/// Commits whatever waits, up to 512 postbacks at once.
fn write(mut database: Connection, mut jobs: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(MOST_AT_ONCE);
    while let Some(first) = jobs.blocking_recv() {
        batch.push(first);
        while batch.len() < MOST_AT_ONCE {
            match jobs.try_recv() {
                Ok(next) => batch.push(next),
                Err(_) => break,
            }
        }
        let stored = commit(&mut database, &batch).is_ok();
        for job in batch.drain(..) {
            // Whoever asked may have gone; what is stored stays stored.
            let _ = job.done.send(stored);
        }
    }
}

fn commit(database: &mut Connection, batch: &[Job]) -> rusqlite::Result<()> {
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut insertion = transaction.prepare_cached(INSERTION)?;
        for Job { postback: p, body, .. } in batch {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64);
            insertion.execute(params![
                now, p.ad_network_id, p.source_identifier, p.app_id, p.transaction_id, p.postback_sequence_index,
                p.conversion_value, p.coarse_conversion_value, &body[..],
            ])?;
        }
    }
    transaction.commit()
}

async fn receive(request: Request<Body>, key: &PKey<Public>, jobs: &mpsc::Sender<Job>) -> StatusCode {
    if request.method() != Method::POST || request.uri().path() != PATH {
        return StatusCode::NOT_FOUND;
    }
    let body = match to_bytes(Limited::new(request.into_body(), MOST_BYTES)).await {
        Ok(body) => body,
        Err(_) => return StatusCode::BAD_REQUEST,
    };
    let postback: Postback = match serde_json::from_slice(&body) {
        Ok(postback) => postback,
        Err(_) => return StatusCode::BAD_REQUEST,
    };
    if postback.version != "4.0" || !is_signed(&postback, key) {
        return StatusCode::BAD_REQUEST;
    }
    let (done, answer) = oneshot::channel();
    if jobs.send(Job { postback, body, done }).await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    match answer.await {
        Ok(true) => StatusCode::OK,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [listen, file, encoded]: [String; 3] =
        words.try_into().map_err(|_| "usage: rust_peer HOST:PORT DATABASE PUBLIC_KEY")?;
    let address: SocketAddr = listen.parse()?;
    let key = PKey::public_key_from_der(&decode_block(&encoded)?)?;
    let database = Connection::open(file)?;
    database.execute_batch(SCHEMA)?;
    let (sender, receiver) = mpsc::channel(1024);
    std::thread::spawn(move || write(database, receiver));

    let service = make_service_fn(move |_| {
        let (key, sender) = (key.clone(), sender.clone());
        async move {
            Ok::<_, Infallible>(service_fn(move |request| {
                let (key, sender) = (key.clone(), sender.clone());
                async move {
                    let mut response = Response::new(Body::empty());
                    *response.status_mut() = receive(request, &key, &sender).await;
                    Ok::<_, Infallible>(response)
                }
            }))
        }
    });
    Server::try_bind(&address)?.tcp_nodelay(true).serve(service).await?;
    Ok(())
}
