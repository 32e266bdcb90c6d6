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

	"foyer/app/agenda"
	"foyer/app/agreement"
	"foyer/app/api"
	"foyer/app/api/wire"
	"foyer/app/audit"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/clock"
	"foyer/app/console"
	"foyer/app/console/desk"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/embed"
	"foyer/app/files"
	"foyer/app/hosted"
	"foyer/app/identity"
	"foyer/app/integrity"
	"foyer/app/jobs"
	"foyer/app/letters"
	"foyer/app/mail"
	"foyer/app/money"
	"foyer/app/notice"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/till"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/media"
	"foyer/media/store"
	"foyer/migrate"
	"foyer/policy"
)

// parts is what differs between the ways to run the product.
type parts struct {
	config    Config
	database  database
	clock     clock.Clock
	log       *slog.Logger
	address   net.Addr          // of the listener; nil for a worker without pages
	worker    bool              // this process runs jobs
	drain     time.Duration     // for who keeps a connection, at the end
	warm      int               // connections of foyer_app that are open and know the hot statements before they are needed
	mail      mail.Sender       // nil: SMTP as configured
	processor billing.Processor // nil: Stripe as configured, or no cards
	root      string            // hosted.Options.Root
	gallery   bool              // console.Options.Gallery
}

// product is every dependency, made by hand and in order.
type product struct {
	baseURL  string
	warnings []string // what an operator should know at start

	db    *pg.DB // as foyer_app; in a worker of its own, as foyer_job
	jobDB *pg.DB // as foyer_job; nil when this process does not work
	jobs  *jobs.Registry
	keep  func(context.Context) error // starts our own Postgres again; nil when it is another's
	drain time.Duration

	fragments *web.PageCache // what the embeds of everybody's website show
	changes   *pg.Changes    // ends what fragments holds

	signingIn    identity.Options // what identity was made with
	identity     *identity.Service
	business     *business.Service
	catalog      *catalog.Service
	schedule     *schedule.Service
	availability *availability.Service
	crm          *crm.Service
	booking      *booking.Service
	waitlist     *waitlist.Service
	notice       *notice.Service
	penalty      *penalty.Service
	discount     *discount.Service
	media        *media.Service
	store        store.Store
	agreement    *agreement.Service
	till         *till.Service
	report       *report.Service
	credit       *credit.Service
	agenda       *agenda.Service
	walkin       *walkin.Service
	billing      *billing.Service
	checkout     *checkout.Service
	sales        *sales.Service
	audit        *audit.Service
	integrity    *integrity.Service

	web *web.Server
}

// fragmentsMax is how many bytes of embeds are kept.
const fragmentsMax = 64 << 20

// buildProduct connects to the database and wires the packages to each other. The functions that a low package is given
// by a high one are all connected here.
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
	go policy.Load()
	x.fragments = web.NewPageCache(p.clock, fragmentsMax)
	x.changes = pg.NewChanges(x.fragments.Forget)
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
	x.domains(p, secret)
	x.surfaces(p, secret, applePay)
	return x, nil
}

// Somebody waits for a request. Nobody does for a job, and it is tried again; a sweep may have much to do.
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

// outside makes what reaches the world: mail and the card processor. What is missing is said once, and is then off.
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
		x.warnings = append(x.warnings, "SMTP_URL is not set: no mail can be sent, and nobody can sign in")
	}
	if p.processor != nil {
		return nil
	}
	if c.StripeKey == "" {
		x.warnings = append(x.warnings, "STRIPE_SECRET_KEY is not set: studios cannot take cards")
		return nil
	}
	stripe, err := billing.NewStripe(billing.StripeConfig{
		SecretKey: c.StripeKey, PublishableKey: c.StripePublishableKey, BaseURL: c.StripeAPIBase,
		WebhookSecrets: c.StripeWebhookSecrets, PlatformSecrets: c.StripePlatformSecrets, Clock: p.clock,
	})
	if err != nil {
		return err
	}
	if stripe.Env() == billing.EnvSimulated {
		return errors.New("the card processor's simulator runs in \"foyer dev\" only: set STRIPE_SECRET_KEY to a real key")
	}
	p.processor = stripe
	return nil
}

