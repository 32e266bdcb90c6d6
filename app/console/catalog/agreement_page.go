package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/fault"
	"foyer/app/view"
)

// agreementPicture is what customers would meet with what is typed, for the frame beside the form: the box of a list, or the page with the
// words and its button.
func (s *screens) agreementPicture(c *desk.Call) error {
	location, err := agreementPlace(c)
	if err != nil {
		return err
	}
	d := agreement.Document{LocationID: location, Show: agreement.ShowList, Copy: agreement.Copy{Kind: agreement.KindText}}
	if c.Params("agreement") != "" {
		if d, err = s.theAgreement(c); err != nil {
			return err
		}
	}
	if !may(c, location) {
		return fault.Missing()
	}
	return s.pictureOf(c, *placeOf(c, location), typedOver(c, d))
}

func (s *screens) pictureOf(c *desk.Call, place business.Location, d agreement.Document) error {
	sh := c.Shopfront(place, view.Branding(place.Branding).Href(place.Slug))
	a := view.Agreement{
		Name: cmp.Or(d.Name, c.UI.T("New agreement")), Box: "agree", Show: d.Show, Form: view.Form{Action: "#", Key: "none"},
	}
	said, err := d.Copy.Rendered()
	if text, refused := told(c.UI, err); refused { // as saving it would be
		a.Trouble = &view.Trouble{Text: text}
	} else if err != nil {
		return err
	} else {
		a.Words = view.CopyWords(said)
	}
	if d.ID != uuid.Nil {
		a.Href = agreement.Path(c.Scope.Tenant, d.Copy.ID)
	}
	if d.Show == agreement.ShowList {
		return c.Picture(view.AgreementsPage(sh, view.Agreements{Title: sh.T("Before you book"), Form: a.Form, Asks: []view.Agreement{a}}))
	}
	return c.Picture(view.AgreementPage(sh, a))
}

// typedOver puts what is typed over the document. A long text does not come: the document's own stands then.
func typedOver(c *desk.Call, d agreement.Document) agreement.Document {
	if !c.Request().URI().QueryArgs().Has("show") { // nothing is typed yet
		return d
	}
	d.Name = c.Value("name")
	if show := agreement.Show(c.Value("show")); slices.Contains(agreement.ShowList.All(), show) {
		d.Show = show
	}
	format := agreement.Format(c.Value("format"))
	if body := strings.ReplaceAll(c.Value("body"), "\r\n", "\n"); body != "" {
		d.Copy.Kind, d.Copy.Body = agreement.KindText, &body
	}
	if d.Copy.Kind == agreement.KindText && slices.Contains(agreement.Plain.All(), format) {
		d.Copy.Format = &format
	}
	return d
}

// typedAgreement shows the form as it was typed, with the page as it would be: a browser without script asks for it by a button.
func typedAgreement(c *desk.Call, show desk.Page) (desk.Done, error) {
	c.UI.Posted = c.Asked()
	screen, err := show(c)
	return desk.Done{Once: &screen}, err
}

const previewWish = "preview"

// wantsPreview tells whether the form was sent to be looked at.
func wantsPreview(c *desk.Call) bool { return c.Value("then") == previewWish }

func (s *screens) makeOrShow(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if wantsPreview(c) {
		return typedAgreement(c, s.newAgreement)
	}
	return s.makeAgreement(c, ctx)
}

func (s *screens) saveOrShow(c *desk.Call, ctx context.Context) (desk.Done, error) {
	if wantsPreview(c) {
		return typedAgreement(c, s.editAgreement)
	}
	return s.saveAgreement(c, ctx)
}
