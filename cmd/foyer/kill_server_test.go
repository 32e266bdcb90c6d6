package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// process is one life of "foyer serve". It has no worker: that would call the database at any time, and the n-th call
// must follow from the customer's requests alone. The test does the worker's part.
type process struct {
	cmd   *exec.Cmd
	base  string // where it answers
	ended chan struct{}
	lines []string // its output; read them after ended
}

// startProcess starts a server and returns when it is ready: warming its connections is no call of a request.
func startProcess(environ []string, flags ...string) (*process, error) {
	p := &process{cmd: exec.Command("foyer", append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...)...), ended: make(chan struct{})}
	p.cmd.Env = environ
	said, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	address := make(chan string, 1)
	go p.listen(said, address)
	select {
	case a := <-address:
		p.base = "http://" + a
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("the server ended: %s", strings.Join(p.lines, "\n"))
	case <-time.After(time.Minute):
		p.kill()
		return nil, fmt.Errorf("the server does not answer: %s", strings.Join(p.lines, "\n"))
	}
}

func (p *process) listen(said io.Reader, address chan<- string) {
	var at string
	for lines := bufio.NewScanner(said); lines.Scan(); {
		var line struct{ Msg, Address string }
		p.lines = append(p.lines, lines.Text())
		_ = json.Unmarshal(lines.Bytes(), &line) // a line without JSON has neither
		switch line.Msg {
		case "serving":
			at = line.Address
		case "ready":
			address <- at
		}
	}
	_ = p.cmd.Wait() // it was killed: its exit status is known
	close(p.ended)
}

// kill is kill -9. It returns when the process is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	<-p.ended
}

// alive reports whether the process was not killed.
func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// lane is a server with a cable of its own to the database that all lanes share, and the customer in front of it.
type lane struct {
	*killStudio
	cable   *cable
	environ []string
	server  *process
	starts  int
	took    time.Duration // all starts together
}

func (s *killStudio) openLane(t *testing.T) *lane {
	t.Helper()
	w, address := openWire(t, s.database.URL("foyer_app"))
	l := &lane{killStudio: s, cable: w, environ: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
		"DATABASE_URL=" + address, "DATABASE_MAX_CONNS=4", "FOYER_SECRET=" + killSecret, "FOYER_SEAL_KEYS=" + killSealKeys,
		"STRIPE_SECRET_KEY=" + stripeTestKey, "STRIPE_PUBLISHABLE_KEY=" + stripePublicTestKey,
		"HTTPS_PROXY=" + s.stripe.proxy, "SSL_CERT_FILE=" + s.stripe.roots,
		"STOREFRONT_RATE_LIMIT_MAX=1000000", "STOREFRONT_WRITE_RATE_LIMIT_MAX=1000000",
	}}
	if err := l.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.server.kill() })
	return l
}

// start acts as the supervisor of the server when it is gone.
func (l *lane) start() (err error) {
	began := time.Now()
	next, err := startProcess(l.environ)
	if err != nil {
		return err
	}
	l.server = next
	l.starts++
	l.took += time.Since(began)
	return nil
}

// ask sends one request and returns the data of a success; any other answer is an error.
func (l *lane) ask(ctx context.Context, r ask) (map[string]any, error) {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, l.server.base+r.path, body)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Authorization", "Bearer "+r.token)
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		q.Header.Set("Idempotency-Key", r.key)
	}
	res, err := l.client.Do(q)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusNoContent {
		return nil, nil
	}
	var answer struct{ Data map[string]any }
	if res.StatusCode >= http.StatusBadRequest || json.Unmarshal(raw, &answer) != nil {
		return nil, fmt.Errorf("%s %s: %d %s", r.method, r.path, res.StatusCode, raw)
	}
	return answer.Data, nil
}

// ask is a request of a client: the same key makes it the same request.
type ask struct{ method, path, token, body, key string }
