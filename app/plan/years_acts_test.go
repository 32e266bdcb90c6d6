package plan_test

import (
	"cmp"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/billing"
	"foyer/billing/tender"
)

// Cards of the simulator besides those of apptest.
const (
	cardTrusted = "4000002500003155" // the bank checks once
	cardShort   = "4000000000009995" // insufficient funds
	cardLost    = "4000000000009987"
)

// deed is something that a member does; run reports whether it was done.
type deed struct {
	name   string
	weight int
	run    func(*years, *testing.T, *member) bool
}

var deeds = []deed{
	{"joined a membership", 3, (*years).joins}, {"bought a pack or a pass", 2, (*years).buys},
	{"bought a membership at the desk", 1, (*years).buysAtDesk}, {"agreed to renewals later", 1, (*years).agrees},
	{"booked a class", 12, (*years).books}, {"booked a class of the next period", 4, (*years).booksAhead},
	{"canceled a booking in time", 3, (*years).cancelsEarly}, {"canceled a booking late", 3, (*years).cancelsLate},
	{"froze for some days", 2, unlessLoyal((*years).freezes)},
	{"froze without an end", 1, unlessLoyal((*years).freezesOpen)},
	{"ended a freeze early", 3, (*years).unfreezes}, {"canceled a freeze", 1, unlessLoyal((*years).cancelsFreeze)},
	{"changed up by the saved card", 2, unlessLoyal((*years).changesUp)},
	{"changed up, to be paid", 2, unlessLoyal((*years).changesUnpaid)},
	{"paid a change by the link", 2, (*years).paysChange}, {"paid a change at the desk", 2, (*years).paysChangeAtDesk},
	{"changed down", 2, unlessLoyal((*years).changesDown)}, {"withdrew a change", 1, (*years).withdraws},
	{"paid a period by the link", 5, (*years).pays}, {"paid a period at the desk", 4, (*years).paysAtDesk},
	{"paid at the desk and by card", 1, (*years).paysTwice},
	{"card declined for a while", 2, unlessLoyal((*years).runsShort)}, {"card lost", 1, unlessLoyal((*years).losesCard)},
	{"card works again", 4, (*years).recovers}, {"replaced the card", 3, unlessLoyal((*years).replacesCard)},
	{"disputed a payment", 1, unlessLoyal((*years).disputes)},
	{"won a dispute", 2, (*years).wins}, {"lost a dispute", 2, (*years).loses},
	{"refunded in part", 1, (*years).refundsPart}, {"refunded in whole", 1, unlessLoyal((*years).refundsAll)},
	{"canceled a membership", 1, unlessLoyal((*years).cancels)},
	{"canceled an unpaid membership", 1, unlessLoyal((*years).cancelsUnpaid)},
}

// unlessLoyal returns a deed that is not one of loyal members.
func unlessLoyal(run func(*years, *testing.T, *member) bool) func(*years, *testing.T, *member) bool {
	return func(y *years, t *testing.T, m *member) bool { return !m.loyal && run(y, t, m) }
}

// renewing returns the active membership of a member that renews.
func (y *years) renewing(t *testing.T, m *member) (plan.Membership, bool) {
	t.Helper()
	list := y.mine(t, m.who)
	i := slices.IndexFunc(list, func(p plan.Membership) bool { return p.Kind == plan.Renewing && p.State == plan.Active })
	if i < 0 {
		return plan.Membership{}, false
	}
	return list[i], true
}

// coming is renewing of one with a period to be paid.
func (y *years) coming(t *testing.T, m *member) (plan.Membership, bool) {
	t.Helper()
	p, found := y.renewing(t, m)
	return p, found && p.Next != nil
}

func (y *years) one(names ...string) plan.Plan { return y.of[names[y.r.IntN(len(names))]] }

func (y *years) joins(t *testing.T, m *member) bool {
	if _, has := y.renewing(t, m); has {
		return false
	}
	p := y.one("Basic", "Plus", "Premium", "Yearly", "First", "Intro", "Trial", "Course", "Weekly")
	return y.joinsBy(t, m, p)
}

