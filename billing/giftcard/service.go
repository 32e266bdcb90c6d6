package giftcard

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/policy"
)

// Seal encrypts codes until they are sent.
type Seal interface {
	Hide(code string) []byte
	Show(sealed []byte) (string, error)
}

// Options are the dependencies of a Service; all of them are required.
type Options struct {
	DB     *pg.DB
	Secret []byte // the key of hashed codes, which must not change: codes that were sent would be unknown
	Seal   Seal
	// Email reads an address as people type it: identity.ParseEmail.
	Email func(typed string) (address string, ok bool)
}

// Service manages gift cards. It is safe for concurrent use.
type Service struct {
	db    *pg.DB
	key   []byte
	seal  Seal
	email func(string) (string, bool)
}

// New returns a Service. It panics if an option is missing: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || len(o.Secret) == 0 || o.Seal == nil || o.Email == nil {
		panic("giftcard: DB, Secret, Seal and Email are needed")
	}
	return &Service{o.DB, o.Secret, o.Seal, o.Email}
}

// Register adds the sweeps of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "giftcard.drafts", time.Hour, s.DeleteDrafts)
	jobs.Sweep(r, "giftcard.expire", time.Hour, s.Expire)
}

// ListInput selects gift cards that were sold, the latest first.
type ListInput struct {
	Last4    string // of the code, in any letter case; empty: all
	Location uuid.UUID
	Page     paging.In[paging.Moment]
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(len(in.Last4) <= 4, "last4", "Enter the last four characters of the code.")
	return c.Err()
}

// List lists gift cards. It needs payment.view and shows those that the caller's locations sold; today's only, where
// the caller has the limited form.
func (s *Service) List(
	ctx context.Context, sc tenancy.Scope, in ListInput,
) (out paging.Page[Card, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.PaymentView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return out, err
	}
	rows, err := list(ctx, s.db.View(sc.Tenant), in, cover, policy.WhereFull(sc, policy.PaymentView))
	return paging.Of(rows, in.Page.Size(), func(c Card) paging.Moment { return paging.Moment{At: c.IssuedAt, ID: c.ID} }),
		err
}

// Get returns a gift card that was sold. It needs payment.view at its location. It returns a not found error.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Card, error) {
	c, err := find(ctx, s.db.View(sc.Tenant), id)
	if err != nil {
		return Card{}, err
	}
	return c, policy.RequireAt(sc, policy.PaymentView, c.LocationID)
}

// Transactions lists the changes of a gift card, the latest first, for a caller who may Get it.
func (s *Service) Transactions(
	ctx context.Context, sc tenancy.Scope, id uuid.UUID, in paging.In[paging.Moment],
) (out paging.Page[Transaction, paging.Moment], err error) {
	if err := in.Validate(); err != nil {
		return out, err
	}
	if _, err := s.Get(ctx, sc, id); err != nil {
		return out, err
	}
	rows, err := transactions(ctx, s.db.View(sc.Tenant), id, in)
	return paging.Of(rows, in.Size(), func(t Transaction) paging.Moment {
		return paging.Moment{At: t.CreatedAt, ID: t.ID}
	}), err
}

// ByCode returns the card of a code, in any state, for staff: it needs payment.take at one location at least. A wrong
// code is ErrUnusable.
func (s *Service) ByCode(ctx context.Context, sc tenancy.Scope, typed string) (Card, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Card{}, err
	}
	code, ok := ParseCode(typed)
	if !ok {
		return Card{}, ErrUnusable
	}
	c, found, err := byCode(ctx, s.db.View(sc.Tenant), code.hash(s.key))
	return c, fault.When(!found, ErrUnusable, err)
}

// AdjustInput changes the balance of a gift card by hand.
type AdjustInput struct {
	ID     uuid.UUID
	Amount int64 // minor units; a negative amount takes some off
	Note   string
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *AdjustInput) Validate() error {
	var c fault.Checks
	c.That(in.Amount != 0, "amount", "Enter an amount: a positive one adds to the card, a negative one takes some off.")
	c.That(in.Amount >= -AmountMax && in.Amount <= AmountMax, "amount", "This amount is too large.")
	money.CheckNote(&c, "note", &in.Note, true)
	return c.Err()
}

