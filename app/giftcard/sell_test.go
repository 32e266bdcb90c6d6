package giftcard_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/giftcard"
	"foyer/app/pg"
	"foyer/billing"
	cards "foyer/billing/giftcard"
)

// A gift card is bought, mailed, and pays for a class and a half, beside a card. A refund goes back to each.
func TestGiftCard(t *testing.T) {
	s := open(t)
	id, code := s.sold(t, 5000)
	if got := s.balance(t, id); got != "5000: sold 5000" || code == "" {
		t.Fatalf("sold: %s, %q", got, code)
	}
	ben := s.Customer(t, "Ben")
	first := s.Fill(t, s.class(t, 2200))
	_, err := s.Gift.Use(t.Context(), ben, first, code)
	refused(t, "before the hold", err, checkout.ErrNotHeld)
	s.hold(t, ben, first)
	c, err := s.Gift.Use(t.Context(), ben, first, code)
	must(t, c, err)
	if c.Totals.DueNow() != 0 || c.Totals.PrepaidAmount() != 2200 || len(c.Sources) != 1 || c.Sources[0].Amount != 5000 {
		t.Errorf("applied: %+v, %+v", c.Totals, c.Sources)
	}
	got, err := s.Checkout.Confirm(t.Context(), ben, first)
	must(t, got, err)
	if b := s.balance(t, id); b != "2800: sold 5000, spent -2200" {
		t.Errorf("after a class: %s", b)
	}
	if got.Totals.Prepaid[0].Label != "•••• "+code[len(code)-4:] || got.Payments[0].Label == "" {
		t.Errorf("the receipt names %+v, %+v", got.Totals.Prepaid, got.Payments)
	}
	second := s.Fill(t, s.class(t, 4000))
	s.hold(t, ben, second)
	c, err = s.Gift.Use(t.Context(), ben, second, code)
	must(t, c, err)
	if c.Totals.DueNow() != 1200 {
		t.Errorf("the rest: %+v", c.Totals)
	}
	both := s.paid(t, ben, second, 1200)
	if b := s.balance(t, id); b != "0: sold 5000, spent -2200, spent -2800" {
		t.Errorf("spent: %s", b)
	}
	if got := s.tenders(t, both.OrderID); got != "gift_card 2800 captured, card 1200 captured" {
		t.Errorf("tenders: %s", got)
	}
	_, err = s.Gift.Balance(t.Context(), ben, code)
	refused(t, "a card that is spent", err, cards.ErrUnusable)
	s.refund(t, apptest.Value[string](t, s.w, "select id::text from order_tenders where amount = 2800"), 1000)
	if b := s.balance(t, id); b != "1000: sold 5000, spent -2200, spent -2800, refunded 1000" {
		t.Errorf("refunded: %s", b)
	}
	s.check(t)
}

// The purchase of a gift card is refunded as far as the card was not spent.
func TestRefundOfAPurchase(t *testing.T) {
	s := open(t)
	id, code := s.sold(t, 5000)
	payment := apptest.Value[string](t, s.w, "select id::text from payments")
	ben := s.Customer(t, "Ben")
	token := s.Fill(t, s.class(t, 2000))
	s.hold(t, ben, token)
	_, err := s.Gift.Use(t.Context(), ben, token, code)
	must(t, 0, err)
	_, err = s.Checkout.Confirm(t.Context(), ben, token)
	must(t, 0, err)
	if err := s.tryRefund(t, payment, 3001); err == nil {
		t.Error("more was refunded than the card has left")
	}
	s.refund(t, payment, 2900)
	if b := s.balance(t, id); b != "100: sold 5000, spent -2000, returned -2900" {
		t.Errorf("returned: %s", b)
	}
	s.check(t)
}

// The studio refunds all of a purchase on the processor's website although a part of the card is spent: the card is
// empty, and the rest is the studio's loss.
func TestExternalRefundOfAPurchase(t *testing.T) {
	s := open(t)
	id, code := s.sold(t, 5000)
	ben := s.Customer(t, "Ben")
	token := s.Fill(t, s.class(t, 2000))
	s.hold(t, ben, token)
	_, err := s.Gift.Use(t.Context(), ben, token, code)
	must(t, 0, err)
	_, err = s.Checkout.Confirm(t.Context(), ben, token)
	must(t, 0, err)
	intent := apptest.Value[string](t, s.w, "select intent from payments")
	_, err = s.Sim.DashboardRefund(apptest.Value[string](t, s.w, "select account from payments"), intent, 5000)
	must(t, 0, err)
	s.jobs(t)
	if b := s.balance(t, id); b != "0: sold 5000, spent -2000, returned -3000" {
		t.Errorf("returned: %s", b)
	}
	s.check(t)
}

