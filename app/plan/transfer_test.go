package plan_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

// given is the transfer of a plan to a person.
func (s studio) given(t testing.TB, m plan.Membership, to tenancy.Scope) plan.TransferInput {
	t.Helper()
	return plan.TransferInput{CustomerID: m.CustomerID, MembershipID: m.ID, Version: m.Version, ToID: s.record(t, to)}
}

// What is left of a pack is given to another customer: with its dates, its value and its history, of which that
// customer sees what is theirs. Both are told.
func TestTransfer(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben, eve := s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Eve")
	s.named(t, map[string]tenancy.Scope{"Ada": ada, "Ben": ben})
	m := s.bought(t, ada, s.published(t, family(4, 1)))
	s.shares(t, m, eve)
	s.booked(t, ada, s.class(t, 2200))
	s.pass(t, 72*time.Hour)
	m = s.mine(t, ada)[0]
	in := s.given(t, m, ben)
	books := s.books(t)
	got, err := s.Plans.Transfer(t.Context(), s.Owner, in)
	must(t, 0, err)
	expect(t, "whose", got.CustomerID, in.ToID)
	expect(t, "credits", got.Grants[0].Balance, 3)
	expect(t, "last day", got.LastDay(), m.LastDay())
	expect(t, "books", s.books(t), books)
	expect(t, "plans of the giver", len(s.mine(t, ada)), 0)
	expect(t, "plans of people on it", len(s.mine(t, eve)), 0)
	s.jobs(t)
	expect(t, "mail to the giver", s.Mail.List(ada.Email)[0].Subject, "plan given")
	expect(t, "mail to the other one", s.Mail.List(ben.Email)[0].Subject, "plan received")
	expect(t, "mail of the family", s.Mail.List(eve.Email)[0].Subject, "plan shared")

	page, err := s.Plans.Transactions(t.Context(), s.Owner, in.ToID, m.ID, paging.In[paging.Moment]{Limit: 50})
	must(t, 0, err)
	var kinds []string
	for _, c := range page.Items {
		kinds = append(kinds, c.Kind+" "+c.Note+c.BookedFor)
	}
	expect(t, "history", fmt.Sprint(kinds), "[transferred Ada used Ada granted ]")
	page, err = s.Plans.MyTransactions(t.Context(), ben.Principal, m.ID, paging.In[paging.Moment]{Limit: 50})
	must(t, 0, err)
	own := page.Items[0]
	expect(t, "own history", fmt.Sprintf("%d %s%s", len(page.Items), own.Kind, own.Note), "1 transferred")

	s.booked(t, ben, s.class(t, 2200))
	expect(t, "left", s.mine(t, ben)[0].Grants[0].Balance, 2)
	expect(t, "a price for the giver", s.price(t, ada), 2200)
	s.check(t)
}

// A second transfer, by a repeated call or to somebody else, is no second one.
func TestTransferTwice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben, eve := s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Eve")
	m := s.bought(t, ada, s.published(t, pack(4, 4000)))
	toBen, toEve := s.given(t, m, ben), s.given(t, m, eve)
	act := func(in plan.TransferInput) func() error {
		return func() error {
			_, err := s.Plans.Transfer(t.Context(), s.Owner, in)
			if fault.IsKind(err, fault.NotFound) {
				return plan.ErrTransfer // as AtOnce has it
			}
			return err
		}
	}
	s.w.Warm(t)
	got := apptest.AtOnce(t, []*fault.Error{plan.ErrTransfer}, act(toBen), act(toBen), act(toEve), act(toEve))
	expect(t, "calls that succeeded", got, 2) // both to the same customer
	expect(t, "owners", len(s.mine(t, ben))+len(s.mine(t, eve)), 1)
	expect(t, "transfers", apptest.Value[int](t, s.w,
		"select count(*)::int from redemptions where kind = 'transferred'"), 1)
	s.check(t)
}

