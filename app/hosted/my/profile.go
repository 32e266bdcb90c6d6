package my

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
	"foyer/app/words"
)

// profilePages mounts the page of one's own profile.
func (h *site) profilePages() {
	h.Get("/my/profile", h.Own(h.showProfile))
	h.Post("/my/profile", op.RateStorefrontWrite, h.Own(h.saveProfile))
	h.Post("/my/profile/sign-out", op.RateStorefrontWrite, h.Own(h.leaveEverywhere))
}

// showProfile is the page. ?saved= confirms a change.
func (h *site) showProfile(c *fiber.Ctx, p tenancy.Principal) error {
	known, err := h.Identity.Profile(c.UserContext(), p)
	if err != nil {
		return err
	}
	v := Profile{Name: known.Name, Phone: known.Phone}
	if words.Known(known.Locale) {
		v.Locale = words.In(known.Locale).Base()
	}
	return h.profilePage(c, p, v)
}

func (h *site) profilePage(c *fiber.Ctx, p tenancy.Principal, v Profile) error {
	list, err := h.Identity.Sessions(c.UserContext(), p)
	if err != nil {
		return err
	}
	for _, s := range list {
		v.Sessions = append(v.Sessions, Session{Agent: s.Agent, Since: s.CreatedAt, Seen: s.SeenAt, Current: s.Current})
	}
	sh := h.StudioShell(c)
	sh.Mine = "/my"
	if c.Query("saved") != "" && v.Trouble == nil {
		sh.Said = sh.T("Your profile is saved.")
	}
	v.Email, v.Back, v.Form, v.SignOut = p.Email, "/my", kit.FormTo("/my/profile"), kit.FormTo("/my/profile/sign-out")
	if slug := deskOf(c); slug != "" {
		v.Desk, v.Form.Hidden = consoleRoot+slug, []view.Param{{Name: view.FieldDesk, Value: slug}}
	}
	return kit.Show(kit.Troubled(c, v.Trouble), sh, ProfilePage(sh, v))
}

// saveProfile writes the form, even over changes since it was shown: it has all editable fields.
func (h *site) saveProfile(c *fiber.Ctx, p tenancy.Principal) error {
	v := Profile{Name: names.Clean(c.FormValue("name")), Phone: strings.TrimSpace(c.FormValue("phone")), Locale: c.FormValue("locale")}
	err := h.writeProfile(c, p, v)
	if errors.Is(err, fault.ErrStale) { // another page of theirs was faster
		err = h.writeProfile(c, p, v)
	}
	if tr, ok := kit.TroubleOf(h.StudioShell(c).Words, err, "name", "phone", "locale"); ok {
		v.Trouble = tr
		return h.profilePage(c, p, v)
	}
	if err != nil {
		return err
	}
	h.Speak(c, v.Locale)
	to := url.Values{"saved": {"1"}}
	if slug := deskOf(c); slug != "" {
		to.Set(view.FieldDesk, slug)
	}
	return kit.See(c, kit.CarriedOnly(c), "/my/profile?"+to.Encode())
}

// consoleRoot is the path of the console of a business, without its id.
const consoleRoot = "/manage/"

// deskOf is the address of the business whose console linked to the profile; empty without one.
func deskOf(c *fiber.Ctx) string {
	slug := kit.Carried(c, view.FieldDesk)
	if tenancy.CheckSlug(slug) != nil {
		return ""
	}
	return slug
}

// writeProfile keeps the country of a chosen language while the language stays the same.
func (h *site) writeProfile(c *fiber.Ctx, p tenancy.Principal, v Profile) error {
	known, err := h.Identity.Profile(c.UserContext(), p)
	if err != nil {
		return err
	}
	in := identity.ProfileInput{Version: known.Version, Name: &v.Name, Phone: &v.Phone}
	if !words.Known(known.Locale) || words.In(known.Locale).Base() != v.Locale {
		in.Locale = &v.Locale
	}
	return h.Once(c, func(ctx context.Context) error {
		changed, err := h.Identity.UpdateProfile(ctx, p, in)
		if err == nil {
			p.Actor.Name = changed.Name
			c.Locals(kit.PersonLocal, p)
		}
		return err
	})
}

// leaveEverywhere ends all sessions, this one too.
func (h *site) leaveEverywhere(c *fiber.Ctx, p tenancy.Principal) error {
	if err := h.Identity.LogoutEverywhere(c.UserContext(), p); err != nil {
		return err
	}
	if err := h.SignOut(c); err != nil {
		return err
	}
	return kit.See(c, kit.InFrame(c, view.Shell{}), "/my/sign-in")
}
