package checkout_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/discount"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// discount makes a discount of 20 %, changed.
func (s shop) discount(t testing.TB, code string, changes ...func(*discount.CreateInput)) discount.Discount {
	t.Helper()
	in := discount.CreateInput{Name: "Offer " + code, Code: code, PPM: 200_000, Combines: true}
	for _, change := range changes {
		change(&in)
	}
	d, err := discount.New(s.w.DB).Create(t.Context(), s.Owner, in)
	return must(t, d, err)
}

func everything(in *discount.CreateInput) { in.PPM = 1_000_000 }

func once(in *discount.CreateInput) { in.UsesMax = 1 }

func (s shop) apply(t testing.TB, who tenancy.Scope, token, code string) checkout.Cart {
	t.Helper()
	c, err := s.Checkout.ApplyCode(t.Context(), who, token, code)
	return must(t, c, err)
}

// uses is how often a discount is used, as its studio reads it.
func (s shop) uses(t testing.TB, d discount.Discount) int {
	t.Helper()
	d, err := discount.New(s.w.DB).Get(t.Context(), s.Owner, d.ID)
	return must(t, d, err).Uses
}

// A code lowers the card payment, the tax and the books; the receipt keeps the discount, and a cancellation refunds
// the paid amount and no more.
func TestACodeFromCartToRefund(t *testing.T) {
	s := open(t)
	vat := s.AddTaxRate(t, "VAT", 100_000).ID
	o := s.class(t, 2200, 5, func(o *apptest.OfferingRow) { o.TaxRate = &vat })
	d := s.discount(t, "spring20")
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	c := s.apply(t, s.Visitor(), token, " Spring20 ")
	if c.Code == nil || c.Code.Code != "SPRING20" || c.Code.Amount != 440 || c.Code.Problem != nil || c.Totals.DiscountAmount != 440 ||
		c.Totals.TaxAmount != 176 || c.Totals.TotalAmount != 1936 || c.Lines[0].DiscountAmount != 440 || c.Lines[0].TotalAmount != 1936 {
		t.Fatalf("%+v %+v", c.Totals, c.Code)
	}
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, 1936)
	if got := s.uses(t, d); p.Amount != 1936 || got != 1 {
		t.Fatalf("%+v, %d uses", p, got)
	}
	if open := s.cart(t, token); open.Totals.TotalAmount != 1936 || open.Totals.Discounts[0].Amount != 440 || open.Lines[0].TotalAmount != 1936 {
		t.Errorf("while it is paid: %+v", open.Totals)
	}
	// No edit of the discount by the studio changes a cart that is being paid for.
	if _, err := discount.New(s.w.DB).Archive(t.Context(), s.Owner, d.ID); err != nil {
		t.Fatal(err)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	if got.Totals.TotalAmount != 1936 || len(got.Totals.Discounts) != 1 || got.Totals.Discounts[0].Code != "SPRING20" ||
		got.Totals.Discounts[0].Name != d.Name || got.Lines[0].DiscountAmount != 440 || got.Lines[0].ListedAmount != 2200 ||
		got.Totals.Taxes[0].Amount != 176 || got.DueAmount != 0 || got.CostBases()[0].PriceAmount != 1936 {
		t.Errorf("%+v", got.Receipt)
	}
	s.jobs(t)
	income := apptest.Value[int64](t, s.w, `select -sum(p.amount)::bigint from ledger_postings p join ledger_accounts a on a.id = p.account_id
		where a.code = 'income.class'`)
	if income != 1760 {
		t.Errorf("the books have an income of %d, want 1760", income)
	}
	if m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, s.bookingOf(t, ada, got.Lines[0].BookingID)); err != nil || m.Paid != 1936 || m.Due != 0 {
		t.Errorf("%+v (%v)", m, err)
	}
	s.check(t)
	if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: got.Lines[0].BookingID, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	if back := apptest.Value[int64](t, s.w, "select sum(amount)::bigint from refunds"); back != 1936 {
		t.Errorf("%d goes back, want 1936", back)
	}
	s.check(t)
}

