package billing

import (
	"cmp"
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/policy"
)

// Connection is a business's account at the processor, as it was last read there. One account serves all locations.
type Connection struct {
	Env       processor.Env // empty if this installation has no processor
	AccountID string        `db:"external_id"` // acct_…; empty if not connected
	State     processor.State
	Currency  money.Currency `db:"default_currency"` // the account's own; empty while unknown
	Due       []string       // the processor's open requirements, in its own field names
	DueBy     time.Time      `db:",null"` // the deadline, if there is one; zero: none
	Told      string         // the trouble that the owners were notified of; empty: none
	UpdatedAt time.Time      // zero if not connected
	// WalletDomain is the domain on which the wallets of browsers were registered; empty: none yet. WalletTrouble is
	// the reason that Apple Pay is not offered there, in the processor's words; empty: it is.
	WalletDomain  string
	WalletTrouble string
}

// Accepts reports whether cards can be offered for amounts in this currency. An account with another currency would
// convert them, so it is not used.
func (c Connection) Accepts(cur money.Currency) bool {
	return c.State.TakesCards() && (c.Currency == "" || c.Currency == cur)
}

// Connection returns the business's connection, with StateNotConnected if there is none. It needs business.manage.
func (s *Service) Connection(ctx context.Context, sc tenancy.Scope) (Connection, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Connection{}, err
	}
	return s.connection(ctx, s.db.View(sc.Tenant))
}

func (s *Service) connection(ctx context.Context, r pg.Reader) (Connection, error) {
	if s.processor == nil {
		return Connection{State: processor.StateNotConnected}, nil
	}
	return readConnection(ctx, r, s.Env())
}

// TakesCardsTx reports whether cards can be offered for amounts in this currency now: catalog.Ports.TakesCardsTx. It
// returns ErrCurrencyDiffers if the account accepts cards in another currency.
func (s *Service) TakesCardsTx(ctx context.Context, tx *pg.Tx, cur money.Currency) (bool, error) {
	c, err := s.connection(ctx, tx)
	if err != nil || c.Accepts(cur) {
		return err == nil, err
	}
	if c.State.TakesCards() {
		err = ErrCurrencyDiffers.With("accountCurrency", string(c.Currency)).With("currency", string(cur)).
			And("price", "The payment account takes "+string(c.Currency)+", and this location's prices are in "+string(cur)+".")
	}
	return false, err
}

// unavailable returns processor.ErrCardUnavailable for amounts in a currency, with both currencies if the account accepts cards
// in another one.
func (s *Service) unavailable(ctx context.Context, r pg.Reader, cur money.Currency) error {
	c, err := s.connection(ctx, r)
	if err != nil || !c.State.TakesCards() || c.Accepts(cur) {
		return cmp.Or[error](err, processor.ErrCardUnavailable)
	}
	return processor.ErrCardUnavailable.With("accountCurrency", string(c.Currency)).With("currency", string(cur))
}

// ErrCurrencyDiffers refuses a location with another currency than the payment account. details.currency and
// details.accountCurrency are the two.
var ErrCurrencyDiffers = fault.New(fault.Validation, "account_currency_differs",
	"The payment account has another currency than this location, so no card can pay here. Change the location's currency, "+
		"or choose a policy that lets customers pay at the studio.")

// Errors of connecting an account.
var (
	ErrConnected = fault.New(fault.Conflict, "already_connected", "The studio's payment account is already connected. Change it on the processor's website.")
	// ErrPaymentsOpen means that the old account has payments in progress. Another account can be connected when
	// there are none.
	ErrPaymentsOpen = fault.New(fault.Conflict, "payments_open", "The old account has payments in progress. Try again when they are complete.")
)

// OnboardInput names the return addresses of onboarding, and the studio's country.
type OnboardInput struct {
	Country    string // two letters; empty: that of the first location that has one
	ReturnURL  string // where the studio returns when it is done or gives up: call Refresh there
	RefreshURL string // where it goes if the link has expired: call Onboard again and redirect
}

