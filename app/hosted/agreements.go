package hosted

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/app/web"
)

// agreementPages are the words of agreements, which everybody may read who has their address, and the step of the cart that asks for
// them. None of it needs a script.
func (h *site) agreementPages() {
	h.get("/agreements/:business/:copy", h.readAgreement)
	h.get("/cart/:token/agreements", h.with(h.askAgreements))
	h.post("/cart/:token/agreements", web.RateStorefrontWrite, h.with(h.takeTicks))
	h.get("/cart/:token/agreements/:copy", h.with(h.askAgreement))
	h.post("/cart/:token/agreements/:copy", web.RateStorefrontWrite, h.with(h.takeAgreement))
}

// readAgreement shows one copy: the words on a page of the studio, a PDF as a file. A159.
func (h *site) readAgreement(c *fiber.Ctx) error {
	business, err := uuid.Parse(c.Params("business"))
	id, err2 := uuid.Parse(c.Params("copy"))
	if err != nil || err2 != nil {
		return fault.Missing()
	}
	said, err := h.Agreement.Read(c.UserContext(), business, id)
	if err != nil {
		return err
	}
	if said.Kind == agreement.KindPDF {
		return h.sendPDF(c, said)
	}
	in, asked := c.Queries()[agreement.WordsIn]
	p, err := h.studioPage(c, place{business, said.LocationID})
	if err != nil {
		return err
	}
	if !asked {
		in = p.Shell.Lang().Base()
	}
	return show(c, p.Shell, view.AgreementPage(p.Shell, view.Agreement{Name: said.Name, Words: wordsOf(said.Copy.In(in))}))
}

// sendPDF sends the file of a copy to be kept, and so that a browser which shows it runs nothing of it. security.md 28.
func (h *site) sendPDF(c *fiber.Ctx, said agreement.Words) error {
	file, err := h.Agreement.File(c.UserContext(), said.Copy)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/pdf")
	c.Set(fiber.HeaderContentDisposition, web.Download(said.Name+".pdf", nil).Disposition)
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	return c.Send(file)
}

// wordsOf are the words of a text; nil for a PDF.
func wordsOf(k agreement.Copy) templ.Component {
	switch {
	case k.Body == nil:
		return nil
	case k.Format != nil && *k.Format == agreement.Markdown:
		return view.MarkdownWords(*k.Body)
	}
	return view.PlainWords(*k.Body)
}

// asked is what the cart still asks of its customer.
func (b *basket) asked() []agreement.Ask {
	if b.Cart.Order != nil && b.Cart.Order.State == checkout.OrderOpen {
		return nil // they had agreed when the payment began
	}
	return agreement.Open(b.Cart.Agreements)
}

// mayAgree sends somebody whose cart it is not to the step that makes it theirs, and who has nothing to agree to on to pay; done says that
// one of the two has happened.
func (b *basket) mayAgree(c *fiber.Ctx) (done bool, err error) {
	switch {
	case !b.signedIn():
		return true, b.see(c, "/sign-in")
	case b.Cart.PersonID == nil:
		return true, b.see(c, "")
	case !b.Cart.BelongsTo(b.Scope.Person()):
		return true, b.foreign(c)
	case len(b.asked()) == 0:
		return true, b.see(c, "/pay")
	}
	return false, nil
}

func (h *site) askAgreements(c *fiber.Ctx, b *basket) error {
	if done, err := b.mayAgree(c); done {
		return err
	}
	return b.showAgreements(c, nil)
}

// showAgreements lists what is asked: a box for what is ticked, a page for what is read.
func (b *basket) showAgreements(c *fiber.Ctx, tr *view.Trouble) error {
	v := view.Agreements{Form: formTo(b.path("/agreements"), b.shownIn()), Order: b.orderOf(b.kept("/agreements")), Trouble: tr}
	for _, k := range b.asked() {
		a := view.Agreement{Name: k.Name, Box: boxOf(k.Copy.ID), Href: agreement.Path(b.Scope.Tenant, k.Copy.ID)}
		if k.Show == agreement.ShowList {
			v.Ticks = append(v.Ticks, a)
			continue
		}
		a.Href = onward(c, b.Shell, b.path("/agreements/"+k.Copy.ID.String()))
		v.Reads = append(v.Reads, a)
	}
	return show(troubled(c, tr), b.Shell, view.AgreementsPage(b.Shell, v))
}

// shownIn has a form say in which language its words are: its reader may have chosen another one since.
func (b *basket) shownIn() view.Param {
	return view.Param{Name: agreement.WordsIn, Value: b.Shell.Lang().Base()}
}

