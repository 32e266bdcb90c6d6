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

// Form is the handler of a POST.
type Form struct {
	// Do calls the verb, once for all posts of one form: ctx carries the form's key. Its error is a refusal, or an
	// internal one.
	Do func(c *Call, ctx context.Context) (Done, error)
	// Show is the page of the form. After a refusal it is shown again, with the typed values. Without it the browser
	// returns to the page of the form, with the refusal as a notice.
	Show Page
	// Inputs are the names of its fields, if they differ from the verb's; a refusal at any other name is shown above
	// the form. Nil: all names are fields.
	Inputs []string
}

// Done is the result of a form.
type Done struct {
	To   string   // page to redirect to, from Call.To; empty: the page of the form
	Said string   // notice, in one sentence
	Undo *ui.Undo // form to undo it; nil if not possible
	Bad  bool     // Said is about a failure
	// Stay goes to To in the side sheet as well, without the notice: the form was one step of several there. A sheet
	// closes otherwise.
	Stay bool

	// Again shows the page of the form again, with its typed values: a button has changed the form, and nothing else.
	Again bool

	// Once is a page sent in response to the form itself, that cannot be opened again: it shows a secret. Its form is
	// sent without Turbo, as Turbo expects a redirect (data-turbo="false").
	Once *ui.Screen
}

// Names of the fields common to forms, besides the hidden ones of web.Forms.
const (
	fieldBack  = ui.FieldBack  // page of the form
	fieldSheet = ui.FieldSheet // the form was in the side sheet
	fieldQuote = ui.FieldQuote // quote of the page
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
	if err == nil && done.Again {
		c.UI.Posted = c.Inputs()
		c.Status(fiber.StatusUnprocessableEntity) // Turbo shows only a page with such a status
		return c.show(f.Show)
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
	c.UI.Posted = c.Inputs()
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

// refused puts a refusal into the shell: an error at its field, or above the form. It returns false for an error that
// is no refusal, or one that is about more than this form.
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
		tr.Title = w.T("Another user changed this while you were editing")
		tr.Text = w.T("Nothing has been saved yet. The fields contain your entries; where the saved value differs, it is shown below. Save again to keep yours.")
	}
	c.UI.Trouble = tr
	return true
}

// Told puts the refusal of a quote into the page, so that it is shown with its fields and without a quote. It returns
// false for an error that is no refusal, or one that is about more than this page.
func (c *Call) Told(err error) bool {
	if c.UI.Trouble != nil { // a returned form has its own
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

// typedAgain shows the form with the values typed before its author had to sign in again. It runs nothing.
func (c *Call) typedAgain(f Form) error {
	c.UI.Posted, c.again = c.kept(), true
	c.UI.Trouble = &view.Trouble{Title: c.UI.T("You are signed in again"), Text: c.UI.T("Your entries are still here. Nothing has been saved yet.")}
	if f.Show == nil {
		return c.done(Done{To: c.back(), Said: c.UI.T("You are signed in again. Nothing has been done yet."), Bad: true})
	}
	c.Status(fiber.StatusConflict)
	return c.show(f.Show)
}

// done redirects after a form, with the notice for the next page.
func (c *Call) done(d Done) error {
	to := d.To
	sheet := c.FormValue(fieldSheet) != ""
	if c.Get(tapHeader) != "" {
		return c.tapped(d)
	}
	if d.Stay && sheet {
		return c.Redirect(to, fiber.StatusSeeOther)
	}
	if to == "" || sheet { // a sheet closes over the page below it
		to = c.back()
	}
	if d.Said != "" || c.UI.Sheet {
		c.Desk.say(c.Ctx, ui.Said{Text: d.Said, Undo: d.Undo, Bad: d.Bad})
	}
	return c.Redirect(to, fiber.StatusSeeOther)
}

// back returns the page of the form: from its field, else the referrer, else Today.
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

// Quote returns the effects of a verb without running it, and lets the form that Hidden describes carry the quote.
func Quote[T any](c *Call, op string, verb func(ctx context.Context) (T, error)) (T, error) {
	out, q, err := pg.DryRun(c.UserContext(), c.ask(op), verb)
	if err == nil {
		c.UI.Quote = q.ID.String()
	}
	return out, err
}

// Redeem runs the verb of a quote, or returns an error if its effects would differ by now.
func Redeem[T any](c *Call, ctx context.Context, op string, verb func(ctx context.Context) (T, error)) (T, error) {
	return page.Redeem(ctx, c.Ctx, c.ask(op), fieldQuote, verb)
}

// Posts reports whether the request sends a form.
func (c *Call) Posts() bool { return c.Method() == fiber.MethodPost }

// HasQuote reports whether the form carries a quote.
func (c *Call) HasQuote() bool { return c.FormValue(fieldQuote) != "" }

// Refused puts a refusal of the address's parameters into the shell, and shows them in their fields: for a page with
// a form of method GET. It returns false for an error that is no refusal, or one that is about more than the form.
func (c *Call) Refused(err error, inputs []string) bool {
	if !c.refused(err, inputs) {
		return false
	}
	c.UI.Posted = c.Inputs()
	c.Status(statusOf(err))
	return true
}