// joinsBy has a member join a membership, with a card that is saved.
func (y *years) joinsBy(t *testing.T, m *member, p plan.Plan) bool {
	t.Helper()
	if m.card = apptest.CardGood; !m.loyal {
		m.card = []string{
			apptest.CardGood, "5555555555554444", "378282246310005", cardTrusted, cardDeclinesSaved, apptest.CardChecked,
		}[y.r.IntN(6)]
	}
	return y.checksOut(t, m, order.CartItem{Kind: order.Plan, Subject: p.ID, Quantity: 1, Consent: agreed}, nil)
}

// checksOut buys an item, by the member's card if it costs something; how is how the card is saved.
func (y *years) checksOut(t *testing.T, m *member, item order.CartItem, how *checkout.How) bool {
	t.Helper()
	token := y.Fill(t)
	if _, err := y.Checkout.AddNonSeat(t.Context(), y.Visitor(), token, item); !y.done(t, err) {
		return false
	}
	y.hold(t, m.who, token)
	cart, err := y.Checkout.Cart(t.Context(), m.who, token)
	if due := must(t, cart, err).Totals.DueNow(); due > 0 {
		p, err := y.Checkout.Pay(t.Context(), m.who, token, checkout.PayInput{QuotedAmount: due, How: how})
		y.types(t, must(t, p, err).ClientSecret, m.card)
	}
	_, err = y.Checkout.Confirm(t.Context(), m.who, token)
	must(t, 0, err)
	y.jobs(t)
	return true
}

// types puts a card on a payment; its holder answers the bank's question.
func (y *years) types(t *testing.T, secret, card string) {
	t.Helper()
	y.PayCard(t, secret, card)
	if card == cardTrusted || card == apptest.CardChecked {
		y.PassCheck(t, secret)
	}
}

func (y *years) buys(t *testing.T, m *member) bool {
	p := y.one("5-class pack", "30-day pass", "From the first class")
	m.card = apptest.CardGood
	return y.checksOut(t, m, order.CartItem{Kind: order.Plan, Subject: p.ID, Quantity: 1}, nil)
}

// replacesCard saves another card with a purchase.
func (y *years) replacesCard(t *testing.T, m *member) bool {
	card := []string{"4000056655665556", "5200828282828210", "6011111111111117", apptest.CardGood}[y.r.IntN(4)]
	if card == m.card {
		return false
	}
	m.card = card
	how := &checkout.How{Consent: &billing.Consent{Text: "Save my card.", Version: billing.ConsentVersion}}
	return y.checksOut(t, m, order.CartItem{Kind: order.Plan, Subject: y.of["1-class pack"].ID, Quantity: 1}, how)
}

// record returns the customer record of a member.
func (y *years) record(t *testing.T, m *member) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, y.w, "select id from customers where person_id = $1", m.who.Person())
}

func (y *years) buysAtDesk(t *testing.T, m *member) bool {
	if _, has := y.renewing(t, m); has {
		return false
	}
	_, err := y.Owed.RecordPayment(t.Context(), y.Owner, owed.PaymentInput{
		Plans: []uuid.UUID{y.one("Basic", "Plus", "Weekly", "First").ID}, LocationID: y.Location.ID,
		CustomerID: y.record(t, m), Tenders: owed.Pays(tender.Cash),
	})
	return y.done(t, err)
}

func (y *years) agrees(t *testing.T, m *member) bool {
	p, found := y.renewing(t, m)
	if !found || p.ConsentedAt != nil {
		return false
	}
	_, err := y.Plans.Agree(t.Context(), m.who.Principal, p.ID, agreed)
	return y.done(t, err)
}

// date returns the class of a day, at six in the evening.
func (y *years) date(t *testing.T, day civil.Date) apptest.OccurrenceRow {
	t.Helper()
	if _, made := y.dates[day]; !made {
		y.dates[day] = y.AddOccurrence(t, y.class, civil.Instant(day, civil.NewClock(18, 0), y.zone))
	}
	return y.dates[day]
}

func (y *years) books(t *testing.T, m *member) bool {
	return y.booksOn(t, m, y.today().AddDays([]int{0, 0, 1, 2, 3, 5, 7, 9}[y.r.IntN(8)]))
}