// A cart that costs nothing with a code is booked without a card, in one order and with one use.
func TestEverythingOffIsBookedWithoutACard(t *testing.T) {
	s := open(t)
	d := s.discount(t, "FREE", everything, once)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 5))
	s.apply(t, ada, token, "free")
	s.hold(t, ada, token)
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{})
	refused(t, "to pay", err, checkout.ErrNothingToPay)
	got := s.confirm(t, ada, token)
	if again := s.confirm(t, ada, token); again.OrderID != got.OrderID || got.Totals.TotalAmount != 0 || got.Totals.DiscountAmount != 2200 || s.uses(t, d) != 1 {
		t.Errorf("%+v, %d uses", got.Totals, s.uses(t, d))
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments"); n != 0 {
		t.Errorf("%d payments", n)
	}
	second := s.Fill(t, s.class(t, 2200, 5))
	_, err = s.Checkout.ApplyCode(t.Context(), ada, second, "FREE")
	refused(t, "used up", err, discount.ErrUsedUp)
	s.check(t)
}

// A price paid at the studio is due there less the discount.
func TestADiscountIsNotDueAtTheStudio(t *testing.T) {
	s := open(t)
	s.discount(t, "", func(in *discount.CreateInput) { in.PPM, in.Amount = 0, 500 })
	s.w.SQL(t, `insert into policies (id, business_id, name, rules, created_at, updated_at)
		values (gen_random_uuid(), $1, 'Desk', '{"payAtStudio": true}', now(), now())`, s.Business.ID)
	s.w.SQL(t, "update locations set policy_id = (select id from policies)")
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 5))
	s.hold(t, ada, token)
	got, err := s.Checkout.BookAtStudio(t.Context(), ada, token, 1700)
	if err != nil || got.DueAmount != 1700 {
		t.Fatalf("%d due (%v)", got.DueAmount, err)
	}
	b := s.bookingOf(t, ada, got.Lines[0].BookingID)
	if m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, b); err != nil || m.Due != 1700 || b.PriceAmount != 2200 {
		t.Errorf("%+v of %d (%v)", m, b.PriceAmount, err)
	}
	sale, err := s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.ID}, Tenders: owed.Pays(tender.Cash)},
	)
	if err != nil || sale.Amount != 1700 {
		t.Errorf("%d is taken (%v)", sale.Amount, err)
	}
	if m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, b); err != nil || m.Due != 0 || m.PaidAtStudio != 1700 {
		t.Errorf("%+v (%v)", m, err)
	}
	s.check(t)
}

