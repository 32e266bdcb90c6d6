package giftcard

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/giftcard"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// Name is the label of a line that sells a gift card. Pages show it in the language of their reader.
const Name = "Gift card"

// Quote implements order.Seller: a gift card costs its amount, and is not taxed. What it pays for is.
func (s *Service) Quote(b *pg.Batch, r pg.Reader, items []*order.CartItem) func() {
	ids := make([]uuid.UUID, len(items))
	for i, it := range items {
		ids[i] = it.Subject
	}
	rows := giftcard.Drafts(b, r, ids)
	return func() {
		for _, it := range items {
			i := slices.IndexFunc(*rows, func(o giftcard.Offered) bool { return o.ID == it.Subject })
			if i < 0 {
				it.Problem = fault.Missing()
				continue
			}
			d := (*rows)[i]
			it.Name, it.ListedAmount, it.Income = Name, d.Amount, ledger.GiftCards
			if d.RecipientName != "" {
				it.Name += " · " + d.RecipientName
			}
			if !d.SoldOnline || d.Amount < d.LeastAmount || d.Amount > d.MostAmount {
				it.Problem = ErrUnavailable.With("itemId", it.ID.String())
			}
		}
	}
}

// Reserve implements order.Seller: gift cards are not scarce, and only have to be on sale.
func (s *Service) Reserve(b *pg.Batch, tx *pg.Tx, items []*order.CartItem) func() error {
	quoted := s.Quote(b, tx, items)
	return func() error {
		quoted()
		for _, it := range items {
			if it.Problem != nil {
				return it.Problem
			}
		}
		return nil
	}
}

// Release implements order.Seller.
func (s *Service) Release(*pg.Batch, *pg.Tx, []uuid.UUID) {}

// Fulfil implements order.Seller: the cards get their codes, and are mailed.
func (s *Service) Fulfil(b *pg.Batch, tx *pg.Tx, sale order.Sale) {
	s.o.Cards.IssueIn(b, tx, tenancy.Actor{Kind: tenancy.ActorSystem}, issued(sale))
}

// Sell implements order.Seller: at the desk, a card is sold whether or not its location sells them online.
func (s *Service) Sell(b *pg.Batch, tx *pg.Tx, sale order.Sale) func() error {
	s.o.Cards.IssueIn(b, tx, sale.By, issued(sale))
	return func() error { return nil }
}

// LockReturn implements order.Seller: a gift card is not returned as goods are. A refund of its purchase takes the
// amount off it.
func (s *Service) LockReturn(*pg.Batch, *pg.Tx, order.Return) func() error {
	return func() error { return ErrNotReturned }
}

// Return implements order.Seller.
func (s *Service) Return(*pg.Batch, *pg.Tx, order.Return) {}

func issued(sale order.Sale) []giftcard.Issued {
	out := make([]giftcard.Issued, len(sale.Lines))
	for i, l := range sale.Lines {
		out[i] = giftcard.Issued{CardID: l.Subject, LineID: l.LineID}
	}
	return out
}

// NewCard is a gift card as its buyer describes it.
type NewCard struct {
	Amount         int64 // minor units of the location's currency
	RecipientEmail string
	RecipientName  string
	SenderName     string
	Message        string
	Locale         string     // of its mail
	DeliverOn      civil.Date // zero: at once
}

// Limits of the texts, in characters, and of the days until a card is delivered.
const (
	NameMax      = 120
	MessageMax   = 500
	DeliveryDays = 365
)

// deliverAt is the wall clock at which a card is mailed on its day.
var deliverAt = civil.NewClock(9, 0)

