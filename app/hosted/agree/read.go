package agree

import (
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// fieldEnd stands behind the end of the text, and its value in the form proves that the text was shown to its end.
const fieldEnd = "end"

// ask is the required document with this copy; nil if it is not required, or no longer.
func (a *Signing) ask(copy string) *agreement.Requirement {
	open := agreement.Open(a.Required)
	i := slices.IndexFunc(open, func(k agreement.Requirement) bool { return k.Copy.ID.String() == copy })
	if i < 0 {
		return nil
	}
	return &open[i]
}

// Page shows one document, with its text and the button after the end of it.
func (a *Signing) Page(c *fiber.Ctx) error {
	k := a.ask(c.Params("copy"))
	if k == nil {
		return a.see(c, ticked(c))
	}
	return a.showOne(c, *k, nil)
}

func (a *Signing) showOne(c *fiber.Ctx, k agreement.Requirement, tr *view.Trouble) error {
	said, err := a.Agreement.Read(c.UserContext(), a.Scope.Tenant, k.Copy.ID)
	if err != nil {
		return err
	}
	left := ticked(c)
	v := view.Agreement{
		Name: k.Name, Words: view.CopyWords(said.Copy.In(a.language())), PDF: pdfOf(a.Shell, a.Scope.Tenant, said.Copy), Show: k.Show,
		Form: kit.FormTo(a.path(k.Copy.ID), a.shownIn()), Back: a.Shell.Link(carrying(a.Base, left)), Order: a.Order, Trouble: tr,
		For: agreeFor(k, boxes(c)),
	}
	if k.Show == agreement.ShowFull {
		v.Form.Hidden = append(v.Form.Hidden, view.Param{Name: fieldEnd, Value: "1"})
	}
	if len(left) > 0 {
		v.Form.Hidden = append(v.Form.Hidden, view.Param{Name: fieldTicked, Value: joined(left)})
	}
	policy := view.Policy(a.Shell.Embed, false)
	if v.PDF != nil {
		policy = view.PolicyOfFile(a.Shell.Embed)
	}
	return kit.ShowUnder(c, policy, view.AgreementPage(a.Shell, v))
}

// TakeOne accepts one document, with its text before the button.
func (a *Signing) TakeOne(c *fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("copy"))
	if err != nil {
		return a.see(c, ticked(c))
	}
	one := agreement.Accepted{ContentID: id, Shown: agreement.ShownCheckbox}
	if k := a.ask(id.String()); k != nil {
		if k.Show == agreement.ShowFull {
			one.Shown = agreement.ShownFull
		}
		if tr := a.unfinished(c, *k); tr != nil {
			return a.showOne(kit.Troubled(c, tr), *k, tr)
		}
		one.Attendees = k.Attendees
	}
	err = a.accept(c, agreement.AcceptInput{Accept: []agreement.Accepted{one}})
	switch {
	case outdated(err):
		for _, e := range changed(err) {
			if k := a.ask(e.ContentID.String()); k != nil {
				return a.showOne(c.Status(fiber.StatusConflict), *k, &view.Trouble{Text: a.Shell.Message(agreement.ErrStale.Message)})
			}
		}
	case err != nil:
		return a.Refused(c, err)
	}
	return a.see(c, ticked(c))
}

// unfinished is an error about steps missing on the page of a document: reading it to its end, and a box for each
// attendee. Nil: nothing is missing.
func (a *Signing) unfinished(c *fiber.Ctx, k agreement.Requirement) *view.Trouble {
	var tr view.Trouble
	if k.Show == agreement.ShowFull && c.FormValue(fieldEnd) == "" {
		tr.Text = a.Shell.T("Read to the end, then agree.")
	}
	done := boxes(c)
	tr.Fields = a.unticked(k, slices.DeleteFunc(slices.Clone(k.Attendees), func(name string) bool {
		return name == "" || slices.Contains(done, boxFor(k.Copy.ID, name))
	}))
	if tr.Text == "" && len(tr.Fields) == 0 {
		return nil
	}
	return &tr
}
