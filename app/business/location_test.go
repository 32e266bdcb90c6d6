package business_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

func TestCreateLocation(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750)
	l, err := h.CreateLocation(t.Context(), s.Owner, business.LocationInput{
		Name: " Uptown ", Slug: "harbour-uptown", Currency: "CAD", TaxMode: business.TaxInclusive, TaxRateID: &rate.ID,
	})
	if err != nil || l.Name != "Uptown" || l.Slug != "harbour-uptown" || l.Zone != "America/New_York" || l.Currency != "CAD" ||
		l.TaxMode != business.TaxInclusive || *l.TaxRateID != rate.ID {
		t.Fatalf("%+v (%v)", l, err)
	}
	_, err = h.CreateLocation(t.Context(), s.Owner, business.LocationInput{Slug: "api", Zone: "x", Currency: "YYY", TaxMode: "x", Website: "ftp://x.example"})
	if got := strings.Join(fields(err), " "); got != "name slug zone currency taxMode website" {
		t.Errorf("wrong fields %q", got)
	}
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "foreign": w.Studio(t).AddTaxRate(t, "VAT", 1).ID} {
		if _, err := h.CreateLocation(t.Context(), s.Owner, business.LocationInput{Name: "X", TaxRateID: &id}); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s tax rate: %v", name, err)
		}
	}
	manager := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Manager))
	if _, err := h.CreateLocation(t.Context(), manager, business.LocationInput{Name: "X"}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a manager: %v", err)
	}
}

