package agreement

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/fault"
)

// happened is one event of a history, as an observer of the studio would describe it.
type happened struct {
	what     string // "reask", "archive", "restore", "frequency", "listings", "words", "book", "cancel", "pass", "accept", "paper", "paper for"
	document int
	cart     int     // "book", "accept"; bookings are numbered by the carts they were bought with
	whom     *string // "accept", "paper", "paper for"; nil: nobody said
}

// spellings are the names of people, with the index of the person: the customer is the first, and stands for unnamed
// guests.
var spellings = map[string]int{"": 0, "Guest 2": 0, "Mia": 1, " MIA": 1, "MIA": 1, "Zo\u00eb": 2, "zoe\u0308 ": 2, "zo\u00eb": 2, "Guest 2b": 3}

// history is the same history in two forms: as documents, subjects and acceptances of this package, and as a list of
// events.
type history struct {
	documents []Document
	carts     []uuid.UUID
	offerings []uuid.UUID
	items     [][]int    // offerings, by cart
	names     [][]string // attendees, by cart and index among its items
	booked    []string   // by cart: "", "booked", "cancelled", "over"
	have      []Acceptance
	events    []happened
	now       time.Time
	whom      *string // of the next acceptance
}

func (h *history) tell(e happened) { h.events = append(h.events, e); h.now = h.now.Add(time.Minute) }

// accept accepts a document as the customer, in a cart or on paper.
func (h *history) accept(document int, a Acceptance) {
	d := h.documents[document]
	a.Attendee = h.whom
	a.ID, a.DocumentID, a.CopyID, a.Round, a.CreatedAt = uuid.New(), d.ID, d.Copy.ID, d.Round, h.now
	h.have = append(h.have, a)
}

// step draws one event.
func (h *history) step(t *rapid.T) {
	at, cart := rapid.IntRange(0, len(h.documents)-1).Draw(t, "document"), rapid.IntRange(0, len(h.carts)-1).Draw(t, "cart")
	d := &h.documents[at]
	e := happened{document: at, cart: cart}
	e.what = rapid.SampledFrom([]string{"reask", "archive", "restore", "frequency", "listings", "words", "book", "cancel", "pass", "accept", "accept", "accept", "paper", "paper for"}).Draw(t, "what")
	h.whom = rapid.Ptr(rapid.SampledFrom(slices.Sorted(maps.Keys(spellings))), true).Draw(t, "whom")
	e.whom = h.whom
	switch e.what {
	case "reask":
		d.reask()
	case "archive":
		d.ArchivedAt = &h.now
	case "restore":
		d.ArchivedAt = nil
	case "frequency":
		d.Frequency = rapid.SampledFrom(Once.All()).Draw(t, "frequency")
	case "listings":
		d.EveryListing = rapid.Bool().Draw(t, "every")
		d.OfferingIDs = rapid.SliceOfDistinct(rapid.SampledFrom(h.offerings), rapid.ID[uuid.UUID]).Draw(t, "chosen")
	case "words":
		d.Copy.ID = uuid.New()
	case "book":
		if h.booked[cart] != "" {
			return
		}
		h.booked[cart] = "booked"
	case "cancel":
		if h.booked[cart] != "booked" {
			return
		}
		h.booked[cart] = "cancelled"
	case "pass":
		if h.booked[cart] != "booked" {
			return
		}
		h.booked[cart] = "over"
	case "accept":
		if h.booked[cart] != "" {
			return
		}
		h.accept(at, Acceptance{CartID: &h.carts[cart]})
	case "paper":
		h.accept(at, Acceptance{})
	case "paper for":
		if h.booked[cart] != "booked" {
			return
		}
		id := booking(h, cart)
		h.accept(at, Acceptance{BookingID: &id})
	}
	h.tell(e)
}

// booking returns the id of a cart's booking; all items have the same one here, as a cart of these histories has one
// date.
func booking(h *history, cart int) uuid.UUID { return uuid.NewSHA1(h.carts[cart], []byte("booking")) }

// wants returns the bookings and the items of one cart that is not booked, as the stores return them.
func (h *history) wants(cart int) []Subject {
	var out []Subject
	for i, o := range h.items[cart] {
		w := Subject{Attendee: h.names[cart][i], ID: uuid.NewSHA1(h.carts[cart], []byte{byte(o)}), OfferingID: h.offerings[o], CartID: &h.carts[cart]}
		switch h.booked[cart] {
		case "cancelled":
			continue
		case "booked", "over":
			id := booking(h, cart)
			w.BookingID, w.Past = &id, h.booked[cart] == "over"
		}
		out = append(out, w)
	}
	return out
}

