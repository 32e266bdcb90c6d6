package invite

import (
	"cmp"
	"context"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
)

// The wizard of an invited owner. The invite is checked in every step and used up in the last one, in the transaction
// that opens the business:
//
//	/invite/{token} ─▶ code ─▶ /studio (names) ─▶ /location (place, clock, money) ─▶ console: /manage/{studio}/welcome
func (h *site) invitePages() {
	d := &kit.SignInFlow{Site: h.Site, Base: func(c *fiber.Ctx) string { return "/invite/" + c.Params("token") }}
	d.First = func(c *fiber.Ctx, v kit.SignIn) error {
		return h.invited(func(c *fiber.Ctx, in identity.Invite) error {
			sh := h.PlatformShell(c)
			v.Email = cmp.Or(v.Email, in.Email)
			return kit.Show(c, sh, StartPage(sh, v))
		})(c)
	}
	d.Shell = func(c *fiber.Ctx, page func(sh view.Shell, o *view.Order) error) error {
		return h.invited(func(c *fiber.Ctx, _ identity.Invite) error { return page(h.PlatformShell(c), nil) })(c)
	}
	d.Next = func(c *fiber.Ctx) error { return c.Redirect(d.Base(c)+"/studio", fiber.StatusSeeOther) }
	h.Get("/invite/:token", h.invited(func(c *fiber.Ctx, _ identity.Invite) error { return d.Enter(c) }))
	d.Hang("/invite/:token", kit.Always)
	h.Post("/invite/:token/leave", op.RateStorefrontWrite, h.leaveInvite)
	h.Get("/invite/:token/studio", h.invited(h.owner(h.askStudio)))
	h.Post("/invite/:token/studio", op.RateStorefrontWrite, h.invited(h.owner(h.saveStudio)))
	h.Get("/invite/:token/location", h.invited(h.owner(h.askLocation)))
	h.Post("/invite/:token/location", op.RateStorefrontWrite, h.openBusiness)
}

// invited runs a step of the wizard under a valid invite. Otherwise the page shows the reason.
func (h *site) invited(run func(c *fiber.Ctx, in identity.Invite) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		in, err := h.Identity.Invite(c.UserContext(), c.Params("token"))
		if fault.IsKind(err, fault.NotFound) {
			return h.inviteGone(c)
		}
		if err != nil {
			return err
		}
		return run(c, in)
	}
}

func (h *site) inviteGone(c *fiber.Ctx) error {
	sh := h.PlatformShell(c)
	c.Status(fiber.StatusNotFound)
	return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
		Title: sh.T("This link no longer works"), Text: sh.T("It has already been used, or has expired. Ask for a new one."),
		Links: []view.Link{{Text: sh.T("Your businesses"), Href: "/manage"}, {Text: sh.T("My bookings"), Href: "/my"}},
	}))
}

// owner runs a step for the person invited. A person signed in with another address sees a message, and may sign out
// to use the right one: having a link proves no identity.
func (h *site) owner(run func(c *fiber.Ctx, in identity.Invite) error) func(c *fiber.Ctx, in identity.Invite) error {
	return func(c *fiber.Ctx, in identity.Invite) error {
		p, err := h.Person(c)
		switch {
		case err != nil:
			return err
		case p.Person() == uuid.Nil:
			return c.Redirect("/invite/"+c.Params("token"), fiber.StatusSeeOther)
		case !in.For(p):
			return h.wrongAddress(c, p, in)
		}
		return run(c, in)
	}
}

func (h *site) wrongAddress(c *fiber.Ctx, p tenancy.Principal, in identity.Invite) error {
	sh := h.PlatformShell(c)
	c.Status(fiber.StatusForbidden)
	return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
		Title: sh.T("This link was sent to another address"),
		Text:  sh.T("You are signed in as {other}, and it is for {email}. Sign in with that address to continue.", "email", in.Email, "other", p.Email),
		Form:  kit.FormTo("/invite/" + c.Params("token") + "/leave"), Button: sh.T("Sign in with the other address"),
	}))
}

