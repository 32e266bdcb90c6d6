package hosted

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/schedule"
	"foyer/app/view"
	"foyer/app/web"
)

func (h *site) cartPages() {
	h.get("/cart/:token", h.with(h.showCart))
	h.post("/cart/:token", web.RateStorefrontWrite, h.with(h.goOn))
	h.post("/cart/:token/again", web.RateStorefrontWrite, h.with(h.again))
	h.post("/cart/:token/extend", web.RateStorefrontWrite, h.with(h.extend))
	h.post("/cart/:token/items/:item/remove", web.RateStorefrontWrite, h.with(h.remove))
	h.post("/cart/:token/items/:item/move", web.RateStorefrontWrite, h.with(h.move))
	h.cartDoor()
	h.get("/cart/:token/details", h.with(h.askDetails))
	h.post("/cart/:token/details", web.RateStorefrontWrite, h.with(h.saveDetails))
	h.get("/cart/:token/pay", h.with(h.showPay))
	h.post("/cart/:token/pay", web.RateStorefrontWrite, h.with(h.pay))
	h.get("/cart/:token/done", h.done)
}

// showCart shows what is chosen. ?why= is the reason why a step was refused, and ?at= the date it was about.
func (h *site) showCart(c *fiber.Ctx, b *basket) error {
	why := c.Query("why")
	v := view.Cart{
		Bill: billOf(b.Cart.Totals, len(b.Cart.Lines)), Hold: b.kept(""), More: b.Studio.home(), Trouble: reasons[why],
		Form: formTo(b.path(""), b.quoted()),
	}
	free := len(b.Cart.Lines) > 0
	for _, l := range b.Cart.Lines {
		line, err := b.lineOf(c, l)
		if err != nil {
			return err
		}
		free = free && line.Gone == ""
		v.Lines = append(v.Lines, line)
		if why == booking.ErrDuplicate.Reason && c.Query("at") == l.OccurrenceID.String() {
			v.Trouble = fieldTrouble("who."+line.ID, "You are booked for "+l.Name+" at this time already. Say who else is coming, or remove it.")
		}
	}
	switch over := why == reasonOver && b.Cart.Hold == nil; {
	case !free:
		v.Form = view.Form{}
		if over {
			v.Trouble = overAndGone
		}
	case over:
		v.Ended, v.Again = true, formTo(b.path("/again"))
	}
	return show(c, b.Shell, view.CartPage(b.Shell, v))
}

// lineOf shows one seat of the cart. One that cannot be had says why, with other dates of the same class to change to.
func (b *basket) lineOf(c *fiber.Ctx, l checkout.Line) (view.CartLine, error) {
	item := "/items/" + l.ItemID.String()
	v := view.CartLine{
		ID: l.ItemID.String(), Name: l.Name, Start: l.StartsAt, Minutes: minutes(l.StartsAt, l.EndsAt),
		Where: whereWith(l.Space, l.Instructor), Price: view.Price{Minor: l.ListedAmount, Currency: b.Cart.Totals.Currency},
		Who: l.Attendee, Remove: formTo(b.path(item + "/remove")),
	}
	if l.ListedAmount != l.AddedAmount && l.BookingID == nil {
		v.Was = &view.Price{Minor: l.AddedAmount, Currency: b.Cart.Totals.Currency}
	}
	if v.Gone = gone(l); v.Gone == "" {
		return v, nil
	}
	others, err := b.others(c, l)
	for _, x := range others {
		v.Others = append(v.Others, view.Swap{
			Start: x.StartsAt, Spots: x.Spots,
			Form: formTo(b.path(item+"/move"), view.Param{Name: "occurrence", Value: x.ID.String()}),
		})
	}
	return v, err
}

// gone is why a line cannot be booked; empty when it can.
func gone(l checkout.Line) string {
	switch {
	case l.BookingID != nil:
		return ""
	case l.Problem == booking.ErrStarted.Reason:
		return "This has begun."
	case l.Problem == booking.ErrCancelled.Reason:
		return "The studio has cancelled this date."
	case l.Problem != "":
		return "This cannot be booked online now."
	case l.Spots == 0:
		return "This date is full now."
	}
	return ""
}