func (y *years) booksAhead(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	return found && y.booksOn(t, m, p.Next.StartsOn.AddDays(y.r.IntN(5)))
}

// booksOn books a class with what the member has.
func (y *years) booksOn(t *testing.T, m *member, day civil.Date) bool {
	t.Helper()
	if day.Before(y.today()) {
		return false
	}
	token := y.Fill(t, y.date(t, day))
	if _, err := y.Checkout.Hold(t.Context(), m.who, token, checkout.HoldInput{}); !y.done(t, err) {
		return false
	}
	cart, err := y.Checkout.Cart(t.Context(), m.who, token)
	if must(t, cart, err).Totals.TotalAmount > 0 {
		must(t, 0, y.Checkout.Release(t.Context(), m.who, token))
		return false
	}
	_, err = y.Checkout.Confirm(t.Context(), m.who, token)
	return y.done(t, err)
}

// standing returns the bookings of a member that begin in a time from now.
func (y *years) standing(t *testing.T, m *member, from, until time.Duration) []uuid.UUID {
	t.Helper()
	now := y.w.Clock.Now()
	return apptest.Values[uuid.UUID](t, y.w, `select b.id from bookings b join customers c on c.id = b.customer_id
		where c.person_id = $1 and b.state = 'confirmed' and b.starts_at > $2 and b.starts_at <= $3
		order by b.starts_at`, m.who.Person(), now.Add(from), now.Add(until))
}

func (y *years) cancelsBooking(t *testing.T, m *member, from, until time.Duration) bool {
	t.Helper()
	ids := y.standing(t, m, from, until)
	if len(ids) == 0 {
		return false
	}
	_, err := y.Booking.Cancel(t.Context(), y.Owner,
		booking.CancelInput{BookingID: ids[y.r.IntN(len(ids))], By: booking.ByCustomer})
	return y.done(t, err)
}

func (y *years) cancelsEarly(t *testing.T, m *member) bool {
	return y.cancelsBooking(t, m, 48*time.Hour, 9000*time.Hour)
}

func (y *years) cancelsLate(t *testing.T, m *member) bool {
	return y.cancelsBooking(t, m, 0, 7*time.Hour)
}

// freezable returns a plan of a member that can be frozen.
func (y *years) freezable(t *testing.T, m *member) (plan.Membership, bool) {
	t.Helper()
	list := slices.DeleteFunc(y.mine(t, m.who), func(p plan.Membership) bool {
		return p.State != plan.Active || p.Freeze(y.today()) != nil && y.r.IntN(3) > 0
	})
	if len(list) == 0 {
		return plan.Membership{}, false
	}
	return list[y.r.IntN(len(list))], true
}

func (y *years) freezes(t *testing.T, m *member) bool {
	p, found := y.freezable(t, m)
	if !found {
		return false
	}
	from := y.today().AddDays(y.r.IntN(12))
	until := from.AddDays(7 + y.r.IntN(20))
	if p.Next != nil && (p.FreezeRules.WholePeriods || y.r.IntN(4) == 0) {
		from, until = p.Next.StartsOn, p.Next.EndsOn
	}
	return y.freeze(t, m, p, from, &until)
}

func (y *years) freezesOpen(t *testing.T, m *member) bool {
	p, found := y.freezable(t, m)
	return found && y.freeze(t, m, p, y.today().AddDays(y.r.IntN(9)), nil)
}

// freeze freezes a plan, by its customer or the studio.
func (y *years) freeze(t *testing.T, m *member, p plan.Membership, from civil.Date, until *civil.Date) bool {
	t.Helper()
	in := plan.FreezeInput{CustomerID: p.CustomerID, MembershipID: p.ID, StartsOn: from, EndsOn: until}
	var err error
	if p.FreezeRules.Allowed && y.r.IntN(3) > 0 {
		_, err = y.Plans.FreezeMine(t.Context(), m.who.Principal, in)
	} else {
		_, err = y.Plans.Freeze(t.Context(), y.Owner, in)
	}
	return y.done(t, err)
}

