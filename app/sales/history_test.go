package sales_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/catalog"
	"foyer/app/integrity"
	"foyer/app/money"
	"foyer/app/product"
	"foyer/billing"
	"foyer/billing/ledger"
)

const (
	// studios whose histories are told in one database, turn by turn: Postgres has learnt its statements after a few
	// of them
	together = 50
	turns    = 14 // that each of them has, more or less
)

// A hundred histories, or twenty thousand in a long walk, and as many with three of ten events lost, come twice or
// late: in each a studio sells classes, goods and gift cards by card, cash, credit and gift card, charges deposits and
// their balances, refunds lines and amounts to the original method or as credit, has goods returned, charges fees to
// saved cards, has disputes and inquiries, payouts and charges without the product, in any order. In the end every
// entry of its books adds up to zero, the books equal the processor's balance and the balances of gift cards, the
// reconciliation finds no difference, and integrity finds none.
func TestManyHistories(t *testing.T) {
	seed := walks.Seed(t)
	did := &deeds{of: map[string]int{}}
	began := time.Now()
	t.Run("of", func(t *testing.T) {
		for i := range walks.Steps(100, 20_000) / together {
			for _, astray := range []int{0, 30} {
				t.Run(fmt.Sprintf("%d_%d", i, astray), func(t *testing.T) {
					t.Parallel()
					r := rand.New(rand.NewPCG(seed, uint64(1000*i+astray)))
					tell(t, r, astray, did)
				})
			}
		}
	})
	if t.Failed() {
		return
	}
	for _, d := range turnsOf {
		if did.of[d.name] == 0 {
			t.Errorf("%s was refused each time: the histories prove nothing about it", d.name)
		}
	}
	t.Logf("%d histories in %v: %v", did.histories, time.Since(began).Round(time.Second), did.of)
}

// deeds counts the successful acts of all histories.
type deeds struct {
	mu        sync.Mutex
	of        map[string]int
	histories int
}

// tell has some studios act in turns, and then time pass until the product has read all of it.
func tell(t *testing.T, r *rand.Rand, astray int, did *deeds) {
	w := apptest.Open(t)
	first := openIn(t, w)
	first.EventFate = func(*http.Request) apptest.Fate {
		if r.IntN(100) >= astray {
			return apptest.Arrives
		}
		return []apptest.Fate{apptest.Lost, apptest.Twice, apptest.Late}[r.IntN(3)]
	}
	all := make([]*history, together)
	for i := range all {
		s := first
		if i > 0 {
			s.Sales = first.Beside(t)
		}
		all[i] = newHistory(t, s, r)
	}
	for turn := range turns {
		for _, h := range all {
			if r.IntN(turns) == 0 {
				continue // they are not all of one length
			}
			for _, done := range h.turn(t) {
				did.mu.Lock()
				did.of[done]++
				did.mu.Unlock()
			}
		}
		if turn == turns/2 {
			pass(t, first, 50*time.Hour) // the sales are available
		} else {
			pass(t, first, time.Duration(r.IntN(300))*time.Second)
		}
	}
	first.EventFate = nil
	// unreported objects are read; every account is listed
	for _, d := range []time.Duration{time.Hour, 26 * time.Hour, time.Hour} {
		pass(t, first, d)
	}
	w.SQL(t, "analyze")
	for _, h := range all {
		h.check(t)
	}
	checkAll(t, w)
	did.mu.Lock()
	defer did.mu.Unlock()
	did.histories += len(all)
}

// pass lets time go by, with the processor's events and the worker's jobs in it.
func pass(t *testing.T, s till, d time.Duration) {
	t.Helper()
	s.w.Clock.Advance(d)
	s.jobs(t)
	ctx := t.Context()
	for _, sweep := range []func() error{
		func() error { return s.Booking.ExpireDue(ctx) }, func() error { return s.Booking.CompleteDue(ctx) },
		func() error { return s.Owed.ChargeAll(ctx) }, func() error { return s.Checkout.ReleaseEnded(ctx) },
		func() error { return s.Services.GiftSales.SendDue(ctx) },
		func() error { return s.Billing.Recheck(ctx) },
		func() error { return s.Billing.RefundsDue(ctx) },
	} {
		if err := sweep(); err != nil {
			t.Fatal(err)
		}
	}
	for range together / 10 { // some accounts are listed in a round, and there are many rounds in an hour
		if err := s.Balance.ListingsDue(ctx); err != nil {
			t.Fatal(err)
		}
	}
	s.jobs(t)
}

