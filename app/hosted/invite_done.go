package hosted

import (
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/view"
)

// refusedInvite explains why an invite opened nothing: it is used up or too old, or was sent to somebody else.
func (h *site) refusedInvite(c *fiber.Ctx, err error) error {
	switch {
	case fault.IsKind(err, fault.Unauthorized):
		return c.Redirect("/invite/"+c.Params("token"), fiber.StatusSeeOther)
	case errors.Is(err, identity.ErrInvite):
		return h.invited(h.owner(func(*fiber.Ctx, identity.Invite) error { return err }))(c)
	}
	return err
}

// opened is the end of the wizard: the studio's addresses, and the first calls to make. The invite is used up by now; the
// page is for the studio's own people, whose studio the address names.
func (h *site) opened(c *fiber.Ctx) error {
	sc, err := h.scope(c, uuid.Nil)
	if err != nil {
		return err
	}
	if sc.Person() == uuid.Nil {
		return c.Redirect("/my/sign-in", fiber.StatusSeeOther)
	}
	mine, err := h.Business.Mine(c.UserContext(), sc, paging.In[uuid.UUID]{Limit: paging.Max})
	if err != nil {
		return err
	}
	at := slices.IndexFunc(mine.Items, func(m business.Membership) bool { return m.Business.Slug == c.Query("studio") })
	if at < 0 {
		return fault.Missing()
	}
	b := mine.Items[at].Business
	open, err := h.locations(c, b.ID)
	if err != nil {
		return err
	}
	sh := h.house(c)
	v := view.InviteDone{Business: b.Name, Calls: firstCalls(h.o.BaseURL, sc.Email, b.ID.String())}
	for _, l := range open {
		v.Links = append(v.Links, view.Link{Text: "Booking page of " + l.Name, Href: h.o.BaseURL + "/" + l.Slug})
	}
	v.Links = append(v.Links,
		view.Link{Text: "Your own bookings, as a customer", Href: h.o.BaseURL + "/my"},
		view.Link{Text: "What the API can do", Href: h.o.BaseURL + "/openapi.json"})
	return show(c, sh, view.InviteDonePage(sh, v))
}

// firstCalls lead from nothing to an API key: ask for a code, exchange it, make the key.
func firstCalls(base, email, id string) []view.Call {
	const send = "curl -X POST "
	const json = " \\\n  -H 'content-type: application/json'"
	return []view.Call{
		{Title: "Ask for a sign-in code", Command: send + base + "/auth/challenges" + json +
			" \\\n  -d '{\"email\":\"" + email + "\",\"channel\":\"email_code\"}'"},
		{Title: "Exchange it for a token", Command: send + base + "/auth/verify" + json +
			" \\\n  -d '{\"challengeId\":\"…\",\"code\":\"123456\"}'"},
		{Title: "Make a key for your tools", Command: send + base + "/businesses/" + id + "/api-keys" + json +
			" \\\n  -H 'authorization: Bearer …' \\\n  -d '{\"name\":\"My laptop\"}'"},
	}
}
