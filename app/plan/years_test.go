package plan_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// years is the history of a studio and its members, day by day.
type years struct {
	studio
	r       *rand.Rand
	zone    *time.Location
	of      map[string]plan.Plan // by name
	members []*member
	class   apptest.OfferingRow
	loyal   int // members who joined on the last days of a month and stay
	dates   map[civil.Date]apptest.OccurrenceRow
	did     map[string]int // acts that were done
	refused map[string]int // the reasons of those that were not
	post    *post
	charges []offSession
	cycles  map[uuid.UUID]uuid.UUID // of orders: the billing period that each was made for
	// when the customer of a plan was last reminded of its end, as docs/plans.md has it
	reminded map[uuid.UUID]civil.Date
	ends     []fact
}

// member is a customer with plans.
type member struct {
	who   tenancy.Scope
	card  string // the number that the next payment is made with
	loyal bool   // has a membership for years and pays it
}

// A97. Two years of a studio with three hundred members, or fourteen months of one with twenty: they join, freeze,
// change and cancel memberships, their cards are declined and replaced, payments are disputed and refunded, over
// changes of the clock, and over the end of February with billing days that it lacks. At the end of each month, and in
// the end, the ledger adds up, what is deferred is what is not used, clearing is the processor's balance, no data check
// finds a difference, and each period was paid once, for the price of its plans. In the end each mail is explained by
// one fact, and each fact has its mail.
func TestTwoYearsOfMembers(t *testing.T) {
	t.Parallel()
	seed, began := walks.Seed(t), time.Now()
	y := openYears(t, rand.New(rand.NewPCG(seed, 97)))
	count, days := walks.Steps(20, 300), walks.Steps(425, 730)
	joins := append([]civil.Date{y.today(), y.today()}, y.joinDays(count-2, days*3/5)...)
	until := y.today().AddDays(days)
	for month := y.today().Month; y.today().Before(until); {
		y.tick(t)
		if m := y.today().Month; m != month {
			month = m
			y.monthEnds(t)
			if walks.Long() {
				t.Logf("%s: %d members, %d mails", y.today(), len(y.members), len(y.post.list))
			}
		}
		for len(joins) > 0 && !joins[0].After(y.today()) {
			joins = joins[1:]
			y.arrives(t)
		}
		y.lives(t)
		y.sleeps(1 + y.r.IntN(walks.Steps(3, 1)))
	}
	y.tick(t)
	y.monthEnds(t)
	y.checkMails(t)
	y.happened(t)
	for _, name := range slices.Sorted(maps.Keys(y.did)) {
		t.Logf("%5d  %s", y.did[name], name)
	}
	t.Logf("refused: %v", y.refused)
	t.Logf("%d members, %d days, %d mails, in %v", len(y.members), days, len(y.post.list),
		time.Since(began).Round(time.Second))
}

func openYears(t *testing.T, r *rand.Rand) *years {
	t.Helper()
	w := apptest.Open(t)
	sales := w.Sales(t)
	y := &years{
		r: r, of: map[string]plan.Plan{}, dates: map[civil.Date]apptest.OccurrenceRow{}, did: map[string]int{},
		refused: map[string]int{}, post: &post{clock: w.Clock}, cycles: map[uuid.UUID]uuid.UUID{},
		reminded: map[uuid.UUID]civil.Date{}, zone: civil.ZoneOrUTC(sales.Location.Zone),
	}
	sales.Sender = y.post
	s := sales.On(t, w.DB)
	y.studio = studio{s, s.Services.Plans, w}
	s.Instead = y.confirms
	y.jobs(t)
	price := int64(2200)
	y.class = y.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &price, 900, 900 })
	y.offer(t)
	return y
}

