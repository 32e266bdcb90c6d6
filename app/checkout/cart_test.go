package checkout_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

func TestCreate(t *testing.T) {
	s := open(t)
	sc := s.Visitor()
	sc.Tenant = uuid.Nil // the surface has the location only
	c, err := s.Checkout.Create(t.Context(), sc, checkout.CreateInput{LocationID: s.Location.ID, Ref: "https://studio.example/classes"})
	if err != nil || len(c.Token) != 32 || c.LocationID != s.Location.ID || c.Ref != "https://studio.example/classes" || len(c.Lines) != 0 || c.State != checkout.CartOpen {
		t.Fatalf("%+v (%v)", c, err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from carts where position($1 in encode(token_hash, 'escape')) > 0 or octet_length(token_hash) <> 32", c.Token); n != 0 {
		t.Error("the token is kept")
	}
	business, location, found, err := s.Checkout.FindCart(t.Context(), c.Token)
	if err != nil || !found || business != s.Business.ID || location != s.Location.ID {
		t.Errorf("%s %s %v (%v)", business, location, found, err)
	}
	for _, token := range []string{"", "short", strings.Repeat("a", 32), strings.Repeat("!", 32)} {
		if _, _, found, err := s.Checkout.FindCart(t.Context(), token); found || err != nil {
			t.Errorf("%q: %v %v", token, found, err)
		}
		if _, err := s.Checkout.Cart(t.Context(), s.Visitor(), token); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%q: %v", token, err)
		}
	}
	other := s.w.Studio(t)
	for name, in := range map[string]checkout.CreateInput{
		"unknown": {LocationID: pg.NewID()}, "foreign": {LocationID: other.Location.ID},
	} {
		if _, err := s.Checkout.Create(t.Context(), s.Visitor(), in); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s location: %v", name, err)
		}
	}
	_, err = s.Checkout.Create(t.Context(), s.Visitor(), checkout.CreateInput{LocationID: s.Location.ID, Ref: strings.Repeat("a", 2049)})
	if !fault.IsKind(err, fault.Validation) {
		t.Errorf("a long ref: %v", err)
	}
	s.w.SQL(t, "update locations set archived_at = $1", s.w.Clock.Now())
	if _, err := s.Checkout.Create(t.Context(), s.Visitor(), checkout.CreateInput{LocationID: s.Location.ID}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("archived location: %v", err)
	}
}

// A repeated request gets the same cart with the same token, which no table keeps.
func TestCreateOncePerClaim(t *testing.T) {
	s := open(t)
	claim := pg.Claim{Key: [32]byte{1}, Request: [32]byte{1}}
	var tokens []string
	for range 2 {
		c, err := s.Checkout.Create(pg.WithClaim(t.Context(), claim), s.Visitor(), checkout.CreateInput{LocationID: s.Location.ID})
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, c.Token)
	}
	if tokens[0] != tokens[1] || apptest.Value[int](t, s.w, "select count(*) from carts") != 1 {
		t.Errorf("tokens %q", tokens)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from replays where position($1 in result::text) > 0", tokens[0]); n != 0 {
		t.Error("the kept answer shows the token")
	}
}

// A74. Items that a cart refuses.
func TestA74_AddItem(t *testing.T) {
	s := open(t)
	good := s.class(t, 2200, 5)
	token := s.Fill(t, good)
	add := func(o apptest.OccurrenceRow, attendee string) error {
		_, err := s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: attendee})
		return err
	}
	refused(t, "twice", add(good, ""), booking.ErrDuplicate)
	refused(t, "twice with blanks around", add(good, "  "), booking.ErrDuplicate)
	if err := add(good, "Bob"); err != nil {
		t.Errorf("for somebody else: %v", err)
	}
	refused(t, "begun", add(s.AddOccurrence(t, s.AddOffering(t), s.w.Clock.Now()), ""), booking.ErrStarted)
	refused(t, "cancelled", add(s.AddOccurrence(t, s.AddOffering(t), s.w.Clock.Now().Add(time.Hour),
		func(o *apptest.OccurrenceRow) { o.State = "cancelled" }), ""), booking.ErrCancelled)
	refused(t, "draft", add(s.class(t, 2200, 5, func(o *apptest.OfferingRow) { o.State = "draft" }), ""), booking.ErrNotBookable)
	elsewhere := s.AddLocation(t, "Elsewhere").ID
	for name, o := range map[string]apptest.OccurrenceRow{
		"another location": s.class(t, 2200, 5, func(o *apptest.OfferingRow) { o.Location = elsewhere }),
		"unknown":          {ID: pg.NewID()},
	} {
		if err := add(o, ""); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, attendee := range []string{strings.Repeat("x", 121), "a\nb", "a\xffb"} {
		if err := add(good, attendee); !fault.IsKind(err, fault.Validation) {
			t.Errorf("attendee %q: %v", attendee, err)
		}
	}
	full := s.Fill(t)
	for i := range checkout.ItemsMax + 1 {
		_, err := s.Checkout.AddItem(t.Context(), s.Visitor(), full, checkout.AddItemInput{OccurrenceID: good.ID, Attendee: strings.Repeat("x", i+1)})
		if i < checkout.ItemsMax && err != nil {
			t.Fatal(err)
		} else if i == checkout.ItemsMax {
			refused(t, "one too many", err, checkout.ErrCartFull)
		}
	}
	if s.taken(t, good) != 0 {
		t.Error("items took seats")
	}
}