// A booking that a gift card and a card have paid is cancelled: each gets its part back, at once.
func TestCancellation(t *testing.T) {
	s := open(t)
	id, code := s.sold(t, 1500)
	ben := s.Customer(t, "Ben")
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ben, token)
	_, err := s.Gift.Use(t.Context(), ben, token, code)
	must(t, 0, err)
	got := s.paid(t, ben, token, 700)
	done, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: got.Lines[0].BookingID,
		By: booking.ByStudio})
	must(t, done, err)
	if done.Done.GiftCardAmount != 1500 || done.Done.RefundAmount != 700 || done.Done.DeskAmount != 0 {
		t.Errorf("refunded: %+v", done.Done)
	}
	if b := s.balance(t, id); b != "1500: sold 1500, spent -1500, refunded 1500" {
		t.Errorf("after it: %s", b)
	}
	s.check(t)
}

// A card is mailed on its day, cannot be used before, and is mailed once.
func TestDelivery(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t)
	in := card(2500)
	in.DeliverOn = civil.DateOf(s.w.Clock.Now()).AddDays(3)
	in.Locale = "de"
	s.put(t, token, in)
	s.hold(t, ada, token)
	s.paid(t, ada, token, 2500)
	if code := s.mailed(t); code != "" {
		t.Fatalf("it was mailed before its day: %q", code)
	}
	s.w.Clock.Advance(4 * 24 * time.Hour)
	code := s.mailed(t)
	if _, ok := cards.ParseCode(code); !ok {
		t.Fatalf("mailed: %q", code)
	}
	s.mailed(t)
	if n := len(s.Mail.List("ben@example.com")); n != 1 {
		t.Errorf("%d mails", n)
	}
	if n := apptest.Value[int](t, s.w,
		"select count(*) from gift_cards where sealed_code is not null or sent_at is null"); n != 0 {
		t.Error("the code is still in the database")
	}
	s.check(t)
}

// A new code takes the place of the one that was sent.
func TestSendAgain(t *testing.T) {
	s := open(t)
	id, old := s.sold(t, 2500)
	_, err := s.Cards.Send(t.Context(), s.Owner, cards.SendInput{ID: id})
	must(t, 0, err)
	code := s.mailed(t)
	if code == old {
		t.Fatal("it has its old code")
	}
	_, err = s.Gift.Balance(t.Context(), s.Visitor(), old)
	refused(t, "the old code", err, cards.ErrUnusable)
	c, err := s.Gift.Balance(t.Context(), s.Visitor(), code)
	if must(t, c, err).Balance != 2500 {
		t.Errorf("%+v", c)
	}
}

// A cart is paid by the card that expires first, then by the other one, then by account credit.
func TestOrderOfCards(t *testing.T) {
	s := open(t)
	keeps, second := s.sold(t, 1000)
	months := 36
	s.SetCountry(t, "DE")
	s.terms(t, cards.SetTermsInput{SoldOnline: true, LeastAmount: 500, MostAmount: 50000, ExpiresMonths: &months})
	ends, first := s.sold(t, 1500)
	ben := s.Customer(t, "Ben")
	token := s.Fill(t, s.class(t, 4000))
	s.hold(t, ben, token)
	for _, code := range []string{second, first} {
		_, err := s.Gift.Use(t.Context(), ben, token, code)
		must(t, 0, err)
	}
	got := s.paid(t, ben, token, 1500)
	if got := s.tenders(t, got.OrderID); got != "gift_card 1500 captured, gift_card 1000 captured, card 1500 captured" {
		t.Errorf("tenders: %s", got)
	}
	if a, b := s.balance(t, ends), s.balance(t, keeps); a[0] != '0' || b[0] != '0' {
		t.Errorf("%s; %s", a, b)
	}
	s.check(t)
}