func (x *product) domains(p parts, secret []byte) {
	mails := letters.Letters{BaseURL: x.baseURL, Clock: p.clock}
	x.signingIn = identity.Options{
		DB: x.db, Pepper: derive(secret, "codes"), Mail: p.mail, CodeMail: mails.Code, Studio: letters.Studio(x.db),
		Limits: identity.Limits{
			PerAddress: p.config.ChallengesPerAddress, PerVisitor: p.config.ChallengesPerVisitor,
			WrongADay: p.config.WrongCodesPerAddressADay,
		},
	}
	x.identity = identity.New(x.signingIn)
	x.business = business.New(business.Options{
		DB: x.db, Secret: derive(secret, "keys"), Mail: p.mail, InviteMail: mails.TeamInvite,
		HasDatesTx: schedule.HasDatesTx, SpaceInUseTx: availability.SpaceInUseTx, TaxRateMovedTx: catalog.MoveTaxRateTx,
		// booking and catalog are made below and need business; nobody closes anything before the product runs.
		EndAheadTx: func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in business.CloseInput) (business.Ended, error) {
			return waitlist.EndAheadTx(x.booking)(ctx, tx, sc, in)
		},
		PutAwayTx: func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, away *business.Away) (business.PutAway, error) {
			return x.catalog.PutAwayTx(ctx, tx, sc, away)
		},
	})
	x.catalog = catalog.New(catalog.Options{
		DB: x.db, HasTimesTx: availability.HasTimesTx, PutAwayTx: waitlist.PutAwayTx, CourseTx: schedule.CourseTx,
		// billing is made below; nobody publishes before the product runs.
		TakesCardsTx: func(ctx context.Context, tx *pg.Tx, cur money.Currency) (bool, error) {
			return x.billing.TakesCardsTx(ctx, tx, cur)
		},
		GoOnTx: func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, m catalog.GoingOn) (business.Moved, error) {
			return waitlist.GoOnTx(x.booking)(ctx, tx, sc, m)
		},
	})
	x.crm = crm.New(crm.Options{DB: x.db, FollowTx: waitlist.FollowTx})
	// checkout is made below and needs booking; nobody cancels or accepts a place before the product runs.
	x.waitlist = waitlist.New(waitlist.Options{
		DB: x.db, Mail: p.mail, WriteLetter: mails.Waitlist, Secret: derive(secret, "waitlists"),
		OpenCartTx: func(ctx context.Context, tx *pg.Tx, in waitlist.OpenCart) (uuid.UUID, error) {
			return x.checkout.OpenCartTx(ctx, tx, in)
		},
		SettlePromotionTx: func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, cart uuid.UUID) (*uuid.UUID, error) {
			return x.checkout.SettlePromotionTx(ctx, tx, sc, cart)
		},
		Stakes: checkout.StakesOf,
	})
	x.booking = booking.New(booking.Options{
		DB: x.db, RoundsAt: x.waitlist.RoundsAt,
		RefundTx: func(ctx context.Context, tx *pg.Tx, asks []booking.Refund) (map[uuid.UUID]booking.Refunded, error) {
			return x.checkout.RefundTx(ctx, tx, asks)
		},
		ApprovedTx: func(ctx context.Context, tx *pg.Tx, bookings []uuid.UUID) error {
			return x.checkout.WantTx(ctx, tx, bookings)
		},
	})
	x.notice = notice.New(notice.Options{
		DB: x.db, Mail: p.mail, Write: mails.Notice, WriteTeam: mails.Team, WriteDispute: mails.Dispute, WriteAccount: mails.Account,
	})
	x.penalty = penalty.New(x.db)
	x.till = till.New(x.db)
	x.report = report.New(x.db)
	x.credit = credit.New(x.db)
	x.agenda = agenda.New(x.db)
	x.discount = discount.New(x.db)
	x.media = media.New(media.Options{DB: x.db, Store: x.store, Log: p.log})
	x.agreement = agreement.New(agreement.Options{DB: x.db, Files: x.store})
	x.walkin = walkin.New(walkin.Options{DB: x.db, Booking: x.booking})
	x.schedule = schedule.New(schedule.Options{DB: x.db, Bookings: waitlist.Calendar(x.booking), Cards: cardWorld(p.processor)})
	x.availability = availability.New(availability.Options{DB: x.db, HitsTx: booking.HitsTx, Cards: cardWorld(p.processor)})
	x.billing = billing.New(billing.Options{
		DB: x.db, Processor: p.processor, Log: p.log, KeepFees: !p.config.ReturnLostFees, Domain: walletDomain(x.baseURL),
		// checkout is made below and needs billing; nothing settles before the product runs.
		Orders: func() billing.Orders { return x.checkout },
	})
	x.checkout = checkout.New(checkout.Options{
		DB: x.db, Booking: x.booking, Billing: x.billing, Secret: derive(secret, "receipts"), Mail: p.mail,
		ConfirmationMail: mails.Booked, RefundMail: mails.Refunded, FeeMail: mails.Fee,
	})
	x.sales = sales.New(sales.Options{DB: x.db, Billing: x.billing, ReceiptToken: x.checkout.ReceiptToken})

	x.audit = audit.New(x.db)
	x.integrity = integrity.New(x.db, p.log)

	x.identity.Register(x.jobs)
	x.business.Register(x.jobs)
	x.crm.Register(x.jobs)
	x.schedule.Register(x.jobs)
	x.booking.Register(x.jobs)
	x.notice.Register(x.jobs)
	x.waitlist.Register(x.jobs)
	x.billing.Register(x.jobs)
	x.media.Register(x.jobs)
	ledger.NewCloser(x.db, p.log).Register(x.jobs)
	x.checkout.Register(x.jobs)
	x.audit.Register(x.jobs)
	x.integrity.Register(x.jobs)
	jobs.Sweep(x.jobs, "pg.tidy", time.Hour, x.db.Tidy)
}

