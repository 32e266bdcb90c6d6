package hosted_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/terms"
	"foyer/app/apptest/walks"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/tenancy"
)

// buys books the items of one cart by the verbs of the storefront, pays for it if necessary, and returns the
// addresses of its bookings' pages.
func (v *visitor) buys(who tenancy.Principal, items ...checkout.AddItemInput) []string {
	v.t.Helper()
	s, sc := v.s, tenancy.Visitor(who, v.s.Business.ID, tenancy.SurfaceHosted)
	ctx := v.t.Context()
	cart, err := s.Checkout.Create(ctx, sc, checkout.CreateInput{LocationID: s.Location.ID})
	for _, in := range items {
		if err == nil {
			_, err = s.Checkout.AddItem(ctx, sc, cart.Token, in)
		}
	}
	if err == nil {
		_, err = s.Checkout.Hold(ctx, sc, cart.Token, checkout.HoldInput{})
	}
	if err != nil {
		v.t.Fatal(err)
	}
	v.get("/cart/" + cart.Token).want(200)
	full, err := s.Checkout.Cart(ctx, sc, cart.Token)
	if total := full.Totals.DueNow(); err == nil && total > 0 {
		var p checkout.Payment
		if p, err = s.Checkout.Pay(ctx, sc, cart.Token, checkout.PayInput{QuotedAmount: total}); err == nil {
			_, err = s.Sim.PayByCard(p.ClientSecret, apptest.CardGood)
		}
	}
	if err != nil {
		v.t.Fatal(err)
	}
	done, err := s.Checkout.Confirm(ctx, sc, cart.Token)
	if err != nil {
		v.t.Fatal(err)
	}
	var out []string
	for _, l := range done.Receipt.Lines {
		out = append(out, "/my/bookings/"+l.BookingID.String())
	}
	return out
}

// agrees compares the cost of cancelling on the page of a booking with that on the page to confirm.
func (v *visitor) agrees(path, when string) {
	v.t.Helper()
	page := v.get(path).want(200)
	if err := terms.Agree(page.Body, v.get(path+"/cancel").Body); err != nil {
		v.t.Errorf("%s, at %s: %v", when, v.s.Clock.Now().Format(time.RFC3339Nano), err)
	}
}

// TestSentenceIsWhatCancellingDoes: for policies, prices, service fees, times before, between and after the windows,
// and none, one or two waived fees before, the sentence on a booking's page matches the effects of cancelling, to the
// cent; also for two friends in one order, one of them cancelled before.
func TestSentenceIsWhatCancellingDoes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	s := open(t)
	house := s.Businesses(t)
	fee := func(mode business.FeeMode) {
		t.Helper()
		b, err := house.Get(t.Context(), s.Owner)
		if err == nil {
			_, err = house.Update(t.Context(), s.Owner, business.UpdateInput{Version: b.Version, FeeMode: &mode})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	minutes := []int{0, 60, 12 * 60, 24 * 60, 48 * 60}
	pick := func(of []int) int { return of[r.IntN(len(of))] }
	for n := range walks.Steps(12, 200) {
		fee([]business.FeeMode{business.FeeAbsorb, business.FeeCustomer}[n%2])
		rules := catalog.StandardRules()
		s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) {
			r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = pick(minutes), pick(minutes), int64(pick([]int{0, 500, 500}))
			r.Cancel.Allowed = n%6 != 5
			r.Grace = catalog.GraceRules{Days: pick([]int{0, 1, 30}), LateCancels: pick([]int{0, 1, 2})}
			r.Deposit = []catalog.DepositRules{{}, {Percent: 30, NonRefundable: true}, {}, {Amount: 700}}[n%4]
			rules = *r
		}))
		price := []int64{0, 2200, 1999}[n%3]
		when := fmt.Sprintf("case %d, price %d, %+v, %+v, %+v", n, price, rules.Cancel, rules.Grace, rules.Deposit)
		offering := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Price = fmt.Sprint("Class ", n), &price })
		start := s.Clock.Now().Add(72 * time.Hour).Truncate(time.Hour)
		first, second := s.AddOccurrence(t, offering, start), s.AddOccurrence(t, offering, start.Add(6*time.Hour))
		email := fmt.Sprintf("ana%d@example.com", n)
		token, who := s.session(t, email, "Ana Ruiz")
		v := s.visit(t)
		v.setCookie("foyer_session", token)
		paths := slices.Concat(
			v.buys(who, checkout.AddItemInput{OccurrenceID: first.ID}, checkout.AddItemInput{OccurrenceID: first.ID, Attendee: "Bo"}),
			v.buys(who, checkout.AddItemInput{OccurrenceID: second.ID}))
		for _, at := range instants(r, s.Clock.Now(), start, rules) {
			s.Clock.Set(at)
			for _, path := range paths {
				v.agrees(path, when)
			}
		}
		for len(paths) > 0 && rules.Cancel.Allowed { // one after the other, to use up the grace waivers
			v.get(paths[0]+"/cancel").want(200).form("/cancel").post().follow().want(200, "Cancelled")
			paths = paths[1:]
			for _, path := range paths {
				v.agrees(path, when+", one cancelled")
			}
		}
	}
}

