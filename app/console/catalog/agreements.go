package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/agreement"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/app/words"
)

const agreementsAt = "/catalog/agreements"

// agreements mounts the waivers and terms of a location. They come before offerings: their addresses would match an
// offering's.
func (s *screens) agreements(d *desk.Desk) {
	const place, one = agreementsAt + "/:location", agreementsAt + "/:location/:agreement"
	d.Page("listAgreements", agreementsAt, s.listAgreements)
	d.Page("createAgreement", place+"/new", s.newAgreement)
	d.File("listAgreements", place+"/new/page", s.agreementPicture)
	d.Form("createAgreement", place+"/new", desk.Form{Do: s.makeOrShow, Show: s.newAgreement, Inputs: agreementInputs})
	d.Page("listAgreementCopies", one, s.editAgreement)
	d.File("listAgreementCopies", one+"/page", s.agreementPicture)
	d.Page("listAgreementSigners", one+"/people", s.agreementPeople)
	d.Form("updateAgreement", one, desk.Form{Do: s.saveOrShow, Show: s.editAgreement, Inputs: agreementInputs})
	d.Form("archiveAgreement", one+"/archive", desk.Form{Do: s.archiveAgreement})
	d.Form("restoreAgreement", one+"/restore", desk.Form{Do: s.restoreAgreement})
	d.TakesFile(place+"/new", agreement.FileMax)
	d.TakesFile(one, agreement.FileMax)
}

// agreementInputs are the fields of a document.
var agreementInputs = []string{"name", "body", "format", "file", "show", "frequency", "everyListing", "offeringIds", "position"}

// Choices of the offerings that require a document.
const (
	askedByAll    = "all"
	askedByChosen = "chosen"
)

// rulesHere are the documents of a location.
type rulesHere struct {
	Location *business.Location // nil: not chosen yet
	Rows     []agreement.Document
	Archived bool
}

func (s *screens) listAgreements(c *desk.Call) (ui.Screen, error) {
	v := rulesHere{Location: c.OneLocation(), Archived: c.Value("archived") != ""}
	all, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: c.LocationID()})
	if err != nil {
		return ui.Screen{}, err
	}
	screen := ui.Screen{Title: c.UI.T("Agreements"), Area: "catalog", Tabs: tabs(c, all, "", agreementsAt)}
	if v.Location != nil {
		if v.Rows, err = s.Agreement.List(c.Context(), c.Scope, v.Location.ID, v.Archived); err != nil {
			return ui.Screen{}, err
		}
		if may(c, v.Location.ID) {
			screen.Acts = ui.Go(c.To(agreementsAt+"/"+v.Location.ID.String()+"/new"), ui.Button{Text: c.UI.T("New agreement"), Icon: "plus"})
		}
	}
	screen.Body = agreementsBody(c, v)
	return screen, nil
}

// paper is a document in its form.
type paper struct {
	agreement.Document
	Copies []agreement.Copy
	Offers []agenda.OfferingRow // of its location
}

// agreementPlace returns the location in the address, and sets the screen's time zone. Error: not found for one that
// the caller does not see.
func agreementPlace(c *desk.Call) (uuid.UUID, error) {
	id, err := c.ID("location")
	if err == nil && at(c, id) == nil {
		err = fault.Missing()
	}
	return id, err
}

func agreementHref(c *desk.Call, d agreement.Document) string {
	return c.To(agreementsAt + "/" + d.LocationID.String() + "/" + d.ID.String())
}

func listOfAgreements(c *desk.Call, location uuid.UUID) string {
	return c.To(agreementsAt, "location", location.String())
}

