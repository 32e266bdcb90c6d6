package checkout_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/assembly"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/integrity"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/billing/processor"
)

// walkers walk in studios of their own.
const walkers = 5

// Ten thousand times, or two thousand in a short walk, a random act happens: a customer books, pays, waits, accepts,
// cancels, reschedules, attends, the studio edits a series, time passes. The books are checked against the rows and
// nothing may differ, and of every payment the kept amount equals the price of its sales. In the end the processor
// has the same sums. Rare acts may not have come by then: the walkers go on in turns until each act has been done.
// FOYER_SEED walks one seed again.
func TestRandomWalk(t *testing.T) {
	if !apptest.Guarded {
		return // the races test that
	}
	seed, steps := walks.Seed(t), walks.Steps(2_000, 10_000)
	all := &doings{of: map[string]int{}}
	prices := []int64{2200, 1900, 0, 3500, 0} // of a class; where it is 0, all is free; for some a deposit is enough
	modes := []catalog.WaitlistMode{catalog.WaitlistAuto, catalog.WaitlistOffer, catalog.WaitlistRace, catalog.WaitlistOffer, catalog.WaitlistOff}
	var list [walkers]*walker
	for i := range list {
		list[i] = newWalker(t, rand.New(rand.NewPCG(seed, uint64(i))), modes[i], prices[i], all)
	}
	t.Run("walk", func(t *testing.T) {
		for i, k := range list {
			t.Run(fmt.Sprintf("%d_%s", i, modes[i]), func(t *testing.T) {
				t.Parallel()
				k.t = t
				k.walk(steps / walkers)
			})
		}
	})
	if t.Failed() {
		return
	}
	for _, k := range list {
		k.t = t
	}
	walkOn(list[:], 9*steps)
	for _, k := range list {
		k.check(t)
		k.sound(0, "the end")
	}
	for _, a := range acts {
		t.Logf("%s: %d times", a.name, all.of[a.name])
	}
	if never, _ := all.never(); never != "" {
		t.Errorf("%s: never, in no studio: the walk proves nothing about it", never)
	}
}

// doings counts the successful acts of all walkers.
type doings struct {
	mu sync.Mutex
	of map[string]int
}

func (d *doings) add(act string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.of[act]++
}

// lacks reports whether an act or an outcome is missing in all studios.
func (d *doings) lacks(what string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.of[what] == 0
}

// never is an act that has not been done, or an outcome that has not come, with the act that may lead to it; "" if
// there is none.
func (d *doings) never() (what, by string) {
	for _, a := range acts {
		if d.lacks(a.name) {
			return a.name, a.name
		}
	}
	for _, end := range ends {
		if d.lacks(end.name) {
			return end.name, end.by
		}
	}
	return "", ""
}

// walker does things at random in one studio.
type walker struct {
	shop
	t        *testing.T
	r        *rand.Rand
	schedule *schedule.Service
	people   []tenancy.Scope
	class    uuid.UUID
	course   uuid.UUID
	services []uuid.UUID
	incomes  []*uuid.UUID   // revenue categories, and none
	carts    map[int]string // of people, held or not
	secrets  []string       // of payments that were begun
	price    int64          // of a class, minor units
	done     map[string]int // acts that were not refused
	all      *doings        // the acts of all walkers
}

// walk goes that many steps.
func (k *walker) walk(steps int) {
	for n := range steps {
		if n%20 == 19 {
			k.see()
		}
		if what := k.step(""); k.r.IntN(walks.Steps(4, 1)) == 0 {
			k.sound(n, what)
		}
	}
	k.see()
}

// walkOn goes on for the missing outcomes of all studios, one walker after the other, every second step an attempt at
// one: some outcomes come once in two thousand steps, and not in every studio.
func walkOn(list []*walker, most int) {
	for n := range most {
		k := list[n/10%len(list)]
		missing, by := k.all.never()
		if missing == "" {
			return
		}
		k.sound(n, k.step(by))
		k.see()
	}
}

// sound ends the walk if something does not add up after a step. An error stays, so a short walk checks after every
// fourth step or so: a check takes three times as long as a step.
func (k *walker) sound(step int, what string) {
	r, err := integrity.CheckBusiness(k.t.Context(), k.w.DB.View(k.Business.ID), assembly.Checks()...)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, d := range r.Differences {
		k.t.Errorf("step %d, %s: %+v", step, what, d)
	}
	for _, wrong := range k.wrongMoney() {
		k.t.Errorf("step %d, %s: %s", step, what, wrong)
	}
	if k.t.Failed() {
		k.t.FailNow()
	}
}

