// Package assembly creates every service of the product from the settings of one way to run it: the program, the
// bench and the tests run the same domains, connected the same way. Surfaces get its Services and choose their verbs.
//
// A new domain adds its service to Services, is created in New, and is connected in connect if it is a port of
// another one.
package assembly

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/agenda"
	"foyer/app/agreement"
	"foyer/app/audit"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/fees"
	giftcards "foyer/app/giftcard"
	"foyer/app/identity"
	"foyer/app/integrity"
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/oauth"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/product"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/sealed"
	"foyer/app/till"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/billing"
	"foyer/billing/balance"
	"foyer/billing/credit"
	"foyer/billing/dispute"
	"foyer/billing/giftcard"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/media"
	"foyer/media/store"
)

// Settings are the differences between the ways to run the product. All are required, except those marked optional.
type Settings struct {
	DB        *pg.DB              // with the clock of everything
	Log       *slog.Logger        // optional: the default one
	Processor processor.Processor // optional: without it no card payments
	Mail      mail.Sender
	Letters   Letters
	Store     store.Store // of photos and signed files
	// Studio returns the studio of the location of a sign-in code; optional: without it all codes come from the
	// product.
	Studio func(context.Context, identity.Location) (identity.Studio, error)
	// Secret returns the key for a purpose, at least identity.MinPepper bytes.
	Secret func(purpose string) []byte
	// SealKeys are the keys of tokens at rest; optional: without them sealing returns sealed.ErrNoKeys.
	SealKeys *sealed.Keys
	// Accounting is the accounting provider; optional: without it nothing can be connected. It needs SealKeys.
	Accounting accounting.Provider
	Limits     identity.Limits // optional: the defaults
	// Fetch gets the metadata documents of assistants; optional: over the internet, from public addresses only.
	Fetch http.RoundTripper

	KeepFees bool   // billing.Options.KeepFees, dispute.Options.KeepFees
	Domain   string // billing.Options.Domain
}

// Letters writes the mails of every domain: letters.Letters, or a shorter one in tests.
type Letters interface {
	Code(identity.Code) mail.Message
	TeamInvite(business.TeamInvite) mail.Message
	Waitlist(waitlist.Letter) mail.Message
	Notice(notice.Notice) mail.Message
	Team(notice.TeamNotice) mail.Message
	Dispute(notice.DisputeNotice) mail.Message
	Account(notice.AccountNotice) mail.Message
	Accounting(notice.AccountingNotice) mail.Message
	Booked(order.Confirmation) mail.Message
	Refunded(order.LateRefund) mail.Message
	Fee(owed.ChargeMail) mail.Message
	GiftCard(giftcards.Letter) mail.Message
	PlanEnds(plan.Reminder) mail.Message
}

// Services are all domains, in the order of the registration of their jobs and sweeps and of reading their
// declarations. If two refuse one operation for one reason, the document has the text of the first.
type Services struct {
	DB           *pg.DB
	Identity     *identity.Service
	Business     *business.Service
	Catalog      *catalog.Service
	CRM          *crm.Service
	Schedule     *schedule.Service
	Booking      *booking.Service
	Availability *availability.Service
	Walkin       *walkin.Service
	Fees         *fees.Service
	Discount     *discount.Service
	Agreement    *agreement.Service
	Notice       *notice.Service
	Waitlist     *waitlist.Service
	Billing      *billing.Service
	Disputes     *dispute.Service
	Balance      *balance.Service
	Credit       *credit.Service
	GiftCards    *giftcard.Service
	Media        *media.Service
	Closer       *ledger.Closer
	Orders       *order.Service
	Products     *product.Service
	Plans        *plan.Service
	Checkout     *checkout.Service
	Owed         *owed.Service
	GiftSales    *giftcards.Service
	Sales        *sales.Service
	Till         *till.Service
	Report       *report.Service
	Accounting   *accounting.Service
	Agenda       *agenda.Service
	Audit        *audit.Service
	Integrity    *integrity.Service
	OAuth        *oauth.Service
}

