package plans_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/plan"
	"foyer/app/sales"
)

// Cards of the simulator.
const cardOnce = "4000000000000341" // pays once, and is declined when it is charged later

type does = func(*testing.T, *member)

// all does several things on one day.
func all(list ...does) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		for _, do := range list {
			do(t, m)
		}
	}
}

// my returns the address of the member's plan.
func (m *member) my(t *testing.T, step string) string {
	return "/my/plans/" + m.mine(t).ID.String() + step
}

// sees has the member read the page of their plan.
func sees(texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		m.phone(t).Get(m.my(t, "")).Is(t, 200).Shows(t, texts...)
	}
}

// freezes has the member freeze their plan from a day to another one, after they have read what that does.
func freezes(from, last string, texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		phone := m.phone(t)
		page := phone.Get(m.my(t, "/freeze?from="+from+"&last="+last)).Is(t, 200).Shows(t, texts...)
		phone.Send(page.Posts("/freeze")).Is(t, 200).Shows(t, "The freeze is set.")
	}
}

// cannotFreeze has the member try that, and read why not.
func cannotFreeze(from, last, why string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		m.phone(t).Get(m.my(t, "/freeze?from="+from+"&last="+last)).Is(t, 400).Shows(t, why)
	}
}

// cancels has the member cancel their plan, after they have read what that does.
func cancels(texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		phone := m.phone(t)
		page := phone.Get(m.my(t, "/cancel")).Is(t, 200).Shows(t, texts...)
		phone.Send(page.Form("/cancel")).Is(t, 200).Shows(t, "Your membership is cancelled.")
	}
}

// mayCancel has the member read what a cancellation does, and think better of it.
func mayCancel(texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		m.phone(t).Get(m.my(t, "/cancel")).Is(t, 200).Shows(t, texts...)
	}
}

// changes has the member change to another plan, after they have read what that does.
func changes(to string, texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		phone := m.phone(t)
		page := phone.Get(m.my(t, "/change?plan="+m.ids[to].String())).Is(t, 200).Shows(t, texts...)
		phone.Send(page.Form("/change")).Is(t, 200).Shows(t, "Your change is noted.")
	}
}

// cannotChange has the member try that, and read why not.
func cannotChange(to, why string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		page := m.phone(t).Get(m.my(t, "/change?plan="+m.ids[to].String())).Shows(t, why)
		if len(page.Forms("/change")) > 0 {
			t.Errorf("%s: it can be changed to %s", m.Name, to)
		}
	}
}

// books has the member book a class so many hours ahead, which costs an amount; 0: the plan pays.
func books(hours int, costs int64) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		m.book(t, hours, costs, "")
	}
}

// booksFor has the member book a class for another person.
func booksFor(guest string, hours int, costs int64) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		m.book(t, hours, costs, guest)
	}
}

// book books a class if a plan pays for it, and returns the booking.
func (m *member) book(t *testing.T, hours int, costs int64, guest string) uuid.UUID {
	t.Helper()
	date := m.AddOccurrence(t, m.class, m.country.w.Clock.Now().Add(time.Duration(hours)*time.Hour))
	token := m.Fill(t)
	_, err := m.Checkout.AddItem(t.Context(), m.who, token, checkout.AddItemInput{OccurrenceID: date.ID, Attendee: guest})
	if err == nil {
		_, err = m.Checkout.Hold(t.Context(), m.who, token, checkout.HoldInput{})
	}
	if err != nil {
		t.Fatal(err)
	}
	cart, err := m.Checkout.Cart(t.Context(), m.who, token)
	if err != nil {
		t.Fatal(err)
	}
	if got := cart.Totals.DueNow(); got != costs {
		t.Errorf("%s: a class costs %d, want %d", m.Name, got, costs)
	}
	if cart.Totals.DueNow() > 0 {
		return uuid.Nil
	}
	done, err := m.Checkout.Confirm(t.Context(), m.who, token)
	if err != nil {
		t.Fatal(err)
	}
	return done.Lines[0].BookingID
}

// booksAndCancels has the member book a class so many hours ahead, and cancel it at once.
func booksAndCancels(hours int) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		id := m.book(t, hours, 0, "")
		_, err := m.Booking.Cancel(t.Context(), m.Owner, booking.CancelInput{BookingID: id, By: booking.ByCustomer})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// refunds has the owner refund all that the member paid last.