func TestRemoveItem(t *testing.T) {
	s := open(t)
	a, b := s.class(t, 2200, 5), s.class(t, 1000, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, a, b)
	s.hold(t, ada, token)
	c, err := s.Checkout.Cart(t.Context(), ada, token)
	if err != nil || c.Hold == nil || len(c.Hold.Seats) != 2 {
		t.Fatalf("%+v (%v)", c, err)
	}
	after, err := s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[0].ItemID)
	if err != nil || len(after.Lines) != 1 || after.Hold == nil || len(after.Hold.Seats) != 1 || s.taken(t, a) != 0 || s.taken(t, b) != 1 ||
		after.Totals.TotalAmount != 1000 {
		t.Errorf("%+v (%v)", after, err)
	}
	if _, err := s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[0].ItemID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("again: %v", err)
	}
	after, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[1].ItemID)
	if err != nil || len(after.Lines) != 0 || after.Hold != nil || s.taken(t, b) != 0 {
		t.Errorf("%+v (%v)", after, err)
	}
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "an empty cart", err, checkout.ErrEmpty)
	s.check(t)
}

// While it is being paid for nothing in the cart moves.
func TestFrozenWhilePaying(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	s.w.SQL(t, "update offerings set price_amount = 9900")
	s.w.SQL(t, "update locations set tax_mode = 'inclusive'")
	s.feeMode(t, billing.ModeCustomer)
	c, err := s.Checkout.Cart(t.Context(), ada, token)
	if err != nil || c.Totals.TotalAmount != 2200 || c.Totals.ServiceFeeAmount != 0 || c.Totals.TaxMode != "exclusive" || c.Order == nil || c.Order.State != order.Open || c.Order.PaymentStatus != processor.StatusAwaitingMethod {
		t.Errorf("%+v (%v)", c, err)
	}
	_, err = s.Checkout.AddItem(t.Context(), ada, token, checkout.AddItemInput{OccurrenceID: s.class(t, 100, 1).ID})
	refused(t, "add", err, booking.ErrPaymentStarted)
	_, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[0].ItemID)
	refused(t, "remove", err, booking.ErrPaymentStarted)
	if again := s.pay(t, ada, token, 2200); again.ClientSecret != p.ClientSecret {
		t.Error("another payment")
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	_, err = s.Checkout.AddItem(t.Context(), ada, token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: "Bob"})
	refused(t, "after", err, checkout.ErrOrdered)
	if detail(err, "receiptToken") != got.Token {
		t.Errorf("receipt is %v", detail(err, "receiptToken"))
	}
	_, err = s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: "Bob"})
	refused(t, "after, by somebody else", err, checkout.ErrOther)
	if detail(err, "receiptToken") != nil {
		t.Error("the receipt is shown to whoever has the cart")
	}
	s.check(t)
}

