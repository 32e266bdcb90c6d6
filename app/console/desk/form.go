package desk

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/page"
	"foyer/app/pg"
	"foyer/app/view"
)

// Form is what a POST does.
type Form struct {
	// Do calls the verb, once for all posts of one form: ctx carries the form's key. Its error is a refusal, or an internal one.
	Do func(c *Call, ctx context.Context) (Done, error)
	// Show is the page that the form stands on: it comes again when the verb refuses, with what was typed. Without one the browser
	// goes back to where the form was, which then says why.
	Show Page
	// Inputs are the names of its fields, where the verb names others; what a refusal says of a name that is not among
	// them stands above the form. Nil: all that it names are fields.
	Inputs []string
}

// Done is how it went.
type Done struct {
	To   string   // the page to go to, from Call.To; empty: where the form was
	Said string   // what was done, in one sentence
	Undo *ui.Undo // how to take it back; nil when it cannot be
	Bad  bool     // Said is about something that was not done

	// Once is a page that answers the form itself, and that nobody can open again: it tells a secret. Its form is sent without Turbo,
	// which wants to be led on (data-turbo="false").
	Once *ui.Screen
}

// Names of the fields that forms have besides the hidden ones of web.Forms.
const (
	fieldBack  = ui.FieldBack  // where the form was
	fieldSheet = ui.FieldSheet // it was in the side sheet
	fieldQuote = ui.FieldQuote // what the page has promised
)

// post runs a form that this browser was shown.
func (c *Call) post(f Form) error {
	if err := c.Desk.web.Forms.Check(c.Ctx); err != nil {
		return err
	}
	if c.Query("again") != "" {
		return c.typedAgain(f)
	}
	done, err := c.once(f)
	if err == nil && done.Once != nil {
		c.Set(fiber.HeaderCacheControl, "no-store")
		return send(c.Ctx, ui.ScreenPage(c.UI, *done.Once))
	}
	if err == nil {
		return c.done(done)
	}
	if !c.refused(err, f.Inputs) {
		return err
	}
	if f.Show == nil || c.Get(tapHeader) != "" {
		said := []string{c.UI.Trouble.Title, c.UI.Trouble.Text}
		for _, wrong := range c.UI.Trouble.Fields {
			said = append(said, wrong.Message)
		}
		return c.done(Done{Said: view.Joined(" ", said...), Bad: true})
	}
	c.UI.Posted = c.Asked()
	c.Status(statusOf(err))
	return c.show(f.Show)
}

// once runs the verb under the form's one-time key.
func (c *Call) once(f Form) (Done, error) {
	if c.spoil != nil {
		return Done{}, fault.From(c.spoil).At(func(field string) string { return strings.TrimPrefix(field, "body.") })
	}
	return page.Once(c.Ctx, c.Desk.web.Forms, func(ctx context.Context) (Done, error) { return f.Do(c, ctx) })
}

// refused puts a refusal into the shell: what is wrong with which field, or why it cannot be done. False for an error that is
// none, or one that is about more than this form.
func (c *Call) refused(err error, inputs []string) bool {
	w := c.UI.Words
	tr, ok := page.TroubleOf(w, err, inputs)
	if !ok {
		return false
	}
	if other, promised := page.QuoteChanged(w, err); promised {
		tr = other
	}
	if errors.Is(err, fault.ErrStale) {
		c.UI.Stale = true
		tr.Title = w.T("Somebody else changed this while you were writing")
		tr.Text = w.T("Nothing was saved yet. What you wrote is in the fields; where it says something else now, that stands below. Save again to keep yours.")
	}
	c.UI.Trouble = tr
	return true
}

// Told puts a refusal of what a page asked (Rehearse) into the page, which stands with its fields and without a promise: whoever
// looks changes what they ask. False for an error that is none, or one that is about more than this page.
func (c *Call) Told(err error) bool {
	if c.UI.Trouble != nil { // a form came back with its own
		f := fault.From(err)
		return f != nil && (f.Kind == fault.Validation || f.Kind == fault.Conflict)
	}
	return c.refused(err, nil)
}

func statusOf(err error) int {
	if fault.IsKind(err, fault.Conflict) {
		return fiber.StatusConflict
	}
	return fiber.StatusBadRequest
}

// typedAgain shows the form as it was typed before its writer had to sign in again. Nothing is done.
func (c *Call) typedAgain(f Form) error {
	c.UI.Posted, c.again = c.kept(), true
	c.UI.Trouble = &view.Trouble{Title: c.UI.T("You are signed in again"), Text: c.UI.T("What you wrote is still here. Nothing has been saved yet.")}
	if f.Show == nil {
		return c.done(Done{To: c.back(), Said: c.UI.T("You are signed in again. Nothing has been done yet."), Bad: true})
	}
	c.Status(fiber.StatusConflict)
	return c.show(f.Show)
}

// done goes on after a form, and lets the next page say what was done.
func (c *Call) done(d Done) error {
	to := d.To
	if to == "" || c.FormValue(fieldSheet) != "" { // a sheet closes over the page it lay on
		to = c.back()
	}
	if c.Get(tapHeader) != "" {
		return c.tapped(d)
	}
	if d.Said != "" || c.UI.Sheet {
		c.Desk.say(c.Ctx, ui.Said{Text: d.Said, Undo: d.Undo, Bad: d.Bad})
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// back is the page where the form was: what it says itself, else what the browser says, else Today.
func (c *Call) back() string {
	for _, to := range []string{c.FormValue(fieldBack), pathOf(c.Get(fiber.HeaderReferer))} {
		if Local(to) && to != Root {
			return to
		}
	}
	return c.To("")
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.RequestURI()
}

// Quote says what a verb would do, and has the form that Hidden describes carry the promise. It does nothing.
func Quote[T any](c *Call, op string, verb func(ctx context.Context) (T, error)) (T, error) {
	out, q, err := pg.DryRun(c.UserContext(), c.ask(op), verb)
	if err == nil {
		c.UI.Quote = q.ID.String()
	}
	return out, err
}

// Redeem does what the page has promised, or refuses because it would be something else by now.
func Redeem[T any](c *Call, ctx context.Context, op string, verb func(ctx context.Context) (T, error)) (T, error) {
	return page.Redeem(ctx, c.Ctx, c.ask(op), fieldQuote, verb)
}

// Posts reports whether the request sends a form.
func (c *Call) Posts() bool { return c.Method() == fiber.MethodPost }

// HasQuote reports whether the form carries a quote.
func (c *Call) HasQuote() bool { return c.FormValue(fieldQuote) != "" }

// Refused puts the refusal of what the address asks for into the shell, and has its fields show what was asked: for a page whose form is
// of the address. False for an error that is none, or one that is about more than the form: that is the page's own.
func (c *Call) Refused(err error, inputs []string) bool {
	if !c.refused(err, inputs) {
		return false
	}
	c.UI.Posted = c.Asked()
	c.Status(statusOf(err))
	return true
}
