package agree

import (
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// Signing is a request for agreements: with a cart, or for existing bookings. Its pages are the same: a list of the
// required agreements, and a page for each document with its text.
type Signing struct {
	kit.StudioPage
	Base     string // address of the list; a copy's page is below it
	Title    string
	Lacking  string                  // the error of a box that is not ticked
	Required []agreement.Requirement // required agreements, accepted ones included
	Order    *view.Order             // nil without one
	Take     func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Requirement, error)
	Read     func(ctx context.Context) ([]agreement.Requirement, error) // reads the current requirements
	Refused  func(c *fiber.Ctx, err error) error
}

func (a *Signing) path(copy uuid.UUID) string { return a.Base + "/" + copy.String() }

// see redirects to the list, with the ticked boxes. If nothing is outstanding, the list redirects on.
func (a *Signing) see(c *fiber.Ctx, ticked []box) error {
	return kit.See(c, a.Shell, carrying(a.Base, ticked))
}

// AgreedOf returns the accepted agreements among the required ones.
func AgreedOf(business uuid.UUID, asks []agreement.Requirement) []view.Agreed {
	var out []view.Agreed
	for _, k := range asks {
		if len(k.Open) > 0 || k.Agreed == nil {
			continue
		}
		of := k.AgreedTo()
		href := OpenIn(business, of.ID, of.Kind, k.Agreed.Language)
		out = append(out, view.Agreed{Name: k.Name, At: k.Agreed.CreatedAt, Href: href})
	}
	return out
}

// List shows the required agreements.
func (a *Signing) List(c *fiber.Ctx) error { return a.show(c, ticked(c), nil) }

// show lists the required agreements: boxes to tick, with their ticks kept, and links to texts that must be read.
func (a *Signing) show(c *fiber.Ctx, ticked []box, tr *view.Trouble) error {
	business := a.Scope.Tenant
	v := view.Agreements{Title: a.Title, Form: kit.FormTo(a.Base, a.shownIn()), Agreed: AgreedOf(business, a.Required), Order: a.Order, Trouble: tr}
	policy := view.Policy(a.Shell.Embed, false)
	for _, k := range agreement.Open(a.Required) {
		d := view.Agreement{
			Name: k.Name, Copy: k.Copy.ID.String(), Box: box{k.Copy.ID, ""}.name(), Show: k.Show, Ticked: slices.Contains(ticked, box{k.Copy.ID, ""}),
			Href: OpenIn(business, k.Copy.ID, k.Copy.Kind, a.reads(k.Copy)),
		}
		if d.For = agreeFor(k, ticked); len(d.For) > 0 && k.Show == agreement.ShowPopup {
			d.Show = agreement.ShowFull // read on a page of its own, with a box for each person
		}
		if d.Show == agreement.ShowPopup {
			said, err := a.Agreement.Shown(c.UserContext(), business, k.Copy)
			if err != nil {
				return err
			}
			d.Words, d.PDF = view.CopyWords(said.In(a.language())), pdfOf(a.Shell, business, said)
		}
		if d.PDF != nil {
			policy = view.PolicyOfFile(a.Shell.Embed)
		}
		v.Required = append(v.Required, d)
	}
	return kit.ShowUnder(c, policy, view.AgreementsPage(a.Shell, v))
}

// language is that of the reader: a text is shown in it if there is a translation.
func (a *Signing) language() string { return a.Shell.Lang().Base() }

// reads is the language in which the reader opens a copy; empty if that is the copy's own.
func (a *Signing) reads(k agreement.Copy) string {
	if k.Language == a.language() {
		return ""
	}
	return a.language()
}

// shownIn adds the language of the text to a form: the reader may choose another one before the answer.
func (a *Signing) shownIn() view.Param {
	return view.Param{Name: agreement.WordsIn, Value: a.language()}
}

// TakeBoxes accepts the ticked boxes, or redirects to a document that must be read. A missing tick is an error on the
// list of outstanding agreements.
func (a *Signing) TakeBoxes(c *fiber.Ctx) error {
	ids := boxes(c)
	if read, err := uuid.Parse(c.FormValue("read")); err == nil {
		return kit.See(c, a.Shell, carrying(a.path(read), ids))
	}
	in := agreement.AcceptInput{Accept: a.acceptedBy(ids)}
	if len(in.Accept) > 0 {
		switch err := a.accept(c, in); {
		case outdated(err) && len(agreement.Open(a.Required)) > 0:
			return a.show(c.Status(fiber.StatusConflict), ids, a.toldOf(err))
		case err != nil && !outdated(err):
			return a.Refused(c, err)
		}
	}
	tr := &view.Trouble{}
	for _, k := range agreement.Open(a.Required) {
		if k.Show == agreement.ShowList {
			tr.Fields = append(tr.Fields, a.unticked(k, k.Attendees)...)
		}
	}
	if len(tr.Fields) > 0 {
		return a.show(kit.Troubled(c, tr), nil, tr)
	}
	return a.see(c, nil)
}

// accept records the customer's agreements, and updates the outstanding ones. If a text has changed since it was
// shown, nothing is recorded, and the current requirements are read.
func (a *Signing) accept(c *fiber.Ctx, in agreement.AcceptInput) error {
	in.UserAgent = c.Get(fiber.HeaderUserAgent)
	for i := range in.Accept {
		in.Accept[i].Language = c.FormValue(agreement.WordsIn)
	}
	err := a.Once(c, func(ctx context.Context) error {
		asks, err := a.Take(ctx, in)
		if err == nil {
			a.Required = asks
		}
		return err
	})
	if !outdated(err) {
		return err
	}
	now, read := a.Read(c.UserContext())
	if read != nil {
		return read
	}
	a.Required = now
	return err
}

// outdated reports whether a refusal is about a text that has changed, or is no longer required.
func outdated(err error) bool {
	return errors.Is(err, agreement.ErrStale) || fault.IsKind(err, fault.NotFound)
}

// changed are the documents that an outdated refusal is about, as they are now.
func changed(err error) []agreement.Entry {
	list, _ := fault.From(err).Details["agreements"].([]agreement.Entry)
	return list
}

// toldOf names the texts that have changed.
func (a *Signing) toldOf(err error) *view.Trouble {
	tr := &view.Trouble{Text: a.Shell.Message(agreement.ErrStale.Message)}
	for _, e := range changed(err) {
		tr.Fields = append(tr.Fields, fault.Field{Field: box{e.ContentID, ""}.name(), Message: a.Shell.T("{name} has changed.", "name", e.Name)})
	}
	return tr
}