// A price that rose after adding is told with both numbers, and accepted by sending the new total. One that fell is no
// obstacle. While the hold lives the price stays.
func TestA74_PriceChanged(t *testing.T) {
	s := open(t)
	vat := s.AddTaxRate(t, "VAT", 100_000).ID
	o := s.class(t, 2000, 5, func(o *apptest.OfferingRow) { o.TaxRate = &vat })
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.w.SQL(t, "update offerings set price_amount = 2500")
	_, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "risen", err, checkout.ErrPriceChanged)
	if detail(err, "quotedAmount") != int64(2200) || detail(err, "amount") != int64(2750) || s.taken(t, o) != 0 {
		t.Errorf("%v of %v, %d taken", detail(err, "quotedAmount"), detail(err, "amount"), s.taken(t, o))
	}
	quoted := int64(2750)
	if _, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{QuotedAmount: &quoted}); err != nil {
		t.Fatal(err)
	}
	s.w.SQL(t, "update offerings set price_amount = 9900")
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2200})
	refused(t, "an old quote", err, checkout.ErrPriceChanged)
	p := s.pay(t, ada, token, 2750)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	if got := s.confirm(t, ada, token); got.Totals.TotalAmount != 2750 || got.Lines[0].ListedAmount != 2500 || got.Lines[0].TaxAmount != 250 ||
		len(got.Totals.Taxes) != 1 || got.Totals.Taxes[0].Amount != 250 || got.Totals.Taxes[0].Name != "VAT" {
		t.Errorf("%+v", got)
	}
	wrong := int64(1)
	_, err = s.Checkout.Hold(t.Context(), ada, s.Fill(t, s.class(t, 100, 1)), checkout.HoldInput{QuotedAmount: &wrong})
	refused(t, "a wrong quote", err, checkout.ErrPriceChanged)

	cheaper := s.Fill(t, s.class(t, 2000, 1))
	s.w.SQL(t, "update offerings set price_amount = 1500")
	s.hold(t, s.Customer(t, "Bob"), cheaper)
	if c, err := s.Checkout.Cart(t.Context(), s.Visitor(), cheaper); err != nil || c.Totals.TotalAmount != 1500 {
		t.Errorf("%+v (%v)", c.Totals, err)
	}
	s.check(t)
}

// A74. A price that rose can be accepted for one line, and the others have a total of their own without it.
func TestA74_AcceptPrice(t *testing.T) {
	s := open(t)
	dearer, same := s.class(t, 2000, 5), s.class(t, 1000, 5)
	token := s.Fill(t, dearer, same)
	s.w.SQL(t, "update offerings set price_amount = 2500 where price_amount = 2000")
	line := s.cart(t, token).Lines[0]
	rest, err := s.Checkout.TotalsWithout(t.Context(), s.Visitor(), token, []uuid.UUID{line.ItemID})
	if err != nil || !line.Dearer() || rest.TotalAmount != 1000 {
		t.Fatalf("%+v for %d (%v)", line, rest.TotalAmount, err)
	}
	ada := s.Customer(t, "Ada")
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "risen", err, checkout.ErrPriceChanged)
	c, err := s.Checkout.AcceptPrice(t.Context(), s.Visitor(), token, line.ItemID)
	if err != nil || c.Lines[0].Dearer() || c.Totals.TotalAmount != 3500 {
		t.Fatalf("%+v (%v)", c, err)
	}
	s.hold(t, ada, token)
	if _, err := s.Checkout.AcceptPrice(t.Context(), ada, token, pg.NewID()); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown line: %v", err)
	}
}

// Figures of an order that the studio's edits do not change.
func TestReceiptKeepsItsFigures(t *testing.T) {
	s := open(t)
	s.w.SQL(t, "update locations set tax_mode = 'inclusive'")
	s.feeMode(t, billing.ModeCustomer)
	vat := s.AddTaxRate(t, "VAT", 200_000).ID
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2400, 5, func(o *apptest.OfferingRow) { o.TaxRate = &vat }))
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, 2459)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	s.w.SQL(t, "update offerings set price_amount = 1, name = 'Renamed', tax_rate_id = null")
	s.w.SQL(t, "update tax_rates set name = 'changed', ppm = 1")
	s.w.SQL(t, "update locations set tax_mode = 'exclusive'")
	later, err := s.Orders.Receipt(t.Context(), s.Visitor(), got.Token)
	if err != nil {
		t.Fatal(err)
	}
	taxes := later.Totals.Taxes
	if later.Totals.TotalAmount != 2459 || later.Totals.TaxAmount != 410 || later.Totals.ServiceFeeAmount != 59 || later.Totals.TaxMode != "inclusive" ||
		len(taxes) != 1 || taxes[0].Amount != 410 || taxes[0].Name != "VAT" || taxes[0].PPM != 200_000 || later.Lines[0].Label != "Morning Yoga" {
		t.Errorf("%+v", later)
	}
	s.check(t)
}
