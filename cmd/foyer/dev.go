package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/clock"
	"foyer/app/demo"
	"foyer/app/dev"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/sealed"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
	"foyer/migrate"
)

type devCommand struct {
	JSON   bool   `name:"json" help:"Print one line of JSON when ready, for scripts."`
	Addr   string `default:"127.0.0.1:8080" help:"Address to listen on; port 0 picks a free one."`
	Data   string `help:"Data directory; FOYER_DATA_DIR when empty."`
	NoDemo bool   `help:"Leave the demo studios out."`
}

// Run starts everything on this machine: its own Postgres, the simulated card processor and accounting provider, mail
// in a mailbox, an adjustable clock, and two demo studios. It is for development and for trying the product out, and
// never for customers.
func (d devCommand) Run(p *program) error {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	if d.Data != "" {
		if c.DataDir, err = filepath.Abs(d.Data); err != nil {
			return err
		}
	}
	base, err := openDatabase(p.ctx, c, p, p.say)
	if err != nil {
		return err
	}
	err = migrateDatabase(p.ctx, base, p.say)
	if err == nil {
		err = d.serve(p, c, base)
	}
	return errors.Join(err, base.stop(context.WithoutCancel(p.ctx)))
}

func (d devCommand) serve(p *program, c Config, base database) error {
	ln, err := net.Listen("tcp", d.Addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	log := slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	moving := &clock.Adjustable{}
	if c.BaseURL == "" {
		c.BaseURL = addressURL(ln.Addr())
	}
	// Pages may be requested at another name of this machine; the simulator's calls go to the address on which it
	// surely listens.
	sim, err := stripesim.New(stripesim.Options{
		Clock: moving, AppURL: c.BaseURL, Control: true, File: filepath.Join(c.DataDir, "stripesim.json"),
		WebhookURL: addressURL(ln.Addr()) + "/webhooks/stripe/connect", Logger: log,
	}.FromEnv(p.getenv))
	if err != nil {
		return err
	}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: moving, HTTPClient: &http.Client{Transport: sim},
	})
	if err != nil {
		return err
	}
	books, err := ledgersim.New(ledgersim.Options{
		Clock: moving, AppURL: c.BaseURL, File: filepath.Join(c.DataDir, "ledgersim.json"),
		OneClick: true, Grace: true, Control: true, Logger: log,
	})
	if err != nil {
		return err
	}
	accounts, err := ledgerOf(books, c.BaseURL, moving)
	if err != nil {
		return err
	}
	mailbox, err := mail.NewMailbox(moving, filepath.Join(c.DataDir, "mailbox.json"))
	if err != nil {
		return err
	}
	x, err := buildProduct(p.ctx, parts{
		config: c, database: base, clock: moving, log: log, address: ln.Addr(), worker: true, mail: mailbox,
		processor: processor, accounting: accounts, root: "/dev", gallery: true,
	})
	if err != nil {
		return err
	}
	defer x.close()
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	studios := x.demo(moving, sim, p.say)
	studios.Ledger = books
	guide, err := d.seed(ctx, c, x, base, studios)
	if err != nil {
		return err
	}
	dev.Register(x.web, dev.Services{
		Mailbox: mailbox, Clock: moving, Sweep: x.jobs.Sweeps, Guide: guide, Sim: sim, Ledger: books,
	})
	go sim.Run(ctx)
	return errors.Join(d.announce(p, guide), x.run(ctx, ln, log))
}

// ledgerOf returns a client of the simulated accounting provider, whose pages are mounted at base. The client calls it
// in this process, without the pace that the real one asks for.
func ledgerOf(sim *ledgersim.Server, base string, c clock.Clock) (*ledgeronline.Client, error) {
	at := ledgersim.At(base, ledgersim.BaseURL)
	return ledgeronline.New(ledgeronline.Options{
		Clock: c, HTTPClient: &http.Client{Transport: sim},
		Pace: ledgeronline.NewPace(ledgeronline.PaceOptions{Clock: c, PerSecond: -1}),
		Settings: ledgeronline.Settings{
			AuthorizeURL: at.Authorize, TokenURL: at.Token, RevokeURL: at.Revoke, APIBase: at.API, AppBase: at.App,
			ClientID: ledgersim.DefaultClientID, ClientSecret: sealed.NewSecret(ledgersim.DefaultClientSecret),
			RedirectURI: strings.TrimSuffix(base, "/") + accountingCallback, Scope: ledgersim.Scope,
		},
	})
}