// ends are the outcomes that must have come in some studio, each with an act that may lead to it.
var ends = []struct{ name, by, sql string }{
	{"money kept", "buy", "exists (select from payments where outcome = 'fulfilled')"},
	{"refunded", "cancel mine", "exists (select from refunds r join payments p on p.id = r.payment_id where r.state = 'succeeded' and p.outcome = 'fulfilled')"},
	{"by credit and card", "use credit", `exists (select from payments p
		join order_tenders t on t.order_id = p.order_id and t.kind = 'account_credit' and t.position > 0
			where p.outcome = 'fulfilled')`},
	{"by credit alone", "use credit", `exists (select from orders o join order_tenders t
		on t.order_id = o.id and t.kind = 'account_credit' and t.position > 0 and t.amount = o.total_amount
		where o.state = 'fulfilled')`},
	{"a deposit kept", "cancel a deposit", "exists (" + keptDeposits + ")"},
	{"a rest by card", "pay the rest", "exists (select from order_lines x join orders o on o.id = x.order_id and o.state = 'fulfilled' where x.of_line_id is not null)"},
	{"came too late", "pay too late", "exists (select from refunds r join payments p on p.id = r.payment_id where r.state = 'succeeded' and p.outcome = 'refunded')"},
}

// see writes down which ends have come in this studio.
func (k *walker) see() {
	for _, end := range ends {
		if k.all.lacks(end.name) && k.value("select "+end.sql) {
			k.all.add(end.name)
		}
	}
}

func newWalker(t *testing.T, r *rand.Rand, mode catalog.WaitlistMode, price int64, all *doings) *walker {
	k := &walker{shop: open(t), t: t, r: r, carts: map[int]string{}, done: map[string]int{}, all: all, price: price}
	k.AddHours(t)
	free, fourfold := int64(0), 4*price
	policy := k.AddPolicy(t, func(rules *catalog.Rules) {
		rules.Waitlist.Mode, rules.Waitlist.CutoffMinutes = mode, 0
		rules.Cancel.LateFeeAmount, rules.Grace.LateCancels = 500, 1
		rules.NoShow.FeeAmount = 1000
		rules.Deposit = deposits[price]
	})
	k.SetPolicy(t, policy)
	k.schedule = schedule.New(schedule.Options{DB: k.w.DB, Bookings: waitlist.Calendar(k.Booking), Cards: processor.EnvSimulated})
	instructor := k.AddMember(t, "Ana")
	room := k.AddSpace(t, "Studio")
	class := k.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &price, 2, 2 })
	k.class = class.ID
	days := []time.Weekday{0, 1, 2, 3, 4, 5, 6}
	_, err := k.schedule.CreateSeries(t.Context(), k.Owner, schedule.CreateSeriesInput{
		OfferingID: class.ID, MemberID: &instructor.ID, SpaceID: &room.ID,
		Rule: schedule.Rule{Freq: schedule.Weekly, Every: 1, Weekdays: days, Start: civil.Date{Year: 2026, Month: time.June, Day: 11}, At: civil.NewClock(12, 0), Minutes: 60},
	})
	if err != nil {
		t.Fatalf("%v %+v", err, fault.From(err).Fields)
	}
	course := k.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.Capacity, o.Online = &fourfold, 3, 3 })
	k.course = course.ID
	k.w.SQL(t, "update offerings set enrolment = 'series' where id = $1", course.ID)
	dates := 4
	_, err = k.schedule.CreateSeries(t.Context(), k.Owner, schedule.CreateSeriesInput{
		OfferingID: course.ID, MemberID: &instructor.ID,
		Rule: schedule.Rule{Freq: schedule.Daily, Every: 4, Count: &dates, Start: civil.Date{Year: 2026, Month: time.June, Day: 12}, At: civil.NewClock(17, 0), Minutes: 60},
	})
	if err != nil {
		t.Fatalf("%v %+v", err, fault.From(err).Fields)
	}
	anyone := []uuid.UUID{instructor.ID, k.AddMember(t, "Jo").ID}
	k.services = []uuid.UUID{
		k.AddAppointment(t, anyone, func(s *apptest.ServiceRow) { s.Price, s.After = &price, 15 }).ID,
		k.AddRental(t, []uuid.UUID{room.ID}, func(s *apptest.ServiceRow) { s.Price = &free }).ID,
		k.AddRental(t, []uuid.UUID{room.ID}, func(s *apptest.ServiceRow) { s.Price, s.SoldAs, s.Capacity, s.Online = &price, "person", 3, 3 }).ID,
		k.AddAppointment(t, anyone[1:], func(s *apptest.ServiceRow) { s.Price, s.Approval = &price, true }).ID,
	}
	k.incomes = []*uuid.UUID{
		nil, new(k.AddRevenueCategory(t, "Workshops").ID), new(k.AddRevenueCategory(t, "Coaching").ID),
	}
	for i := range 5 {
		k.people = append(k.people, k.Customer(t, fmt.Sprintf("walker%d", i)))
	}
	return k
}

