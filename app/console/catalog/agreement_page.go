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

// agreementPicture previews a document as customers see it, with the typed values, for the frame beside the form: the
// checkbox of a list, or the page with the text and its button.
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
	if text, refused := told(c.UI, err); refused { // refused as saving it would be
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
		return c.Picture(view.AgreementsPage(sh, view.Agreements{Title: sh.T("Before you book"), Form: a.Form, Required: []view.Agreement{a}}))
	}
	return c.Picture(view.AgreementPage(sh, a))
}

// typedOver returns the document with the typed values. A long text is not sent: the document's own is used then.
func typedOver(c *desk.Call, d agreement.Document) agreement.Document {
	if !c.Request().URI().QueryArgs().Has("show") { // no input yet
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

// typedAgreement shows the form as typed, with the preview: a browser without script requests it by a button.
func typedAgreement(c *desk.Call, show desk.Page) (desk.Done, error) {
	c.UI.Posted = c.Inputs()
	screen, err := show(c)
	return desk.Done{Once: &screen}, err
}

const previewWish = "preview"

// wantsPreview reports whether the form was sent for a preview.
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