// Each reason for which a code takes nothing off has its own words, and changes nothing.
func TestWhyACodeIsRefused(t *testing.T) {
	s := open(t)
	today := civil.LocalDate(s.w.Clock.Now(), civil.ZoneOrUTC(s.Location.Zone))
	day := func(n int) *civil.Date { d := today.AddDays(n); return &d }
	o, other := s.class(t, 2200, 5), s.class(t, 900, 5)
	sold := apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", other.ID)
	s.discount(t, "TOMORROW", func(in *discount.CreateInput) { in.FirstDay = day(1) })
	s.discount(t, "YESTERDAY", func(in *discount.CreateInput) { in.LastDay = day(-1) })
	s.discount(t, "TODAY", func(in *discount.CreateInput) { in.FirstDay, in.LastDay = day(0), day(0) })
	s.discount(t, "OTHER", func(in *discount.CreateInput) { in.OfferingIDs = []uuid.UUID{sold} })
	s.discount(t, "LEAST", func(in *discount.CreateInput) { in.LeastAmount = 2201 })
	s.discount(t, "EURO", func(in *discount.CreateInput) { in.PPM, in.Amount, in.Currency = 0, 500, "EUR" })
	weekday := o.StartsAt.In(civil.ZoneOrUTC(s.Location.Zone)).Weekday()
	s.discount(t, "WEEKDAY", func(in *discount.CreateInput) { in.Weekdays = []time.Weekday{(weekday + 1) % 7} })
	gone := s.discount(t, "GONE")
	if _, err := discount.New(s.w.DB).Archive(t.Context(), s.Owner, gone.ID); err != nil {
		t.Fatal(err)
	}
	token := s.Fill(t, o)
	s.apply(t, s.Visitor(), token, "TODAY")
	for code, want := range map[string]*fault.Error{
		"NOBODY": discount.ErrUnknown, "GONE": discount.ErrUnknown, "TOMORROW": discount.ErrNotYet, "YESTERDAY": discount.ErrExpired,
		"OTHER": discount.ErrNotThis, "EURO": discount.ErrNotThis, "WEEKDAY": discount.ErrNotThis, "LEAST": discount.ErrTooLittle,
	} {
		_, err := s.Checkout.ApplyCode(t.Context(), s.Visitor(), token, code)
		refused(t, code, err, want)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || len(f.Fields) != 1 || f.Fields[0].Field != "code" {
			t.Errorf("%s: %+v", code, f)
		}
	}
	if _, err := s.Checkout.ApplyCode(t.Context(), s.Visitor(), token, " "); !fault.IsKind(err, fault.Validation) {
		t.Errorf("no code: %v", err)
	}
	if c := s.cart(t, token); c.Code.Code != "TODAY" || c.Totals.TotalAmount != 1760 {
		t.Errorf("a refused code changed the cart: %+v", c.Code)
	}
	// Both cost enough together, and a code for one of them lowers that one only.
	if _, err := s.Checkout.AddItem(t.Context(), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: other.ID}); err != nil {
		t.Fatal(err)
	}
	if c := s.apply(t, s.Visitor(), token, "LEAST"); c.Totals.DiscountAmount != 620 {
		t.Errorf("%+v", c.Totals)
	}
	if c := s.apply(t, s.Visitor(), token, "OTHER"); c.Totals.DiscountAmount != 180 || c.Lines[0].DiscountAmount != 0 {
		t.Errorf("%+v", c.Totals)
	}
	c, err := s.Checkout.RemoveCode(t.Context(), s.Visitor(), token)
	if err != nil || c.Code != nil || c.Totals.DiscountAmount != 0 {
		t.Errorf("%+v (%v)", c.Code, err)
	}
	s.discount(t, "", func(in *discount.CreateInput) { in.PPM, in.Combines = 500_000, false })
	_, err = s.Checkout.ApplyCode(t.Context(), s.Visitor(), token, "TODAY")
	refused(t, "less than what holds anyway", err, discount.ErrNothingMore)
}

// A74. A code that no longer applies at the payment changes the price, reported with the current price; one that was
// used up by another customer in the meantime too.
func TestA74_ACodeThatIsOver(t *testing.T) {
	s := open(t)
	d := s.discount(t, "LAST", once)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	o := s.class(t, 2200, 5)
	first, second := s.Fill(t, o), s.Fill(t, o)
	s.apply(t, ada, first, "LAST")
	s.apply(t, bob, second, "LAST")
	s.hold(t, ada, first)
	s.hold(t, bob, second)
	s.pay(t, ada, first, 1760)
	_, err := s.Checkout.Pay(t.Context(), bob, second, checkout.PayInput{QuotedAmount: 1760})
	refused(t, "the last was Ada's", err, checkout.ErrPriceChanged)
	if detail(err, "quotedAmount") != int64(1760) || detail(err, "amount") != int64(2200) {
		t.Errorf("%v of %v", detail(err, "quotedAmount"), detail(err, "amount"))
	}
	if c := s.cart(t, second); c.Code.Problem == nil || !errors.Is(c.Code.Problem, discount.ErrUsedUp) {
		t.Errorf("%+v", c.Code)
	}
	if p := s.pay(t, bob, second, 2200); p.Amount != 2200 || s.uses(t, d) != 1 {
		t.Errorf("%+v", p)
	}
	s.check(t)
}