// Onboard returns a single-use address of the processor where the studio completes its account. The account is
// created by the first call. Every call creates a new address, and none is stored. A studio that disconnected us gets
// a new account; payments stay on the account that they were made on. It needs business.manage. It returns:
//
//   - a validation error on body.country
//   - ErrNotConfigured
//   - ErrConnected
//   - ErrPaymentsOpen
//   - processor.ErrCountryRefused
//   - processor.ErrDown
func (s *Service) Onboard(ctx context.Context, sc tenancy.Scope, in OnboardInput) (string, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return "", err
	}
	if s.processor == nil {
		return "", ErrNotConfigured
	}
	c, err := s.connection(ctx, s.db.View(sc.Tenant))
	if err != nil {
		return "", err
	}
	switch c.State {
	case processor.StateActive:
		return "", ErrConnected
	case processor.StateNotConnected, processor.StateDisconnected:
		if c, err = s.openAccount(ctx, sc, in.Country, c.AccountID); err != nil {
			return "", err
		}
	}
	return s.processor.AccountLink(ctx, processor.NewLink{Account: c.AccountID, ReturnURL: in.ReturnURL, RefreshURL: in.RefreshURL})
}

var countryShape = regexp.MustCompile(`^[A-Z]{2}$`)

// openAccount creates the account and stores it. Its key names the account it replaces, so a second click, or a call
// after a crash, gets the account of the first.
func (s *Service) openAccount(ctx context.Context, sc tenancy.Scope, country, old string) (Connection, error) {
	v := s.db.View(sc.Tenant)
	if country == "" {
		var err error
		if country, err = firstCountry(ctx, v); err != nil {
			return Connection{}, err
		}
	}
	country = strings.ToUpper(country)
	if !countryShape.MatchString(country) {
		return Connection{}, fault.Invalid("country", "Enter the studio's country as a two-letter code.")
	}
	if old != "" {
		if open, err := paymentsOpen(ctx, v, old); err != nil || open {
			return Connection{}, cmp.Or[error](err, ErrPaymentsOpen)
		}
	}
	key := "acct:" + sc.Tenant.String() + ":" + old
	a, err := s.processor.CreateAccount(ctx, processor.NewAccount{
		Business: sc.Tenant.String(), Country: country, Email: sc.Email, Key: strings.TrimSuffix(key, ":"),
	})
	if err != nil {
		return Connection{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Connection, error) {
		if old != "" {
			return replaceAccount(ctx, tx, a, old)
		}
		return insertAccount(ctx, tx, a)
	})
}

// Refresh reads the account at the processor and stores it: on the return from onboarding, since that alone proves
// nothing, and on request. It needs business.manage.
func (s *Service) Refresh(ctx context.Context, sc tenancy.Scope) (Connection, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Connection{}, err
	}
	return s.refresh(ctx, sc.Tenant)
}

// refreshTries bounds the restarts of a refresh after a concurrent write.
const refreshTries = 3

// refresh reads and writes. Of two at once the one that read first must not write last, so a write only replaces the
// row that was there before the reading.
func (s *Service) refresh(ctx context.Context, business uuid.UUID) (Connection, error) {
	for try := 1; ; try++ {
		before, err := s.connection(ctx, s.db.View(business))
		if err != nil || before.AccountID == "" {
			return before, err
		}
		a, err := s.processor.GetAccount(ctx, before.AccountID)
		if err != nil {
			return Connection{}, err
		}
		type kept struct {
			Connection Connection
			Saved      bool
		}
		k, err := pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (kept, error) {
			c, saved, err := saveAccount(ctx, tx, before, a)
			if err == nil && saved {
				if err = s.accountReadTx(ctx, tx, &c); err == nil {
					err = s.domainTx(ctx, tx, c)
				}
			}
			return kept{c, saved}, err
		})
		if err != nil || k.Saved {
			return k.Connection, err
		}
		if try == refreshTries {
			return s.connection(ctx, s.db.View(business))
		}
	}
}

// AccountJob reads a business's account again after a refused payment, because the cause may be there.
type AccountJob struct {
	Business uuid.UUID `json:"business"`
}

// Kind returns the job's name in the outbox.
func (AccountJob) Kind() string { return "billing.account" }

// Terms returns the terms of the job's kind.
func (AccountJob) Terms() jobs.Terms { return jobs.Money() }

// RefreshAccount is the job billing.account.
func (s *Service) RefreshAccount(ctx context.Context, job AccountJob) error {
	if s.processor == nil {
		return nil
	}
	_, err := s.refresh(ctx, job.Business)
	return err
}

// ReadListed reads the account of a listing again, if it is still the business's own, and tries a domain again on which
// wallets were refused.
func (s *Service) ReadListed(ctx context.Context, business uuid.UUID, account string) error {
	c, err := s.connection(ctx, s.db.View(business))
	if err != nil || c.AccountID != account {
		return err
	}
	if _, err = s.refresh(ctx, business); err != nil {
		return err
	}
	if err := s.domainAgain(ctx, business, account); err != nil && ctx.Err() == nil {
		s.log.Warn("could not register the domain of the pages again", "business", business, "account", account, "error", err)
	}
	return nil
}
