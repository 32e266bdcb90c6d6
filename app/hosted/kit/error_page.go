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

// ErrorPage shows a refusal to a person: web.Options.ErrorPage. A script that asked for JSON gets an error, and with it
// web's own envelope. Of a fault on our side it says nothing but that there was one.
func ErrorPage(c *fiber.Ctx, status int, f *fault.Error) error {
	if WantsJSON(c) {
		return fiber.ErrNotAcceptable
	}
	sh := InFrame(c, view.Shell{Words: view.Words{Locale: cmp.Or(chosen(c), words.Best(c.Get(fiber.HeaderAcceptLanguage)), words.English), Zone: time.UTC}})
	c.Set(fiber.HeaderCacheControl, "no-store")
	return Show(c, sh, ProblemPage(sh, problemOf(c, sh.Words, status, f)))
}

// WantsJSON tells whether a script asks, and not a person's browser for a page.
func WantsJSON(c *fiber.Ctx) bool {
	accept := c.Get(fiber.HeaderAccept)
	return strings.Contains(accept, fiber.MIMEApplicationJSON) && !strings.Contains(accept, fiber.MIMETextHTML)
}

func problemOf(c *fiber.Ctx, w view.Words, status int, f *fault.Error) Problem {
	switch status {
	case fiber.StatusNotFound:
		return Problem{Title: w.T("Page not found"), Text: w.T("The address may be wrong, or what was here is no longer offered."), Links: upward(c, w)}
	case fiber.StatusTooManyRequests:
		p := Problem{Title: w.T("Too many requests"), Links: backward(c, w)}
		if n := max(1, f.RetryAfter); n > 120 {
			p.Text = w.N((n+59)/60, "Too much came from your network in a short time. Nothing was lost: try again in {n} minute.",
				"Too much came from your network in a short time. Nothing was lost: try again in {n} minutes.")
		} else {
			p.Text = w.N(n, "Too much came from your network in a short time. Nothing was lost: try again in {n} second.",
				"Too much came from your network in a short time. Nothing was lost: try again in {n} seconds.")
		}
		return p
	case fiber.StatusServiceUnavailable:
		return away(c, w)
	case fiber.StatusInternalServerError:
		return Problem{Title: w.T("Something went wrong"), Links: backward(c, w), // the same for every fault: what went wrong is in the log
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

// away is for when the database cannot be reached: the button asks once more, with all that was typed. Forms carry a key of their
// own, so what did go through is not done twice.
func away(c *fiber.Ctx, w view.Words) Problem {
	p := Problem{
		Title: w.T("We will be back in a moment"),
		Text:  w.T("We could not finish this just now. Wait a few seconds, and try again."),
	}
	if c.Method() != fiber.MethodPost {
		again := c.OriginalURL()
		if Embedded(c) {
			again = c.Path() // the link takes along what the frame needs
		}
		p.Links = []view.Link{{Text: w.T("Try again"), Href: again}}
		return p
	}
	p.Text = w.T("We could not finish this just now. Wait a few seconds, and try again. What you typed is kept, and nothing is booked or charged twice.")
	p.Button, p.Form.Action, p.Form.Away = w.T("Try again"), c.OriginalURL(), true // Away: all fields are what was posted
	for name, value := range c.Request().PostArgs().All() {
		p.Form.Hidden = append(p.Form.Hidden, view.Param{Name: string(name), Value: string(value)})
	}
	return p
}

// upward leads from an unknown page below a studio's address to the studio, and from any other to what is one's own.
func upward(c *fiber.Ctx, w view.Words) []view.Link {
	first, rest, _ := strings.Cut(strings.Trim(c.Path(), "/"), "/")
	if rest == "" || tenancy.CheckSlug(first) != nil {
		return []view.Link{{Text: w.T("My bookings"), Href: "/my"}}
	}
	return []view.Link{{Text: w.T("See what’s on"), Href: "/" + first}}
}

// backward leads to the page whose form or link was refused, when it is one of ours. Pages in the frame do not say which they
// are: there it is the page that the refused address stands below.
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

// above is the first page of what an address belongs to: a cart, a place on a waitlist, a studio, one's own bookings.
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
