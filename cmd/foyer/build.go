package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/accounting/ledgeronline"
	"foyer/app/accounting/ledgersim"
	"foyer/app/api"
	"foyer/app/assembly"
	"foyer/app/clock"
	"foyer/app/console"
	"foyer/app/console/desk"
	"foyer/app/embed"
	"foyer/app/files"
	"foyer/app/hosted"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/mcp"
	oauthserver "foyer/app/oauth/server"
	"foyer/app/pg"
	"foyer/app/sealed"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/billing/processor"
	"foyer/billing/stripe"
	"foyer/media/store"
	"foyer/migrate"
	"foyer/policy"
)

// parts are the differences between the ways to run the product.
type parts struct {
	config    Config
	database  database
	clock     clock.Clock
	log       *slog.Logger
	address   net.Addr            // of the listener; nil for a worker without pages
	worker    bool                // this process runs jobs
	drain     time.Duration       // for idle connections, at the end
	warm      int                 // connections of foyer_app that are open and know the hot statements before they are needed
	mail      mail.Sender         // nil: SMTP as configured
	processor processor.Processor // nil: Stripe as configured, or no cards
	root      string              // hosted.Options.Root
	gallery   bool                // console.Options.Gallery

	accounting accounting.Provider // nil: Ledger Online as configured, or none
}

// product is every dependency, made by hand and in order.
type product struct {
	baseURL  string
	warnings []string // for the operator, at start

	db    *pg.DB // as foyer_app; in a worker of its own, as foyer_job
	jobDB *pg.DB // as foyer_job; nil when this process does not work
	jobs  *jobs.Registry
	keep  func(context.Context) error // starts our own Postgres again; nil when it is another's
	drain time.Duration

	fragments *web.PageCache // of the embeds
	pages     *web.PageCache // booking pages with only public data
	changes   *pg.Changes    // invalidates both

	assembly.Services
	signingIn identity.Options // options of Identity
	store     store.Store

	web *web.Server
}

// The limits of the cached bytes of embeds and of booking pages. Each has its own: a visitor can ask for any number of
// pages, and makes no studio's embeds slower with them.
const (
	fragmentsMax = 64 << 20
	pagesMax     = 32 << 20
)

// buildProduct connects to the database, has the services made and mounts the surfaces.
func buildProduct(ctx context.Context, p parts) (*product, error) {
	x := &product{baseURL: p.config.BaseURL, jobs: jobs.NewRegistry(), keep: p.database.keep, drain: p.drain}
	if x.baseURL == "" {
		x.baseURL = "http://localhost"
		if p.address != nil {
			x.baseURL = addressURL(p.address)
		}
	}
	secret, err := p.config.secret()
	if err != nil {
		return nil, err
	}
	keys, err := p.config.sealKeys()
	if err != nil {
		return nil, err
	}
	go policy.Load()
	x.fragments = web.NewPageCache(p.clock, fragmentsMax)
	x.pages = web.NewPageCache(p.clock, pagesMax)
	x.changes = pg.NewChanges(func(business uuid.UUID) {
		x.fragments.Forget(business)
		x.pages.Forget(business)
	})
	if err := x.connect(ctx, p); err != nil {
		x.close()
		return nil, err
	}
	if err := x.outside(&p); err != nil {
		x.close()
		return nil, err
	}
	if x.store, err = openStore(p.config, x.baseURL, p.clock); err != nil {
		x.close()
		return nil, err
	}
	applePay, err := p.config.applePay()
	if err != nil {
		x.close()
		return nil, err
	}
	origin, err := imagesFrom(ctx, p.config, x.store)
	if err != nil {
		x.close()
		return nil, err
	}
	view.ImagesFrom(origin)
	x.services(p, secret, keys)
	x.surfaces(p, secret, applePay)
	return x, nil
}

// Time limits. A client waits for a request, but not for a job, which is retried; a sweep may have much to do.
var (
	patienceOfRequests = pg.Patience{Lock: 3 * time.Second, Statement: 9 * time.Second}
	patienceOfJobs     = pg.Patience{Lock: 10 * time.Second, Statement: 2 * time.Minute}
)

// connect opens the pools that this process needs.
func (x *product) connect(ctx context.Context, p parts) (err error) {
	open := func(url string, warm int, patience pg.Patience) (*pg.DB, error) {
		return pg.Open(ctx, pg.Config{
			URL: url, MaxConns: p.config.MaxConns, Warm: warm, Patience: patience, Clock: p.clock, Changes: x.changes,
		})
	}
	if p.worker {
		if p.database.job == "" {
			return errors.New("DATABASE_JOB_URL is not set: the worker connects as foyer_job")
		}
		if x.jobDB, err = open(p.database.job, 0, patienceOfJobs); err != nil {
			return err
		}
	}
	if p.address == nil {
		x.db = x.jobDB
		return nil
	}
	x.db, err = open(p.database.app, p.warm, patienceOfRequests)
	return err
}

// close ends the connections.
func (x *product) close() {
	if x.jobDB != nil {
		x.jobDB.Close()
	}
	if folder, ok := x.store.(*store.Dir); ok {
		_ = folder.Close() // nothing is written there any more
	}
	if x.db != nil && x.db != x.jobDB {
		x.db.Close()
	}
}

