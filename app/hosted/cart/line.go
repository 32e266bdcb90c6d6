package cart

import (
	"cmp"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/plan"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/words"
)

// lineOf shows one line of the cart. An unavailable one has the reason, with other dates or times of the same to
// change to. s is the basis for its cost, and why the reason that a step was refused.
func (b *Basket) lineOf(c *fiber.Ctx, l checkout.Line, s booking.CostBasis, why string) (CartLine, error) {
	item := "/items/" + l.ItemID.String()
	v := CartLine{ID: l.ItemID.String(), Line: b.shown(l, s), Price: b.price(l.ListedAmount), Remove: kit.FormTo(b.path(item + "/remove"))}
	if l.Cover != nil {
		v.Price = b.price(0)
	}
	if l.Cover == nil && b.terms[l.OfferingID].Each && l.Party > 1 {
		each := b.price(l.ListedAmount / int64(l.Party))
		v.Each = &each
	}
	if l.ListedAmount != l.AddedAmount && l.BookingID == nil {
		was := b.price(l.AddedAmount)
		v.Was = &was
	}
	if l.Unnamed() {
		v.Guest, v.Who = b.Shell.Attendee(l.Attendee), ""
	}
	gone := goneLine(l)
	if gone == "" && l.BookingID == nil && c.Query("at") == v.ID {
		gone = goneTimes[why]
	}
	if gone == "" && l.Dearer() {
		gone, v.Keep = "It costs more than when you added it.", kit.FormTo(b.path(item+"/keep"))
	}
	v.Gone = b.Shell.T(gone)
	if v.Gone == "" || v.Keep.Action != "" {
		return v, nil
	}
	v.Terms = nil
	others, err := b.others(c, l)
	for _, x := range others {
		if l.Slot != nil && !b.terms[l.OfferingID].Each {
			x.Spots = 0 // a whole room, or a member's time: it is free or not
		}
		v.Others = append(v.Others, Swap{Start: x.StartsAt, Spots: x.Spots, Form: kit.FormTo(b.path(item+"/move"), swapTo(l, x))})
	}
	return v, err
}

func (b *Basket) price(minor int64) view.Price {
	return view.Price{Minor: minor, Currency: b.Cart.Totals.Currency}
}

// goneLine is why a line cannot be booked; empty when it can, as far as is known without holding it.
func goneLine(l checkout.Line) words.Text {
	switch {
	case l.Held():
		return ""
	case l.Problem == order.ErrSoldOut.Reason:
		return "This is sold out."
	case l.Kind == order.Plan && l.Problem != "":
		return cmp.Or(gonePlan[l.Problem], gonePlan[plan.ErrUnavailable.Reason])
	case !l.Kind.Seat() && l.Problem != "":
		return goneItem[l.Kind]
	case l.Course:
		return goneCourse(l)
	case l.Problem == booking.ErrStarted.Reason:
		return "This has begun."
	case l.Problem == booking.ErrCancelled.Reason:
		return "The studio has cancelled this date."
	case l.Problem != "":
		return "This cannot be booked online now."
	case l.Full && l.Spots > 0:
		return "There is no spot left for this person."
	case l.Full:
		return "This date is full now."
	}
	return ""
}

// goneItem is why an item without a seat cannot be bought any more.
var goneItem = map[order.Kind]words.Text{
	order.Product:  "This product is no longer available.",
	order.GiftCard: "This gift card is not sold here any more.",
}

// goneTimes is why a time of an appointment or a rental could not be held, by the refusal's reason.
var goneTimes = map[string]words.Text{
	claim.ErrStaffBusy.Reason:        "This time is no longer available.",
	claim.ErrSpaceBusy.Reason:        "This time is no longer available.",
	availability.ErrFull.Reason:      "No spots are left at this time.",
	availability.ErrClosed.Reason:    "This time is not offered any more.",
	availability.ErrTooLate.Reason:   "It is too late to book this time.",
	availability.ErrTooEarly.Reason:  "This time cannot be booked yet.",
	availability.ErrPartySize.Reason: "It cannot be booked for so many people.",
}

// swapTo names the replacement of the line: a date by its id, a time by its instant.
func swapTo(l checkout.Line, x schedule.PublicOccurrence) view.Param {
	if l.Slot != nil {
		return view.Param{Name: kit.FieldStart, Value: x.StartsAt.Format(time.RFC3339)}
	}
	return view.Param{Name: kit.FieldDate, Value: x.ID.String()}
}

// nextTimes is the number of alternatives offered for an unavailable line.
const nextTimes = 3

// others are dates of the same class with a free seat that are not in the cart yet, the soonest first; or the free
// times of the same appointment or rental that are nearest to the unavailable one.
func (b *Basket) others(c *fiber.Ctx, l checkout.Line) ([]schedule.PublicOccurrence, error) {
	if !l.Kind.Seat() {
		return nil, nil
	}
	in := schedule.TimesInput{OfferingID: l.OfferingID}
	if l.Slot == nil && l.Party > 1 || l.Course {
		return nil, nil // a replaced item of a class is for one person; a course has no other dates
	}
	if l.Slot != nil {
		in = kit.Wish(*l.Slot).Times(in)
		in.From = civil.LocalDate(l.StartsAt, b.Studio.Clock)
	}
	t, err := b.Availability.Times(c.UserContext(), b.Scope.Tenant, in)
	if fault.IsKind(err, fault.NotFound) || fault.IsKind(err, fault.Validation) || err == nil && t.Location.Paused {
		return nil, nil
	}
	chosen := map[uuid.UUID]bool{}
	for _, line := range b.Cart.Lines {
		chosen[line.OccurrenceID] = true
	}
	var out []schedule.PublicOccurrence
	for _, d := range t.Days {
		for _, x := range d.Occurrences {
			if !x.Full() && (l.Slot != nil || !chosen[x.ID]) && !(l.Slot != nil && x.StartsAt.Equal(l.StartsAt)) {
				out = append(out, x)
			}
		}
	}
	if l.Slot != nil {
		slices.SortStableFunc(out, func(a, b schedule.PublicOccurrence) int {
			return cmp.Compare(a.StartsAt.Sub(l.StartsAt).Abs(), b.StartsAt.Sub(l.StartsAt).Abs())
		})
	}
	return out[:min(len(out), nextTimes)], err
}

// goneCourse is why a course in a cart cannot be booked; empty when it can, as far as is known without holding it.
func goneCourse(l checkout.Line) words.Text {
	switch {
	case l.Problem == booking.ErrStarted.Reason || l.Problem == "" && len(l.Dates) == 0:
		return "This course has ended."
	case l.Problem != "":
		return "This course cannot be booked online now."
	case l.Full && l.Spots > 0:
		return "Not every date has a spot left for this person."
	case l.Full:
		return "This course is full now: not every date has a spot left."
	}
	return ""
}

// named returns the name of a line, with its time if it has one.
func (l CartLine) named(w view.Words) string {
	if l.Start.IsZero() {
		return l.Name
	}
	return l.Name + ", " + w.ShortWhen(l.Start)
}