// Adjust changes the balance of a gift card, with a reason: what is added is the studio's cost. It needs balance.adjust
// at the card's location. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error
//   - ErrShort
func (s *Service) Adjust(ctx context.Context, sc tenancy.Scope, in AdjustInput) (Card, error) {
	if err := policy.RequireAny(sc, policy.BalanceAdjust); err != nil {
		return Card{}, err
	}
	if err := in.Validate(); err != nil {
		return Card{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Card, error) {
		if err := tx.Because(ctx, in.Note); err != nil {
			return Card{}, err
		}
		c, free, err := lockOne(ctx, tx, in.ID)
		if err == nil {
			err = policy.RequireAt(sc, policy.BalanceAdjust, c.LocationID)
		}
		switch {
		case err != nil:
			return Card{}, err
		case free+in.Amount < 0:
			return Card{}, ErrShort.With("balance", free)
		case c.Balance+in.Amount > AmountMax:
			return Card{}, fault.Invalid("amount", "This amount is too large.")
		}
		t := Transaction{
			ID: pg.NewID(), CardID: c.ID, LocationID: c.LocationID, Kind: Adjusted, Amount: in.Amount, Note: in.Note,
		}
		b := tx.Batch()
		recordIn(b, tx, sc.Actor, t)
		if err := ledger.PostIn(b, tx, ledger.GiftCardAdjusted(placeOf(tx, c), t.ID, in.Amount)); err != nil {
			return Card{}, err
		}
		c.Balance += in.Amount
		return c, b.Send(ctx)
	})
}

// SendInput sends a gift card by email once more, with a new code.
type SendInput struct {
	ID    uuid.UUID
	Email string // empty: to the one it was sent to
}

// Send replaces the code of a gift card and mails the new one: of the old one nobody can pay any more. It needs
// payment.take at the card's location. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error
//   - ErrSent for a card without an address, unless one is given
func (s *Service) Send(ctx context.Context, sc tenancy.Scope, in SendInput) (Card, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Card{}, err
	}
	var c fault.Checks
	if in.Email != "" {
		address, ok := s.email(in.Email)
		c.That(ok, "email", "Enter an email address.")
		in.Email = address
	}
	if err := c.Err(); err != nil {
		return Card{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Card, error) {
		card, _, err := lockOne(ctx, tx, in.ID)
		if err == nil {
			err = policy.RequireAt(sc, policy.PaymentTake, card.LocationID)
		}
		if err != nil {
			return Card{}, err
		}
		if in.Email != "" {
			card.RecipientEmail = in.Email
		}
		if card.RecipientEmail == "" {
			return Card{}, ErrSent
		}
		code := newCode()
		card.Last4, card.SentAt = code.Last4(), time.Time{}
		return card, recode(ctx, tx, card, code.hash(s.key), s.seal.Hide(code.chars))
	})
}

// triesHourly and wrongDaily limit the codes that a visitor can try in an hour, and the wrong ones of a business in a
// day.
const (
	triesHourly = 10
	wrongDaily  = 100
)

// Try returns the card of a code that a visitor or customer has typed, if it can pay in a currency. It returns
// ErrTooMany, and ErrUnusable for everything else: nobody learns which codes there are.
func (s *Service) Try(ctx context.Context, sc tenancy.Scope, typed string, cur money.Currency) (Card, error) {
	if err := s.allowed(ctx, sc); err != nil {
		return Card{}, err
	}
	if code, ok := ParseCode(typed); ok {
		c, found, err := byCode(ctx, s.db.View(sc.Tenant), code.hash(s.key))
		if err != nil || found && c.Usable(s.db.Clock().Now()) && (cur == "" || c.Currency == cur) {
			return c, err
		}
	}
	if _, err := s.db.Hit(ctx, wrongBucket(sc.Tenant), wrongDaily, day); err != nil {
		return Card{}, err
	}
	return Card{}, ErrUnusable
}

const day = 24 * time.Hour

func wrongBucket(business uuid.UUID) string { return "gift_card.wrong:" + business.String() }

// allowed counts a call of a visitor, and returns ErrTooMany for one too many, or after too many wrong codes of the
// business.
func (s *Service) allowed(ctx context.Context, sc tenancy.Scope) error {
	windows := []pg.Window{{Bucket: "gift_card:" + sc.Visitor, Most: triesHourly, Length: time.Hour}}
	if network, wide := tenancy.Network(sc.Visitor); wide {
		windows = append(windows, pg.Window{
			Bucket: "gift_card:" + network, Most: triesHourly * tenancy.WideAllowance, Length: time.Hour,
		})
	}
	now := s.db.Clock().Now()
	for _, w := range windows {
		hits, err := s.db.Hit(ctx, w.Bucket, w.Most, w.Length)
		if err != nil {
			return err
		}
		if !hits.Allowed {
			return ErrTooMany.After(int(hits.ResetAt.Sub(now)/time.Second) + 1)
		}
	}
	wrong, err := pg.Window{Bucket: wrongBucket(sc.Tenant), Most: wrongDaily, Length: day}.Read(ctx, s.db)
	if err == nil && !wrong.Allowed {
		err = ErrTooMany.After(int(wrong.ResetAt.Sub(now)/time.Second) + 1)
	}
	return err
}

// AmountMax bounds the amount of a gift card, in minor units.
const AmountMax = 99_999_999

func placeOf(tx *pg.Tx, c Card) ledger.Context {
	return ledger.Context{LocationID: c.LocationID, Currency: c.Currency, At: tx.Now()}
}
