package catalog_test

import (
	"net/url"
	"strings"
	"testing"

	"foyer/app/agreement"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// tiny is a PDF of one page.
var tiny = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")

// A document is entered, or uploaded as a PDF, by a form without script; every copy of it can be opened; archiving is
// undone.
func TestAgreements(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	owner := s.As(t, consoletest.Owner)
	list := owner.Get("/catalog/agreements").Is(t, 200).Shows(t, "No agreements.", "New agreement")
	form := owner.Get(list.Link(s.Location.ID.String()+"/new")).Is(t, 200).Silent(t, "Require new signatures").Form(s.Location.ID.String() + "/new")
	owner.Send(form, "name", "Waiver", "body", "").Is(t, 400).Shows(t, "Enter a text, or upload a PDF.")
	owner.SendFile(form, "page.pdf", []byte("GIF89a"), url.Values{"name": {"Waiver"}}).Is(t, 400).Shows(t, "This is not a PDF.")
	list = owner.Send(form, "name", "", "body", "# Waiver\r\n\r\nI take care of *myself*.", "format", "markdown").Is(t, 200)
	list.Shows(t, "Added Waiver. Customers must sign it from now on.", "Text", "Checkbox", "Once", "All offerings")
	document := func() agreement.Document {
		t.Helper()
		all, err := s.Agreement.List(t.Context(), s.Owner, s.Location.ID, false)
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all[0]
	}
	first := document()
	at := list.Link("/" + first.ID.String())
	page := owner.Get(at).Is(t, 200).Shows(t, "View as customer", "Require new signatures", "Copy 1", "Now")
	words := func(k agreement.Copy) string { return agreement.Path(s.Studio.Business.ID, k.ID) }
	if page.Link(words(first.Copy)) == "" {
		t.Error("nothing shows the words as customers see them")
	}
	saved := owner.Send(page.Form("/"+first.ID.String()), "show", "full", "frequency", "every_booking", "everyListing", "chosen", "offeringIds", class.ID.String()).Is(t, 200)
	saved.Shows(t, "Saved Waiver. Existing signatures stay valid.", "Full text", "Every booking", "One offering")
	if d := document(); d.Copy.ID != first.Copy.ID || d.Round != 1 || d.Show != agreement.ShowFull {
		t.Errorf("the same words made a copy: %+v", d)
	}
	pdf := owner.SendFile(owner.Get(at).Form("/"+first.ID.String()), "rules.pdf", tiny, url.Values{"reask": {"1"}}).Is(t, 200)
	pdf.Shows(t, "Saved Waiver. All customers sign again at their next booking.", "PDF")
	second := document()
	if second.Copy.Kind != agreement.KindPDF || second.Round != 2 {
		t.Errorf("%+v", second)
	}
	page = owner.Get(at).Is(t, 200).Shows(t, "The text is a PDF.", "Copy 1", "Copy 2")
	if page.Link(words(first.Copy)) == "" || page.Link(words(second.Copy)) == "" {
		t.Errorf("a copy cannot be opened: %v", page.Links())
	}
	owner.Send(page.Form("/"+first.ID.String()), "name", "Rules").Is(t, 200).Shows(t, "Saved Rules.")
	if d := document(); d.Copy.ID != second.Copy.ID || d.Name != "Rules" {
		t.Errorf("a new name made a copy: %+v", d)
	}

	gone := owner.Send(owner.Get(at).Form("/archive")).Is(t, 200).Shows(t, "Archived Rules. Customers no longer have to sign it.", "No agreements.", "Undo")
	owner.Get("/catalog/agreements?archived=1").Is(t, 200).Shows(t, "Rules")
	owner.Get(at).Is(t, 200).Shows(t, "Archived: customers no longer have to sign it.").Silent(t, "Require new signatures")
	owner.Send(gone.Form("/restore")).Is(t, 200).Shows(t, "Restored Rules. Customers must sign it from now on.")
	s.As(t, policy.FrontDesk).Get(at).Is(t, 200).Shows(t, "Copy 2").Silent(t, "Require new signatures", "Archive")
}

// Each location has its own documents: with several, one is chosen first, and a document of another location is not
// found.
func TestAgreementsOfSeveralPlaces(t *testing.T) {
	s := consoletest.Open(t)
	there := s.AddLocation(t, "Riverside")
	d, err := s.Agreement.Create(t.Context(), s.Owner, agreement.CreateInput{
		LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care of myself.")},
	})
	if err != nil {
		t.Fatal(err)
	}
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/catalog/agreements").Is(t, 200).Shows(t, "Each location has its own agreements:", "Riverside").Silent(t, "Waiver", "New agreement")
	for _, href := range page.Links() {
		switch {
		case strings.Contains(href, "location="+s.Location.ID.String()):
			owner.Get(href).Is(t, 200).Shows(t, "Waiver", "New agreement")
		case strings.Contains(href, "location="+there.ID.String()):
			owner.Get(href).Is(t, 200).Shows(t, "No agreements.").Silent(t, "Waiver")
		}
	}
	owner.Get("/catalog/agreements/"+s.Location.ID.String()+"/"+d.ID.String()).Is(t, 200)
	owner.Get("/catalog/agreements/"+there.ID.String()+"/"+d.ID.String()).Is(t, 404)
}
