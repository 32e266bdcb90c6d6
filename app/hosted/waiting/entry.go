package waiting

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/web/op"
)

// entry is a waitlist entry, from the address in mails: its bearer may see it, decline and leave; accepting requires
// signing in.
type entry struct {
	kit.StudioPage
	waitlist.CustomerEntry
	Token string
}

// placePages mounts the page of a waitlist entry. Opening it changes nothing.
func (h *site) placePages() {
	d := &kit.SignInFlow{Site: h.Site, Base: func(c *fiber.Ctx) string { return kit.WaitlistPath + c.Params("token") + "/sign-in" }}
	d.Reason = "To accept the spot, sign in with the address that the e-mail was sent to. We send you a code. No password."
	d.Shell = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return h.entry(func(_ *fiber.Ctx, w *entry) error { return page(w.Shell, nil) })(c)
	}
	d.Next = h.entry(h.accept)
	const path = kit.WaitlistPath + ":token"
	h.Get(path, h.entry(func(c *fiber.Ctx, w *entry) error { return w.show(c, nil) }))
	h.Get(path+"/sign-in", h.entry(func(c *fiber.Ctx, w *entry) error {
		if w.Scope.Person() != uuid.Nil || !w.Acceptable {
			return w.see(c)
		}
		return d.Show(c, "", nil)
	}))
	d.Hang(path+"/sign-in", kit.Always)
	h.Post(path+"/accept", op.RateStorefrontWrite, h.entry(h.accept))
	h.Post(path+"/decline", op.RateStorefrontWrite, h.entry(h.decline))
	h.Post(path+"/leave", op.RateStorefrontWrite, h.entry(h.leave))
	h.Post(path+"/switch", op.RateStorefrontWrite, h.entry(func(c *fiber.Ctx, w *entry) error {
		if err := h.SignOut(c); err != nil {
			return err
		}
		return kit.See(c, w.Shell, w.path("/sign-in"))
	}))
}

// entry reads the entry in the path.
func (h *site) entry(run func(c *fiber.Ctx, w *entry) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w := &entry{Token: c.Params("token")}
		at, found, err := h.Waitlist.Locate(c.UserContext(), w.Token)
		if err == nil && !found {
			err = fault.Missing()
		}
		if err != nil {
			return err
		}
		sc := tenancy.Visitor(tenancy.Principal{}, at.BusinessID, tenancy.SurfaceHosted)
		if w.CustomerEntry, err = h.Waitlist.Find(c.UserContext(), sc, w.Token); err != nil {
			return err
		}
		if w.StudioPage, err = h.PageIn(c, kit.Location{Tenant: at.BusinessID, Location: w.LocationID}); err != nil {
			return err
		}
		return run(c, w)
	}
}

// path is an address of this entry.
func (w *entry) path(step string) string { return kit.WaitlistPath + w.Token + step }

func (w *entry) see(c *fiber.Ctx) error { return kit.See(c, w.Shell, w.path("")) }

// accept accepts the offer: with a price it goes on to pay, free of charge it is booked.
func (h *site) accept(c *fiber.Ctx, w *entry) error {
	if w.Scope.Person() == uuid.Nil {
		return kit.See(c, w.Shell, w.path("/sign-in"))
	}
	got, err := h.Waitlist.Accept(c.UserContext(), w.Scope, w.Token)
	if err != nil {
		return w.again(c, err)
	}
	if got.OrderID != nil {
		return kit.See(c, w.Shell, "/receipt/"+h.Orders.ReceiptToken(*got.OrderID))
	}
	token := h.Checkout.CartToken(got.CartID)
	h.Cookies.Set(c, kit.CartCookie(w.LocationID), token, kit.CartAge)
	return kit.See(c, w.Shell, "/cart/"+token+"/pay")
}

// decline declines an offer.
func (h *site) decline(c *fiber.Ctx, w *entry) error {
	_, err := h.Waitlist.Decline(c.UserContext(), w.Scope, w.Token)
	return w.answered(c, err)
}

// leave removes the entry from its list.
func (h *site) leave(c *fiber.Ctx, w *entry) error {
	_, err := h.Waitlist.LeaveBy(c.UserContext(), w.Scope, w.Token)
	return w.answered(c, err)
}

func (w *entry) answered(c *fiber.Ctx, err error) error {
	if err != nil {
		return w.again(c, err)
	}
	return w.see(c)
}

// again shows the current entry with the reason for a refusal. Other errors are returned.
func (w *entry) again(c *fiber.Ctx, why error) error {
	tr, ok := kit.TroubleOf(w.Shell.Words, why)
	if !ok {
		return why
	}
	fresh, err := w.Site.Waitlist.Find(c.UserContext(), w.Scope, w.Token)
	if err != nil {
		return err
	}
	w.CustomerEntry = fresh
	if errors.Is(why, waitlist.ErrOfferTo) {
		return w.show(c, w.notTheirs())
	}
	tr.Title = w.Shell.T("This did not work")
	return w.show(c, tr)
}

func (w *entry) notTheirs() *view.Trouble {
	return &view.Trouble{Title: w.Shell.T("This spot is held for another customer"),
		Text: w.Shell.T("You are signed in as {email}. Sign in with the address that the e-mail was sent to.", "email", w.Scope.Email)}
}

// stranger reports whether the signed-in person is not the customer of the entry.
func (w *entry) stranger() bool {
	return w.Scope.Person() != uuid.Nil && w.Others(w.Scope.Person())
}

// show renders the page of the entry.
func (w *entry) show(c *fiber.Ctx, tr *view.Trouble) error {
	v := w.page()
	if v.Stands == view.StandsWell && w.BookingID != nil {
		var err error
		if v.Lines, err = w.terms(c); err != nil {
			return err
		}
	}
	v.Trouble = tr
	if v.Accept.Action != "" && w.stranger() {
		other := kit.FormTo(w.path("/switch"))
		v.Accept, v.Decline, v.Leave, v.Other = view.Form{}, view.Form{}, view.Form{}, &other
		v.Trouble = w.notTheirs()
	}
	return kit.Show(kit.Troubled(c, tr), w.Shell, EntryPage(w.Shell, v))
}

// terms are the amount due for the booking that the entry became, and the cost of cancelling it.
func (w *entry) terms(c *fiber.Ctx) ([]string, error) {
	b, err := booking.CustomerBookingOf(c.UserContext(), w.Site.DB.View(w.BusinessID), *w.BookingID)
	if err != nil {
		return nil, err
	}
	stakes, err := w.Site.CostBases(c, []booking.CustomerBooking{b})
	if err != nil {
		return nil, err
	}
	return view.NonEmpty(view.DueAtStudio(w.Shell.Words, stakes[b.ID].DueAmount, b.Currency), view.CancelTerms(w.Shell.Words, b.Booking, stakes[b.ID])), nil
}
