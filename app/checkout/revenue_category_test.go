package checkout_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// categories are two revenue categories, and the change of an offering to them.
type categories struct {
	shop
	workshops, coaching business.RevenueCategory
}

func categorized(t testing.TB, s shop) categories {
	t.Helper()
	return categories{s, s.AddRevenueCategory(t, "Workshops"), s.AddRevenueCategory(t, "Coaching")}
}

// workshop is a class of the first category.
func (s categories) workshop(t testing.TB, price int64, changes ...func(*apptest.OfferingRow)) apptest.OccurrenceRow {
	t.Helper()
	set := func(o *apptest.OfferingRow) { o.RevenueCategory = &s.workshops.ID }
	return s.class(t, price, 9, append(changes, set)...)
}

// change has all offerings with a category change to the second one, and archives the first one.
func (s categories) change(t testing.TB) {
	t.Helper()
	s.w.SQL(t, "update offerings set revenue_category_id = $1 where revenue_category_id is not null", s.coaching.ID)
	s.w.SQL(t, "update revenue_categories set archived_at = $2 where id = $1", s.workshops.ID, s.w.Clock.Now())
}

// income fails the test unless the accounts of the two categories and of classes have these credits.
func (s categories) income(t testing.TB, when string, workshops, coaching, classes int64) {
	t.Helper()
	for a, want := range map[ledger.Account]int64{
		ledger.IncomeOf(s.workshops.ID): -workshops, ledger.IncomeOf(s.coaching.ID): -coaching, ledger.IncomeClass: -classes,
	} {
		if got := s.holds(t, a); got != want {
			t.Errorf("%s: %s is %d, want %d", when, a, got, want)
		}
	}
}

// The income of an item is in the account of its revenue category, and without one in that of its kind. The category
// is frozen at the sale: later changes of the offering do not change it, nor where a refund comes from.
func TestIncomeOfACategory(t *testing.T) {
	s := categorized(t, open(t))
	rate := s.AddTaxRate(t, "Sales tax", 100_000).ID
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.workshop(t, 2000, func(o *apptest.OfferingRow) { o.TaxRate = &rate }), s.class(t, 900, 5))
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, 3100)
	s.change(t)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	c := s.confirm(t, ada, token)
	s.jobs(t)
	s.income(t, "sold", 2000, 0, 900)
	if tax := s.holds(t, ledger.Tax(rate)); tax != -200 {
		t.Errorf("%d of tax", tax)
	}
	for _, l := range c.Lines {
		if l.ListedAmount == 2000 {
			_, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: l.BookingID, By: booking.ByStudio})
			must(t, 0, err)
		}
	}
	s.jobs(t)
	s.income(t, "refunded", 0, 0, 900)
	s.check(t)
}

// A deposit, the part of the balance that is paid at the desk, and the remaining balance that a card pays later are
// income of the category of the sale.
func TestIncomeOfACategoryInParts(t *testing.T) {
	s := categorized(t, open(t))
	s.deposits(t, 30)
	ada := s.Customer(t, "Ada")
	b := s.withDeposit(t, ada, s.workshop(t, 2000)).Lines[0].BookingID
	s.jobs(t)
	s.income(t, "the deposit", 600, 0, 0)
	s.change(t)
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{b}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 400}},
	})
	must(t, sale, err)
	s.income(t, "a part at the desk", 1000, 0, 0)
	p, err := s.Owed.Pay(t.Context(), s.Visitor(), s.payBalance(t, ada, b))
	if must(t, p, err); p.Amount != 1000 {
		t.Fatalf("a balance of %d", p.Amount)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.jobs(t)
	s.income(t, "the balance", 2000, 0, 0)
	must(t, 0, pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
		r, err := s.Billing.RefundableTx(t.Context(), tx, sale.Payments[0].ID)
		if err != nil {
			return err
		}
		return s.Billing.VoidTx(t.Context(), tx, r, s.Owner.Actor, "wrong booking")
	}))
	s.income(t, "the part at the desk was a mistake", 1600, 0, 0)
	if again := s.takes(t, b); again.Amount != 400 {
		t.Errorf("paid again: %+v", again)
	}
	s.income(t, "all of it", 2000, 0, 0)
	if m := s.moneyOf(t, b); m.Due != 0 {
		t.Errorf("due: %+v", m)
	}
	_, err = s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: b, By: booking.ByStudio})
	must(t, 0, err)
	s.jobs(t)
	s.income(t, "the cards refunded", 400, 0, 0)
	s.check(t)
}