// What is left of a card that expires is income. A refund to it can be spent for three months.
func TestExpiry(t *testing.T) {
	s := open(t)
	months := 36
	s.SetCountry(t, "DE")
	s.terms(t, cards.SetTermsInput{SoldOnline: true, LeastAmount: 500, MostAmount: 50000, ExpiresMonths: &months})
	id, code := s.sold(t, 5000)
	ben := s.Customer(t, "Ben")
	token := s.Fill(t, s.class(t, 2000))
	s.hold(t, ben, token)
	_, err := s.Gift.Use(t.Context(), ben, token, code)
	must(t, 0, err)
	_, err = s.Checkout.Confirm(t.Context(), ben, token)
	must(t, 0, err)
	s.w.Clock.Advance(4 * 366 * 24 * time.Hour)
	_, err = s.Gift.Balance(t.Context(), s.Visitor(), code)
	refused(t, "expired", err, cards.ErrUnusable)
	must(t, 0, s.Cards.Expire(t.Context()))
	if b := s.balance(t, id); b != "0: sold 5000, spent -2000, expired -3000" {
		t.Errorf("expired: %s", b)
	}
	s.refund(t, apptest.Value[string](t, s.w, "select id::text from order_tenders where kind = 'gift_card'"), 500)
	must(t, 0, s.Cards.Expire(t.Context()))
	if c, err := s.Gift.Balance(t.Context(), s.Visitor(), code); must(t, c, err).Balance != 500 {
		t.Errorf("%+v", c)
	}
	s.check(t)
}

// A card that nobody bought is deleted two weeks after it was described, by the worker: not one that is in a cart, one
// with an order that was given up, or one that was sold.
func TestForgottenDrafts(t *testing.T) {
	s := open(t)
	sold, _ := s.sold(t, 5000)
	inCart, removed, ordered := s.draft(t), s.draft(t), s.draft(t)
	s.remove(t, removed)
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, ordered.token)
	_, err := s.Checkout.Pay(t.Context(), ada, ordered.token, checkout.PayInput{QuotedAmount: 2500})
	must(t, 0, err)
	must(t, 0, s.Checkout.Release(t.Context(), ada, ordered.token))
	s.w.SQL(t, "update order_lines set cart_item_id = null where cart_item_id = $1", ordered.item)
	s.w.SQL(t, "delete from cart_items where id = $1", ordered.item)
	s.w.Clock.Advance(2 * 24 * time.Hour)
	younger := s.draft(t)
	s.remove(t, younger)
	asJobs := s.Sales.On(t, s.w.As(t, "foyer_job"))
	for _, c := range []struct {
		after time.Duration
		left  []uuid.UUID
	}{
		{12*24*time.Hour - time.Minute, []uuid.UUID{sold, inCart.card, removed.card, ordered.card, younger.card}},
		{24 * time.Hour, []uuid.UUID{sold, inCart.card, ordered.card, younger.card}},
	} {
		s.w.Clock.Advance(c.after)
		must(t, 0, asJobs.Services.GiftCards.DeleteDrafts(t.Context()))
		got := apptest.Values[uuid.UUID](t, s.w, "select id from gift_cards order by created_at, id")
		if !slices.Equal(got, c.left) {
			t.Errorf("%v later there are %v, want %v", c.after, got, c.left)
		}
	}
}

// drafted is a gift card in a cart.
type drafted struct {
	token      string
	item, card uuid.UUID
}

// draft puts a gift card into a cart of its own.
func (s shop) draft(t testing.TB) drafted {
	t.Helper()
	token := s.Fill(t)
	c, err := s.Gift.Add(t.Context(), s.Visitor(), token, card(2500))
	must(t, c, err)
	item := c.Lines[0].ItemID
	id := apptest.Value[uuid.UUID](t, s.w, "select gift_card_id from cart_items where id = $1", item)
	return drafted{token, item, id}
}

func (s shop) remove(t testing.TB, d drafted) {
	t.Helper()
	_, err := s.Checkout.RemoveItem(t.Context(), s.Visitor(), d.token, d.item)
	must(t, 0, err)
}