// offer publishes the plans.
func (y *years) offer(t *testing.T) {
	t.Helper()
	tax := y.AddTaxRate(t, "Sales tax", 88_750).ID
	short, open := rules.Freeze{MinDays: 7, MaxDays: 40}, rules.Freeze{MinDays: 5}
	named := func(name string, changes ...func(*plan.CreateInput)) func(*plan.CreateInput) {
		return func(in *plan.CreateInput) {
			in.Name = name
			for _, change := range changes {
				change(in)
			}
		}
	}
	by := func(count int, unit rules.Unit) func(*plan.CreateInput) {
		return func(in *plan.CreateInput) { in.Count, in.Unit = count, unit }
	}
	of := []plan.CreateInput{
		monthly(4, 3000, named("Basic", freezable(short), func(in *plan.CreateInput) { in.Benefits[0].RolloverMax = 2 })),
		monthly(8, 6000, named("Plus", freezable(short), func(in *plan.CreateInput) { in.TaxRateID = &tax })),
		monthly(0, 9000, named("Premium", freezable(open))),
		monthly(0, 60000, named("Yearly", freezable(short), by(1, rules.Year))),
		monthly(0, 5000, named("First", freezable(rules.Freeze{WholePeriods: true}), func(in *plan.CreateInput) {
			in.BillingDay = 1
		})),
		monthly(4, 4500, named("Intro", freezable(short), func(in *plan.CreateInput) {
			in.IntroAmount, in.IntroPeriods, in.MinPeriods, in.NoticeDays = 1500, 2, 3, 10
		})),
		monthly(0, 4000, named("Trial", func(in *plan.CreateInput) { in.IntroPeriods = 1 })),
		monthly(0, 3500, named("Course", func(in *plan.CreateInput) { in.MinPeriods, in.Ends = 4, true })),
		monthly(2, 1500, named("Weekly", freezable(open), by(1, rules.Week))),
		pack(5, 7000), pass(9000), pack(1, 1000),
	}
	later := pack(10, 13333)
	later.Name, later.FromFirstUse, later.Unit, later.Count = "From the first class", true, rules.Month, 6
	for _, in := range append(of, later) {
		p := y.published(t, in)
		y.of[p.Name] = p
	}
	ladder := []string{"Basic", "Plus", "Premium", "Yearly", "First", "Weekly"}
	for _, from := range ladder {
		var ids []uuid.UUID
		for _, to := range ladder {
			if to != from && to != "First" && to != "Weekly" {
				ids = append(ids, y.of[to].ID)
			}
		}
		p := y.of[from]
		p, err := y.Plans.Update(t.Context(), y.Owner, plan.UpdateInput{ID: p.ID, Version: p.Version, ChangeIDs: &ids})
		y.of[from] = must(t, p, err)
	}
}