// New creates the services, each after its dependencies, and connects the ports of lower packages. It panics if a
// setting is missing or a port is unconnected.
func New(s Settings) Services {
	if s.DB == nil || s.Mail == nil || s.Letters == nil || s.Store == nil || s.Secret == nil {
		panic("assembly: DB, Mail, Letters, Store and Secret are needed")
	}
	if s.Log == nil {
		s.Log = slog.Default()
	}
	var cards processor.Env // environment of the accounts that accept cards
	if s.Processor != nil {
		cards = s.Processor.Env()
	}
	x := Services{
		DB: s.DB, Identity: identity.New(SigningIn(s)), Fees: fees.New(s.DB), Discount: discount.New(s.DB),
		Credit: credit.New(s.DB), Till: till.New(s.DB), Report: report.New(s.DB, cards), Agenda: agenda.New(s.DB),
		Audit: audit.New(s.DB), Integrity: integrity.New(s.DB, s.Log, Checks()...), Closer: ledger.NewCloser(s.DB, s.Log),
		Products: product.New(s.DB),
		Plans:    plan.New(plan.Options{DB: s.DB, Mail: s.Mail, Write: s.Letters.PlanEnds}),
		GiftCards: giftcard.New(giftcard.Options{
			DB: s.DB, Secret: s.Secret("gift_cards"), Seal: identity.NewSeal(s.Secret("gift_card_mails")),
			Email: identity.ParseEmail,
		}),
	}
	x.Accounting = accounting.New(accounting.Options{DB: s.DB, Provider: s.Accounting, Keys: s.SealKeys, Log: s.Log})
	x.Media = media.New(media.Options{DB: s.DB, Store: s.Store, Log: s.Log})
	x.Billing = billing.New(billing.Options{DB: s.DB, Processor: s.Processor, Log: s.Log, KeepFees: s.KeepFees, Domain: s.Domain})
	x.Disputes = dispute.New(dispute.Options{DB: s.DB, Processor: s.Processor, Log: s.Log, Billing: x.Billing, KeepFees: s.KeepFees})
	x.Balance = balance.New(balance.Options{
		DB: s.DB, Processor: s.Processor, Log: s.Log, Billing: x.Billing, Disputes: x.Disputes,
	})
	x.Booking = booking.New(booking.Options{DB: s.DB})
	x.Waitlist = waitlist.New(waitlist.Options{DB: s.DB, Mail: s.Mail, WriteLetter: s.Letters.Waitlist, Secret: s.Secret("waitlists")})
	x.Catalog = catalog.New(catalog.Options{DB: s.DB, Ports: catalog.Ports{
		HasTimesTx: availability.HasTimesTx, ArchiveOfferingTx: waitlist.ArchiveOfferingTx, CourseTx: schedule.CourseTx,
		GoOnTx: waitlist.GoOnTx(x.Booking), TakesCardsTx: x.Billing.TakesCardsTx,
	}})
	x.Business = business.New(business.Options{
		DB: s.DB, Secret: s.Secret("keys"), Mail: s.Mail, InviteMail: s.Letters.TeamInvite, Ports: business.Ports{
			HasDatesTx: schedule.HasDatesTx, SpaceInUseTx: availability.SpaceInUseTx, ReplaceTaxRateTx: replaceTaxRateTx,
			EndAheadTx: waitlist.EndAheadTx(x.Booking), ArchiveLocationTx: x.Catalog.ArchiveLocationTx,
		},
	})
	x.CRM = crm.New(crm.Options{DB: s.DB, Ports: crm.Ports{FollowTx: waitlist.FollowTx}})
	x.Schedule = schedule.New(schedule.Options{DB: s.DB, Bookings: waitlist.Calendar(x.Booking), Cards: cards})
	x.Availability = availability.New(availability.Options{DB: s.DB, Ports: availability.Ports{HitsTx: booking.HitsTx}, Cards: cards})
	x.Agreement = agreement.New(agreement.Options{DB: s.DB, Files: s.Store})
	x.Walkin = walkin.New(walkin.Options{DB: s.DB, Booking: x.Booking})
	x.Notice = notice.New(notice.Options{
		DB: s.DB, Mail: s.Mail, Write: s.Letters.Notice, WriteTeam: s.Letters.Team, WriteDispute: s.Letters.Dispute, WriteAccount: s.Letters.Account,
		WriteAccounting: s.Letters.Accounting,
	})
	x.Orders = order.New(order.Options{
		DB: s.DB, Billing: x.Billing, Secret: s.Secret("receipts"), Mail: s.Mail,
		ConfirmationMail: s.Letters.Booked, RefundMail: s.Letters.Refunded,
	})
	x.Checkout = checkout.New(checkout.Options{
		DB: s.DB, Booking: x.Booking, Billing: x.Billing, Orders: x.Orders, Plans: x.Plans,
		Secret: s.Secret("receipts"),
	})
	x.Owed = owed.New(owed.Options{
		DB: s.DB, Billing: x.Billing, Orders: x.Orders, Checkout: x.Checkout, Plans: x.Plans, Mail: s.Mail,
		ChargeMail: s.Letters.Fee,
	})
	x.GiftSales = giftcards.New(giftcards.Options{
		DB: s.DB, Cards: x.GiftCards, Checkout: x.Checkout, Owed: x.Owed, Mail: s.Mail, Write: s.Letters.GiftCard,
	})
	x.Sales = sales.New(sales.Options{
		DB: s.DB, Billing: x.Billing, Disputes: x.Disputes, Orders: x.Orders,
	})
	x.OAuth = oauth.New(oauth.Options{DB: s.DB, Business: x.Business, Secret: s.Secret("oauth"), Fetch: s.Fetch})
	x.connect()
	x.mustBeConnected()
	return x
}

