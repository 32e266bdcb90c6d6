package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
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
	"testing"
	"time"

	"foyer/app/clock"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

// Keys of Stripe's test mode, as "foyer serve" requires; it refuses the simulator's own.
const (
	stripeTestKey       = "sk_test_kill"
	stripePublicTestKey = "pk_test_kill"
)

// farStripe is the simulator in the place of Stripe: in another process than the server, at api.stripe.com, behind
// TLS. The server gets there through a proxy, as machines in closed networks do (HTTPS_PROXY), and trusts the
// certificate through its environment (SSL_CERT_FILE, which Go reads on Linux). So it runs as in production, and its
// requests outlive it.
type farStripe struct {
	sim   *stripesim.Server
	proxy string // for HTTPS_PROXY
	roots string // for SSL_CERT_FILE

	striker

	mu   sync.Mutex
	made map[string]map[string]bool // payments that were made, by order
}

// striker counts the calls to a service of somebody else, and kills the process that makes one of them.
type striker struct {
	counting sync.Mutex
	calls    int    // since arm
	at       int    // the call to kill at; 0 for none
	after    bool   // once it was carried out
	kill     func() // returns when the caller is gone
	struck   bool
}

// arm counts from here, and has kill called at the n-th call: before it is carried out, or after and before the
// answer. 0 counts only.
func (s *striker) arm(n int, after bool, kill func()) {
	s.counting.Lock()
	defer s.counting.Unlock()
	s.calls, s.at, s.after, s.kill, s.struck = 0, n, after, kill, false
}

// disarm ends the counting. It returns the number of calls, and whether a process was killed at one of them.
func (s *striker) disarm() (calls int, struck bool) {
	s.counting.Lock()
	defer s.counting.Unlock()
	s.at = 0
	return s.calls, s.struck
}

// called counts a call, and reports whether its caller is to be killed once it is carried out. A caller to be killed
// before it is gone by then.
func (s *striker) called() (gone, last bool) {
	s.counting.Lock()
	defer s.counting.Unlock()
	s.calls++
	if s.calls != s.at {
		return false, false
	}
	if !s.after {
		s.strike()
	}
	return !s.after, s.after
}

// answered kills the caller of the last call, which was carried out.
func (s *striker) answered() {
	s.counting.Lock()
	defer s.counting.Unlock()
	s.strike()
}

// strike kills the caller. The caller of strike holds counting, so that nothing disarms before.
func (s *striker) strike() {
	s.at, s.struck = 0, true
	s.kill()
}

func openFarStripe(t *testing.T, c clock.Clock) *farStripe {
	t.Helper()
	sim, err := stripesim.New(stripesim.Options{Clock: c, AppURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	f := &farStripe{sim: sim, roots: filepath.Join(t.TempDir(), "stripe.pem"), made: map[string]map[string]bool{}}
	certificate := selfSigned(t, "api.stripe.com")
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	if err := os.WriteFile(f.roots, public, 0o600); err != nil {
		t.Fatal(err)
	}
	far := httptest.NewUnstartedServer(f)
	far.Config.ErrorLog = log.New(io.Discard, "", 0) // of servers that were killed in the middle of a word
	far.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	far.StartTLS()
	t.Cleanup(far.Close)
	proxy := httptest.NewServer(tunnel(far.Listener.Addr().String()))
	t.Cleanup(proxy.Close)
	f.proxy = proxy.URL
	return f
}

func selfSigned(t *testing.T, host string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	plan := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	body, err := x509.CreateCertificate(rand.Reader, plan, plan, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{body}, PrivateKey: key}
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
			_, _ = io.Copy(far, near)
			_ = far.(*net.TCPConn).CloseWrite()
		}()
		_, _ = io.Copy(near, far)
	})
}

// ServeHTTP is the simulator under names of Stripe's: its key, and accounts that do not say that they are simulated. It
// notes the payments that are made.
func (f *farStripe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the server was killed during the request
	}
	gone, last := f.called()
	if gone {
		return
	}
	q := r.Clone(r.Context())
	q.URL.Path = simulated(r.URL.Path)
	q.Body = io.NopCloser(strings.NewReader(simulated(string(body))))
	q.Header.Set("Stripe-Account", simulated(r.Header.Get("Stripe-Account")))
	if r.Header.Get("Authorization") == "Bearer "+stripeTestKey {
		q.Header.Set("Authorization", "Bearer "+stripesim.DefaultSecretKey)
	}
	answer := httptest.NewRecorder()
	f.sim.ServeHTTP(answer, q)
	said := strings.ReplaceAll(answer.Body.String(), simulatedAccount, realAccount)
	if r.Method == http.MethodPost && r.URL.Path == "/v1/payment_intents" {
		f.note([]byte(said))
	}
	if last {
		f.answered()
		return
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = io.WriteString(w, said) // the server may be dead
}

// How the simulator's accounts begin, and how they do for the server: the database refuses a simulated account in any
// other world.
const (
	simulatedAccount = "acct_sim_"
	realAccount      = "acct_far_"
)

func simulated(text string) string { return strings.ReplaceAll(text, realAccount, simulatedAccount) }

func (f *farStripe) note(body []byte) {
	var made struct {
		ID       string            `json:"id"`
		Metadata map[string]string `json:"metadata"`
	}
	if json.Unmarshal(body, &made) != nil || made.ID == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	order := made.Metadata["order_id"]
	if f.made[order] == nil {
		f.made[order] = map[string]bool{}
	}
	f.made[order][made.ID] = true
}

// payments is how many different payments were made for an order.
func (f *farStripe) payments(order string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.made[order])
}

// processor is the adapter that this process uses: under the same key, so that both see one account.
func (f *farStripe) processor(t *testing.T, c clock.Clock) processor.Processor {
	t.Helper()
	p, err := stripe.New(stripe.Config{
		SecretKey: stripeTestKey, PublishableKey: stripePublicTestKey, Clock: c, WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, HTTPClient: &http.Client{Transport: inProcess{f}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inProcess answers requests with a handler.
type inProcess struct{ http.Handler }

func (h inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	return answer.Result(), nil
}

// payment is the processor's record of a payment: its status and the charged amount.
func (f *farStripe) payment(account, id string) (status string, taken int64, err error) {
	r := httptest.NewRequest(http.MethodGet, "/v1/payment_intents/"+id, nil)
	r.Header.Set("Authorization", "Bearer "+stripeTestKey)
	r.Header.Set("Stripe-Account", account)
	answer := httptest.NewRecorder()
	f.ServeHTTP(answer, r)
	var intent struct {
		Status string `json:"status"`
		Taken  int64  `json:"amount_received"`
	}
	err = json.Unmarshal(answer.Body.Bytes(), &intent)
	return intent.Status, intent.Taken, err
}
