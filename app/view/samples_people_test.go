package view_test

import (
	"testing"
	"time"

	"foyer/app/hosted/cart"
	"foyer/app/hosted/my"
	"foyer/app/view"
)

// asking is a chosen date that several people can come to; the cart has some of them.
func asking(have int) view.Listing {
	v := chosen(view.ActionBook)
	v.Chosen.Spots = 9
	v.Chosen.People = &view.PeoplePrompt{Most: 9 - have, N: 2, Have: have}
	if have > 0 {
		v.Chosen.People.Names = "Ben, Cleo"
	}
	return v
}

// people is a cart of one class for three.
func people() cart.Cart {
	v := chosenCart()
	v.Lines = append(v.Lines[:1], v.Lines[0], v.Lines[0])
	for i, who := range []string{"", "Ben", ""} {
		v.Lines[i].ID, v.Lines[i].Who, v.Lines[i].Same = string("abc"[i]), who, i > 0
	}
	v.Lines[2].Guest = "Guest 2"
	v.Bill = view.Bill{Total: usd(6600), Lines: []view.BillLine{{Label: "1 class, 3 people", Amount: usd(6600)}}}
	return v
}

// aside is a cart of which only one line can be booked as it was chosen.
func aside() cart.Cart {
	v := chosenCart()
	full, dearer, was := v.Lines[1], v.Lines[1], usd(1800)
	full.Gone = "This date is full now."
	full.Others = []cart.Swap{{Start: at(23, 6, 30), Spots: 2, Form: post("/cart/abc/items/b/move")}}
	dearer.ID, dearer.Name, dearer.Gone, dearer.Was = "c", "Slow Burn", "It costs more than when you added it.", &was
	dearer.Keep, dearer.Remove = post("/cart/abc/items/c/keep"), post("/cart/abc/items/c/remove")
	v.Lines, v.Aside = v.Lines[:1], []cart.CartLine{full, dearer}
	v.Bill = bill()
	return v
}

// payingFor is the last step for the items of a cart.
func payingFor(c cart.Cart) cart.Pay {
	v := pay(cart.PayTest)
	var lines []view.Line
	for _, l := range c.Lines {
		if l.Guest != "" {
			l.Who = l.Guest
		}
		lines = append(lines, l.Line)
	}
	v.Order.Lines, v.Order.Bill = view.Together(view.Words{}, lines), c.Bill
	return v
}

// refusedAtPayment is the last step after a code was refused.
func refusedAtPayment() cart.Pay {
	v := pay(cart.PayTest)
	v.Code.Open, v.Code.Typed, v.Trouble = true, "sprnig20", wrong("code")
	return v
}

// friends is My bookings with three friends at one class.
func friends() my.Bookings {
	v := mine()
	var list []my.Booking
	for i, who := range []string{"", "Ben", "Guest 2"} {
		b := v.Upcoming[0]
		b.Who, b.Href = who, "/my/bookings/"+string("123"[i])
		list = append(list, b)
	}
	v.Upcoming = my.Friends(harbour().Words, append(list, v.Upcoming[1]))
	return v
}

// narrowed is a timetable that is narrowed to one instructor.
func narrowed() view.Schedule {
	v := schedule()
	v.Title, v.Strip, v.Days = "Schedule: next 14 days", v.Strip[:14], v.Days[:2]
	v.Filter = &view.Filter{Action: "/harbour", On: true, Reset: "/harbour", Selects: []view.Select{
		{Name: "class", Label: "Class", Options: []view.Option{{Text: "All classes"}, {Value: "slow-burn", Text: "Slow Burn"}}},
		{Name: "with", Label: "With", Value: "Ana Ruiz", Options: []view.Option{{Text: "Any instructor"}, {Value: "Ana Ruiz", Text: "Ana Ruiz"}}},
	}}
	return v
}

// Lines that differ only in the attendee are joined; other differences keep lines apart. The customer comes first.
func TestTogether(t *testing.T) {
	t.Parallel()
	line := func(who, state string, start time.Time) view.Line {
		return view.Line{Name: "Yoga", Start: start, Minutes: 60, Who: who, State: state, Party: 1}
	}
	for name, c := range map[string]struct {
		in   []view.Line
		want []string
	}{
		"one":          {[]view.Line{line("", "", at(20, 6, 0))}, []string{""}},
		"friends":      {[]view.Line{line("Ben", "", at(20, 6, 0)), line("", "", at(20, 6, 0))}, []string{"2 people · you and Ben"}},
		"three":        {[]view.Line{line("", "", at(20, 6, 0)), line("Ben", "", at(20, 6, 0)), line("Guest 2", "", at(20, 6, 0))}, []string{"3 people · you, Ben and Guest 2"}},
		"another time": {[]view.Line{line("", "", at(20, 6, 0)), line("", "", at(21, 6, 0))}, []string{"", ""}},
		"one is gone":  {[]view.Line{line("", "", at(20, 6, 0)), line("Ben", "Cancelled", at(20, 6, 0))}, []string{"", "Ben"}},
	} {
		got := view.Together(view.Words{}, c.in)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d lines", name, len(got))
			continue
		}
		for i, l := range got {
			if l.Detail(view.Words{}) != c.want[i] {
				t.Errorf("%s: %q, want %q", name, l.Detail(view.Words{}), c.want[i])
			}
		}
	}
}
