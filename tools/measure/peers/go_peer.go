// Stores SKAdNetwork 4.0 postbacks with net/http and crypto/ecdsa, answered only after a durable commit.
//
//	go_peer [-group] -listen HOST:PORT -database FILE -key BASE64
//
// Without -group every insert is a commit of its own; with it one writer commits what has come together.
package main

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

const schema = `CREATE TABLE IF NOT EXISTS postback(id INTEGER PRIMARY KEY, received_at INTEGER NOT NULL,
network TEXT NOT NULL, source TEXT NOT NULL, app INTEGER NOT NULL, identifier TEXT NOT NULL, window INTEGER NOT NULL,
fine INTEGER, coarse TEXT, body BLOB NOT NULL, UNIQUE(identifier, window)) STRICT`

const insertion = `INSERT INTO postback(received_at, network, source, app, identifier, window, fine, coarse, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

type postback struct {
	Version      string  `json:"version"`
	Network      string  `json:"ad-network-id"`
	Source       string  `json:"source-identifier"`
	App          int64   `json:"app-id"`
	Transaction  string  `json:"transaction-id"`
	Redownload   *bool   `json:"redownload"`
	SourceApp    *int64  `json:"source-app-id"`
	SourceDomain *string `json:"source-domain"`
	Fidelity     *int    `json:"fidelity-type"`
	DidWin       *bool   `json:"did-win"`
	Window       *int    `json:"postback-sequence-index"`
	Fine         *int    `json:"conversion-value"`
	Coarse       *string `json:"coarse-conversion-value"`
	Signature    []byte  `json:"attribution-signature"`
	body         []byte
}

func (p *postback) complete() bool {
	return p.Version == "4.0" && p.Network != "" && p.Source != "" && p.Transaction != "" &&
		p.Redownload != nil && p.Fidelity != nil && p.DidWin != nil && p.Window != nil
}

func (p *postback) digest() [32]byte {
	parts := make([]string, 0, 10)
	parts = append(parts, p.Version, p.Network, p.Source, strconv.FormatInt(p.App, 10), p.Transaction,
		strconv.FormatBool(*p.Redownload))
	if p.SourceApp != nil {
		parts = append(parts, strconv.FormatInt(*p.SourceApp, 10))
	} else if p.SourceDomain != nil {
		parts = append(parts, *p.SourceDomain)
	}
	parts = append(parts, strconv.Itoa(*p.Fidelity), strconv.FormatBool(*p.DidWin), strconv.Itoa(*p.Window))
	return sha256.Sum256([]byte(strings.Join(parts, "\u2063")))
}

func insert(statement *sql.Stmt, p *postback) error {
	_, err := statement.Exec(time.Now().UnixMilli(), p.Network, p.Source, p.App, p.Transaction, *p.Window, p.Fine,
		p.Coarse, p.body)
	return err
}

type job struct {
	postback *postback
	done     chan error
}

// write commits whatever waits in the channel, up to 512 postbacks at once.
func write(database *sql.DB, statement *sql.Stmt, jobs <-chan job) {
	batch := make([]job, 0, 512)
	for first := range jobs {
		batch = append(batch[:0], first)
	gather:
		for len(batch) < cap(batch) {
			select {
			case next := <-jobs:
				batch = append(batch, next)
			default:
				break gather
			}
		}
		err := commit(database, statement, batch)
		for _, each := range batch {
			each.done <- err
		}
	}
}

func commit(database *sql.DB, statement *sql.Stmt, batch []job) error {
	transaction, err := database.Begin()
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	inside := transaction.Stmt(statement)
	for _, each := range batch {
		if err := insert(inside, each.postback); err != nil {
			return err
		}
	}
	return transaction.Commit()
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "where to listen")
	file := flag.String("database", "", "the database file")
	encoded := flag.String("key", "", "the public key, DER in base64")
	group := flag.Bool("group", false, "commit what comes together at once")
	flag.Parse()

	der, err := base64.StdEncoding.DecodeString(*encoded)
	must(err)
	parsed, err := x509.ParsePKIXPublicKey(der)
	must(err)
	key := parsed.(*ecdsa.PublicKey)
	database, err := sql.Open("sqlite3", "file:"+*file+"?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=30000&_txlock=immediate")
	must(err)
	// SQLite has one writer; one connection spares the waiting in its busy handler.
	database.SetMaxOpenConns(1)
	_, err = database.Exec(schema)
	must(err)
	statement, err := database.Prepare(insertion)
	must(err)

	store := func(p *postback) error { return insert(statement, p) }
	if *group {
		jobs := make(chan job, 1024)
		go write(database, statement, jobs)
		store = func(p *postback) error {
			done := make(chan error, 1)
			jobs <- job{p, done}
			return <-done
		}
	}
	http.HandleFunc("/.well-known/skadnetwork/report-attribution/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		p := &postback{body: body}
		if err != nil || json.Unmarshal(body, p) != nil || !p.complete() {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		digest := p.digest()
		if !ecdsa.VerifyASN1(key, digest[:], p.Signature) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if store(p) != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	must(http.ListenAndServe(*listen, nil))
}