type act struct {
	name   string
	weight int
	run    func(*walker) error
}

var acts = []act{
	{"fill", 8, (*walker).fill}, {"course", 3, (*walker).fillCourse}, {"course at the desk", 1, (*walker).enrolAtDesk}, {"time", 6, (*walker).fillTime}, {"hold", 9, (*walker).holdCart}, {"confirm", 9, (*walker).confirmCart},
	{"use credit", 6, (*walker).useCredit}, {"pay", 4, (*walker).payCart}, {"buy", 9, (*walker).buy}, {"pay the rest", 2, (*walker).payBalance}, {"charge rests", 2, (*walker).chargeBalances}, {"cancel a deposit", 1, (*walker).cancelDeposit}, {"pay late", 1, (*walker).payLate}, {"pay too late", 2, (*walker).payTooLate},
	{"release", 2, (*walker).releaseCart}, {"book", 4, (*walker).bookAtDesk}, {"cancel", 5, (*walker).cancelBooking},
	{"cancel mine", 4, (*walker).cancelMine}, {"move", 3, (*walker).moveBooking}, {"approve", 3, (*walker).approve},
	{"decline", 2, (*walker).decline}, {"check in", 2, (*walker).checkIn}, {"no show", 2, (*walker).noShow},
	{"join", 6, (*walker).join}, {"leave", 2, (*walker).leave}, {"accept", 5, (*walker).accept}, {"decline offer", 2, (*walker).declineOffer},
	{"promote", 2, (*walker).promote}, {"pass", 4, (*walker).pass}, {"attend", 2, (*walker).attend}, {"jobs", 3, (*walker).work},
	{"edit series", 1, (*walker).editSeries}, {"edit date", 1, (*walker).editDate}, {"cancel date", 1, (*walker).cancelDate},
	{"restore date", 3, (*walker).restoreDate}, {"categorize", 2, (*walker).categorize},
	{"take", 3, (*walker).takeDue}, {"take a fee", 1, (*walker).takeFee}, {"charge fees", 2, (*walker).chargeFees},
	{"refund at the desk", 1, (*walker).refundAtDesk}, {"void a manual payment", 1, (*walker).voidManual},
	{"adjust credit", 1, (*walker).adjust},
}

// step does one act and returns its name. A refusal is fine; any other failure is not. Now and then it is one of
// those that this walker has not managed yet: the rarest succeeds once in a thousand steps, and a short walk should
// see it, too. Every second step is the named act, if one is.
func (k *walker) step(aim string) string {
	from := acts
	if missed := slices.DeleteFunc(slices.Clone(acts), func(a act) bool { return k.done[a.name] > 0 }); len(missed) > 0 && k.r.IntN(4) == 0 {
		from = missed
	}
	if i := slices.IndexFunc(acts, func(a act) bool { return a.name == aim }); i >= 0 && k.r.IntN(2) == 0 {
		from = acts[i : i+1]
	}
	total := 0
	for _, a := range from {
		total += a.weight
	}
	n := k.r.IntN(total)
	for _, a := range from {
		if n -= a.weight; n < 0 {
			k.told(a.name, a.run(k))
			return a.name
		}
	}
	panic("no act")
}

func (k *walker) told(what string, err error) {
	if err == nil {
		k.done[what]++
		k.all.add(what)
		return
	}
	if f := fault.From(err); f == nil || f.Kind == fault.Internal {
		k.t.Fatalf("%s: %v", what, err)
	}
}