// replaceTaxRateTx replaces a tax rate on all that is sold.
func replaceTaxRateTx(ctx context.Context, tx *pg.Tx, old, successor uuid.UUID) error {
	if err := catalog.ReplaceTaxRateTx(ctx, tx, old, successor); err != nil {
		return err
	}
	if err := product.ReplaceTaxRateTx(ctx, tx, old, successor); err != nil {
		return err
	}
	return plan.ReplaceTaxRateTx(ctx, tx, old, successor)
}

// SigningIn returns the options of identity. The demo signs its people in with the same, without the mails.
func SigningIn(s Settings) identity.Options {
	return identity.Options{
		DB: s.DB, Pepper: s.Secret("codes"), Mail: s.Mail, CodeMail: s.Letters.Code, Studio: s.Studio, Limits: s.Limits,
	}
}

// connect connects the ports of services to those above them.
func (x Services) connect() {
	x.Orders.Connect(order.Ports{
		Cart: x.Checkout.FulfilCart, Due: x.Owed.FulfilDue,
		PlansTx: plan.ReturnTx,
		Sellers: order.Sellers{order.Product: x.Products, order.GiftCard: x.GiftSales, order.Plan: x.Plans},
	})
	x.Billing.Connect(billing.Ports{Orders: x.Orders, Plans: x.Plans, Dispute: x.Disputes.Read,
		Payout: x.Balance.ReadPayout})
	x.Booking.Connect(booking.Ports{RefundTx: x.Orders.RefundTx, ApprovedTx: x.Orders.CaptureTx, RoundsAt: x.Waitlist.RoundsAt})
	x.Waitlist.Connect(waitlist.Ports{
		OpenCartTx: x.Checkout.OpenCartTx, FulfilPromotionTx: x.Checkout.FulfilPromotionTx, CostBases: order.CostBasesOf,
	})
}

// Missing returns the names of the services that are not there; surfaces refuse to begin without one.
func (x Services) Missing() []string {
	var out []string
	for name, service := range x.each() {
		if reflect.ValueOf(service).IsNil() {
			out = append(out, name)
		}
	}
	return out
}

// mustBeConnected panics if a service is missing, or has an unconnected port.
func (x Services) mustBeConnected() {
	if missing := x.Missing(); len(missing) > 0 {
		panic(fmt.Sprintf("assembly: nobody makes %s: say in New how", strings.Join(missing, ", ")))
	}
	for name, service := range x.each() {
		if late, ok := service.(interface{ Unconnected() []string }); ok {
			if missing := late.Unconnected(); len(missing) > 0 {
				panic(fmt.Sprintf("assembly: nobody connects %s of %s: say in connect who does", strings.Join(missing, ", "), name))
			}
		}
	}
}

// each yields the services by name, in their order.
func (x Services) each() func(yield func(string, any) bool) {
	return func(yield func(string, any) bool) {
		for v, i := reflect.ValueOf(x), 0; i < v.NumField(); i++ {
			if !yield(v.Type().Field(i).Name, v.Field(i).Interface()) {
				return
			}
		}
	}
}

// Register puts the jobs and sweeps of all services into the worker's registry.
func (x Services) Register(r *jobs.Registry) {
	for _, service := range x.each() {
		if works, ok := service.(interface{ Register(*jobs.Registry) }); ok {
			works.Register(r)
		}
	}
	jobs.Sweep(r, "pg.tidy", time.Hour, x.DB.Tidy)
}
