package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/clock"
	"foyer/app/mail"
	"foyer/app/pg"
	"foyer/billing/stripe"
	"foyer/migrate"
)

type doctorCommand struct{}

// errUnwell makes the exit code 1 if a check failed; the lines above it list them.
var errUnwell = errors.New("something needs attention")

// Run checks every setting against the outside and prints a line for each: "ok", "off" for a part that is left out on
// purpose, or "bad" with a remedy.
func (doctorCommand) Run(p *program) error {
	well := true
	line := func(state, what, say string) {
		well = well && state != "bad"
		fmt.Fprintf(p.stdout, "%-4s %-10s %s\n", state, what, say)
	}
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		line("bad", "settings", err.Error())
		return errUnwell
	}
	line("ok", "settings", "read")
	for _, check := range []struct {
		what string
		run  func(context.Context, Config, *program) (state, say string)
	}{
		{"database", checkDatabase}, {"address", checkAddress}, {"mail", checkMail}, {"cards", checkCards},
		{"photos", checkPhotos}, {"seal keys", checkSealKeys}, {"accounting", checkAccounting},
	} {
		ctx, cancel := context.WithTimeout(p.ctx, 30*time.Second)
		state, say := check.run(ctx, c, p)
		cancel()
		line(state, check.what, say)
	}
	if !well {
		return errUnwell
	}
	return nil
}

// checkDatabase opens it as the roles that serve, and compares its schema and its clock with ours.
func checkDatabase(ctx context.Context, c Config, p *program) (string, string) {
	d, err := openDatabase(ctx, c, p, func(string) {})
	if err != nil {
		return "bad", err.Error()
	}
	defer func() { _ = d.stop(context.WithoutCancel(ctx)) }() // a server of our own, started for this check
	type facts struct {
		Version string
		Now     time.Time
	}
	var server facts
	for name, address := range map[string]string{"DATABASE_URL": d.app, "DATABASE_JOB_URL": d.job} {
		if address == "" {
			return "bad", name + " is not set"
		}
		db, err := pg.Open(ctx, pg.Config{URL: address, Clock: clock.System{}})
		if err != nil {
			return "bad", name + ": " + err.Error()
		}
		server, err = pg.One[facts](ctx, db.View(uuid.Nil),
			"select current_setting('server_version') as version, clock_timestamp() as now")
		db.Close()
		if err != nil {
			return "bad", name + ": " + err.Error()
		}
	}
	if err := migrate.Check(ctx, d.app); err != nil {
		return "bad", err.Error()
	}
	if off := server.Now.Sub(clock.System{}.Now()).Abs(); off > 5*time.Second {
		return "bad", fmt.Sprintf("the database's clock is off by %s", off.Round(time.Second))
	}
	return "ok", "Postgres " + server.Version + ", schema current, roles bound by row-level security"
}

// checkAddress checks the address as customers' browsers see it.
func checkAddress(ctx context.Context, c Config, _ *program) (string, string) {
	if c.BaseURL == "" {
		return "off", "BASE_URL is not set: links will name this machine"
	}
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return "bad", err.Error()
	}
	if u.Scheme != "https" && u.Hostname() != "localhost" && !strings.HasPrefix(u.Hostname(), "127.") {
		return "bad", "BASE_URL is not https: cookies would travel in the open"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.BaseURL+"/openapi.json", nil)
	if err != nil {
		return "bad", err.Error()
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "bad", "no answer: " + err.Error()
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "bad", fmt.Sprintf("/openapi.json answers %d there: does the proxy lead to Foyer?", answer.StatusCode)
	}
	return "ok", c.BaseURL
}