func (y *years) unfreezes(t *testing.T, m *member) bool { return y.unfreeze(t, m, true) }

// cancelsFreeze cancels a freeze that has not begun, if need be one that is set just before.
func (y *years) cancelsFreeze(t *testing.T, m *member) bool {
	if y.unfreeze(t, m, false) {
		return true
	}
	p, found := y.freezable(t, m)
	until := y.today().AddDays(20)
	if !found || !y.freeze(t, m, p, y.today().AddDays(3+y.r.IntN(9)), &until) {
		return false
	}
	y.jobs(t)
	return y.unfreeze(t, m, false)
}

func (y *years) unfreeze(t *testing.T, m *member, began bool) bool {
	t.Helper()
	for _, p := range y.mine(t, m.who) {
		if f := p.Freeze(y.today()); f != nil && p.State == plan.Active && f.StartsOn.Before(y.today()) == began {
			_, err := y.Plans.Unfreeze(t.Context(), y.Owner, plan.UnfreezeInput{CustomerID: p.CustomerID, MembershipID: p.ID})
			return y.done(t, err)
		}
	}
	return false
}

// changes changes a membership to another plan; up says whether to one with a higher price now.
func (y *years) changes(t *testing.T, m *member, up, consents bool) bool {
	t.Helper()
	p, found := y.coming(t, m)
	if !found || p.Change != nil {
		return false
	}
	list, err := y.Plans.Changes(t.Context(), p, y.w.Clock.Now())
	list = slices.DeleteFunc(must(t, list, err), func(to plan.Plan) bool {
		return up != (to.PriceAmount > p.PriceAmount && string(to.Unit) == p.Unit)
	})
	if len(list) == 0 {
		return false
	}
	slices.SortStableFunc(list, func(a, b plan.Plan) int { return cmp.Compare(a.PriceAmount, b.PriceAmount) })
	if n := len(list) - 1; y.r.IntN(3) == 0 { // the longest period
		list = list[n:]
	}
	in := plan.ChangeInput{CustomerID: p.CustomerID, MembershipID: p.ID, PlanID: list[y.r.IntN(len(list))].ID}
	if consents {
		in.Consent = agreed
		_, err = y.Owed.ChangeMyPlan(t.Context(), m.who.Principal, in)
	} else {
		_, err = y.Owed.ChangePlan(t.Context(), y.Owner, in)
	}
	if !y.done(t, err) {
		return false
	}
	y.bills(t)
	y.jobs(t)
	return true
}

func (y *years) changesUp(t *testing.T, m *member) bool {
	if !y.changes(t, m, true, true) {
		return false
	}
	p, found := y.renewing(t, m)
	return found && p.Change == nil // else it is to be paid
}

// changesUnpaid changes to a plan with a higher price while the card is declined, or without consent to the price.
func (y *years) changesUnpaid(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	if !found || p.ConsentedAt != nil && !y.changesCard(t, m, cardShort) {
		return false
	}
	return y.changes(t, m, true, p.ConsentedAt != nil)
}

func (y *years) changesDown(t *testing.T, m *member) bool {
	return y.changes(t, m, false, y.r.IntN(2) == 0)
}

func (y *years) withdraws(t *testing.T, m *member) bool {
	p, found := y.renewing(t, m)
	if !found || p.Change == nil {
		return false
	}
	_, err := y.Owed.WithdrawMyChange(t.Context(), m.who.Principal, p.ID)
	return y.done(t, err)
}

func (y *years) cancels(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	return found && !p.Next.Due && y.cancel(t, m, p)
}

func (y *years) cancelsUnpaid(t *testing.T, m *member) bool {
	p, found := y.coming(t, m)
	return found && p.Next.Due && y.cancel(t, m, p)
}

// cancel cancels a membership, and before that a booking after its end.
func (y *years) cancel(t *testing.T, m *member, p plan.Membership) bool {
	t.Helper()
	_, err := y.Owed.CancelMyPlan(t.Context(), m.who.Principal, owed.CancelInput{MembershipID: p.ID})
	if errors.Is(err, plan.ErrBooked) {
		y.cancelsEarly(t, m)
	}
	return y.done(t, err)
}