func (s *screens) newAgreement(c *desk.Call) (ui.Screen, error) {
	location, err := agreementPlace(c)
	if err != nil {
		return ui.Screen{}, err
	}
	p := paper{Document: agreement.Document{LocationID: location, Show: agreement.ShowList, Frequency: agreement.Once, EveryListing: true}}
	if p.Offers, err = s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: location}); err != nil {
		return ui.Screen{}, err
	}
	up := view.Link{Text: c.UI.T("Agreements"), Href: listOfAgreements(c, location)}
	return ui.Screen{Title: c.UI.T("New agreement"), Area: "catalog", Up: &up, Body: agreementEditor(c, p, c.To(agreementsAt+"/"+location.String()+"/new")), Script: "catalog.js", Wide: true}, nil
}

func (s *screens) makeAgreement(c *desk.Call, ctx context.Context) (desk.Done, error) {
	location, err := agreementPlace(c)
	if err != nil {
		return desk.Done{}, err
	}
	f := reader{Call: c}
	in := agreement.CreateInput{
		LocationID: location, Name: c.Value("name"), Show: agreement.Show(c.Value("show")), Frequency: agreement.Frequency(c.Value("frequency")),
		EveryListing: c.Value("everyListing") != askedByChosen, OfferingIDs: c.UUIDs("offeringIds"), Position: f.number("position"),
	}
	if err := f.checks.Err(); err != nil {
		return desk.Done{}, err
	}
	in.Content = readWords(c, agreement.Copy{})
	d, err := s.Agreement.Create(ctx, c.Scope, in)
	return desk.Done{To: listOfAgreements(c, location), Said: c.UI.T("Added {name}. Customers must sign it from now on.", "name", d.Name)}, err
}

func (s *screens) theAgreement(c *desk.Call) (agreement.Document, error) {
	location, err := agreementPlace(c)
	if err != nil {
		return agreement.Document{}, err
	}
	id, err := c.ID("agreement")
	if err != nil {
		return agreement.Document{}, err
	}
	return s.Agreement.Get(c.Context(), c.Scope, location, id)
}

func (s *screens) editAgreement(c *desk.Call) (ui.Screen, error) {
	d, err := s.theAgreement(c)
	if err != nil {
		return ui.Screen{}, err
	}
	p := paper{Document: d}
	err = desk.Together(
		func() (err error) {
			p.Copies, err = s.Agreement.Copies(c.Context(), c.Scope, d.LocationID, d.ID)
			return err
		},
		func() (err error) {
			p.Offers, err = s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: d.LocationID})
			return err
		},
	)
	up := view.Link{Text: c.UI.T("Agreements"), Href: listOfAgreements(c, d.LocationID)}
	return ui.Screen{Title: d.Name, Area: "catalog", Up: &up, Acts: agreementActs(c, d), Body: agreementBody(c, p), Script: "catalog.js", Wide: true}, err
}

func (s *screens) saveAgreement(c *desk.Call, ctx context.Context) (desk.Done, error) {
	was, err := s.theAgreement(c)
	if err != nil {
		return desk.Done{}, err
	}
	f := reader{Call: c}
	name, show, frequency, every := c.Value("name"), agreement.Show(c.Value("show")), agreement.Frequency(c.Value("frequency")), c.Value("everyListing") != askedByChosen
	offerings, position := c.UUIDs("offeringIds"), f.number("position")
	if err := f.checks.Err(); err != nil {
		return desk.Done{}, err
	}
	in := agreement.UpdateInput{
		LocationID: was.LocationID, ID: was.ID, Version: c.Version(), Name: &name, Show: &show, Frequency: &frequency, EveryListing: &every, OfferingIDs: &offerings,
		Position: &position, Reask: c.Ticked("reask"),
	}
	in.Content = readWords(c, was.Copy)
	d, err := s.Agreement.Update(ctx, c.Scope, in)
	said := c.UI.T("Saved {name}. Existing signatures stay valid.", "name", d.Name)
	if in.Reask {
		said = c.UI.T("Saved {name}. All customers sign again at their next booking.", "name", d.Name)
	}
	return desk.Done{To: listOfAgreements(c, was.LocationID), Said: said}, err
}