// checkMail opens a connection to the mail server.
func checkMail(ctx context.Context, c Config, _ *program) (string, string) {
	if c.SMTPURL == "" {
		return "bad", "SMTP_URL is not set: nobody can sign in"
	}
	if _, err := mail.NewSMTP(c.SMTPURL, c.MailFrom); err != nil {
		return "bad", err.Error()
	}
	u, err := url.Parse(c.SMTPURL)
	if err != nil {
		return "bad", "SMTP_URL is not an address"
	}
	port := cmp.Or(u.Port(), map[string]string{"smtp": "587", "smtps": "465", "smtp+plain": "25"}[u.Scheme])
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return "bad", err.Error()
	}
	defer conn.Close()
	return "ok", u.Hostname() + " answers, mail comes from " + c.MailFrom
}

// checkCards checks the processor's settings.
func checkCards(_ context.Context, c Config, _ *program) (string, string) {
	if c.StripeKey == "" {
		return "off", "STRIPE_SECRET_KEY is not set: studios cannot take cards"
	}
	env, err := stripe.EnvOf(c.StripeKey, c.StripeAPIBase)
	switch {
	case err != nil:
		return "bad", err.Error()
	case c.StripePublishableKey == "":
		return "bad", "STRIPE_PUBLISHABLE_KEY is not set: the card form cannot be shown"
	case len(c.StripeWebhookSecrets) == 0:
		return "bad", "STRIPE_WEBHOOK_SECRETS is not set: payments are noticed by asking only"
	}
	return "ok", "Stripe, " + string(env)
}

// checkSealKeys reads the keys of sealed values. Like the server, it makes one where there is none.
func checkSealKeys(_ context.Context, c Config, _ *program) (string, string) {
	keys, err := c.sealKeys()
	switch {
	case err != nil:
		return "bad", err.Error()
	case keys.Len() > 1:
		return "ok", keys.String() + ", the first of which seals"
	}
	return "ok", keys.String()
}

// checkAccounting checks that the accounting provider answers, and that the seal keys open the stored tokens.
func checkAccounting(ctx context.Context, c Config, p *program) (string, string) {
	s := c.ledger(cmp.Or(c.BaseURL, "http://localhost"))
	if !s.Configured() {
		return "off", "LEDGER_ONLINE_* is not set: studios cannot connect their accounting"
	}
	if simulatedLedger(s) {
		return "bad", errSimulatedLedger.Error()
	}
	for name, address := range map[string]string{
		"AUTHORIZE_URL": s.AuthorizeURL, "TOKEN_URL": s.TokenURL, "REVOKE_URL": s.RevokeURL, "API_BASE": s.APIBase,
	} {
		if err := reachable(ctx, address); err != nil {
			return "bad", "LEDGER_ONLINE_" + name + ": no answer: " + err.Error()
		}
	}
	stored, unsealable, err := storedTokens(ctx, c, p)
	switch {
	case err != nil:
		return "bad", err.Error()
	case unsealable > 0:
		return "bad", fmt.Sprintf("the seal keys cannot decrypt the tokens of %d of %d connections: "+
			"add the key that encrypted them to FOYER_SEAL_KEYS, or these studios connect again", unsealable, stored)
	}
	return "ok", fmt.Sprintf("the provider answers, the seal keys decrypt all tokens (connections: %d)", stored)
}

// reachable reports whether an address answers. No content is sent, and any status will do.
func reachable(ctx context.Context, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return err
	}
	client := &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// storedTokens counts the stored connections of accounting, and those whose tokens cannot be decrypted.
func storedTokens(ctx context.Context, c Config, p *program) (stored, unsealable int, err error) {
	keys, err := c.sealKeys()
	if err != nil {
		return 0, 0, err
	}
	d, err := openDatabase(ctx, c, p, func(string) {})
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = d.stop(context.WithoutCancel(ctx)) }() // a server of our own, started for this check
	db, err := pg.Open(ctx, pg.Config{URL: d.app, Clock: clock.System{}})
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	s := accounting.New(accounting.Options{DB: db, Keys: keys, Log: slog.New(slog.DiscardHandler)})
	return s.StoredTokens(ctx)
}
