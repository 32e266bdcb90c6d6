package my

import (
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/hosted/kit"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/web/op"
)

// myPages mounts My bookings. They belong to no studio, but a visitor from one (?at= names it) sees them in its
// shell, with the link back to it.
func (h *site) myPages() {
	h.Get("/my", h.my)
	h.Get("/my/bookings/:booking", h.mine(h.showBooking))
	h.Get("/my/bookings/:booking/calendar.ics", h.mine(h.bookingCalendar))
	h.Get("/my/bookings/:booking/cancel", h.mine(h.askCancel))
	h.Post("/my/bookings/:booking/cancel", op.RateStorefrontWrite, h.mine(h.cancel))
	h.Get("/my/bookings/:booking/move", h.mine(h.askMove))
	h.Post("/my/bookings/:booking/move", op.RateStorefrontWrite, h.mine(h.reschedule))
	h.Post("/my/bookings/:booking/pay", op.RateStorefrontWrite, h.mine(h.payBalance))
	h.Get("/my/payments", h.Own(h.myPayments))
	h.Post("/my/sign-out", op.RateStorefrontWrite, func(c *fiber.Ctx) error {
		if err := h.SignOut(c); err != nil {
			return err
		}
		return kit.See(c, kit.InFrame(c, view.Shell{}), "/my/sign-in")
	})
	d := &kit.SignInFlow{
		Site: h.Site, Base: func(*fiber.Ctx) string { return "/my/sign-in" }, Reason: "We send you a code to see your bookings. No password.",
		Shell: func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
			return page(h.StudioShell(c), nil)
		},
	}
	d.Next = func(c *fiber.Ctx) error { return kit.See(c, kit.CarriedOnly(c), h.Wanted(c)) }
	h.Get("/my/sign-in", d.Enter)
	d.Hang("/my/sign-in", kit.Always)
}

// myPage is the number of bookings on My bookings, of upcoming and of past ones each.
const myPage = 50

// pastList names the list in the addresses of its pages. It grants no access: the session determines the customer.
const pastList = "my past bookings"

// my shows the bookings of the signed-in person, in all studios. ?before= pages through past ones.
func (h *site) my(c *fiber.Ctx) error {
	p, err := h.Person(c)
	if err != nil {
		return err
	}
	if p.Person() == uuid.Nil {
		to := "/my/sign-in"
		if at := c.Query("at"); at != "" {
			to = kit.Query(to, "at", at)
		}
		return kit.See(c, kit.CarriedOnly(c), to)
	}
	var before *paging.Moment // an invalid one is ignored
	var key paging.Moment
	if given, _ := h.Cursors.Decode(pastList, uuid.Nil, c.Query("before"), &key); given {
		before = &key
	}
	var upcoming, past paging.Page[booking.CustomerBooking, paging.Moment]
	var waits paging.Page[waitlist.CustomerEntry, paging.Moment]
	err = kit.Together(
		func() (err error) {
			if before == nil {
				upcoming, err = h.Booking.Mine(c.UserContext(), p, booking.MineInput{Page: paging.In[paging.Moment]{Limit: paging.Max}})
			}
			return err
		},
		func() (err error) {
			past, err = h.Booking.Mine(c.UserContext(), p, booking.MineInput{
				Past: true, Page: paging.In[paging.Moment]{After: before, Limit: myPage},
			})
			return err
		},
		func() (err error) {
			if before == nil {
				waits, err = h.Waitlist.Mine(c.UserContext(), p, paging.In[paging.Moment]{Limit: myPage})
			}
			return err
		},
	)
	if err != nil {
		return err
	}
	stakes, err := h.CostBases(c, upcoming.Items)
	if err != nil {
		return err
	}
	sh := h.StudioShell(c)
	sh.Zone = zoneOf(append(upcoming.Items, past.Items...))
	v := Bookings{
		Email: p.Email, Waiting: h.waitings(waits.Items), Upcoming: h.bookings(sh.Words, upcoming.Items, stakes), Past: h.bookings(sh.Words, past.Items, nil),
		SignOut: kit.FormTo("/my/sign-out"),
	}
	if past.Next != nil {
		v.More = kit.Query("/my", "before", h.Cursors.Encode(pastList, uuid.Nil, *past.Next))
	}
	return kit.Show(c, sh, BookingsPage(sh, v))
}

func (h *site) bookings(w view.Words, list []booking.CustomerBooking, stakes map[uuid.UUID]booking.CostBasis) []Booking {
	out := make([]Booking, len(list))
	for i, b := range list {
		w.Zone = zoneOf(list[i : i+1])
		out[i] = Booking{Line: view.LineOf(w, b), Studio: b.BusinessName, Zone: w.Zone, Href: "/my/bookings/" + b.ID.String()}
		out[i].Where = w.WhereWith(view.Joined(", ", view.LocationSuffix(b.BusinessName, b.LocationName), b.Space), b.Instructor)
		if n := len(b.Dates); n > 0 {
			out[i].State = view.StateOnce(w, booking.CourseState(b.Dates), b.Dates[n-1].EndsAt)
		}
		out[i].Terms = view.NonEmpty(view.DueAtStudio(w, stakes[b.ID].DueAmount, b.Currency), view.CancelTerms(w, b.Booking, stakes[b.ID]))
		if b.OrderID != nil {
			out[i].Receipt = "/receipt/" + h.Orders.ReceiptToken(*b.OrderID)
		}
	}
	return Friends(w, out)
}

// zoneOf is the wall clock of the first of the bookings; UTC without any.
func zoneOf(list []booking.CustomerBooking) *time.Location {
	if len(list) == 0 {
		return time.UTC
	}
	return civil.ZoneOrUTC(list[0].Zone)
}