// A47: another studio's location is unknown; one's own outside the role is refused; lists omit it.
func TestLocationsSeen(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s, other := w.Studio(t), w.Studio(t)
	second := s.AddLocation(t, "Uptown")
	third := s.AddLocation(t, "Downtown")
	manager := s.Join(t, "kim@example.com", apptest.At(policy.Manager, second.ID))
	if l, err := h.Location(t.Context(), manager, second.ID); err != nil || l.ID != second.ID {
		t.Errorf("%+v (%v)", l, err)
	}
	name := "x"
	for label, c := range map[string]struct {
		id   uuid.UUID
		kind fault.Kind
	}{"outside the role": {third.ID, fault.Forbidden}, "foreign": {other.Location.ID, fault.NotFound}, "unknown": {uuid.New(), fault.NotFound}} {
		_, read := h.Location(t.Context(), manager, c.id)
		_, write := h.UpdateLocation(t.Context(), manager, business.UpdateLocationInput{LocationID: c.id, Version: 1, Name: &name})
		_, look := h.Theme(t.Context(), manager, c.id)
		_, paint := h.PutTheme(t.Context(), manager, business.Theme{LocationID: c.id, Version: 1, Branding: s.Location.Branding})
		_, week := h.Hours(t.Context(), manager, c.id)
		_, plan := h.PutHours(t.Context(), manager, business.Hours{LocationID: c.id})
		_, spaces := h.Spaces(t.Context(), manager, c.id, paging.In[uuid.UUID]{})
		_, space := h.Space(t.Context(), manager, c.id, uuid.New())
		_, build := h.CreateSpace(t.Context(), manager, business.SpaceInput{LocationID: c.id, Name: "A", Capacity: 1})
		_, change := h.UpdateSpace(t.Context(), manager, business.UpdateSpaceInput{LocationID: c.id, SpaceID: uuid.New()})
		_, archive := h.ArchiveSpace(t.Context(), manager, c.id, uuid.New())
		for i, err := range []error{read, write, look, paint, week, plan, spaces, space, build, change, archive} {
			if !fault.IsKind(err, c.kind) || c.kind == fault.NotFound && err.Error() != fault.Missing().Error() {
				t.Errorf("%s, verb %d: %v", label, i, err)
			}
		}
	}
	list := func(sc tenancy.Scope) (ids []uuid.UUID) {
		page, err := h.Locations(t.Context(), sc, paging.In[uuid.UUID]{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range page.Items {
			ids = append(ids, l.ID)
		}
		return ids
	}
	if got := list(manager); !slices.Equal(got, []uuid.UUID{second.ID}) {
		t.Errorf("a manager's list: %v", got)
	}
	if got := list(s.Owner); !slices.Equal(got, []uuid.UUID{s.Location.ID, second.ID, third.ID}) {
		t.Errorf("the owner's list: %v", got)
	}
	page, err := h.Locations(t.Context(), s.Owner, paging.In[uuid.UUID]{Limit: 2, After: &s.Location.ID})
	if err != nil || len(page.Items) != 2 || page.Next != nil {
		t.Errorf("%+v (%v)", page, err)
	}
	if _, err := h.Locations(t.Context(), tenancy.Scope{Tenant: s.Business.ID}, paging.In[uuid.UUID]{}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a visitor: %v", err)
	}
}

func TestUpdateLocation(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750)
	manager := s.Join(t, "kim@example.com", apptest.At(policy.Manager, s.Location.ID))
	update := func(in business.UpdateLocationInput) (business.Location, error) {
		in.LocationID = s.Location.ID
		return h.UpdateLocation(t.Context(), manager, in)
	}
	got, err := update(business.UpdateLocationInput{
		Version: 1, Name: ptr("Pier"), Slug: ptr("pier-yoga"), Zone: ptr("America/Chicago"), Currency: ptr(money.Currency("CAD")),
		TaxMode: ptr(business.TaxInclusive), TaxRateID: patch.Some(rate.ID),
		Address: &business.Address{City: "Toronto", Country: "ca"}, Website: ptr("HTTP://Yoga.example/here"),
	})
	if err != nil || got.Name != "Pier" || got.Slug != "pier-yoga" || got.Currency != "CAD" || got.TaxMode != "inclusive" ||
		*got.TaxRateID != rate.ID || got.Address.Country != "CA" || got.Website != "http://yoga.example/here" || got.Version != 2 {
		t.Fatalf("%+v (%v)", got, err)
	}
	if read, err := h.Location(t.Context(), manager, s.Location.ID); err != nil || fmt.Sprint(*read.TaxRateID, read.Slug, read.Version, read.Branding) != fmt.Sprint(rate.ID, "pier-yoga", 2, got.Branding) {
		t.Errorf("read back %+v (%v)", read, err)
	}
	if f, err := h.FindSlug(t.Context(), "harbour"); err != nil || f.Slug != "pier-yoga" || !f.Redirect || f.Location != s.Location.ID {
		t.Errorf("the old address leads to %+v (%v)", f, err)
	}
	if got, err = update(business.UpdateLocationInput{Version: 2, TaxRateID: patch.None[uuid.UUID](), Website: ptr("")}); err != nil || got.TaxRateID != nil || got.Website != "" || got.Name != "Pier" {
		t.Errorf("%+v (%v)", got, err)
	}
	if _, err := update(business.UpdateLocationInput{Version: 2}); !errors.Is(err, fault.ErrStale) || fault.From(err).Details["version"] != int64(3) {
		t.Errorf("stale: %v", err)
	}
	if _, err := update(business.UpdateLocationInput{Version: 3, TaxRateID: patch.Some(uuid.New())}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown tax rate: %v", err)
	}
	_, err = update(business.UpdateLocationInput{Version: 3, Name: ptr(""), Slug: ptr("x"), Zone: ptr(""), Currency: ptr(money.Currency("")),
		TaxMode: ptr(business.TaxMode("")), Address: &business.Address{City: strings.Repeat("x", 121), PostalCode: strings.Repeat("x", 21)}, Website: ptr("https://a@b.example")})
	want := "name slug zone currency taxMode address.city address.postalCode website"
	if got := strings.Join(fields(err), " "); got != want {
		t.Errorf("wrong fields %q", got)
	}
}

func TestWebsites(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	version := int64(1)
	for site, want := range map[string]string{
		"yoga.example": "https://yoga.example", " https://WWW.Yoga.example/a?b=c ": "https://www.yoga.example/a?b=c", "": "",
		"http://yoga.example:8080": "http://yoga.example:8080",
	} {
		got, err := h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: s.Location.ID, Version: version, Website: ptr(site)})
		if err != nil || got.Website != want {
			t.Errorf("%q is kept as %q (%v)", site, got.Website, err)
		}
		version = got.Version
	}
	for _, site := range []string{"https://", "yoga", "javascript:alert(1)", "https://yoga.example\\@evil.example", "https://user@yoga.example",
		"ftp://yoga.example", "https://yoga.example/a b", "https://yoga.", "https://yoga.example/\x00", "https://yoga.example/" + strings.Repeat("x", 300)} {
		_, err := h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: s.Location.ID, Version: version, Website: ptr(site)})
		if got := fields(err); len(got) != 1 || got[0] != "website" {
			t.Errorf("%q: %v", site, err)
		}
	}
}

func TestTheme(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	viewer := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Viewer))
	th, err := h.Theme(t.Context(), viewer, s.Location.ID)
	if err != nil || th != (business.Theme{LocationID: s.Location.ID, Version: 1, Branding: business.Branding{Accent: "#a4472b", Background: "paper", Type: "figtree", Corners: "soft"}}) {
		t.Fatalf("%+v (%v)", th, err)
	}
	th.Branding = business.Branding{Accent: "#00AAFF", Background: "dark", Type: "system", Corners: "pill"}
	got, err := h.PutTheme(t.Context(), s.Owner, th)
	if err != nil || got.Branding.Accent != "#00aaff" || got.Version != 2 {
		t.Fatalf("%+v (%v)", got, err)
	}
	if read, err := h.Theme(t.Context(), viewer, s.Location.ID); err != nil || read != got {
		t.Errorf("read back %+v (%v)", read, err)
	}
	if _, err := h.PutTheme(t.Context(), s.Owner, th); !errors.Is(err, fault.ErrStale) {
		t.Errorf("stale: %v", err)
	}
	if _, err := h.PutTheme(t.Context(), viewer, got); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a viewer: %v", err)
	}
	got.Branding = business.Branding{Accent: "red", Background: "mud", Type: "comic", Corners: ""}
	_, err = h.PutTheme(t.Context(), s.Owner, got)
	if got := strings.Join(fields(err), " "); got != "accent background type corners" {
		t.Errorf("wrong fields %q", got)
	}
}

