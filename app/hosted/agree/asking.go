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

// Asking is a customer who is asked to agree: with a cart, or for what they have booked. Its pages are the same: a list of what is asked,
// and a page for each document that is read.
type Asking struct {
	kit.StudioPage
	Base    string // address of the list; a copy's page is below it
	Title   string
	Lacking string                  // what is said of a box that was not ticked
	Asks    []agreement.Requirement // with what is agreed to
	Order   *view.Order             // nil without one
	Take    func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Requirement, error)
	Read    func(ctx context.Context) ([]agreement.Requirement, error) // what is asked now
	Refused func(c *fiber.Ctx, err error) error
}

func (a *Asking) path(copy uuid.UUID) string { return a.Base + "/" + copy.String() }

// see goes to the list, with what was ticked. When nothing is asked any more, that goes on.
func (a *Asking) see(c *fiber.Ctx, ticked []box) error {
	return kit.See(c, a.Shell, carrying(a.Base, ticked))
}

// AgreedOf are the lines of what customers of a business have agreed to, among what is asked of them.
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

// List shows what is asked.
func (a *Asking) List(c *fiber.Ctx) error { return a.show(c, ticked(c), nil) }

// show lists what is asked: a box for what is ticked, which keeps its tick, and a way to read what is read.
func (a *Asking) show(c *fiber.Ctx, ticked []box, tr *view.Trouble) error {
	business := a.Scope.Tenant
	v := view.Agreements{Title: a.Title, Form: kit.FormTo(a.Base, a.shownIn()), Agreed: AgreedOf(business, a.Asks), Order: a.Order, Trouble: tr}
	policy := view.Policy(a.Shell.Embed, false)
	for _, k := range agreement.Open(a.Asks) {
		d := view.Agreement{
			Name: k.Name, Copy: k.Copy.ID.String(), Box: box{k.Copy.ID, ""}.name(), Show: k.Show, Ticked: slices.Contains(ticked, box{k.Copy.ID, ""}),
			Href: OpenIn(business, k.Copy.ID, k.Copy.Kind, a.reads(k.Copy)),
		}
		if d.For = agreeFor(k, ticked); len(d.For) > 0 && k.Show == agreement.ShowPopup {
			d.Show = agreement.ShowFull // read on a page of its own, where there is a box for each
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
		v.Asks = append(v.Asks, d)
	}
	return kit.ShowUnder(c, policy, view.AgreementsPage(a.Shell, v))
}

// language is that of the reader, in which they are shown the words where there is a translation.
func (a *Asking) language() string { return a.Shell.Lang().Base() }

// reads is the language in which the reader opens a copy; empty where its own words are in theirs.
func (a *Asking) reads(k agreement.Copy) string {
	if k.Language == a.language() {
		return ""
	}
	return a.language()
}

// shownIn has a form say in which language its words are: by the answer its reader may have chosen another one.
func (a *Asking) shownIn() view.Param {
	return view.Param{Name: agreement.WordsIn, Value: a.language()}
}

// TakeBoxes takes the boxes that were ticked, or goes to a document that is to be read. One that was not ticked comes back with the rest of
// what is asked.
func (a *Asking) TakeBoxes(c *fiber.Ctx) error {
	ids := boxes(c)
	if read, err := uuid.Parse(c.FormValue("read")); err == nil {
		return kit.See(c, a.Shell, carrying(a.path(read), ids))
	}
	in := agreement.AcceptInput{Accept: a.acceptedBy(ids)}
	if len(in.Accept) > 0 {
		switch err := a.accept(c, in); {
		case outdated(err) && len(agreement.Open(a.Asks)) > 0:
			return a.show(c.Status(fiber.StatusConflict), ids, a.toldOf(err))
		case err != nil && !outdated(err):
			return a.Refused(c, err)
		}
	}
	tr := &view.Trouble{}
	for _, k := range agreement.Open(a.Asks) {
		if k.Show == agreement.ShowList {
			tr.Fields = append(tr.Fields, a.unticked(k, k.Attendees)...)
		}
	}
	if len(tr.Fields) > 0 {
		return a.show(kit.Troubled(c, tr), nil, tr)
	}
	return a.see(c, nil)
}

// accept writes down what the customer agrees to, and knows then what is asked still. Where the words are not those that were shown any
// more nothing is written, and what is asked now is read.
func (a *Asking) accept(c *fiber.Ctx, in agreement.AcceptInput) error {
	in.UserAgent = c.Get(fiber.HeaderUserAgent)
	for i := range in.Accept {
		in.Accept[i].Language = c.FormValue(agreement.WordsIn)
	}
	err := a.Once(c, func(ctx context.Context) error {
		asks, err := a.Take(ctx, in)
		if err == nil {
			a.Asks = asks
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
	a.Asks = now
	return err
}

// outdated tells whether a refusal is about words that have changed, or are asked no more.
func outdated(err error) bool {
	return errors.Is(err, agreement.ErrStale) || fault.IsKind(err, fault.NotFound)
}

// changed are the documents that an outdated refusal is about, as they are now.
func changed(err error) []agreement.Entry {
	list, _ := fault.From(err).Details["agreements"].([]agreement.Entry)
	return list
}

// toldOf says which words have changed.
func (a *Asking) toldOf(err error) *view.Trouble {
	tr := &view.Trouble{Text: a.Shell.Message(agreement.ErrStale.Message)}
	for _, e := range changed(err) {
		tr.Fields = append(tr.Fields, fault.Field{Field: box{e.ContentID, ""}.name(), Message: a.Shell.T("{name} has new words.", "name", e.Name)})
	}
	return tr
}