// instants are times from now until the start, some of them where the rules turn, in their order; the last is late.
func instants(r *rand.Rand, now, start time.Time, rules catalog.Rules) []time.Time {
	out := []time.Time{now, start.Add(-time.Minute)}
	for _, turn := range []time.Time{rules.FreeUntil(start), rules.LateFrom(start)} {
		out = append(out, turn, turn.Add([]time.Duration{-time.Microsecond, time.Microsecond, time.Hour, -time.Hour}[r.IntN(4)]))
	}
	slices.SortFunc(out, time.Time.Compare)
	out = slices.CompactFunc(out, time.Time.Equal)
	return slices.DeleteFunc(out, func(t time.Time) bool { return t.Before(now) || !t.Before(start) })
}

// TestCourseSentenceIsWhatCancellingDoes: the same of a course, before its first date and between its dates.
func TestCourseSentenceIsWhatCancellingDoes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*catalog.Rules){
		"a fee":  strict(0),
		"waived": strict(1),
		"fee first": func(r *catalog.Rules) {
			r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 12*60, 24*60, 1000
		},
		"no fee": func(*catalog.Rules) {},
		"fee alone": func(r *catalog.Rules) {
			r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 0, 24*60, 1000
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.SetPolicy(t, s.AddPolicy(t, change))
			c := s.course(t, 3)
			token, who := s.session(t, "ana@example.com", "Ana Ruiz")
			v := s.visit(t)
			v.setCookie("foyer_session", token)
			path := v.buys(who, checkout.AddItemInput{CourseID: c.ID})[0]
			for _, d := range c.Dates {
				for _, hours := range []int{30, 20, 1} {
					if at := d.StartsAt.Add(-time.Duration(hours) * time.Hour); at.After(s.Clock.Now()) {
						s.Clock.Set(at)
					}
					v.agrees(path, name)
				}
			}
		})
	}
}

// TestSentenceBeforeAndAfterSigningIn: the cart, the payment, the receipt, the page to reschedule and My bookings
// have the same sentence, and a waived fee counts as soon as the customer is known.
func TestSentenceBeforeAndAfterSigningIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, strict(1)))
	yoga := s.class(t, "Sunrise Vinyasa", 4, seats(4))
	const (
		fresh = "Free cancellation until Thu, Jun 11, 9:00 am; then you lose $22.00; from Thu, Jun 11, 9:00 pm, you lose $22.00, and the $10.00 late-cancellation fee is waived (up to once in 90 days, and this would be the first)."
		used  = "Free cancellation until Fri, Jun 12, 9:00 am; then you lose $22.00; from Fri, Jun 12, 9:00 pm, you also pay a late-cancellation fee of $10.00."
	)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	stranger := s.visit(t)
	door := stranger.choose(yoga, 1).follow()
	stranger.get(door.link("Edit cart")).want(200, fresh)
	pay := v.choose(yoga, 1).follow().want(200, fresh)
	v.get(pay.link("Edit cart")).want(200, fresh)
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", fresh)
	v.get("/my").want(200, "the $10.00 late-cancellation fee is waived (up to once in 90 days")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where state = 'confirmed'")
	path := "/my/bookings/" + id.String()
	s.Clock.Set(yoga.Dates[1].StartsAt.Add(-2 * time.Hour))
	v.agrees(path, "late")
	v.get(path+"/cancel").form("/cancel").post().follow().want(200, "Cancelled late")
	v.get(receipt.path()).lacks("you lose", "waived")

	pay = v.choose(yoga, 2).follow().want(200, used)
	v.get(pay.link("Edit cart")).want(200, used)
	stranger.get(stranger.choose(yoga, 2).follow().link("Edit cart")).want(200, "the $10.00 late-cancellation fee is waived")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", used)
	v.get("/my").want(200, "from Fri 12 Jun, 21:00, you also pay a late-cancellation fee of $10.00")
	id = apptest.Value[uuid.UUID](t, s.World, "select id from bookings where state = 'confirmed'")
	ask := v.get("/my/bookings/" + id.String() + "/move?to=" + yoga.Dates[3].ID.String())
	ask.want(200, "Free cancellation until Sat, Jun 13, 9:00 am; then you lose $22.00; from Sat, Jun 13, 9:00 pm, you also pay a late-cancellation fee of $10.00.")
}