func TestHours(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	if got, err := h.Hours(t.Context(), s.Owner, s.Location.ID); err != nil || len(got.Intervals) != 0 || got.Intervals == nil {
		t.Errorf("at first %+v (%v)", got, err)
	}
	put := func(week ...business.Interval) (business.Hours, error) {
		return h.PutHours(t.Context(), s.Owner, business.Hours{LocationID: s.Location.ID, Intervals: week})
	}
	got, err := put(business.Interval{Weekday: 1, Opens: 780, Closes: 1440}, business.Interval{Weekday: 1, Opens: 420, Closes: 780},
		business.Interval{Weekday: 0, Opens: 0, Closes: 1440})
	want := []business.Interval{{Weekday: 0, Opens: 0, Closes: 1440}, {Weekday: 1, Opens: 420, Closes: 780}, {Weekday: 1, Opens: 780, Closes: 1440}}
	if err != nil || !slices.Equal(got.Intervals, want) {
		t.Fatalf("%+v (%v)", got, err)
	}
	if read, err := h.Hours(t.Context(), s.Owner, s.Location.ID); err != nil || !slices.Equal(read.Intervals, want) {
		t.Errorf("read back %+v (%v)", read, err)
	}
	_, err = put(business.Interval{Weekday: 7, Opens: -1, Closes: 1441}, business.Interval{Weekday: 2, Opens: 600, Closes: 600},
		business.Interval{Weekday: 3, Opens: 600, Closes: 700}, business.Interval{Weekday: 3, Opens: 699, Closes: 800})
	wrong := "intervals[0].weekday intervals[0].opens intervals[0].closes intervals[1].closes intervals[3].opens"
	if got := strings.Join(fields(err), " "); got != wrong {
		t.Errorf("wrong fields %q", got)
	}
	if _, err := put(make([]business.Interval, business.MaxIntervals+1)...); fields(err)[0] != "intervals" {
		t.Errorf("too many: %v", err)
	}
	if got, err := put(); err != nil || len(got.Intervals) != 0 {
		t.Errorf("closed for good: %+v (%v)", got, err)
	}
	if week, err := business.HoursOf(t.Context(), w.DB.View(s.Business.ID), s.Location.ID); err != nil || len(week.Intervals) != 0 {
		t.Errorf("%+v (%v)", week, err)
	}
}

// A week is accepted exactly when no minute of it is open twice.
func TestHoursNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in business.Hours
		twice := false
		open := map[int]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "intervals") {
			opens := rapid.IntRange(0, 20).Draw(t, "opens")
			v := business.Interval{Weekday: time.Weekday(rapid.IntRange(0, 1).Draw(t, "weekday")), Opens: opens, Closes: opens + rapid.IntRange(1, 5).Draw(t, "for")}
			in.Intervals = append(in.Intervals, v)
			for m := v.Opens; m < v.Closes; m++ {
				at := int(v.Weekday)*24*60 + m
				twice = twice || open[at]
				open[at] = true
			}
		}
		if err := in.Validate(); (err != nil) != twice {
			t.Fatalf("%+v: %v", in.Intervals, err)
		}
	})
}

// A zone cannot change under dates on its wall clock.
func TestZoneStaysWhileThereAreDates(t *testing.T) {
	w := apptest.Open(t)
	busy := true
	h := w.Businesses(t, func(o *business.Options) {
		o.HasDatesTx = func(context.Context, *pg.Tx, uuid.UUID) (bool, error) { return busy, nil }
	})
	s := w.Studio(t)
	zone, same := "Asia/Tokyo", s.Location.Zone
	in := business.UpdateLocationInput{LocationID: s.Location.ID, Version: s.Location.Version, Zone: &zone}
	if _, err := h.UpdateLocation(t.Context(), s.Owner, in); !errors.Is(err, business.ErrZoneInUse) {
		t.Errorf("with dates ahead: %v", err)
	}
	unchanged := in
	unchanged.Zone = &same
	if _, err := h.UpdateLocation(t.Context(), s.Owner, unchanged); err != nil {
		t.Errorf("the same zone again: %v", err)
	}
	busy, in.Version = false, in.Version+1
	if l, err := h.UpdateLocation(t.Context(), s.Owner, in); err != nil || l.Zone != zone {
		t.Errorf("without dates: %q, %v", l.Zone, err)
	}
}