// What cannot be transferred: a membership that renews, a frozen plan, an intro offer, one that is used up or has
// ended, one that pays for upcoming bookings, and to the customer who has it.
func TestTransferRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	refuses := func(what string, m plan.Membership, reason plan.TransferRefusal) {
		t.Helper()
		_, err := s.Plans.Transfer(t.Context(), s.Owner, s.given(t, m, ben))
		refused(t, what, err, plan.ErrTransfer)
		expect(t, what, why(err), string(reason))
	}
	refuses("a membership", s.joined(t, s.Customer(t, "Cem"), s.published(t, monthly(0, 6000)), apptest.CardGood),
		plan.TransferRenews)
	intro := pack(2, 0)
	intro.Kind = plan.Intro
	refuses("an intro offer", s.bought(t, s.Customer(t, "Dan"), s.published(t, intro)), plan.TransferIntro)

	m := s.bought(t, ada, s.published(t, pack(1, 1000)))
	booked := s.booked(t, ada, s.class(t, 2200))
	m = s.mine(t, ada)[0]
	refuses("one that is used up", m, plan.TransferUsed)
	must(t, 0, s.cancel(t, booked.Lines[0].BookingID))
	_, err := s.Plans.Adjust(t.Context(), s.Owner, plan.AdjustInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, Credits: 2, Note: "A present"})
	must(t, 0, err)
	booked = s.booked(t, ada, s.class(t, 2200))
	m = s.mine(t, ada)[0]
	_, err = s.Plans.Transfer(t.Context(), s.Owner, s.given(t, m, ben))
	refused(t, "with a booking", err, plan.ErrTransferBooked)
	must(t, 0, s.cancel(t, booked.Lines[0].BookingID))
	m = s.mine(t, ada)[0]

	in := s.given(t, m, ben)
	in.Version--
	_, err = s.Plans.Transfer(t.Context(), s.Owner, in)
	refused(t, "an earlier version", err, fault.ErrStale)
	in.Version, in.ToID = m.Version, m.CustomerID
	_, err = s.Plans.Transfer(t.Context(), s.Owner, in)
	expect(t, "to the same customer", fault.IsKind(err, fault.Validation), true)
	in.ToID = uuid.New()
	_, err = s.Plans.Transfer(t.Context(), s.Owner, in)
	unknown(t, "to nobody", err)

	m, err = s.Plans.Freeze(t.Context(), s.Owner, plan.FreezeInput{
		CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: m.StartsOn.AddDays(1)})
	must(t, 0, err)
	refuses("a frozen one", m, plan.TransferFrozen)
	m, err = s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	must(t, 0, err)
	s.pass(t, 100*24*time.Hour)
	m = s.mine(t, ada)[0]
	_, err = s.Plans.Transfer(t.Context(), s.Owner, s.given(t, m, ben))
	refused(t, "one that has ended", err, plan.ErrEnded)
	s.check(t)
}

// A complimentary plan can be transferred.
func TestTransferComplimentary(t *testing.T) {
	t.Parallel()
	s := open(t)
	comp := pack(2, 0)
	comp.Kind, comp.SoldOnline = plan.Comp, false
	m, err := s.Plans.AddComp(t.Context(), s.Owner, plan.CompInput{
		CustomerID: s.record(t, s.Customer(t, "Ada")), PlanID: s.published(t, comp).ID, LocationID: s.Location.ID})
	must(t, 0, err)
	ben := s.Customer(t, "Ben")
	_, err = s.Plans.Transfer(t.Context(), s.Owner, s.given(t, m, ben))
	must(t, 0, err)
	s.booked(t, ben, s.class(t, 2200))
	s.check(t)
}

// A refund of the purchase goes to whoever paid it, and takes off what the other customer has not used.
func TestRefundAfterTransfer(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	m := s.bought(t, ada, s.published(t, pack(4, 4000)))
	_, err := s.Plans.Transfer(t.Context(), s.Owner, s.given(t, m, ben))
	must(t, 0, err)
	s.booked(t, ben, s.class(t, 2200))
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments where order_id = $1", *m.OrderID)
	_, err = s.Services.Sales.Refund(t.Context(), s.Owner, refundOf(payment, 3001))
	if err == nil {
		t.Error("a credit that is used was refunded")
	}
	_, err = s.Services.Sales.Refund(t.Context(), s.Owner, refundOf(payment, 3000))
	must(t, 0, err)
	s.jobs(t)
	got := s.mine(t, ben)[0]
	expect(t, "state", got.State, plan.Canceled)
	expect(t, "left", got.Grants[0].Balance, 0)
	s.check(t)
}

// A plan is given to another customer while its own one books: one of them has the credit.
func TestTransferRace(t *testing.T) {
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	for range 8 {
		m := s.latest(t, ada, s.published(t, pack(1, 1000)))
		in := s.given(t, m, ben)
		token := s.Fill(t, s.class(t, 2200))
		s.hold(t, ada, token)
		var booked, moved error
		apptest.AtOnce(t, nil,
			func() error { _, booked = s.Checkout.Confirm(t.Context(), ada, token); return nil },
			func() error { _, moved = s.Plans.Transfer(t.Context(), s.Owner, in); return nil },
		)
		if (booked == nil) == (moved == nil) {
			t.Errorf("booked: %v, transferred: %v", booked, moved)
		}
		if booked != nil {
			must(t, 0, s.Checkout.Release(t.Context(), ada, token))
		} else if !errors.Is(moved, plan.ErrTransfer) && !errors.Is(moved, plan.ErrTransferBooked) &&
			!errors.Is(moved, fault.ErrStale) {
			t.Errorf("transfer: %v", moved)
		}
	}
	s.check(t)
}
