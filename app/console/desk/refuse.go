package desk

import (
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/web/op"
)

// refuse says in words why there is no page, and where to go from here. Whoever is not signed in signs in first, and comes back:
// to the page, or to the form as it was typed.
func (d *Desk) refuse(ctx *fiber.Ctx, c *Call, err error) error {
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal {
		return err // the log has it, and the server's own page tells the person
	}
	sh := d.house(ctx)
	if c != nil {
		sh = c.UI
		sh.Said = nil
	}
	p := ui.Problem{Title: sh.T("This did not work"), Text: sh.Refusal(f)}
	status := fiber.StatusConflict
	tap := ctx.Get(tapHeader) != ""
	switch f.Kind {
	case fault.Unauthorized:
		if tap {
			return d.refuseTap(ctx, f, "")
		}
		return d.askWho(ctx)
	case fault.NotFound:
		status = fiber.StatusNotFound
		p.Title, p.Text = sh.T("There is nothing at this address"), sh.T("It may have been removed, or the address may be wrong.")
	case fault.Forbidden:
		status = fiber.StatusForbidden
		p.Title, p.Text = sh.T("Your role does not allow this"), sh.T("An owner or an admin can give you a role that does.")
		if errors.Is(err, op.ErrNoRole) {
			p.Title, p.Text = sh.T("You do not work here"), sh.T("You have no role in this studio. Ask an owner to add you to the team.")
		}
		if errors.Is(err, web.ErrForm) {
			p.Title, p.Text = sh.T("This form has expired"), sh.T("It was opened long ago or on another site, and nothing was done. Go back, reload the page and try again.")
		}
	case fault.TooMany:
		status = fiber.StatusTooManyRequests
		p.Title, p.Text = sh.T("Too many requests"), sh.N((max(1, f.RetryAfter)+59)/60, "Try again in {n} minute.", "Try again in {n} minutes.")
	case fault.Validation:
		status = fiber.StatusBadRequest
		for _, wrong := range f.Fields {
			p.Text = view.Joined(" ", p.Text, sh.Message(wrong.Message))
		}
	}
	if tap {
		return d.refuseTap(ctx, f, p.Title)
	}
	p.Link = view.Link{Text: sh.T("Your businesses"), Href: Root}
	if c != nil {
		p.Link = view.Link{Text: sh.T("Back to Today"), Href: c.To("")}
	}
	ctx.Status(status)
	return send(ctx, ui.ProblemPage(sh, p))
}

// askWho leads to the sign-in. What was typed into a form goes along, and comes back.
func (d *Desk) askWho(ctx *fiber.Ctx) error {
	if ctx.Method() == fiber.MethodPost && len(ctx.Body()) <= maxKept {
		return d.showDoor(ctx, doorStep{To: ctx.OriginalURL(), Kept: keptOf(ctx), Status: fiber.StatusUnauthorized})
	}
	to := ctx.OriginalURL()
	if ctx.Method() == fiber.MethodPost {
		to = pathOf(ctx.Get(fiber.HeaderReferer))
	}
	return ctx.Redirect(Root+"/sign-in?"+url.Values{"to": {to}}.Encode(), fiber.StatusSeeOther)
}

// keptPrefix marks the fields of another form that one carries through a sign-in; maxKept is how much of it.
const (
	keptPrefix = "_kept."
	maxKept    = 512 << 10
)

// keptOf are the fields of the form that could not be done.
func keptOf(ctx *fiber.Ctx) url.Values {
	out := url.Values{}
	for key, value := range ctx.Request().PostArgs().All() {
		name := string(key)
		if kept, ok := strings.CutPrefix(name, keptPrefix); ok {
			out.Add(kept, string(value))
		} else if !strings.HasPrefix(name, "_") || name == fieldBack || name == fieldSheet {
			out.Add(name, string(value))
		}
	}
	return out
}

// kept are the fields that came back through a sign-in.
func (c *Call) kept() url.Values {
	out := url.Values{}
	for key, value := range c.Request().PostArgs().All() {
		if name, ok := strings.CutPrefix(string(key), keptPrefix); ok {
			out.Add(name, string(value))
		}
	}
	return out
}
