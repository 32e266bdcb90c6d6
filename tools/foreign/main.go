// Foreign has other clients than ours use the simulators: it starts the simulated card processor and the simulated
// ledger, runs a script under Node with their addresses in the environment, and ends with it.
//
//	go run ./foreign node/stripe.mjs
//	go run ./foreign node/ledger.mjs
//
// Beside the simulators' own addresses there are two for the script: POST /tool/advance with the field "by" moves their
// clock, GET /tool/events returns the card processor's events in the order in which they arrived.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"foyer/app/accounting/ledgersim"
	"foyer/app/clock"
	"foyer/billing/stripesim"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "foreign:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one script")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	at := "http://" + ln.Addr().String()
	now := &clock.Adjustable{}
	sim, err := stripesim.New(stripesim.Options{Clock: now, AppURL: at, WebhookURL: at + "/tool/hook", Control: true})
	if err != nil {
		return err
	}
	ledger, err := ledgersim.New(ledgersim.Options{Clock: now, AppURL: at})
	if err != nil {
		return err
	}
	in := &inbox{sim: sim, clock: now}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tool/hook", in.take)
	mux.HandleFunc("GET /tool/events", in.tell)
	mux.HandleFunc("POST /tool/advance", in.advance)
	mux.Handle(ledgersim.Prefix+"/", ledger)
	mux.Handle("/", sim)
	go func() { _ = http.Serve(ln, mux) }() // until the program ends
	script := exec.Command("node", args[0])
	books := ledgersim.At(at, at)
	script.Env = append(os.Environ(),
		"SIM_URL="+at, "SIM_KEY="+stripesim.DefaultSecretKey, "SIM_WEBHOOK_SECRET="+stripesim.DefaultWebhookSecret,
		"SIM_VERSION="+stripesim.APIVersion,
		"LEDGER_AUTHORIZE="+books.Authorize, "LEDGER_TOKEN="+books.Token, "LEDGER_REVOKE="+books.Revoke,
		"LEDGER_API="+books.API, "LEDGER_APP="+books.App, "LEDGER_CALLBACK="+at+"/callback",
		"LEDGER_CLIENT="+ledgersim.DefaultClientID, "LEDGER_SECRET="+ledgersim.DefaultClientSecret,
		"LEDGER_SCOPE="+ledgersim.Scope, "LEDGER_REALM="+ledgersim.RealmUSD,
	)
	script.Stdout, script.Stderr = os.Stdout, os.Stderr
	return script.Run()
}

// inbox is where events arrive.
type inbox struct {
	sim   *stripesim.Server
	clock *clock.Adjustable
	mu    sync.Mutex
	all   []received
}

// received is an event as it came.
type received struct {
	Body      string `json:"body"`
	Signature string `json:"signature"`
}

func (i *inbox) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = append(i.all, received{string(body), r.Header.Get("Stripe-Signature")})
}

// tell has the simulator send what is due, and tells all that has come.
func (i *inbox) tell(w http.ResponseWriter, r *http.Request) {
	i.sim.Flush(r.Context())
	i.mu.Lock()
	defer i.mu.Unlock()
	_ = json.NewEncoder(w).Encode(i.all) // the client has gone
}

func (i *inbox) advance(w http.ResponseWriter, r *http.Request) {
	by, err := time.ParseDuration(r.FormValue("by"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	i.clock.Advance(by)
	i.sim.Flush(context.WithoutCancel(r.Context()))
}