// others are the next few dates of the same class that have a seat and are not in the cart yet.
func (b *basket) others(c *fiber.Ctx, l checkout.Line) ([]schedule.Session, error) {
	t, err := b.Schedule.Times(c.UserContext(), b.Scope.Tenant, schedule.TimesInput{OfferingID: l.OfferingID})
	if isMissing(err) || err == nil && t.Place.Paused {
		return nil, nil
	}
	chosen := map[uuid.UUID]bool{}
	for _, line := range b.Cart.Lines {
		chosen[line.OccurrenceID] = true
	}
	var out []schedule.Session
	for _, d := range t.Days {
		for _, x := range d.Sessions {
			if !x.Full() && !chosen[x.ID] && len(out) < nextTimes {
				out = append(out, x)
			}
		}
	}
	return out, err
}

// kept is the hold of the cart with its button; from is the step the button comes back to.
func (b *basket) kept(from string) *view.Hold {
	return holdOf(b.Cart, formTo(b.path("/extend"), view.Param{Name: "from", Value: from}))
}

// goOn takes the names of who is coming and goes on under the total that the customer saw.
func (h *site) goOn(c *fiber.Ctx, b *basket) error {
	if err := b.rename(c); err != nil {
		return b.refused(c, err)
	}
	var quoted *int64
	if n, err := strconv.ParseInt(c.FormValue("total"), 10, 64); err == nil {
		quoted = &n
	}
	return b.proceed(c, quoted)
}

// rename gives each seat to who is coming. A seat that is kept is let go and taken again under the new name.
func (b *basket) rename(c *fiber.Ctx) error {
	for _, l := range b.Cart.Lines {
		sent := c.Request().PostArgs().Has("who." + l.ItemID.String())
		who := strings.TrimSpace(c.FormValue("who." + l.ItemID.String()))
		if !sent || who == l.Attendee {
			continue
		}
		if err := b.swap(c, l, l.OccurrenceID, who); err != nil {
			return err
		}
	}
	return nil
}

// swap puts another seat into the place of a line: another date, or for somebody else.
func (b *basket) swap(c *fiber.Ctx, l checkout.Line, occurrence uuid.UUID, who string) error {
	if err := b.thaw(c); err != nil {
		return err
	}
	_, err := b.Checkout.AddItem(c.UserContext(), b.Scope, b.Token, checkout.AddItemInput{OccurrenceID: occurrence, Attendee: who})
	if err != nil && !errors.Is(err, booking.ErrDuplicate) {
		return err
	}
	_, err = b.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, l.ItemID)
	return err
}

// thaw gives up the payment of a cart that is being paid for, so that its items can be changed: the customer left the
// payment step to do so. Money that is on its way is not given up.
func (b *basket) thaw(c *fiber.Ctx) error {
	if b.Cart.Order == nil || b.Cart.Order.State != checkout.OrderOpen {
		return nil
	}
	err := b.Checkout.Release(c.UserContext(), b.Scope, b.Token)
	if err == nil {
		b.Cart.Order = nil
	}
	return err
}

// item is the line that the path names; nil when it is not there any more.
func (b *basket) item(c *fiber.Ctx) *checkout.Line {
	for i, l := range b.Cart.Lines {
		if l.ItemID.String() == c.Params("item") {
			return &b.Cart.Lines[i]
		}
	}
	return nil
}

// remove takes a line out of the cart. One that is gone already is as it should be.
func (h *site) remove(c *fiber.Ctx, b *basket) error {
	if l := b.item(c); l != nil {
		err := b.thaw(c)
		if err == nil {
			_, err = h.Checkout.RemoveItem(c.UserContext(), b.Scope, b.Token, l.ItemID)
		}
		if err != nil && !isMissing(err) {
			return b.refused(c, err)
		}
	}
	return b.see(c, "")
}

// move changes a line to another date of the same class.
func (h *site) move(c *fiber.Ctx, b *basket) error {
	occurrence, err := uuid.Parse(c.FormValue("occurrence"))
	if l := b.item(c); l != nil && err == nil {
		if err := b.swap(c, *l, occurrence, l.Attendee); err != nil && !isMissing(err) {
			return b.refused(c, err)
		}
	}
	return b.see(c, "")
}

// again takes the seats of a hold that has ended once more.
func (h *site) again(c *fiber.Ctx, b *basket) error { return b.proceed(c, nil) }

// extend gives the hold ten more minutes and goes back to the step it was asked for on.
func (h *site) extend(c *fiber.Ctx, b *basket) error {
	if !b.signedIn() {
		return b.see(c, "/sign-in")
	}
	if _, err := h.Checkout.Extend(c.UserContext(), b.Scope, b.Token); err != nil {
		return b.refused(c, err)
	}
	if c.FormValue("from") == "/pay" {
		return b.see(c, "/pay")
	}
	return b.see(c, "")
}
