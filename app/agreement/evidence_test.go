package agreement_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/media/mediatest"
	"foyer/policy"
)

func (s *shop) evidence(t *testing.T, customer uuid.UUID, d agreement.Document, which ...uuid.UUID) agreement.Evidence {
	t.Helper()
	in := agreement.EvidenceInput{StatusInput: agreement.StatusInput{CustomerID: customer, LocationID: s.Location.ID}, DocumentID: d.ID}
	if len(which) > 0 {
		in.AcceptanceID = &which[0]
	}
	got, err := s.a.Evidence(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func recordOf(t *testing.T, e agreement.Evidence) []byte {
	t.Helper()
	got, err := e.Record()
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestEvidence: A159, A188, A189: each acceptance has its exact text, person, time, presentation and booking, and no
// later action of the studio changes its record.
func TestEvidence(t *testing.T) {
	s := open(t)
	waiver := s.asks(t)
	rules := s.asks(t, everyBooking, func(in *agreement.CreateInput) { in.File, in.Position = onePage, 1 })
	ada := s.Customer(t, "Ada")
	ada.Visitor = "203.0.113.9"
	s.book(t, ada, s.at)
	customer := s.customer(t, ada)
	first := s.evidence(t, customer, waiver)
	if first.Source != agreement.SourceCheckout || *first.Shown != agreement.ShownFull || first.IP != "203.0.113.9" || !strings.HasPrefix(first.Email, "ada-") || first.ActorName != "" ||
		first.PersonID == nil || len(first.Bookings) != 1 || !first.Bookings[0].StartsAt.Equal(s.at.StartsAt) || string(first.Content()) != "I take care of myself." {
		t.Fatalf("%+v", first)
	}
	if pdf := s.evidence(t, customer, rules); !bytes.Equal(pdf.Content(), onePage) {
		t.Errorf("the file is %q", pdf.Content())
	}
	before := recordOf(t, first)
	s.w.Clock.Advance(time.Hour)
	s.update(t, waiver, func(in *agreement.UpdateInput) { in.Body, in.Reask = new("Other words."), true })
	desk := s.Owner
	desk.Name = "Front desk"
	s.mark(t, desk, customer, waiver)
	later := s.evidence(t, customer, waiver)
	if later.Source != agreement.SourceStaff || later.ActorName != "Front desk" || later.Shown != nil || *later.Copy.Body != "Other words." || later.ID == first.ID {
		t.Errorf("the last: %+v", later)
	}
	if _, err := s.a.Archive(t.Context(), s.Owner, s.Location.ID, waiver.ID); err != nil {
		t.Fatal(err)
	}
	if after := recordOf(t, s.evidence(t, customer, waiver, first.ID)); !bytes.Equal(after, before) {
		t.Errorf("it says\n%s\nand said\n%s", after, before)
	}
	var said struct {
		Document struct{ SHA256 string }
		AgreedAt time.Time
	}
	if err := json.Unmarshal(before, &said); err != nil || said.Document.SHA256 != agreement.Sum(first.Content()) || !said.AgreedAt.Equal(first.CreatedAt.Truncate(time.Millisecond)) {
		t.Errorf("%+v (%v) in %s", said, err, before)
	}
	if !strings.HasPrefix(string(before), "{\n  \"record\": \"agreement-evidence-1\",\n  \"acceptance\": \""+first.ID.String()+`"`) {
		t.Errorf("%s", before)
	}
}

// TestEvidenceRefuses: A186: unknown records, another customer's, and documents without an acceptance have no
// evidence.
func TestEvidenceRefuses(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	waiver := s.asks(t)
	pdf := s.asks(t, func(in *agreement.CreateInput) { in.File = onePage })
	ada, bo := s.Customer(t, "Ada"), s.Customer(t, "Bo")
	s.book(t, ada, s.at)
	s.held(t, bo, s.at)
	other := s.w.Studio(t)
	right := agreement.EvidenceInput{StatusInput: agreement.StatusInput{CustomerID: s.customer(t, ada), LocationID: s.Location.ID}, DocumentID: waiver.ID}
	theirs := s.evidence(t, right.CustomerID, pdf).ID
	for what, change := range map[string]func(*agreement.EvidenceInput){
		"somebody who has not agreed": func(in *agreement.EvidenceInput) { in.CustomerID = s.customer(t, bo) },
		"an unknown customer":         func(in *agreement.EvidenceInput) { in.CustomerID = uuid.New() },
		"an unknown document":         func(in *agreement.EvidenceInput) { in.DocumentID = uuid.New() },
		"another location":            func(in *agreement.EvidenceInput) { in.LocationID = s.AddLocation(t, "Elsewhere").ID },
		"another business's location": func(in *agreement.EvidenceInput) { in.LocationID = other.Location.ID },
		"of another document":         func(in *agreement.EvidenceInput) { in.AcceptanceID = &theirs },
	} {
		in := right
		change(&in)
		if _, err := s.a.Evidence(ctx, s.Owner, in); err == nil || err.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, viewer := s.Key(t, policy.LocationView)
	if _, err := s.a.Evidence(ctx, viewer, right); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("without crm.view: %v", err)
	}
	right.DocumentID = pdf.ID
	empty := agreement.New(agreement.Options{DB: s.w.DB, Files: mediatest.Store(t)})
	if _, err := empty.Evidence(ctx, s.Owner, right); err == nil || fault.From(err) != nil {
		t.Errorf("the file is gone: %v", err)
	}
}