// check trims the input and checks it. A card without an address is handed over, which only the desk does.
func (in *NewCard) check(c *fault.Checks, mailed bool) {
	in.RecipientName, in.SenderName = names.Clean(in.RecipientName), names.Clean(in.SenderName)
	in.Message = strings.TrimSpace(in.Message)
	c.That(length(in.RecipientName, NameMax), "recipientName", "Use at most 120 characters.")
	c.That(length(in.SenderName, NameMax), "senderName", "Use at most 120 characters.")
	c.That(length(in.Message, MessageMax), "message", "Use at most 500 characters.")
	c.That(!strings.ContainsFunc(in.Message, unprintable), "message",
		"This contains a character that cannot be printed. Remove it.")
	if in.RecipientEmail == "" && !mailed {
		return
	}
	address, ok := identity.ParseEmail(in.RecipientEmail)
	c.That(ok, "recipientEmail", "Enter an email address.")
	in.RecipientEmail = address
}

func length(text string, most int) bool { return utf8.RuneCountInString(text) <= most }

func unprintable(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) && r != '\n' && r != '\r'
}

// draft returns the card as it is written, with its time of delivery at the location.
func (in NewCard) draft(c *fault.Checks, tx *pg.Tx, location uuid.UUID, t giftcard.Terms,
	zone string) giftcard.NewDraft {
	d := giftcard.NewDraft{
		ID: pg.NewID(), LocationID: location, Currency: t.Currency, Amount: in.Amount,
		Delivery: giftcard.Delivery{
			RecipientName: in.RecipientName, RecipientEmail: in.RecipientEmail, SenderName: in.SenderName,
			Message: in.Message, Locale: in.Locale,
		},
	}
	if in.DeliverOn.IsZero() {
		return d
	}
	loc := civil.ZoneOrUTC(zone)
	today := civil.LocalDate(tx.Now(), loc)
	c.That(in.DeliverOn.Valid() && !in.DeliverOn.Before(today), "deliverOn", "This date is in the past.")
	c.That(!in.DeliverOn.After(today.AddDays(DeliveryDays)), "deliverOn", "Choose a date within a year.")
	if in.DeliverOn.After(today) {
		d.DeliverAt = civil.Instant(in.DeliverOn, deliverAt, loc)
	}
	return d
}

// Add puts a gift card into a cart. It returns:
//
//   - a validation error on the fields of the card: amount has the bounds of the location in details.leastAmount and
//     details.mostAmount
//   - ErrUnavailable
//   - ErrBuysNone if a gift card is to pay for the cart
//   - the errors of checkout.AddNonSeat
func (s *Service) Add(ctx context.Context, sc tenancy.Scope, token string, in NewCard) (checkout.Cart, error) {
	var c fault.Checks
	in.check(&c, true)
	if err := c.Err(); err != nil {
		return checkout.Cart{}, err
	}
	id := pg.NewID()
	item := order.CartItem{Kind: order.GiftCard, Subject: id, Quantity: 1}
	return s.o.Checkout.AddMade(ctx, sc, token, item, func(ctx context.Context, tx *pg.Tx, cart checkout.Cart) error {
		if slices.ContainsFunc(cart.Sources, func(p tender.Prepaid) bool { return p.Kind == tender.GiftCard }) {
			return ErrBuysNone
		}
		terms, err := giftcard.ReadTerms(ctx, tx, cart.LocationID)
		if err != nil {
			return err
		}
		if !terms.SoldOnline {
			return ErrUnavailable
		}
		var c fault.Checks
		c.That(terms.Takes(in.Amount), "amount", "Enter an amount within the limits of this studio.")
		d := in.draft(&c, tx, cart.LocationID, terms, terms.Zone)
		if err := c.Err(); err != nil {
			return bounded(err, terms)
		}
		d.ID = id
		return giftcard.InsertDraft(ctx, tx, d)
	})
}

// bounded adds the bounds of amounts to a refusal.
func bounded(err error, t giftcard.Terms) error {
	return fault.From(err).With("leastAmount", strconv.FormatInt(t.LeastAmount, 10)).
		With("mostAmount", strconv.FormatInt(t.MostAmount, 10))
}