// walletDomain is the domain of an https address; empty for one on which no browser offers a wallet.
func walletDomain(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || net.ParseIP(u.Hostname()) != nil {
		return ""
	}
	return u.Hostname()
}

// cardWorld is the processor's world, whose accounts take cards here; empty without a processor.
func cardWorld(p billing.Processor) billing.Env {
	if p == nil {
		return ""
	}
	return p.Env()
}

func (x *product) surfaces(p parts, secret, applePay []byte) {
	proxies := web.Proxies(nil) // web's default: loopback, private ranges, Cloudflare's
	for _, s := range p.config.TrustedProxies {
		proxies = append(proxies, netip.MustParsePrefix(s)) // checked when the settings were read
	}
	services := wire.Services{
		DB: x.db, Identity: x.identity, Business: x.business, Catalog: x.catalog, Schedule: x.schedule, CRM: x.crm,
		Availability: x.availability, Booking: x.booking, Penalty: x.penalty, Till: x.till, Report: x.report, Discount: x.discount, Media: x.media, Agreement: x.agreement, Waitlist: x.waitlist, Walkin: x.walkin,
		Checkout: x.checkout, Billing: x.billing, Sales: x.sales, Audit: x.audit, Integrity: x.integrity,
		Credit: x.credit, Agenda: x.agenda,
	}
	x.web = web.New(web.Options{
		BaseURL: x.baseURL, Build: build, Secret: derive(secret, "web"), Clock: p.clock, Log: p.log,
		Gate: api.Gate(services), Known: policy.Known, Hit: x.db.Hit, Proxies: proxies, Tags: api.Tags, Words: api.Words, Refusals: api.Refusals, Examples: api.Examples, Checks: x.checks(),
		Limits: op.Limits{
			StorefrontMax: p.config.StorefrontRateMax, StorefrontWindow: p.config.rateWindow(),
			WriteMax: p.config.StorefrontWriteRateMax, ChallengeMax: p.config.ChallengesPerVisitor,
		},
		ErrorPage: embed.ErrorPage(hosted.ErrorPage),
	})
	api.Register(x.web, services)
	console.Register(x.web, console.Options{
		Options: desk.Options{
			Services: desk.Services{
				DB: x.db, Identity: x.identity, Business: x.business, Catalog: x.catalog, Schedule: x.schedule, CRM: x.crm,
				Availability: x.availability, Booking: x.booking, Penalty: x.penalty, Till: x.till, Report: x.report, Discount: x.discount, Media: x.media, Agreement: x.agreement, Waitlist: x.waitlist, Walkin: x.walkin,
				Checkout: x.checkout, Billing: x.billing, Sales: x.sales, Audit: x.audit, Integrity: x.integrity, Agenda: x.agenda, Notice: x.notice, Credit: x.credit,
			},
			Gate: api.Gate(services), Clock: p.clock, BaseURL: x.baseURL,
			Practice: p.processor != nil && p.processor.Env() != billing.EnvLive,
		},
		Gallery: p.gallery,
	})
	hosted.Register(x.web, hosted.Options{
		Identity: x.identity, Business: x.business, Schedule: x.schedule,
		Availability: x.availability, Booking: x.booking, Waitlist: x.waitlist, Walkin: x.walkin, Checkout: x.checkout, Sales: x.sales,
		Agreement: x.agreement, DB: x.db, Clock: p.clock, BaseURL: x.baseURL, Root: p.root, ApplePay: applePay,
	})
	files.Register(x.web, files.Options{Store: x.store, Direct: p.config.PhotosDirect})
	embed.Register(x.web, embed.Options{
		Business: x.business, Catalog: x.catalog, Schedule: x.schedule, Availability: x.availability, Walkin: x.walkin,
		DB: x.db, Clock: p.clock, BaseURL: x.baseURL, Cache: x.fragments,
	})
}

// checks are what the process cannot serve without, and whether somebody works.
func (x *product) checks() []web.Check {
	return []web.Check{
		{Name: "database", OK: func(ctx context.Context) error { return migrate.CheckOn(ctx, x.db.Pool()) }},
		{Name: "jobs", Aside: true, OK: func(ctx context.Context) error { return jobs.CheckLag(ctx, x.db) }},
	}
}