// The last use is free again when its order is released, and when its hold expires; the next customer has it then. A
// payment that arrives after that is refunded, as it is without a seat.
func TestDiscountUseIsReleased(t *testing.T) {
	s := open(t)
	d := s.discount(t, "LAST", once)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	o := s.class(t, 2200, 5)
	first, second := s.Fill(t, o), s.Fill(t, o)
	s.apply(t, ada, first, "LAST")
	s.apply(t, bob, second, "LAST")
	s.hold(t, ada, first)
	s.pay(t, ada, first, 1760)
	if err := s.Checkout.Release(t.Context(), ada, first); err != nil {
		t.Fatal(err)
	}
	if got := s.uses(t, d); got != 0 {
		t.Errorf("%d uses of what was released", got)
	}
	s.hold(t, ada, first)
	late := s.pay(t, ada, first, 1760)
	s.w.Clock.Advance(11 * time.Minute)
	if got := s.uses(t, d); got != 0 {
		t.Errorf("%d uses of what is over", got)
	}
	s.hold(t, bob, second)
	p := s.pay(t, bob, second, 1760)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, bob, second)
	s.PayCard(t, late.ClientSecret, apptest.CardGood)
	s.jobs(t)
	if state, outcome := s.order(t); state != "void,refunded,fulfilled" || outcome != "canceled,refunded,fulfilled" && outcome != ",refunded,fulfilled" {
		t.Errorf("orders %s, payments %s", state, outcome)
	}
	if got := s.uses(t, d); got != 1 {
		t.Errorf("%d uses", got)
	}
	s.check(t)
}

// A code once for each customer, and one for the first booking.
func TestUsesOfOneCustomer(t *testing.T) {
	s := open(t)
	s.discount(t, "EACH", everything, func(in *discount.CreateInput) { in.CustomerUsesMax = 1 })
	s.discount(t, "FIRST", everything, func(in *discount.CreateInput) { in.FirstTime = true })
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	book := func(who tenancy.Scope, code string) int64 {
		token := s.Fill(t, s.class(t, 2200, 5))
		s.apply(t, s.Visitor(), token, code)
		s.hold(t, who, token)
		if c := s.cart(t, token); c.Totals.TotalAmount > 0 {
			return c.Totals.TotalAmount
		}
		return s.confirm(t, who, token).Totals.TotalAmount
	}
	for i, c := range []struct {
		who  tenancy.Scope
		code string
		want int64
	}{{ada, "EACH", 0}, {ada, "EACH", 2200}, {bob, "EACH", 0}, {ada, "FIRST", 2200}, {s.Customer(t, "Cy"), "FIRST", 0}} {
		if got := book(c.who, c.code); got != c.want {
			t.Errorf("%d: %s pays %d, want %d", i, c.code, got, c.want)
		}
	}
	s.check(t)
}

// Two hundred people confirm or pay with a code that has one use left, at once: one of them has it, and all others
// get the changed price, or an amount to pay. Built with the tag nolock more have to get it, or the race proves
// nothing.
func TestLastSeatOfACode(t *testing.T) {
	const racers = 200
	s := open(t)
	over := 0
	for round := 0; round == 0 || !apptest.Guarded && over == 0 && round < 10; round++ {
		for i, change := range []func(*discount.CreateInput){everything, func(*discount.CreateInput) {}} {
			code := fmt.Sprintf("LAST-%d-%d", round, i)
			d := s.discount(t, code, change, once)
			people, tokens := s.fill(t, racers, s.class(t, 2200, racers))
			var got atomic.Int64
			var start, done sync.WaitGroup
			for n := range racers {
				s.apply(t, people[n], tokens[n], code)
				s.hold(t, people[n], tokens[n])
			}
			start.Add(1)
			for n := range racers {
				done.Go(func() {
					start.Wait()
					err := s.useUp(t.Context(), people[n], tokens[n], i == 0)
					switch {
					case err == nil:
						got.Add(1)
					case !errors.Is(err, checkout.ErrPaymentRequired) && !errors.Is(err, checkout.ErrPriceChanged):
						t.Errorf("a racer got %v", err)
					}
				})
			}
			start.Done()
			done.Wait()
			if apptest.Guarded && (got.Load() != 1 || s.uses(t, d) != 1) {
				t.Errorf("%s: %d of 1 had it, %d uses", code, got.Load(), s.uses(t, d))
			}
			over += int(got.Load()) - 1
		}
	}
	if apptest.Guarded {
		s.w.CheckBooks(t)
	} else if over <= 0 {
		t.Error("without the lock no use was given twice: this race proves nothing")
	}
}