// seed makes or finds the demo, and an invite link that has not been used.
func (d devCommand) seed(
	ctx context.Context, c Config, x *product, base database, studios demo.Demo,
) (dev.Guide, error) {
	out := dev.Guide{
		BaseURL: x.baseURL, MailboxURL: x.baseURL + "/dev/mailbox", LedgerURL: x.baseURL + ledgersim.Prefix + "/",
		Businesses: []demo.Business{},
	}
	invite, err := identity.CreateInvite(ctx, x.db, "new.owner@example.com", "")
	if err != nil {
		return out, err
	}
	out.InviteURL = x.baseURL + "/invite/" + invite.Token
	if d.NoDemo {
		return out, nil
	}
	if base.owner != "" {
		studios.Analyze = func(ctx context.Context) error { return migrate.Analyze(ctx, base.owner) }
	}
	if out.Businesses, err = studios.Open(ctx, c.DataDir); err != nil {
		return out, err
	}
	return out, jobs.Past(ctx, x.db, studios.Clock.Now()) // the mails of its past are not needed
}

// demo returns the generator of the demo studios in this product.
func (x *product) demo(moving *clock.Adjustable, sim *stripesim.Server, say func(string)) demo.Demo {
	return demo.Demo{
		DB: x.db, BaseURL: x.baseURL, Clock: moving, Sim: sim, Say: say,
		Analyze:  func(context.Context) error { return nil },
		Services: demo.Services{Services: x.Services, SigningIn: x.signingIn},
	}
}

// announce prints the addresses for a person, or for a script in one line of JSON.
func (d devCommand) announce(p *program, r dev.Guide) error {
	if d.JSON {
		return json.NewEncoder(p.stdout).Encode(r)
	}
	fmt.Fprintf(p.stdout, "\nFoyer is running at %s\n", r.BaseURL)
	for _, b := range r.Businesses {
		for _, l := range b.Locations {
			fmt.Fprintf(p.stdout, "  book a class      %s/%s\n", r.BaseURL, l.Slug)
		}
	}
	for _, b := range r.Businesses {
		fmt.Fprintf(p.stdout, "  run a studio      %s/manage/%s   (as %s)\n", r.BaseURL, b.Slug, b.People["owner"].Email)
	}
	for _, b := range r.Businesses {
		if len(b.Locations) > 0 {
			fmt.Fprintf(p.stdout, "  on your own site  %s/embed/guide/%s\n", r.BaseURL, b.Locations[0].Slug)
		}
	}
	fmt.Fprintf(p.stdout, "  open a studio     %s   (as new.owner@example.com)\n", r.InviteURL)
	fmt.Fprintf(p.stdout, "  all of these      %s/dev\n", r.BaseURL)
	fmt.Fprintf(p.stdout, "  all mail          %s   (sign-in codes arrive here)\n", r.MailboxURL)
	fmt.Fprintf(p.stdout, "  set the clock     %s/dev/clock\n", r.BaseURL)
	fmt.Fprintf(p.stdout, "  Ledger Online     %s   (simulated: the accounting of a studio)\n", r.LedgerURL)
	fmt.Fprintf(p.stdout, "  the API           %s/openapi.json\n", r.BaseURL)
	for _, b := range r.Businesses {
		fmt.Fprintf(p.stdout, "\n%s\n  id        %s\n  API key   %s\n", b.Slug, b.ID, b.APIKey)
		for _, role := range demo.Roles {
			if who, ok := b.People[role.Name]; ok {
				fmt.Fprintf(p.stdout, "  %-11s %-34s Bearer %s\n", role.Name, who.Email, who.Token)
			}
		}
	}
	fmt.Fprintln(p.stdout, "\nCard 4242 4242 4242 4242, any future date, any CVC. Stop with Ctrl-C.")
	return nil
}
