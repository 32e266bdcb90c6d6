package hosted

import (
	"maps"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/web"
)

// myPages mounts My bookings. They are no studio's, but whoever comes from one (?at= names it) finds it around them, and
// the way back to it.
func (h *site) myPages() {
	h.get("/my", h.my)
	h.get("/my/bookings/:booking", h.mine(h.showBooking))
	h.get("/my/bookings/:booking/calendar.ics", h.mine(h.bookingCalendar))
	h.get("/my/bookings/:booking/cancel", h.mine(h.askCancel))
	h.post("/my/bookings/:booking/cancel", web.RateStorefrontWrite, h.mine(h.cancel))
	h.get("/my/bookings/:booking/move", h.mine(h.askMove))
	h.post("/my/bookings/:booking/move", web.RateStorefrontWrite, h.mine(h.reschedule))
	h.post("/my/bookings/:booking/pay", web.RateStorefrontWrite, h.mine(h.payRest))
	h.get("/my/payments", h.own(h.myPayments))
	h.post("/my/sign-out", web.RateStorefrontWrite, func(c *fiber.Ctx) error {
		if err := h.signOut(c); err != nil {
			return err
		}
		return see(c, inFrame(c, view.Shell{}), "/my/sign-in")
	})
	d := &door{
		site: h, base: func(*fiber.Ctx) string { return "/my/sign-in" }, why: "We send you a code to see your bookings. No password.",
		around: func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error { return page(h.around(c), nil) },
	}
	d.next = func(c *fiber.Ctx) error {
		wanted, err := uuid.Parse(h.Cookies.Get(c, bookingCookie))
		if err != nil {
			return see(c, carriedOnly(c), "/my")
		}
		h.Cookies.Clear(c, bookingCookie)
		return see(c, carriedOnly(c), "/my/bookings/"+wanted.String())
	}
	h.get("/my/sign-in", d.enter)
	d.hang("/my/sign-in", always)
}

// around is the shell of the studio that a person came to My bookings from, which the browser remembers until it is closed;
// the house's for whoever came from none, or from one that is not there any more.
func (h *site) around(c *fiber.Ctx) view.Shell {
	slug := c.Query("at")
	if slug == "" {
		slug = h.Cookies.Get(c, studioCookie)
	} else if tenancy.CheckSlug(slug) == nil {
		h.Cookies.Set(c, studioCookie, slug, 0)
	}
	if slug == "" {
		return h.house(c)
	}
	f, err := h.Business.FindSlug(c.UserContext(), slug)
	if err != nil || f.Location == uuid.Nil {
		return h.house(c)
	}
	s, err := h.studioOf(c, place{f.Business, f.Location})
	if err != nil {
		return h.house(c)
	}
	sh := h.shell(c, s, carried(c, view.FieldRef))
	sh.CSRF, sh.Mine = h.token(c), ""
	return sh
}

// myPage is how many bookings My bookings shows, of what is to come and of what is over.
const myPage = 50

// pastList names the list in the addresses of its pages, which open nothing: whose bookings are read is the session's word.
const pastList = "my past bookings"

// my shows the bookings of whoever is signed in, in all studios. ?before= pages through what is over.
func (h *site) my(c *fiber.Ctx) error {
	p, err := h.person(c)
	if err != nil {
		return err
	}
	if p.Person() == uuid.Nil {
		to := "/my/sign-in"
		if at := c.Query("at"); at != "" {
			to = query(to, "at", at)
		}
		return see(c, carriedOnly(c), to)
	}
	var before *paging.Moment // what cannot be read is as good as not there
	var key paging.Moment
	if given, _ := h.Cursors.Decode(pastList, uuid.Nil, c.Query("before"), &key); given {
		before = &key
	}
	var upcoming, past paging.Page[booking.CustomerBooking, paging.Moment]
	var waits paging.Page[waitlist.CustomerEntry, paging.Moment]
	err = together(
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
	stakes, err := h.stakes(c, upcoming.Items)
	if err != nil {
		return err
	}
	sh := h.around(c)
	sh.Zone = zoneOf(append(upcoming.Items, past.Items...))
	v := view.MyBookings{
		Email: p.Email, Waiting: h.waitings(waits.Items), Upcoming: h.bookings(sh.Words, upcoming.Items, stakes), Past: h.bookings(sh.Words, past.Items, nil),
		SignOut: formTo("/my/sign-out"),
	}
	if past.Next != nil {
		v.More = query("/my", "before", h.Cursors.Encode(pastList, uuid.Nil, *past.Next))
	}
	return show(c, sh, view.MyBookingsPage(sh, v))
}

// stakes is what cancelling bookings is about, by their ids: one trip for each business of which there are some to be cancelled.
func (h *site) stakes(c *fiber.Ctx, list []booking.CustomerBooking) (map[uuid.UUID]booking.Stake, error) {
	standing := map[uuid.UUID][]booking.Booking{}
	for _, b := range list {
		if _, may := b.CustomerMay(booking.ActCancel, h.Clock.Now()); may {
			standing[b.BusinessID] = append(standing[b.BusinessID], b.Booking)
		}
	}
	out := map[uuid.UUID]booking.Stake{}
	for business, of := range standing {
		some, err := checkout.StakesOf(c.UserContext(), h.DB.View(business), of)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, some)
	}
	return out, nil
}

func (h *site) bookings(w view.Words, list []booking.CustomerBooking, stakes map[uuid.UUID]booking.Stake) []view.Booking {
	out := make([]view.Booking, len(list))
	for i, b := range list {
		w.Zone = zoneOf(list[i : i+1])
		out[i] = view.Booking{Line: view.LineOf(w, b), Studio: b.BusinessName, Zone: w.Zone, Href: "/my/bookings/" + b.ID.String()}
		out[i].Where = w.WhereWith(view.Joined(", ", view.Elsewhere(b.BusinessName, b.LocationName), b.Space), b.Instructor)
		if n := len(b.Dates); n > 0 {
			out[i].State = view.StateOnce(w, booking.CourseState(b.Dates), b.Dates[n-1].EndsAt)
		}
		out[i].Terms = view.Said(view.Owed(w, stakes[b.ID].DueAmount, b.Currency), view.CancelTerms(w, b.Booking, stakes[b.ID]))
		if b.OrderID != nil {
			out[i].Receipt = "/receipt/" + h.Checkout.ReceiptToken(*b.OrderID)
		}
	}
	return view.Friends(w, out)
}

// zoneOf is the wall clock of the first of the bookings; UTC without any.
func zoneOf(list []booking.CustomerBooking) *time.Location {
	if len(list) == 0 {
		return time.UTC
	}
	return civil.ZoneOrUTC(list[0].Zone)
}