func (s shop) useUp(ctx context.Context, who tenancy.Scope, token string, free bool) error {
	if free {
		_, err := s.Checkout.Confirm(ctx, who, token)
		return err
	}
	_, err := s.Checkout.Pay(ctx, who, token, checkout.PayInput{QuotedAmount: 1760})
	return err
}

// A payment with a code that is killed at every one of its calls to the database, before or after it, and tried
// again: one order, one use.
func TestAUseIsCountedOnceWhateverIsKilled(t *testing.T) {
	s := open(t)
	crashing, k := s.doomed(t)
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			code := fmt.Sprintf("KILL-%t-%d", after, n)
			d := s.discount(t, code, once)
			ada := s.Customer(t, "Ada")
			token := s.Fill(t, s.class(t, 2200, 5))
			s.apply(t, ada, token, code)
			s.hold(t, ada, token)
			key := pg.Claim{Key: sha256.Sum256([]byte(code)), Request: [32]byte{1}, Several: "pay"}
			ctx := pg.WithClaim(k.arm(t.Context(), n, after), key)
			_, _ = crashing.Checkout.Pay(ctx, ada, token, checkout.PayInput{QuotedAmount: 1760})
			spared := k.spared()
			p, err := s.Checkout.Pay(pg.WithClaim(t.Context(), key), ada, token, checkout.PayInput{QuotedAmount: 1760})
			if err != nil || p.Amount != 1760 || s.uses(t, d) != 1 {
				t.Errorf("killed at call %d (after: %t): %d uses, %+v (%v)", n, after, s.uses(t, d), p, err)
			}
			if spared {
				break
			}
		}
	}
	s.check(t)
}

// A code at payment gives up the payment with the earlier total. If it succeeded without a report to us, it is
// refunded; the seat stays, and is paid once, at the new total.
func TestACodeWhileMoneyComes(t *testing.T) {
	s := open(t)
	d := s.discount(t, "spring20", once)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 1))
	s.hold(t, ada, token)
	first := s.pay(t, ada, token, 2200)
	s.PayCard(t, first.ClientSecret, apptest.CardGood)       // and its event has not arrived
	for _, code := range []string{"spring20", "SPRING20 "} { // pressed twice
		c, err := s.Checkout.ApplyCodeAtPayment(t.Context(), ada, token, code)
		if err != nil || c.Hold == nil || c.Totals.TotalAmount != 1760 {
			t.Fatalf("%+v (%v)", c, err)
		}
	}
	s.jobs(t)
	if got := apptest.Values[string](t, s.w, `select concat(p.status, ' ', p.amount, ', refunded ', r.amount, ' ', r.state)
		from payments p left join refunds r on r.payment_id = p.id`); len(got) != 1 || got[0] != "succeeded 2200, refunded 2200 succeeded" {
		t.Errorf("the first payment: %q", got)
	}
	p := s.pay(t, ada, token, 1760)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if n := s.uses(t, d); n != 1 {
		t.Errorf("the code is used %d times", n)
	}
	if _, err := s.Checkout.RemoveCodeAtPayment(t.Context(), ada, token); !errors.Is(err, checkout.ErrOrdered) {
		t.Errorf("after it is paid: %v", err)
	}
	other := s.Fill(t, s.class(t, 2200, 1))
	_, err := s.Checkout.ApplyCodeAtPayment(t.Context(), ada, other, "spring20")
	refused(t, "a cart that nobody has held", err, checkout.ErrNotHeld)
	s.check(t)
}