func refunds(t *testing.T, m *member) {
	t.Helper()
	page, err := m.Services.Sales.List(t.Context(), m.Owner, sales.ListInput{CustomerID: m.mine(t).CustomerID})
	if err != nil || len(page.Items) == 0 {
		t.Fatalf("%s: %d payments: %v", m.Name, len(page.Items), err)
	}
	in := sales.RefundInput{PaymentID: page.Items[0].ID, Amount: &page.Items[0].Amount}
	if _, err := m.Services.Sales.Refund(t.Context(), m.Owner, in); err != nil {
		t.Fatal(err)
	}
}

// has fails unless so many credits are left of the benefits, in their order.
func has(credits ...int) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		var got []int
		for _, g := range m.mine(t).Grants {
			got = append(got, g.Balance)
		}
		same(t, m.Name+": credits", texts(got), texts(credits))
	}
}

func texts(list []int) (out []string) {
	for _, n := range list {
		out = append(out, strings.Repeat("1", n)+".")
	}
	return out
}

// friend has another person join a plan of the studio with a card, and do this.
func friend(name, of, card string, do ...does) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		f := m.friend(t, name)
		f.buys(t, of, card)
		all(do...)(t, f)
	}
}

// friend returns another person at the studio, the same one for a name.
func (m *member) friend(t *testing.T, name string) *member {
	t.Helper()
	if m.friends[name] == nil {
		f := *m
		f.who = m.Customer(t, name)
		m.friends[name] = &f
	}
	return m.friends[name]
}

// of does something as a friend who joined before.
func of(name string, do ...does) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		all(do...)(t, m.friend(t, name))
	}
}

// types has the owner fill in another form.
func types(f typed) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		m.types(t, m.owner(t), f)
	}
}

// reprices has the owner set a new price for the members of a plan from a day on.
func reprices(name, price, on string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		owner := m.owner(t)
		page := owner.Get("/plans/"+m.ids[name].String()+"/price?priceAmount="+price+"&startsOn="+on).Is(t, 200)
		owner.Send(page.Posts("/price")).Is(t, 200).Shows(t, "Set the new price for members of "+name+".")
	}
}

// staffFreezes has the studio freeze the plan from a day until another one.
func staffFreezes(from, until string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		if err := m.staffFreeze(t, from, until); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// staffCannotFreeze has the studio try that in vain.
func staffCannotFreeze(from, until string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		if err := m.staffFreeze(t, from, until); !errors.Is(err, plan.ErrFreeze) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

func (m *member) staffFreeze(t *testing.T, from, until string) error {
	t.Helper()
	mine, end := m.mine(t), apptest.Day(until)
	_, err := m.Services.Plans.Freeze(t.Context(), m.Owner, plan.FreezeInput{
		CustomerID: mine.CustomerID, MembershipID: mine.ID, StartsOn: apptest.Day(from), EndsOn: &end,
	})
	return err
}

// unfreezes has the member end a freeze.
func unfreezes(t *testing.T, m *member) {
	t.Helper()
	phone := m.phone(t)
	page := phone.Get(m.my(t, "/unfreeze")).Is(t, 200)
	phone.Send(page.Form("/unfreeze")).Is(t, 200).Shows(t, "The freeze has ended.")
}

// endsEarly has the member end the plan before its least number of periods, for a fee.
func endsEarly(texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		phone := m.phone(t)
		page := phone.Get(m.my(t, "/cancel")).Is(t, 200).Shows(t, texts...)
		phone.Send(page.Form("/end-early")).Is(t, 200)
	}
}

// paysLink has the member pay what is due with another card, by the link in My plans.
func paysLink(texts ...string) does {
	return func(t *testing.T, m *member) {
		t.Helper()
		phone := m.phone(t)
		link := phone.Get(m.my(t, "")).Is(t, 200).Link("/pay")
		page := phone.Get(link).Is(t, 200).Shows(t, texts...)
		phone.Send(page.Form("/pay"), "number", apptest.CardGood, "exp", "12/34", "cvc", "123").Is(t, 200).
			Shows(t, "Paid, thank you")
	}
}

// over fails unless the membership has ended.
func over(t *testing.T, m *member) {
	t.Helper()
	if got := m.mine(t).State; got != plan.Over {
		t.Errorf("%s: the membership is %s", m.Name, got)
	}
}

// checksBooks fails if the data checks report a difference on this day.
func checksBooks(t *testing.T, m *member) {
	t.Helper()
	jobs(t, m.Sales)
	m.country.w.CheckBooks(t)
}