// joinDays returns the days on which members arrive, within a number of days: half of them on the last days of months,
// which other months lack.
func (y *years) joinDays(count, within int) (out []civil.Date) {
	for len(out) < count {
		d := y.today().AddDays(y.r.IntN(within))
		if len(out)%2 == 0 || d.Day >= 29 {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, civil.Date.Compare)
	return out
}

func (y *years) today() civil.Date { return civil.LocalDate(y.w.Clock.Now(), y.zone) }

// at sets the clock to a time of the day; never back.
func (y *years) at(clock civil.Clock) {
	if d := civil.Instant(y.today(), clock, y.zone).Sub(y.w.Clock.Now()); d > 0 {
		y.w.Clock.Advance(d)
	}
}

// sleeps goes on to the morning after a number of days, when every charge and every try of the day is due.
func (y *years) sleeps(days int) {
	y.w.Clock.Advance(civil.Instant(y.today().AddDays(days), civil.NewClock(10, 30), y.zone).Sub(y.w.Clock.Now()))
}

// tick runs the sweeps that are due in the morning, in any order.
func (y *years) tick(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	var ends []ending
	sweeps := []func() error{
		func() error { return y.Booking.ExpireDue(ctx) }, func() error { return y.Booking.CompleteDue(ctx) },
		func() error { return y.Checkout.ReleaseEnded(ctx) }, func() error { return y.Billing.Recheck(ctx) },
		func() error { return y.Plans.EarnDue(ctx) }, func() error { return y.Plans.ExpireDue(ctx) },
		func() error { return y.Plans.ExpirePeriodsDue(ctx) }, func() error { return y.Owed.ChargeAll(ctx) },
		func() error { ends = y.expectReminders(t); return y.Plans.RemindDue(ctx) },
		func() error { return y.Plans.RemindRenewals(ctx) }, func() error { return y.Notice.RemindDue(ctx) },
		func() error { return y.Owed.RenewDue(ctx) },
	}
	for _, i := range y.r.Perm(len(sweeps)) {
		must(t, 0, sweeps[i]())
	}
	y.bills(t)
	y.remind(t, ends)
	y.jobs(t)
}

// arrives has a new member join.
func (y *years) arrives(t *testing.T) {
	t.Helper()
	plans := []string{"First", "Yearly", "Course", "Weekly", "Trial"}
	if y.today().Day >= 29 {
		plans = []string{"Basic", "Plus", "Premium", "Intro"}
	}
	n := len(y.members)
	m, p := &member{who: y.Customer(t, fmt.Sprintf("m%d", n))}, y.of[plans[n%len(plans)]]
	switch { // some of them stay for sure
	case n < 2:
		m.loyal, p = true, y.of["Yearly"]
	case y.today().Day >= 29 && y.loyal < 2:
		m.loyal = true
		y.loyal++
	}
	y.members = append(y.members, m)
	y.at(civil.NewClock(11, 0))
	if !y.joinsBy(t, m, p) {
		t.Fatal("a new member cannot join")
	}
}

// lives has members do something in the course of a day.
func (y *years) lives(t *testing.T) {
	t.Helper()
	if len(y.members) == 0 {
		return
	}
	n := (len(y.members)*walks.Steps(40, 15) + y.r.IntN(100)) / 100
	for i := range n {
		y.at(civil.NewClock(12, i*300/n))
		y.acts(t)
		y.jobs(t)
	}
}

// acts has a member do something: at times what was done least, by whoever can.
func (y *years) acts(t *testing.T) {
	t.Helper()
	d, tries := y.any(), 1
	if y.r.IntN(3) == 0 {
		d, tries = y.rare(), 8
	}
	for range tries {
		if d.run(y, t, y.members[y.r.IntN(len(y.members))]) {
			y.did[d.name]++
			return
		}
	}
}

// rare returns one of the deeds that were done least.
func (y *years) rare() deed {
	order := y.r.Perm(len(deeds))
	slices.SortStableFunc(order, func(a, b int) int { return y.did[deeds[a].name] - y.did[deeds[b].name] })
	return deeds[order[y.r.IntN(6)]]
}

// any returns a deed at random.
func (y *years) any() deed {
	sum := 0
	for _, d := range deeds {
		sum += d.weight
	}
	n := y.r.IntN(sum)
	return deeds[slices.IndexFunc(deeds, func(d deed) bool { n -= d.weight; return n < 0 })]
}

// done reports whether an act succeeded. It may be refused by a conflict, and by nothing else.
func (y *years) done(t *testing.T, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	if !fault.IsKind(err, fault.Conflict) {
		t.Fatalf("%v: %+v", err, fault.From(err))
	}
	y.refused[strings.TrimSpace(fault.From(err).Reason+" "+why(err))]++
	return false
}

// happened fails if something did not happen in the history: it then proves nothing about that.
func (y *years) happened(t *testing.T) {
	t.Helper()
	for _, d := range deeds {
		if y.did[d.name] == 0 {
			t.Errorf("not done: %s", d.name)
		}
	}
	for what, sql := range events {
		n := apptest.Value[int](t, y.w, sql)
		if n == 0 {
			t.Errorf("did not happen: %s", what)
		}
		y.did["- "+what] = n
	}
}

// events are what acts and time lead to, as counts.
var events = map[string]string{
	"periods paid": "select count(*)::int from cycles where state = 'paid'",
	"periods billed on day 29 to 31": `select count(*)::int from cycles
		where state = 'paid' and extract(day from starts_on) >= 29 and number > 1`,
	"periods billed on 28 February": `select count(*)::int from cycles
		where state = 'paid' and starts_on = '2027-02-28' and number > 1`,
	"periods paid on a later try": "select count(*)::int from cycles where state = 'paid' and tries > 1",
	"periods at the intro price": `select count(*)::int from cycles
		where state = 'paid' and price_amount = 1500 and number = 2`,
	"periods paid without a charge": "select count(*)::int from cycles where state = 'paid' and price_amount = 0",
	"memberships not paid in time": `select count(*)::int from memberships m where state = 'ended'
		and exists (select from cycles c where c.membership_id = m.id and c.state = 'void' and c.tries > 0)`,
	"memberships ended by themselves": "select count(*)::int from memberships where name = 'Course' and state = 'ended'",
	"packs and passes ended": `select count(*)::int from memberships
		where kind <> 'membership' and state = 'ended'`,
	"credits that went on": "select count(*)::int from grants where carried",
	"changes that were not paid": `select count(*)::int from plan_changes
		where state = 'void' and order_line_id is not null`,
	"plans of another length": `select count(*)::int from plan_changes h join plans p on p.id = h.from_plan_id
		join plans q on q.id = h.to_plan_id where p.valid_unit <> q.valid_unit and h.state = 'done'`,
	"payments refunded as too late": "select count(*)::int from payments where outcome = 'refunded'",
	"yearly renewals announced":     "select count(*)::int from cycles where noticed_at is not null",
	"disputes won":                  "select count(*)::int from disputes where status = 'won'",
	"disputes lost":                 "select count(*)::int from disputes where status = 'lost'",
	"memberships ended by a refund": `select count(*)::int from memberships m
		where state = 'canceled' and kind = 'membership' and exists (select from redemptions d
			join grants g on g.id = d.grant_id where g.membership_id = m.id and d.kind = 'refunded')`,
}
