package kit

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/words"
)

// ErrorPage shows a refusal to a person: web.Options.ErrorPage. For a script that accepts JSON it returns an error,
// and so web's own envelope. For a fault on our side the page gives no details.
func ErrorPage(c *fiber.Ctx, status int, f *fault.Error) error {
	if WantsJSON(c) {
		return fiber.ErrNotAcceptable
	}
	sh := InFrame(c, view.Shell{Words: view.Words{Locale: cmp.Or(chosen(c), words.Best(c.Get(fiber.HeaderAcceptLanguage)), words.English), Zone: time.UTC}})
	c.Set(fiber.HeaderCacheControl, "no-store")
	return Show(c, sh, ProblemPage(sh, problemOf(c, sh.Words, status, f)))
}

// WantsJSON reports whether the request is from a script, not from a browser for a page.
func WantsJSON(c *fiber.Ctx) bool {
	accept := c.Get(fiber.HeaderAccept)
	return strings.Contains(accept, fiber.MIMEApplicationJSON) && !strings.Contains(accept, fiber.MIMETextHTML)
}

func problemOf(c *fiber.Ctx, w view.Words, status int, f *fault.Error) Problem {
	switch status {
	case fiber.StatusNotFound:
		return Problem{Title: w.T("Page not found"), Text: w.T("The address may be wrong, or this page no longer exists."), Links: upward(c, w)}
	case fiber.StatusTooManyRequests:
		p := Problem{Title: w.T("Too many requests"), Links: backward(c, w)}
		if n := max(1, f.RetryAfter); n > 120 {
			p.Text = w.N((n+59)/60, "Your network sent too many requests in a short time. Nothing was lost: try again in {n} minute.",
				"Your network sent too many requests in a short time. Nothing was lost: try again in {n} minutes.")
		} else {
			p.Text = w.N(n, "Your network sent too many requests in a short time. Nothing was lost: try again in {n} second.",
				"Your network sent too many requests in a short time. Nothing was lost: try again in {n} seconds.")
		}
		return p
	case fiber.StatusServiceUnavailable:
		return away(c, w)
	case fiber.StatusInternalServerError:
		return Problem{Title: w.T("Something went wrong"), Links: backward(c, w), // the same for every fault: see the log
			Text: w.T("The fault is ours, and nothing was booked or charged by this step. Try again in a moment.")}
	case fiber.StatusUnauthorized:
		return Problem{Title: w.T("Sign in first"), Text: w.Refusal(f), Links: []view.Link{{Text: w.T("Sign in"), Href: "/my/sign-in"}}}
	case fiber.StatusForbidden:
		return Problem{Title: w.T("This did not work"), Text: w.Refusal(f), Links: backward(c, w)}
	}
	text := w.Refusal(f)
	for _, wrong := range f.Fields {
		text = view.Joined(" ", text, w.Message(wrong.Message))
	}
	return Problem{Title: w.T("This did not work"), Text: text, Links: backward(c, w)}
}

// away is the page for an unreachable database: its button repeats the request with all its fields. Forms carry a key
// of their own, so nothing is done twice.
func away(c *fiber.Ctx, w view.Words) Problem {
	p := Problem{
		Title: w.T("We will be back in a moment"),
		Text:  w.T("We could not finish this just now. Wait a few seconds, and try again."),
	}
	if c.Method() != fiber.MethodPost {
		again := c.OriginalURL()
		if Embedded(c) {
			again = c.Path() // the link carries the frame's parameters
		}
		p.Links = []view.Link{{Text: w.T("Try again"), Href: again}}
		return p
	}
	p.Text = w.T("We could not finish this just now. Wait a few seconds, and try again. Your input is saved, and nothing is booked or charged twice.")
	p.Button, p.Form.Action, p.Form.Away = w.T("Try again"), c.OriginalURL(), true // Away: all fields are those posted
	for name, value := range c.Request().PostArgs().All() {
		p.Form.Hidden = append(p.Form.Hidden, view.Param{Name: string(name), Value: string(value)})
	}
	return p
}

// upward links from an unknown page below a studio's address to the studio, and from any other to My bookings.
func upward(c *fiber.Ctx, w view.Words) []view.Link {
	first, rest, _ := strings.Cut(strings.Trim(c.Path(), "/"), "/")
	if rest == "" || tenancy.CheckSlug(first) != nil {
		return []view.Link{{Text: w.T("My bookings"), Href: "/my"}}
	}
	return []view.Link{{Text: w.T("See what’s on"), Href: "/" + first}}
}

// backward links to the page of the refused form or link, if it is one of ours. Pages in the frame do not send their
// address: there it is the parent page of the refused address.
func backward(c *fiber.Ctx, w view.Words) []view.Link {
	if Embedded(c) {
		return []view.Link{{Text: w.T("Go back"), Href: above(c.Path())}}
	}
	from, err := url.Parse(c.Get(fiber.HeaderReferer))
	if err != nil || from.Host == "" || from.Host != string(c.Request().URI().Host()) || !strings.HasPrefix(from.Path, "/") {
		return nil
	}
	return []view.Link{{Text: w.T("Go back"), Href: from.EscapedPath()}}
}

// above is the first page of an address's subject: a cart, a waitlist entry, a studio, My bookings.
func above(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	keep := 1
	switch parts[0] {
	case "cart", "receipt":
		keep = 2
	case "my":
		if len(parts) > 1 && (parts[1] == "bookings" || parts[1] == "waitlist") {
			keep = 3
		}
	}
	return "/" + strings.Join(parts[:min(keep, len(parts))], "/")
}