// lacks is the model: it goes through the events from the beginning without using this package.
func (h *history) lacks(document, cart, offering, person int) (asked, open bool) {
	d := h.documents[document]
	frequency, every, archived := d.Frequency, d.EveryListing, d.ArchivedAt != nil
	chosen := slices.Contains(d.OfferingIDs, h.offerings[offering])
	state := h.booked[cart]
	if archived || !every && !chosen || state == "cancelled" || state == "over" && frequency == EveryBooking {
		return false, false
	}
	agreed := false
	for _, e := range h.events {
		if e.document != document {
			continue
		}
		theirs := e.whom != nil && spellings[*e.whom] == person || e.whom == nil && (person == 0 || e.what != "paper" && e.cart == cart)
		switch {
		case frequency == Once && e.what == "reask":
			agreed = false
		case !theirs && (e.what == "accept" || e.what == "paper" || e.what == "paper for"):
		case frequency == Once && (e.what == "accept" || e.what == "paper" || e.what == "paper for"):
			agreed = true
		case frequency == EveryBooking && e.what == "reask" && state == "":
			agreed = false
		case frequency == EveryBooking && (e.what == "accept" || e.what == "paper for") && e.cart == cart:
			agreed = true
		}
	}
	return true, !agreed
}

// TestRequiredByHistory: A160, A161, A169, A180, A181, A183, A190, A191: after any history of changed texts,
// new rounds, attendees, archives, bookings, cancellations and acceptances, the requirements are those of the model.
func TestRequiredByHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &history{now: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)}
		for range rapid.IntRange(1, 3).Draw(t, "documents") {
			h.documents = append(h.documents, Document{
				ID: uuid.New(), Round: 1, Frequency: rapid.SampledFrom(Once.All()).Draw(t, "frequency"), EveryListing: rapid.Bool().Draw(t, "every"), Copy: Copy{ID: uuid.New()},
			})
		}
		for range 3 {
			h.offerings = append(h.offerings, uuid.New())
		}
		for range rapid.IntRange(1, 3).Draw(t, "carts") {
			h.carts, h.booked = append(h.carts, uuid.New()), append(h.booked, "")
			h.names = append(h.names, rapid.SliceOfN(rapid.SampledFrom(slices.Sorted(maps.Keys(spellings))), 3, 3).Draw(t, "names"))
			h.items = append(h.items, rapid.SliceOfNDistinct(rapid.IntRange(0, 2), 1, 3, rapid.ID[int]).Draw(t, "items"))
		}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			h.step(t)
			for cart := range h.carts {
				h.compare(t, cart)
			}
		}
	})
}

// compare compares the result of Required for a cart with the model.
func (h *history) compare(t *rapid.T, cart int) {
	got := Required(h.documents, h.wants(cart), h.have)
	for at, d := range h.documents {
		var asked, open []uuid.UUID
		var whose []int
		for n, o := range h.items[cart] {
			person := spellings[h.names[cart][n]]
			is, lacks := h.lacks(at, cart, o, person)
			id := uuid.NewSHA1(h.carts[cart], []byte{byte(o)})
			if is {
				asked = append(asked, id)
			}
			if lacks {
				open = append(open, id)
				if !slices.Contains(whose, person) {
					whose = append(whose, person)
				}
			}
		}
		i := slices.IndexFunc(got, func(k Requirement) bool { return k.ID == d.ID })
		if (i >= 0) != (len(asked) > 0) {
			t.Fatalf("document %d of cart %d: asked %t, the story says %v\n%+v", at, cart, i >= 0, asked, h.events)
		}
		if i < 0 {
			continue
		}
		if k := got[i]; !slices.Equal(k.Subjects, asked) || !slices.Equal(k.Open, open) || (k.Agreed == nil) != (len(open) == len(asked)) {
			t.Fatalf("document %d of cart %d: %v lack it of %v, the story says %v of %v\n%+v", at, cart, k.Open, k.Subjects, open, asked, h.events)
		}
		var people []int
		for _, name := range got[i].Attendees {
			people = append(people, spellings[name])
		}
		if !slices.Equal(people, whose) {
			t.Fatalf("document %d of cart %d lacks %q, the story says %v", at, cart, got[i].Attendees, whose)
		}
	}
}

// A document needs a visible name, and a text of its own.
func TestDocumentsThatNobodySees(t *testing.T) {
	for _, name := range []string{"\u200b", "\u202e", "\u2028", "\u3164", "\u2800", "\u115f"} {
		d := Document{Name: name, Show: ShowList, Frequency: Once}
		var called, said fault.Checks
		if d.check(&called); d.Name != "" || called.Err() == nil {
			t.Errorf("a document is named %+q", d.Name)
		}
		if checkWords(name+"\n", "body", &said); said.Err() == nil || firstLine(name+"\n# Waiver") != "Waiver" {
			t.Errorf("%+q are words, and their first line %+q", name, firstLine(name+"\n# Waiver"))
		}
	}
}
