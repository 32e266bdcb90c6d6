package console_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/billing/tender"
	"foyer/policy"
)

// TestNothingOfferedIsRefused walks the console as each role, in the whole business and at one location: it follows
// every link and sends every form of a page, filled in, and continues from the result. No response is "your role does
// not allow this" or "there is nothing here": actions without the right are not offered, and a record just created
// can be opened by its author.
func TestNothingOfferedIsRefused(t *testing.T) {
	t.Parallel()
	at := func(role policy.Role) func(here, there uuid.UUID) []business.RoleAt {
		return func(here, _ uuid.UUID) []business.RoleAt { return []business.RoleAt{apptest.At(role, here)} }
	}
	everywhere := func(role policy.Role) func(here, there uuid.UUID) []business.RoleAt {
		return func(_, _ uuid.UUID) []business.RoleAt { return []business.RoleAt{apptest.Everywhere(role)} }
	}
	for _, c := range []struct {
		name  string
		roles func(here, there uuid.UUID) []business.RoleAt
		pages int  // minimum pages opened
		forms int  // minimum forms sent
		long  bool // in the long walk only
	}{
		{"owner", nil, 150, 80, true},
		{"manager at a location", at(policy.Manager), 120, 60, false},
		{"manager", everywhere(policy.Manager), 120, 60, true},
		{"front desk at a location", at(policy.FrontDesk), 90, 30, false},
		{"front desk", everywhere(policy.FrontDesk), 90, 30, true},
		{"instructor", everywhere(policy.Instructor), 60, 15, false},
		{"instructor at a location", at(policy.Instructor), 60, 15, true},
		{"accountant", everywhere(policy.Accountant), 40, 8, false},
		{"accountant at a location", at(policy.Accountant), 40, 8, true},
		{"marketer", everywhere(policy.Marketer), 25, 5, false},
		{"viewer at a location", at(policy.Viewer), 30, 5, false},
		{"front desk here, viewer there", func(here, there uuid.UUID) []business.RoleAt {
			return []business.RoleAt{apptest.At(policy.FrontDesk, here), apptest.At(policy.Viewer, there)}
		}, 90, 30, false},
	} {
		if c.long && !walks.Long() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := consoletest.Open(t)
			there := twoPlaces(t, s)
			var who *consoletest.Client
			if c.roles == nil {
				who = s.As(t, consoletest.Owner)
			} else {
				sc := s.Join(t, "them@team.example.com", c.roles(s.Location.ID, there)...)
				teaches(t, s, sc)
				who = s.SignedIn(t, "them@team.example.com")
			}
			w := &offered{t: t, s: s, c: who, root: "/manage/" + s.Studio.Business.Slug, seen: map[string]bool{}, kinds: map[string]int{}}
			w.all()
			t.Logf("%d pages, %d forms: %v", w.pages, w.forms, w.answers)
			if w.pages < c.pages || w.forms < c.forms {
				t.Errorf("only %d pages and %d forms", w.pages, w.forms)
			}
		})
	}
}

// twoPlaces fills a studio with data at its first location, and with dates, customers and payments at another one.
func twoPlaces(t *testing.T, s *consoletest.Studio) (there uuid.UUID) {
	t.Helper()
	s.Sell(t, "Grace Hopper")
	s.Clock.Advance(24 * time.Hour)
	f := s.Fill(t)
	s.Sell(t, "Ada Lovelace")
	there = apptest.Value[uuid.UUID](t, s.World, "select id from locations where name = 'Riverside'")
	price := int64(1800)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) {
		o.Name, o.Slug, o.Location, o.Price = "Far Flow", "far-flow", there, &price
	})
	far := s.AddOccurrence(t, class, s.Clock.Now().Add(3*time.Hour))
	for _, who := range []booking.CustomerRef{{Email: "far@example.com", Name: "Far Away"}, {Email: "cleo@example.com"}} { // booked here, too
		did, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: who, OccurrenceID: far.ID})
		if err == nil {
			_, err = s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{did.Booking.ID}, Tenders: owed.Pays(tender.Cash)},
			)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	waiting := apptest.Value[uuid.UUID](t, s.World, "select customer_id from bookings where id = $1", f.Bookings[2])
	if _, err := s.Waitlist.Add(t.Context(), s.Owner, waitlist.AddInput{
		JoinInput: waitlist.JoinInput{OfferingID: f.Class.ID, OccurrenceID: f.Dates[1].ID}, CustomerID: waiting,
	}); err != nil {
		t.Fatal(err)
	}
	return there
}

// teaches assigns a member to a date here and to one there.
func teaches(t *testing.T, s *consoletest.Studio, sc tenancy.Scope) {
	t.Helper()
	s.SQL(t, `update occurrences set member_id = (select id from members where person_id = $1)
		where id in (select id from occurrences where business_id = $2 and member_id is null)`, sc.Person(), s.Studio.Business.ID)
}

// offered walks the pages offered to a member.
type offered struct {
	t            *testing.T
	s            *consoletest.Studio
	c            *consoletest.Client
	root         string
	seen         map[string]bool // addresses, and forms with their values
	kinds        map[string]int
	queue        []string
	sends        []*consoletest.Form
	pages, forms int
	answers      map[int]int // number of forms by status
}

