package hosted

import (
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/view"
)

// asking is a customer who is asked to agree: with a cart, or for what they have booked. Its pages are the same: a list of what is asked,
// and a page for each document that is read.
type asking struct {
	studioPage
	base    string // address of the list; a copy's page is below it
	title   string
	lacking string          // what is said of a box that was not ticked
	asks    []agreement.Ask // with what is agreed to
	order   *view.Order     // nil without one
	take    func(ctx context.Context, in agreement.AcceptInput) ([]agreement.Ask, error)
	read    func(ctx context.Context) ([]agreement.Ask, error) // what is asked now
	refused func(c *fiber.Ctx, err error) error
}

func (a *asking) path(copy uuid.UUID) string { return a.base + "/" + copy.String() }

// see goes to the list, with what was ticked. When nothing is asked any more, that goes on.
func (a *asking) see(c *fiber.Ctx, ticked []box) error {
	return see(c, a.Shell, carrying(a.base, ticked))
}

// agreedOf are the lines of what customers of a business have agreed to, among what is asked of them.
func agreedOf(business uuid.UUID, asks []agreement.Ask) []view.Agreed {
	var out []view.Agreed
	for _, k := range asks {
		if len(k.Open) > 0 || k.Agreed == nil {
			continue
		}
		of := k.AgreedTo()
		href := openIn(business, of.ID, of.Kind, k.Agreed.Language)
		out = append(out, view.Agreed{Name: k.Name, At: k.Agreed.CreatedAt, Href: href})
	}
	return out
}

// list shows what is asked.
func (a *asking) list(c *fiber.Ctx) error { return a.show(c, ticked(c), nil) }

// show lists what is asked: a box for what is ticked, which keeps its tick, and a way to read what is read.
func (a *asking) show(c *fiber.Ctx, ticked []box, tr *view.Trouble) error {
	business := a.Scope.Tenant
	v := view.Agreements{Title: a.title, Form: formTo(a.base, a.shownIn()), Agreed: agreedOf(business, a.asks), Order: a.order, Trouble: tr}
	policy := view.Policy(a.Shell.Embed, false)
	for _, k := range agreement.Open(a.asks) {
		d := view.Agreement{
			Name: k.Name, Copy: k.Copy.ID.String(), Box: box{k.Copy.ID, ""}.name(), Show: k.Show, Ticked: slices.Contains(ticked, box{k.Copy.ID, ""}),
			Href: openIn(business, k.Copy.ID, k.Copy.Kind, a.reads(k.Copy)),
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
	return showUnder(c, policy, view.AgreementsPage(a.Shell, v))
}

// language is that of the reader, in which they are shown the words where there is a translation.
func (a *asking) language() string { return a.Shell.Lang().Base() }

// reads is the language in which the reader opens a copy; empty where its own words are in theirs.
func (a *asking) reads(k agreement.Copy) string {
	if k.Language == a.language() {
		return ""
	}
	return a.language()
}

// shownIn has a form say in which language its words are: by the answer its reader may have chosen another one.
func (a *asking) shownIn() view.Param {
	return view.Param{Name: agreement.WordsIn, Value: a.language()}
}

// takeBoxes takes the boxes that were ticked, or goes to a document that is to be read. One that was not ticked comes back with the rest of
// what is asked.
func (a *asking) takeBoxes(c *fiber.Ctx) error {
	ids := boxes(c)
	if read, err := uuid.Parse(c.FormValue("read")); err == nil {
		return see(c, a.Shell, carrying(a.path(read), ids))
	}
	in := agreement.AcceptInput{Accept: a.acceptedBy(ids)}
	if len(in.Accept) > 0 {
		switch err := a.accept(c, in); {
		case outdated(err) && len(agreement.Open(a.asks)) > 0:
			return a.show(c.Status(fiber.StatusConflict), ids, a.toldOf(err))
		case err != nil && !outdated(err):
			return a.refused(c, err)
		}
	}
	tr := &view.Trouble{}
	for _, k := range agreement.Open(a.asks) {
		if k.Show == agreement.ShowList {
			tr.Fields = append(tr.Fields, a.unticked(k, k.Whose)...)
		}
	}
	if len(tr.Fields) > 0 {
		return a.show(troubled(c, tr), nil, tr)
	}
	return a.see(c, nil)
}

// accept writes down what the customer agrees to, and knows then what is asked still. Where the words are not those that were shown any
// more nothing is written, and what is asked now is read.
func (a *asking) accept(c *fiber.Ctx, in agreement.AcceptInput) error {
	in.UserAgent = c.Get(fiber.HeaderUserAgent)
	for i := range in.Accept {
		in.Accept[i].Language = c.FormValue(agreement.WordsIn)
	}
	err := a.once(c, func(ctx context.Context) error {
		asks, err := a.take(ctx, in)
		if err == nil {
			a.asks = asks
		}
		return err
	})
	if !outdated(err) {
		return err
	}
	now, read := a.read(c.UserContext())
	if read != nil {
		return read
	}
	a.asks = now
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
func (a *asking) toldOf(err error) *view.Trouble {
	tr := &view.Trouble{Text: a.Shell.Told(agreement.ErrStale.Message)}
	for _, e := range changed(err) {
		tr.Fields = append(tr.Fields, fault.Field{Field: box{e.ContentID, ""}.name(), Message: a.Shell.T("{name} has new words.", "name", e.Name)})
	}
	return tr
}
