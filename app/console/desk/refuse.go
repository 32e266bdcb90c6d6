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

// refuse renders an error page, with a link to continue. A visitor signs in first, and returns: to the page, or to
// the form as typed.
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
		p.Title, p.Text = sh.T("Page not found"), sh.T("It may have been removed, or the address may be wrong.")
	case fault.Forbidden:
		status = fiber.StatusForbidden
		p.Title, p.Text = sh.T("Your role does not allow this"), sh.T("Ask an owner or an admin for a role that allows it.")
		if errors.Is(err, op.ErrNoRole) {
			p.Title, p.Text = sh.T("You are not on this team"), sh.T("You have no role in this studio. Ask an owner to add you to the team.")
		}
		if errors.Is(err, web.ErrForm) {
			p.Title, p.Text = sh.T("This form has expired"), sh.T("It was open for too long or on another site. No changes were made. Go back, reload the page and try again.")
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

// askWho leads to the sign-in, with the values of a form, and back.
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

// keptPrefix marks the fields of another form that one carries through a sign-in; maxKept bounds their size.
const (
	keptPrefix = "_kept."
	maxKept    = 512 << 10
)

// keptOf returns the fields of the form that was not run.
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

// kept returns the fields that came back through a sign-in.
func (c *Call) kept() url.Values {
	out := url.Values{}
	for key, value := range c.Request().PostArgs().All() {
		if name, ok := strings.CutPrefix(string(key), keptPrefix); ok {
			out.Add(name, string(value))
		}
	}
	return out
}