// most returns the maximum number of rows of one kind: the first ones, in the long walk more.
func most() int {
	if walks.Long() {
		return 6
	}
	return 3
}

func (w *offered) all() {
	w.answers = map[int]int{}
	w.queue = []string{w.root}
	for round := range 4 {
		for len(w.queue) > 0 {
			at := w.queue[0]
			w.queue = w.queue[1:]
			w.open(at)
		}
		sends := w.sends
		w.sends = nil
		slices.SortStableFunc(sends, func(a, b *consoletest.Form) int { return ends(a) - ends(b) })
		for _, f := range sends {
			w.send(f)
		}
		w.t.Logf("round %d: %d pages, %d forms", round+1, w.pages, w.forms)
	}
}

// last matches forms that remove the record of other forms: they are sent after these.
var last = regexp.MustCompile(`archive|delete|cancel|remove|close|decline|void|revoke|end|leave|undo|deactivate|settle|refund`)

func ends(f *consoletest.Form) int {
	if last.MatchString(f.Action) {
		return 1
	}
	return 0
}

// kind returns an address without its ids and the values of its parameters.
func kind(u *url.URL) string {
	names := slices.Sorted(maps.Keys(u.Query()))
	return ids.ReplaceAllString(u.Path, "*") + " " + strings.Join(names, " ") + " " + u.Query().Get("view") + u.Query().Get("kind")
}

// open opens a page, unless enough of its kind were seen, and records its links and forms.
func (w *offered) open(at string) {
	u, err := url.Parse(at)
	if err != nil {
		w.t.Errorf("the link %q: %v", at, err)
		return
	}
	u.Fragment = ""
	if u.Host != "" || !strings.HasPrefix(u.Path, w.root) || u.Query().Has("at") || w.seen[u.String()] {
		return
	}
	w.seen[u.String()] = true
	k, bound := kind(u), most()/2
	if ids.MatchString(u.String()) {
		bound = most()
	}
	if w.kinds[k]++; w.kinds[k] > bound {
		return
	}
	w.pages++
	w.look(w.c.Get(u.RequestURI()), "the link "+at)
}

// look checks a page and records its links and forms.
func (w *offered) look(page *consoletest.Page, from string) {
	if page.Status == http.StatusForbidden || page.Status == http.StatusNotFound || page.Status >= http.StatusInternalServerError {
		w.t.Errorf("%s ends at %s with %d: %.200s", from, page.URL.Path, page.Status, page.Text())
		return
	}
	if !strings.HasPrefix(page.URL.Path, w.root) || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		return
	}
	w.queue = append(w.queue, page.Links()...)
	for _, f := range page.Offers(w.words()) {
		to, _ := url.Parse(f.Action)
		if to == nil || !strings.HasPrefix(to.Path, w.root+"/") {
			continue
		}
		k := f.Method + " " + kind(to) + f.Values.Get("then") + f.Values.Get("paid") + f.Values.Get("kind") + f.Values.Get("way")
		key := f.Method + " " + f.Action + k
		if w.seen[key] || w.kinds[k] >= most()/2+1 {
			continue
		}
		w.seen[key] = true
		w.kinds[k]++
		w.sends = append(w.sends, f)
	}
}

// words returns the values for empty fields: a future day, a new person.
func (w *offered) words() map[string]string {
	w.forms++
	n := w.forms
	w.forms--
	tomorrow := w.s.Clock.Now().AddDate(0, 0, 2)
	return map[string]string{
		"": "Plausible", "except": "", "extraDates": "", "capacity": "10", "ppm": "5", "dailyCap": "", "website": "https://example.com/", "css": "",
		"address.country": "US", "address.postalCode": "04101", "name": fmt.Sprintf("Pat %d", n), "email": fmt.Sprintf("pat%d.%d@example.com", n, len(w.seen)), "phone": "+1 212 555 0199",
		"amount": "1", "price": "20", "code": fmt.Sprintf("CODE%d", n), "slug": fmt.Sprintf("plausible-%d", n), "party": "1", "attendee": "", "q": "",
		"type=date": tomorrow.Format(time.DateOnly), "type=time": "10:00", "type=datetime-local": tomorrow.Format("2006-01-02T10:00"),
		"type=email": fmt.Sprintf("pat%d.%d@example.com", n, len(w.seen)), "type=url": "https://example.com/", "type=file": "", "minutes": "60",
	}
}

// send sends a form and continues from the result. A record removed by another form meanwhile is skipped.
func (w *offered) send(f *consoletest.Form) {
	w.forms++
	page := w.c.Send(f)
	w.answers[page.Status]++
	if page.Status == http.StatusNotFound || page.Status == http.StatusForbidden {
		again := w.c.Get(strings.TrimPrefix(f.Page(), w.s.URL))
		if page.Status == http.StatusNotFound && !slices.ContainsFunc(again.Offers(w.words()), func(o *consoletest.Form) bool { return o.Action == f.Action }) {
			return
		}
	}
	w.look(page, f.Method+" "+f.Action+" of "+f.Page())
}
