package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"foyer/app/clock"
	"foyer/billing/stripesim"
)

// drillKey is one of Stripe's test mode.
const drillKey = "sk_test_drill"

// farStripe is the simulator where Stripe is: in another process than the server, at api.stripe.com, behind TLS. The server gets there
// through a proxy, as machines in closed networks do, and trusts the certificate because its environment says so. It runs under a
// key of Stripe's test mode, and its accounts do not say that they are simulated: "foyer serve" would take neither. It can stop
// answering.
type farStripe struct {
	sim     *stripesim.Server
	product string   // address that gets the events
	env     []string // settings that lead the product here
	close   func()

	mu      sync.Mutex
	hanging chan struct{} // closed when it goes on; nil while it answers
	account string        // the last that was made, as the simulator calls it
}

func openFarStripe(dir, product string) (f *farStripe, err error) {
	f = &farStripe{product: product}
	far := httptest.NewUnstartedServer(f)
	far.Config.ErrorLog = log.New(io.Discard, "", 0) // of whoever did not wait
	certificate, err := selfSigned("api.stripe.com")
	if err != nil {
		return nil, err
	}
	far.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	far.StartTLS()
	proxy := httptest.NewServer(tunnel(far.Listener.Addr().String()))
	events := httptest.NewServer(http.HandlerFunc(f.event))
	roots := filepath.Join(dir, "stripe.pem")
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	f.sim, err = stripesim.New(stripesim.Options{Clock: clock.System{}, AppURL: "http://drill.test", WebhookURL: events.URL})
	if err = errors.Join(err, os.WriteFile(roots, public, 0o600)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go f.sim.Run(ctx)
	f.close = func() {
		cancel()
		for _, s := range []*httptest.Server{events, proxy, far} {
			s.CloseClientConnections()
			s.Close()
		}
	}
	f.env = []string{"STRIPE_SECRET_KEY=" + drillKey, "STRIPE_PUBLISHABLE_KEY=pk_test_drill", "STRIPE_WEBHOOK_SECRETS=" + stripesim.DefaultWebhookSecret,
		"HTTPS_PROXY=" + proxy.URL, "SSL_CERT_FILE=" + roots}
	return f, nil
}

func selfSigned(host string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now() // real time: TLS looks at it
	plan := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	body, err := x509.CreateCertificate(rand.Reader, plan, plan, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{body}, PrivateKey: key}, err
}

// tunnel is a proxy that leads every CONNECT to one address.
func tunnel(to string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "CONNECT only", http.StatusMethodNotAllowed)
			return
		}
		far, err := net.Dial("tcp", to)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer far.Close()
		near, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer near.Close()
		if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
			return
		}
		go func() {
			_, _ = io.Copy(far, near) // it ends with either side
			_ = far.Close()
		}()
		_, _ = io.Copy(near, far)
	})
}

// Accounts as the simulator calls them, and as the product knows them: its database takes a simulated account in no other world.
var (
	simulated = strings.NewReplacer("acct_far_", "acct_sim_", drillKey, stripesim.DefaultSecretKey)
	far       = strings.NewReplacer("acct_sim_", "acct_far_")
)

// ServeHTTP answers what the product asks the processor.
func (f *farStripe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever asked has gone
	}
	f.mu.Lock()
	hanging := f.hanging
	f.mu.Unlock()
	if hanging != nil {
		select {
		case <-hanging:
		case <-r.Context().Done():
			return
		}
	}
	q := r.Clone(r.Context())
	q.URL.Path = simulated.Replace(r.URL.Path)
	q.Body = io.NopCloser(strings.NewReader(simulated.Replace(string(body))))
	for _, name := range []string{"Stripe-Account", "Authorization"} {
		q.Header.Set(name, simulated.Replace(r.Header.Get(name)))
	}
	kept := httptest.NewRecorder()
	f.sim.ServeHTTP(kept, q)
	if r.Method == http.MethodPost && r.URL.Path == "/v1/accounts" {
		var made struct{ ID string }
		_ = json.Unmarshal(kept.Body.Bytes(), &made) // a refusal has none
		f.mu.Lock()
		f.account = made.ID
		f.mu.Unlock()
	}
	for name, values := range kept.Header() {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(kept.Code)
	_, _ = io.WriteString(w, far.Replace(kept.Body.String())) // whoever asked may have gone
}

// event passes an event of the processor's on to the product, signed anew.
func (f *farStripe) event(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // it is sent again
	}
	event := []byte(far.Replace(string(text)))
	q, err := http.NewRequestWithContext(r.Context(), http.MethodPost, "http://"+f.product+"/webhooks/stripe/connect", bytes.NewReader(event))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Stripe-Signature", stripesim.Sign(event, stripesim.DefaultWebhookSecret, time.Now())) // real time: the product's
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.WriteHeader(res.StatusCode)
}

// hang stops its answers until goOn is called.
func (f *farStripe) hang() (goOn func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	until := make(chan struct{})
	f.hanging = until
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.hanging = nil
		close(until)
	})
}