// check returns the errors of a history.
func (h *history) check(t *testing.T) {
	t.Helper()
	found, err := integrity.CheckBusiness(t.Context(), h.view(), assembly.Checks()...)
	for _, d := range must(t, found, err).Differences {
		t.Errorf("%s: %+v", h.Business.ID, d)
	}
	cur := h.Location.Currency
	held, err := h.Sim.Holds(h.Account, strings.ToLower(string(cur)))
	info, _ := money.Lookup(cur)
	want, err2 := info.FromStripe(must(t, held, err))
	if got := h.holds(t, ledger.Clearing); got != must(t, want, err2) {
		t.Errorf("%s: the books say that the processor holds %d, it holds %d", h.Business.ID, got, want)
	}
	h.checkCards(t)
	charged, refunded, fees, err := h.Sim.Totals(h.Account)
	got := fmt.Sprint(charged, refunded, fees)
	if want := apptest.Value[string](t, h.w, `select concat_ws(' ', coalesce(sum(amount), 0), (select coalesce(sum(amount), 0) from refunds
			where business_id = $1 and payment_id is not null and state = 'succeeded' and destination = 'original'),
		coalesce(sum(fee_amount), 0) - (select coalesce(sum(fee_amount + fee_later_amount), 0) from refunds where business_id = $1 and balance_transaction is not null)
			- (select coalesce(sum(fee_amount), 0) from disputes where business_id = $1 and fee_return like 'fr%'))
		from payments where business_id = $1 and status = 'succeeded'`, h.Business.ID); must(t, got, err) != want {
		t.Errorf("%s: taken, given back and the platform's: %s at the processor, %s in the rows", h.Business.ID, got, want)
	}
}

// checkAll returns the errors of all of them at once.
func checkAll(t *testing.T, w *apptest.World) {
	t.Helper()
	for what, sql := range map[string]string{
		"an entry that does not add up": "select entry_id::text from ledger_postings group by business_id, entry_id having sum(amount) <> 0 or count(*) < 2",
		"a difference to the processor": "select to_jsonb(t)::text from reconciliations t where difference <> 0 or recorded <> books",
		"an account that was not held up": `select external_id from processor_accounts a where exists (select from balance_transactions b where b.business_id = a.business_id)
			and not exists (select from reconciliations t where t.business_id = a.business_id)`,
		"a movement that is not booked":     "select concat_ws(' ', state, type, external_id, gross, source) from balance_transactions where booked_at is null and state <> 'held'",
		"a payment whose cost is not known": "select id::text from payments where status = 'succeeded' and balance_transaction is null",
		"a payment that hangs":              "select id::text || status from payments where status not in ('succeeded', 'canceled')",
		"a fee that was not returned": `select id::text from refunds where reason = 'external' and state = 'succeeded' and balance_transaction is not null
			and coalesce(fee_return, 'asked') = 'asked'`,
		"more platform fee than there was": `select p.id::text from payments p where p.fee_amount < (select coalesce(sum(fee_amount + fee_later_amount), 0) from refunds r
			where r.business_id = p.business_id and r.payment_id = p.id and r.state = 'succeeded')
			+ (select coalesce(sum(fee_amount), 0) from disputes d where d.business_id = p.business_id and d.payment_id = p.id)`,
	} {
		for _, row := range apptest.Values[string](t, w, sql) {
			t.Errorf("%s: %s", what, row)
		}
	}
}

// history is the history of one studio's payments.
type history struct {
	till
	r       *rand.Rand
	class   apptest.OfferingRow
	dates   map[time.Duration]apptest.OccurrenceRow // by how far they were ahead
	payouts []string
	variant product.Variant
	later   int // the number of bookings of customers with a saved card, each at its own time
}

func newHistory(t *testing.T, s till, r *rand.Rand) *history {
	t.Helper()
	h := &history{till: s, r: r, dates: map[time.Duration]apptest.OccurrenceRow{}}
	h.Money = h.on(h.w.DB, h.Sales)
	mode := []billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer}[r.IntN(3)]
	h.w.SQL(t, "update businesses set fee_mode = $1 where business_id = $2", mode, h.Business.ID)
	h.SetPolicy(t, h.AddPolicy(t, func(p *catalog.Rules) {
		p.Cancel.LateFeeAmount = 500
		p.Deposit.NonRefundable, p.Deposit.BalanceMinutes = r.IntN(2) == 0, []int{0, 0, 60, 3 * 24 * 60}[r.IntN(4)]
		switch r.IntN(4) {
		case 0:
			p.Deposit.Percent = r.IntN(99) + 1
		case 1:
			p.Deposit.Amount = r.Int64N(9000) + 1
		default:
			p.PayAtStudio = true
		}
	}))
	price := r.Int64N(9000) + 60
	var rate *uuid.UUID
	if r.IntN(2) == 0 {
		id := h.AddTaxRate(t, "Sales tax", r.IntN(200_000)+1).ID
		rate = &id
	}
	h.class = h.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.TaxRate, o.Capacity, o.Online = &price, rate, 200, 200 })
	h.stockUp(t, rate)
	return h
}

// date is one so far ahead, or nearly.
func (h *history) date(t *testing.T, ahead time.Duration) apptest.OccurrenceRow {
	t.Helper()
	d, ok := h.dates[ahead]
	if left := d.StartsAt.Sub(h.w.Clock.Now()); !ok || left < ahead*3/4 {
		d = h.AddOccurrence(t, h.class, h.w.Clock.Now().Add(ahead))
		h.dates[ahead] = d
	}
	return d
}

// turn does one act, or several if the first is refused, and returns their names.
func (h *history) turn(t *testing.T) (done []string) {
	t.Helper()
	var sum int
	for _, d := range turnsOf {
		sum += d.weight
	}
	for range 3 {
		n := h.r.IntN(sum)
		i := slices.IndexFunc(turnsOf, func(d deed) bool { n -= d.weight; return n < 0 })
		if turnsOf[i].run(h, t) {
			return []string{turnsOf[i].name}
		}
	}
	return nil
}