// leaveInvite signs out, to sign in with another address.
func (h *site) leaveInvite(c *fiber.Ctx) error {
	if err := h.SignOut(c); err != nil {
		return err
	}
	return c.Redirect("/invite/"+c.Params("token"), fiber.StatusSeeOther)
}

func (h *site) askStudio(c *fiber.Ctx, in identity.Invite) error {
	p, err := h.Person(c)
	if err != nil {
		return err
	}
	return h.showStudio(c, Studio{Business: in.BusinessName, Name: p.Actor.Name, Teaches: true})
}

func (h *site) showStudio(c *fiber.Ctx, v Studio) error {
	sh := h.PlatformShell(c)
	v.Form = kit.FormTo("/invite/" + c.Params("token") + "/studio")
	return kit.Show(kit.Troubled(c, v.Trouble), sh, StudioPage(sh, v))
}

// saveStudio stores the owner's name in their profile. The studio's name, and whether the owner teaches, travel on in
// the address: there is no studio yet.
func (h *site) saveStudio(c *fiber.Ctx, _ identity.Invite) error {
	v := Studio{
		Business: names.Clean(c.FormValue("business")), Name: names.Clean(c.FormValue("name")), Teaches: c.FormValue(fieldTeaches) == "1",
	}
	if v.Business == "" || !identity.IsLine(v.Business, business.MaxName) {
		v.Trouble = kit.FieldTrouble("business", h.PlatformShell(c).T("Enter the studio’s name, of at most 120 characters."))
		return h.showStudio(c, v)
	}
	err := h.Introduce(c, v.Name, nil)
	if tr, ok := kit.TroubleOf(h.PlatformShell(c).Words, err, "name"); ok {
		v.Trouble = tr
		return h.showStudio(c, v)
	}
	if err != nil {
		return err
	}
	return c.Redirect(kit.Query("/invite/"+c.Params("token")+"/location", "business", v.Business, fieldTeaches, c.FormValue(fieldTeaches),
		fieldHere, c.FormValue(fieldHere)), fiber.StatusSeeOther)
}

// openBusiness opens the business with its first location. Sending the form twice opens one: the second answer is the
// first one's.
func (h *site) openBusiness(c *fiber.Ctx) error {
	v := placeIn(c)
	if again, err := h.moved(c, v); again {
		return err
	}
	sc, err := h.ScopeOf(c, uuid.Nil)
	if err != nil {
		return err
	}
	var made business.Created
	err = h.Once(c, func(ctx context.Context) (err error) {
		made, err = h.Business.Create(ctx, sc, business.CreateInput{
			InviteToken: c.Params("token"), Name: c.FormValue("business"), Slug: v.Slug, OwnerTeaches: c.FormValue(fieldTeaches) == "1",
			Location: &business.LocationInput{
				Name: v.Location, SlugFrom: business.LocationLabel(c.FormValue("business"), v.Location), Address: v.Address, Zone: v.Zone,
				Currency: money.Currency(v.Currency), Language: v.Language, TaxMode: business.TaxMode(v.TaxMode),
			},
		})
		return err
	})
	if tr, ok := kit.TroubleOf(h.PlatformShell(c).Words, err, placeFields...); ok {
		if errors.Is(err, business.ErrSlugTaken) {
			tr = kit.FieldTrouble("slug", tr.Text)
		}
		v.Trouble = tr
		return h.showLocation(c, v)
	}
	if err != nil {
		return h.refusedInvite(c, err)
	}
	return c.Redirect("/manage/"+made.Business.Slug+"/welcome", fiber.StatusSeeOther)
}

// refusedInvite explains a refused invite: it is used up or too old, or was sent to another person.
func (h *site) refusedInvite(c *fiber.Ctx, err error) error {
	switch {
	case fault.IsKind(err, fault.Unauthorized):
		return c.Redirect("/invite/"+c.Params("token"), fiber.StatusSeeOther)
	case errors.Is(err, identity.ErrInvite):
		return h.invited(h.owner(func(*fiber.Ctx, identity.Invite) error { return err }))(c)
	}
	return err
}