// What a buyer may not say.
func TestRefusedCards(t *testing.T) {
	s := open(t)
	today := civil.DateOf(s.w.Clock.Now())
	for _, c := range []struct {
		field  string
		change func(*giftcard.NewCard)
	}{
		{"amount", func(in *giftcard.NewCard) { in.Amount = 499 }},
		{"amount", func(in *giftcard.NewCard) { in.Amount = 50001 }},
		{"recipientEmail", func(in *giftcard.NewCard) { in.RecipientEmail = "ben" }},
		{"recipientEmail", func(in *giftcard.NewCard) { in.RecipientEmail = "" }},
		{"message", func(in *giftcard.NewCard) { in.Message = "a\x00b" }},
		{"deliverOn", func(in *giftcard.NewCard) { in.DeliverOn = today.AddDays(-1) }},
		{"deliverOn", func(in *giftcard.NewCard) { in.DeliverOn = today.AddDays(730) }},
	} {
		in := card(2500)
		c.change(&in)
		_, err := s.Gift.Add(t.Context(), s.Visitor(), s.Fill(t), in)
		if got := apptest.Wrong(err); got != c.field {
			t.Errorf("%+v: wrong are %q (%v), want %s", in, got, err, c.field)
		}
	}
	s.terms(t, cards.SetTermsInput{LeastAmount: 500, MostAmount: 5000})
	_, err := s.Gift.Add(t.Context(), s.Visitor(), s.Fill(t), card(2500))
	refused(t, "a studio that sells none", err, giftcard.ErrUnavailable)
	s.terms(t, cards.SetTermsInput{SoldOnline: true, LeastAmount: 500, MostAmount: 5000})
	ada, token := s.Customer(t, "Ada"), s.Fill(t)
	s.put(t, token, card(2500))
	s.terms(t, cards.SetTermsInput{LeastAmount: 500, MostAmount: 5000})
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "sold no more", err, giftcard.ErrUnavailable)
}

// No gift card buys a gift card.
func TestBuysNone(t *testing.T) {
	s := open(t)
	_, code := s.sold(t, 5000)
	ben := s.Customer(t, "Ben")
	token := s.Fill(t)
	s.put(t, token, card(2500))
	s.hold(t, ben, token)
	_, err := s.Gift.Use(t.Context(), ben, token, code)
	refused(t, "for a gift card", err, giftcard.ErrBuysNone)
	token = s.Fill(t, s.class(t, 2200))
	s.hold(t, ben, token)
	_, err = s.Gift.Use(t.Context(), ben, token, code)
	must(t, 0, err)
	_, err = s.Gift.Add(t.Context(), ben, token, card(2500))
	refused(t, "in a cart that one pays", err, giftcard.ErrBuysNone)
}

// All codes that cannot be used get one answer, and a visitor can try ten in an hour.
func TestTries(t *testing.T) {
	s := open(t)
	_, code := s.sold(t, 2500)
	guest := s.Visitor()
	guest.Visitor = "198.51.100.7"
	for i := range 10 {
		if _, err := s.Gift.Balance(t.Context(), guest, "AAAA-AAAA-AAAA-AAAA"); err == nil {
			t.Fatal("a wrong code has a balance")
		} else {
			refused(t, "wrong code", err, cards.ErrUnusable)
		}
		_ = i
	}
	_, err := s.Gift.Balance(t.Context(), guest, code)
	refused(t, "the eleventh", err, cards.ErrTooMany)
	for i := range 90 {
		guest.Visitor = "203.0.113." + string(rune('0'+i%10)) + string(rune('0'+i/10))
		_, err := s.Gift.Balance(t.Context(), guest, "AAAA-AAAA-AAAA-AAAA")
		refused(t, "others", err, cards.ErrUnusable)
	}
	guest.Visitor = "192.0.2.1"
	_, err = s.Gift.Balance(t.Context(), guest, code)
	refused(t, "after a hundred wrong ones", err, cards.ErrTooMany)
	s.w.Clock.Advance(25 * time.Hour)
	_, err = s.Gift.Balance(t.Context(), guest, code)
	must(t, 0, err)
}

func (s shop) tryRefund(t testing.TB, id string, amount int64) error {
	t.Helper()
	return pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
		_, err := s.Billing.RefundTx(t.Context(), tx, billing.RefundInput{
			PaymentID: uuid.MustParse(id), Amount: amount, Reason: billing.ReasonGoodwill,
		})
		return err
	})
}

func (s shop) refund(t testing.TB, id string, amount int64) {
	t.Helper()
	must(t, 0, s.tryRefund(t, id, amount))
}