func (s *screens) archiveAgreement(c *desk.Call, ctx context.Context) (desk.Done, error) {
	location, id, err := agreementNamed(c)
	if err != nil {
		return desk.Done{}, err
	}
	d, err := s.Agreement.Archive(ctx, c.Scope, location, id)
	return desk.Done{
		To: listOfAgreements(c, location), Said: c.UI.T("Archived {name}. Customers no longer have to sign it.", "name", d.Name),
		Undo: &ui.Undo{Action: agreementHref(c, d) + "/restore"},
	}, err
}

func (s *screens) restoreAgreement(c *desk.Call, ctx context.Context) (desk.Done, error) {
	location, id, err := agreementNamed(c)
	if err != nil {
		return desk.Done{}, err
	}
	d, err := s.Agreement.Restore(ctx, c.Scope, location, id)
	return desk.Done{To: listOfAgreements(c, location), Said: c.UI.T("Restored {name}. Customers must sign it from now on.", "name", d.Name)}, err
}

// agreementNamed returns the ids in the address.
func agreementNamed(c *desk.Call) (location, id uuid.UUID, err error) {
	if location, err = c.ID("location"); err == nil {
		id, err = c.ID("agreement")
	}
	return location, id, err
}

// readWords returns the content in the form, compared with the current copy. Browsers differ in line ends: a text
// that differs only in these, and in surrounding blanks, is unchanged.
func readWords(c *desk.Call, was agreement.Copy) (in agreement.Content) {
	if file := c.GivenFile(); file != nil {
		in.File = slices.Concat([]byte{}, file.Data) // an empty file is one, too
		return in
	}
	body, format := strings.ReplaceAll(c.Value("body"), "\r\n", "\n"), agreement.Format(c.Value("format"))
	if was.Kind == agreement.KindPDF && body == "" || was.ID == uuid.Nil && body == "" {
		return in // the PDF stays; for a new document the verb requires either
	}
	in.Format = &format
	if was.Body == nil || !sameWords(body, *was.Body) {
		in.Body = &body
	}
	in.Translations = readTranslations(c, was)
	return in
}

// sameWords reports whether a text from a form equals the stored one.
func sameWords(typed, was string) bool {
	return typed == strings.TrimSpace(strings.ReplaceAll(was, "\r\n", "\n"))
}

// readTranslations returns all translations in the form: an empty one is removed.
func readTranslations(c *desk.Call, was agreement.Copy) *[]agreement.Translation {
	out := []agreement.Translation{}
	for _, l := range words.Languages() {
		body := strings.ReplaceAll(c.Value(bodyIn(l.Tag)), "\r\n", "\n")
		if old := was.In(l.Tag); old.Language == l.Tag && old.Body != nil && was.Language != l.Tag && sameWords(body, *old.Body) {
			body = *old.Body
		}
		if body != "" {
			out = append(out, agreement.Translation{Language: l.Tag, Body: body})
		}
	}
	return &out
}

// bodyIn returns the name of the field of the text in a language.
func bodyIn(language string) string { return "body." + language }

// tongues returns the further languages of the form: all but that of the location.
func tongues(c *desk.Call, location uuid.UUID) (out []words.Language) {
	place := placeOf(c, location)
	for _, l := range words.Languages() {
		if place != nil && l.Tag != place.Language {
			out = append(out, l)
		}
	}
	return out
}

// translation returns the text of a copy in a further language; empty without one.
func translation(k agreement.Copy, language string) string {
	for _, t := range k.Translations {
		if t.Language == language {
			return t.Body
		}
	}
	return ""
}

// asking returns the offerings to choose from: active ones, and those listed for the document.
func (p paper) asking() (out []ui.Option) {
	for _, o := range p.Offers {
		if o.State != catalog.Archived || slices.Contains(p.OfferingIDs, o.ID) {
			out = append(out, ui.Option{Value: o.ID.String(), Text: o.Name})
		}
	}
	return out
}