const boxPrefix = "agree."

// boxOf is the name of the box of a copy: who ticks it agrees to what it says, and to nothing that was written since.
func boxOf(copy uuid.UUID) string { return boxPrefix + copy.String() }

// takeTicks takes the boxes that were ticked. One that was not comes back with the rest of what is asked.
func (h *site) takeTicks(c *fiber.Ctx, b *basket) error {
	if done, err := b.mayAgree(c); done {
		return err
	}
	var in agreement.AcceptInput
	c.Request().PostArgs().VisitAll(func(name, value []byte) {
		box, is := strings.CutPrefix(string(name), boxPrefix)
		if id, err := uuid.Parse(box); err == nil && is && string(value) == "1" {
			in.Accept = append(in.Accept, agreement.Accepted{ContentID: id, Shown: agreement.ShownCheckbox})
		}
	})
	if len(in.Accept) > 0 {
		if changed, err := b.accept(c, in); changed || err != nil {
			return err
		}
	}
	for _, k := range b.asked() {
		if k.Show == agreement.ShowList {
			return b.showAgreements(c, fieldTrouble(boxOf(k.Copy.ID), b.Shell.T("Tick what you agree to. Without it this cannot be booked.")))
		}
	}
	return b.see(c, "/agreements")
}

// accept writes down what the customer agrees to. changed says that a page was shown instead: with the words of now.
func (b *basket) accept(c *fiber.Ctx, in agreement.AcceptInput) (changed bool, err error) {
	in.UserAgent = c.Get(fiber.HeaderUserAgent)
	for i := range in.Accept {
		in.Accept[i].Language = c.FormValue(agreement.WordsIn)
	}
	var asks []agreement.Ask
	err = b.once(c, func(ctx context.Context) (err error) {
		asks, err = b.Checkout.Accept(ctx, b.Scope, b.Token, in)
		return err
	})
	if errors.Is(err, agreement.ErrStale) || fault.IsKind(err, fault.NotFound) {
		cart, err := b.Checkout.Cart(c.UserContext(), b.Scope, b.Token)
		if err != nil {
			return false, err
		}
		b.Cart = cart
		return true, b.showAgreements(c, &view.Trouble{Text: b.Shell.Told(agreement.ErrStale.Message)})
	}
	if err != nil {
		return true, b.refused(c, err)
	}
	b.Cart.Agreements = asks
	return false, nil
}

// ask is the document that the path names, when it is asked and read on a page of its own; nil when it is not.
func (b *basket) ask(c *fiber.Ctx) *agreement.Ask {
	asks := b.asked()
	i := slices.IndexFunc(asks, func(k agreement.Ask) bool { return k.Copy.ID.String() == c.Params("copy") })
	if i < 0 {
		return nil
	}
	return &asks[i]
}

// askAgreement is the page of one document, with its words and the button behind their end.
func (h *site) askAgreement(c *fiber.Ctx, b *basket) error {
	if done, err := b.mayAgree(c); done {
		return err
	}
	k := b.ask(c)
	if k == nil {
		return b.see(c, "/agreements")
	}
	said, err := h.Agreement.Read(c.UserContext(), b.Scope.Tenant, k.Copy.ID)
	if err != nil {
		return err
	}
	return show(c, b.Shell, view.AgreementPage(b.Shell, view.Agreement{
		Name: k.Name, Href: agreement.Path(b.Scope.Tenant, k.Copy.ID), Words: wordsOf(said.Copy.In(b.Shell.Lang().Base())), Full: k.Show == agreement.ShowFull,
		Form: formTo(b.path("/agreements/"+k.Copy.ID.String()), b.shownIn()), Order: b.orderOf(b.kept("/agreements")),
	}))
}

// takeAgreement takes that the customer agrees to one document, whose words stood in front of the button.
func (h *site) takeAgreement(c *fiber.Ctx, b *basket) error {
	if done, err := b.mayAgree(c); done {
		return err
	}
	id, err := uuid.Parse(c.Params("copy"))
	if err != nil {
		return b.see(c, "/agreements")
	}
	shown := agreement.ShownCheckbox
	if k := b.ask(c); k != nil && k.Show == agreement.ShowFull {
		shown = agreement.ShownFull
	}
	if changed, err := b.accept(c, agreement.AcceptInput{Accept: []agreement.Accepted{{ContentID: id, Shown: shown}}}); changed || err != nil {
		return err
	}
	return b.see(c, "/agreements")
}
