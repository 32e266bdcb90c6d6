package agree

import (
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// fieldEnd stands behind the end of the words, and says with the form that they were shown to their end.
const fieldEnd = "end"

// ask is the document that is asked with this copy; nil when it is not, or not any more.
func (a *Asking) ask(copy string) *agreement.Requirement {
	open := agreement.Open(a.Asks)
	i := slices.IndexFunc(open, func(k agreement.Requirement) bool { return k.Copy.ID.String() == copy })
	if i < 0 {
		return nil
	}
	return &open[i]
}

// Page is the page of one document, with its words and the button behind their end.
func (a *Asking) Page(c *fiber.Ctx) error {
	k := a.ask(c.Params("copy"))
	if k == nil {
		return a.see(c, ticked(c))
	}
	return a.showOne(c, *k, nil)
}

func (a *Asking) showOne(c *fiber.Ctx, k agreement.Requirement, tr *view.Trouble) error {
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

// TakeOne takes that the customer agrees to one document, whose words stood in front of the button.
func (a *Asking) TakeOne(c *fiber.Ctx) error {
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

// unfinished says what is left to do on the page of a document before it is agreed to: reading it to its end, and a box for each who comes
// with the customer. Nil: nothing.
func (a *Asking) unfinished(c *fiber.Ctx, k agreement.Requirement) *view.Trouble {
	var tr view.Trouble
	if k.Show == agreement.ShowFull && c.FormValue(fieldEnd) == "" {
		tr.Text = a.Shell.T("Read it to its end, then agree.")
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