// So is a sale that account credit pays.
func TestIncomeOfACategoryByCredit(t *testing.T) {
	s := categorized(t, open(t))
	ada, _ := s.credited(t, "Ada", 5000)
	token, cart := s.useCredit(t, ada, s.workshop(t, 2000))
	if cart.Totals.CreditAmount() != 2000 {
		t.Fatalf("%+v", cart.Totals)
	}
	s.confirm(t, ada, token)
	s.change(t)
	s.income(t, "sold", 2000, 0, 0)
	s.check(t)
}

// What the desk sells has the offering's category of that moment.
func TestIncomeOfACategoryAtTheDesk(t *testing.T) {
	s := categorized(t, desk(t))
	ada := s.Customer(t, "Ada")
	one, two := s.byDesk(t, ada, s.workshop(t, 2000)), s.byDesk(t, ada, s.workshop(t, 2000))
	s.takes(t, one.ID)
	s.change(t)
	s.takes(t, two.ID)
	s.income(t, "one before the change and one after it", 2000, 2000, 0)
	s.check(t)
}

// A fee has the category of its booking's sale, or of its course's; that of a booking which was not sold yet, the
// offering's when it is paid.
func TestFeeOfACategory(t *testing.T) {
	for name, c := range map[string]struct {
		book                func(*testing.T, categories) uuid.UUID
		workshops, coaching int64
	}{
		"a sale": {func(t *testing.T, s categories) uuid.UUID {
			ada := s.Customer(t, "Ada")
			token := s.Fill(t, s.workshop(t, 2000))
			s.hold(t, ada, token)
			return s.atStudio(t, ada, token, 2000).Lines[0].BookingID
		}, 500, 0},
		"a date of a course": {func(t *testing.T, s categories) uuid.UUID {
			ada := s.Customer(t, "Ada")
			course, _ := s.course(t, 2, 2000, 3)
			s.w.SQL(t, "update offerings set revenue_category_id = $2 where id = $1", course.ID, s.workshops.ID)
			token := s.enrol(t, course)
			s.hold(t, ada, token)
			s.atStudio(t, ada, token, 2000)
			return apptest.Value[uuid.UUID](t, s.w, "select id from bookings order by starts_at desc limit 1")
		}, 500, 0},
		"a booking that is not sold": {func(t *testing.T, s categories) uuid.UUID {
			return s.byDesk(t, s.Customer(t, "Ada"), s.workshop(t, 2000)).ID
		}, 0, 500},
	} {
		t.Run(name, func(t *testing.T) {
			s := categorized(t, desk(t))
			id := c.book(t, s)
			s.change(t)
			fee := s.feeOf(t, id)
			sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
				FeeIDs: []uuid.UUID{fee}, Tenders: owed.Pays(tender.Cash),
			})
			if must(t, sale, err); sale.Amount != 500 {
				t.Fatalf("%+v", sale)
			}
			s.income(t, "the fee", c.workshops, c.coaching, 0)
			s.check(t)
		})
	}
}

// feeOf writes a fee of 5.00 that is due for a booking.
func (s shop) feeOf(t testing.TB, id uuid.UUID) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, s.w, `insert into fees (id, business_id, location_id, booking_id, customer_id,
			kind, state, amount, currency, review_until, created_at, updated_at)
		select gen_random_uuid(), business_id, location_id, id, customer_id, 'no_show', 'due', 500, currency, $2, $2, $2
		from bookings where id = $1 returning id`, id, s.w.Clock.Now())
}

// A saved card pays a fee of the category, too.
func TestFeeOfACategoryByCard(t *testing.T) {
	s := categorized(t, charging(t))
	ada := s.Customer(t, "Ada")
	s.buys(t, ada, cardAsksOnce)
	token := s.Fill(t, s.workshop(t, 2000))
	s.hold(t, ada, token)
	b := s.bookingOf(t, ada, s.atStudio(t, ada, token, 2000).Lines[0].BookingID)
	s.change(t)
	classes := -s.holds(t, ledger.IncomeClass)
	s.w.Clock.Set(b.StartsAt.Add(-time.Hour))
	_, err := s.Booking.CancelMine(t.Context(), mine(ada), b.ID)
	must(t, 0, err)
	s.jobs(t)
	s.w.Clock.Advance(6 * time.Hour)
	s.collectDue(t)
	s.income(t, "the fee", 500, 0, classes)
	s.check(t)
}