// outside creates the connections to the outside: mail, accounting and the card processor. A missing one is off;
// mail and cards are then reported once.
func (x *product) outside(p *parts) error {
	c := p.config
	if p.mail == nil && c.SMTPURL != "" {
		smtp, err := mail.NewSMTP(c.SMTPURL, c.MailFrom)
		if err != nil {
			return err
		}
		p.mail = smtp
	}
	if p.mail == nil {
		p.mail = mail.Nowhere{}
		x.warnings = append(x.warnings, "SMTP_URL is not set: no mail can be sent, so sign-in is impossible")
	}
	if s := c.ledger(x.baseURL); p.accounting == nil && s.Configured() {
		client, err := openLedger(s, p)
		if err != nil {
			return err
		}
		p.accounting = client
	}
	if p.processor != nil {
		return nil
	}
	if c.StripeKey == "" {
		x.warnings = append(x.warnings, "STRIPE_SECRET_KEY is not set: studios cannot accept card payments")
		return nil
	}
	stripe, err := stripe.New(stripe.Config{
		SecretKey: c.StripeKey, PublishableKey: c.StripePublishableKey, BaseURL: c.StripeAPIBase,
		WebhookSecrets: c.StripeWebhookSecrets, PlatformSecrets: c.StripePlatformSecrets, Clock: p.clock,
	})
	if err != nil {
		return err
	}
	if stripe.Env() == processor.EnvSimulated {
		return errors.New("the card processor's simulator runs in \"foyer dev\" only: set STRIPE_SECRET_KEY to a real key")
	}
	p.processor = stripe
	return nil
}

// openLedger returns the client of the accounting provider. It refuses the simulator.
func openLedger(s ledgeronline.Settings, p *parts) (*ledgeronline.Client, error) {
	if simulatedLedger(s) {
		return nil, errSimulatedLedger
	}
	return ledgeronline.New(ledgeronline.Options{Settings: s, Clock: p.clock, Log: p.log})
}

var errSimulatedLedger = errors.New("the accounting provider's simulator runs in \"foyer dev\" only: " +
	"set LEDGER_ONLINE_* to the addresses and credentials of a real provider, or to nothing")

// simulatedLedger reports whether settings are those of the simulator.
func simulatedLedger(s ledgeronline.Settings) bool {
	return ledgersim.Is(s.AuthorizeURL, s.TokenURL, s.RevokeURL, s.APIBase, s.AppBase, s.ClientID)
}

// services has every domain made, and puts their jobs into the worker's registry.
func (x *product) services(p parts, secret []byte, keys *sealed.Keys) {
	s := assembly.Settings{
		DB: x.db, Log: p.log, Processor: p.processor, Mail: p.mail, Letters: letters.Letters{BaseURL: x.baseURL, Clock: p.clock},
		Store: x.store, Studio: letters.Studio(x.db), Secret: func(purpose string) []byte { return derive(secret, purpose) },
		SealKeys: keys, Accounting: p.accounting,
		Limits: identity.Limits{
			PerAddress: p.config.ChallengesPerAddress, PerVisitor: p.config.ChallengesPerVisitor,
			WrongADay: p.config.WrongCodesPerAddressADay,
		},
		KeepFees: !p.config.ReturnLostFees, Domain: walletDomain(x.baseURL),
	}
	x.Services, x.signingIn = assembly.New(s), assembly.SigningIn(s)
	x.Register(x.jobs)
}

// walletDomain is the domain of an https address; empty for one on which no browser offers a wallet.
func walletDomain(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || net.ParseIP(u.Hostname()) != nil {
		return ""
	}
	return u.Hostname()
}

func (x *product) surfaces(p parts, secret, applePay []byte) {
	proxies := web.Proxies(nil) // web's default: loopback, private ranges, Cloudflare's
	for _, s := range p.config.TrustedProxies {
		proxies = append(proxies, netip.MustParsePrefix(s)) // checked when the settings were read
	}
	x.web = web.New(web.Options{
		BaseURL: x.baseURL, Build: build, Secret: derive(secret, "web"), Clock: p.clock, Log: p.log,
		Gate: api.Gate(x.Services), Known: policy.Known, Hit: x.db.Hit, Proxies: proxies, Tags: api.Tags, Words: api.Words, Refusals: api.Refusals,
		Examples: api.Examples, Checks: x.checks(),
		Limits: op.Limits{
			StorefrontMax: p.config.StorefrontRateMax, StorefrontWindow: p.config.rateWindow(),
			WriteMax: p.config.StorefrontWriteRateMax, ChallengeMax: p.config.ChallengesPerVisitor,
		},
		ErrorPage: embed.ErrorPage(hosted.ErrorPage),
	})
	api.Register(x.web, x.Services)
	mcp.Register(x.web, mcp.Options{Caller: mcp.CallerOf(x.Services), Log: p.log})
	oauthserver.Register(x.web, oauthserver.Options{OAuth: x.OAuth, Log: p.log})
	console.Register(x.web, console.Options{
		Options: desk.Options{
			Services: x.Services,
			Gate:     api.Gate(x.Services), Clock: p.clock, BaseURL: x.baseURL,
			Practice: p.processor != nil && p.processor.Env() != processor.EnvLive,
		},
		Gallery: p.gallery,
	})
	hosted.Register(x.web, hosted.Options{
		Services: x.Services, Clock: p.clock, BaseURL: x.baseURL, Root: p.root, ApplePay: applePay, Cache: x.pages,
	})
	files.Register(x.web, files.Options{Store: x.store, Direct: p.config.PhotosDirect})
	embed.Register(x.web, embed.Options{
		Services: x.Services, Clock: p.clock, BaseURL: x.baseURL, Cache: x.fragments,
	})
}

// checks are the conditions for serving, and whether a worker runs.
func (x *product) checks() []web.Check {
	return []web.Check{
		{Name: "database", OK: func(ctx context.Context) error { return migrate.CheckOn(ctx, x.db.Pool()) }},
		{Name: "jobs", Aside: true, OK: func(ctx context.Context) error { return jobs.CheckLag(ctx, x.db) }},
	}
}
