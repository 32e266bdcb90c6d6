package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/patch"
	"foyer/app/pg"
)

func appointment(in *catalog.CreateInput) {
	in.Kind, in.Name, in.Capacity = catalog.Appointment, "Massage", 1
}

func rental(in *catalog.CreateInput) { in.Kind, in.Name = catalog.Rental, "Sauna" }

func none[T any]() patch.Field[T] { return patch.None[T]() }

func some[T any](v T) patch.Field[T] { return patch.Some(v) }

// every is an appointment, and a rental, with every setting that its kind has.
func TestSettingsComeBack(t *testing.T) {
	s := open(t)
	rules := s.AddPolicy(t)
	lengths := []catalog.Duration{{Minutes: 30, PriceAmount: 3500}, {Minutes: 60, PriceAmount: 6000}}
	for name, want := range map[catalog.Kind]catalog.Settings{
		catalog.Class: {PolicyID: &rules, Approval: true, Enrolment: catalog.BySeries, SoldAs: catalog.PerPerson, Durations: []catalog.Duration{}},
		catalog.Appointment: {PolicyID: &rules, BufferBeforeMinutes: 5, BufferAfterMinutes: 240, GridMinutes: ptr(15), LastStartMinute: ptr(0),
			Compact: true, Approval: true, Enrolment: catalog.ByDate, SoldAs: catalog.PerPerson, Durations: lengths},
		catalog.Rental: {BufferAfterMinutes: 15, GridMinutes: ptr(60), LastStartMinute: ptr(1439), Enrolment: catalog.ByDate,
			SoldAs: catalog.WholeSpace, Durations: lengths, NeedsMember: true},
	} {
		o := s.create(t, func(in *catalog.CreateInput) {
			in.Kind, in.Settings = name, want
			if len(want.Durations) > 0 {
				in.DurationMinutes, in.PriceAmount = 0, nil
			}
		})
		got, err := s.Get(t.Context(), s.System(), o.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Settings); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(want.Durations) > 0 && (got.DurationMinutes != 30 || *got.PriceAmount != 3500) {
			t.Errorf("%s: the first length is the offering's: %d for %d", name, got.DurationMinutes, *got.PriceAmount)
		}
	}
}

func TestUpdateSettings(t *testing.T) {
	s := open(t)
	rules := s.AddPolicy(t)
	was := s.create(t, rental, func(in *catalog.CreateInput) { in.GridMinutes, in.LastStartMinute = ptr(30), ptr(1200) })
	lengths := []catalog.Duration{{Minutes: 90, PriceAmount: 0}}
	for _, c := range []struct {
		name string
		in   catalog.UpdateInput
		want func(*catalog.Offering)
	}{
		{"policy", catalog.UpdateInput{PolicyID: patch.Some(rules)}, func(o *catalog.Offering) { o.PolicyID = &rules }},
		{"no policy", catalog.UpdateInput{PolicyID: patch.None[uuid.UUID]()}, func(o *catalog.Offering) { o.PolicyID = nil }},
		{"before", catalog.UpdateInput{BufferBeforeMinutes: ptr(10)}, func(o *catalog.Offering) { o.BufferBeforeMinutes = 10 }},
		{"after", catalog.UpdateInput{BufferAfterMinutes: ptr(20)}, func(o *catalog.Offering) { o.BufferAfterMinutes = 20 }},
		{"grid", catalog.UpdateInput{GridMinutes: some(5)}, func(o *catalog.Offering) { o.GridMinutes = ptr(5) }},
		{"no grid", catalog.UpdateInput{GridMinutes: none[int]()}, func(o *catalog.Offering) { o.GridMinutes = nil }},
		{"last start", catalog.UpdateInput{LastStartMinute: some(600)}, func(o *catalog.Offering) { o.LastStartMinute = ptr(600) }},
		{"no last start", catalog.UpdateInput{LastStartMinute: none[int]()}, func(o *catalog.Offering) { o.LastStartMinute = nil }},
		{"compact", catalog.UpdateInput{Compact: ptr(true)}, func(o *catalog.Offering) { o.Compact = true }},
		{"approval", catalog.UpdateInput{Approval: ptr(true)}, func(o *catalog.Offering) { o.Approval = true }},
		{"walk-ins", catalog.UpdateInput{Walkins: ptr(true)}, func(o *catalog.Offering) { o.Walkins = true }},
		{"sold whole", catalog.UpdateInput{Walkins: ptr(false), SoldAs: ptr(catalog.WholeSpace)}, func(o *catalog.Offering) { o.Walkins, o.SoldAs = false, catalog.WholeSpace }},
		{"attended", catalog.UpdateInput{NeedsMember: ptr(true)}, func(o *catalog.Offering) { o.NeedsMember = true }},
		{"lengths", catalog.UpdateInput{Durations: &lengths}, func(o *catalog.Offering) { o.Durations, o.DurationMinutes, o.PriceAmount = lengths, 90, ptr(int64(0)) }},
		{"the same lengths", catalog.UpdateInput{Durations: &lengths}, func(o *catalog.Offering) { o.Version-- }},
		{"one length", catalog.UpdateInput{Durations: new([]catalog.Duration)}, func(o *catalog.Offering) { o.Durations = []catalog.Duration{} }},
		{"none again", catalog.UpdateInput{Durations: &[]catalog.Duration{}}, func(o *catalog.Offering) { o.Version-- }},
	} {
		c.in.ID, c.in.Version = was.ID, was.Version
		want := was
		want.Version++
		c.want(&want)
		got, err := s.Update(t.Context(), s.System(), c.in)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		stored, err := s.Get(t.Context(), s.System(), was.ID)
		if diff := cmp.Diff([]catalog.Offering{want, want}, []catalog.Offering{got, stored}, cmpopts.IgnoreFields(catalog.Offering{}, "UpdatedAt")); err != nil || diff != "" {
			t.Errorf("%s: %v %s", c.name, err, diff)
		}
		was = stored
	}
}

// A setting without meaning for a kind is a wrong field, and so is one out of bounds.
func TestSettingsRefused(t *testing.T) {
	s := open(t)
	gone, foreign := s.AddPolicy(t), openIn(t, s.w).AddPolicy(t)
	s.w.SQL(t, "update policies set archived_at = now() where id = $1", gone)
	lengths := func(list ...catalog.Duration) func(*catalog.CreateInput) {
		return func(in *catalog.CreateInput) {
			appointment(in)
			in.DurationMinutes, in.PriceAmount, in.Durations = 0, nil, list
		}
	}
	long := make([]catalog.Duration, 13)
	for i := range long {
		long[i].Minutes = 5 * (i + 1)
	}
	for _, c := range []struct {
		want string
		but  func(*catalog.CreateInput)
	}{
		{"bufferAfterMinutes bufferBeforeMinutes compact durations gridMinutes lastStart needsMember soldAs walkins", func(in *catalog.CreateInput) {
			in.Settings = catalog.Settings{BufferBeforeMinutes: 1, BufferAfterMinutes: 1, GridMinutes: ptr(5), LastStartMinute: ptr(5), Compact: true,
				NeedsMember: true, SoldAs: catalog.WholeSpace, Walkins: true, Durations: []catalog.Duration{{Minutes: 60, PriceAmount: 2200}}}
		}},
		{"enrolment needsMember soldAs walkins", func(in *catalog.CreateInput) {
			appointment(in)
			in.Settings = catalog.Settings{Enrolment: catalog.BySeries, NeedsMember: true, SoldAs: catalog.WholeSpace, Walkins: true}
		}},
		{"enrolment walkins", func(in *catalog.CreateInput) {
			rental(in)
			in.Settings = catalog.Settings{Enrolment: catalog.BySeries, SoldAs: catalog.WholeSpace, Walkins: true}
		}},
		{"bufferAfterMinutes bufferBeforeMinutes enrolment gridMinutes lastStart soldAs", func(in *catalog.CreateInput) {
			rental(in)
			in.Settings = catalog.Settings{BufferBeforeMinutes: -1, BufferAfterMinutes: 241, Enrolment: "x", SoldAs: "y", GridMinutes: ptr(7), LastStartMinute: ptr(1440)}
		}},
		{"policyId", func(in *catalog.CreateInput) { in.PolicyID = ptr(pg.NewID()) }},
		{"policyId", func(in *catalog.CreateInput) { in.PolicyID = &gone }},
		{"policyId", func(in *catalog.CreateInput) { in.PolicyID = &foreign }},
		{"durations[0].minutes durations[1].minutes durations[1].priceAmount", lengths(catalog.Duration{Minutes: 4}, catalog.Duration{Minutes: 1441, PriceAmount: -1})},
		{"durations[1].minutes", lengths(catalog.Duration{Minutes: 60}, catalog.Duration{Minutes: 60})},
		{"durations[1].minutes", lengths(catalog.Duration{Minutes: 60}, catalog.Duration{Minutes: 30})},
		{"durations", lengths(long...)},
		{"durationMinutes price", func(in *catalog.CreateInput) {
			lengths(catalog.Duration{Minutes: 30, PriceAmount: 1})(in)
			in.DurationMinutes, in.PriceAmount = 31, ptr(int64(2))
		}},
		{"durationMinutes", func(in *catalog.CreateInput) { in.DurationMinutes = 0 }},
	} {
		_, err := s.Create(t.Context(), s.System(), s.input(c.but))
		f := strings.Fields(apptest.Wrong(err))
		if got := strings.Join(slices.Compact(f), " "); got != c.want {
			t.Errorf("named %q, want %q", got, c.want)
		}
	}
	o := s.create(t, lengths(catalog.Duration{Minutes: 30, PriceAmount: 1}))
	for want, in := range map[string]catalog.UpdateInput{
		"durationMinutes": {DurationMinutes: ptr(45)}, "price": {PriceAmount: ptr(int64(5))}, "enrolment": {Enrolment: ptr(catalog.BySeries)},
		"policyId": {PolicyID: patch.Some(foreign)}, "lastStart": {LastStartMinute: some(-1)},
	} {
		in.ID, in.Version = o.ID, o.Version
		if _, err := s.Update(t.Context(), s.System(), in); apptest.Wrong(err) != want {
			t.Errorf("named %q, want %q", apptest.Wrong(err), want)
		}
	}
}

// The public listing has the settings for choosing a time.
func TestListingSettings(t *testing.T) {
	s := open(t)
	room := s.AddSpace(t, "Sauna")
	o := s.create(t, rental, func(in *catalog.CreateInput) {
		in.DurationMinutes, in.PriceAmount = 0, nil
		in.Settings = catalog.Settings{GridMinutes: ptr(30), Approval: true, SoldAs: catalog.WholeSpace,
			Durations: []catalog.Duration{{Minutes: 60, PriceAmount: 3000}, {Minutes: 120, PriceAmount: 5000}}}
	})
	if _, err := s.PutSpaces(t.Context(), s.System(), catalog.PutLinksInput{ID: o.ID, Links: []uuid.UUID{room.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Publish(t.Context(), s.System(), o.ID); err != nil {
		t.Fatal(err)
	}
	l, err := s.PublicOffering(t.Context(), s.Business.ID, o.ID)
	if err != nil || len(l.Durations) != 2 || l.Durations[1].PriceAmount != 5000 || *l.GridMinutes != 30 || !l.Approval ||
		l.SoldAs != catalog.WholeSpace || l.Enrolment != catalog.ByDate || l.NeedsMember || l.Walkins {
		t.Errorf("%+v, %v", l, err)
	}
}

// The missing parts of an appointment or a rental are reported when publishing. A71.
func TestPublishComputedTimes(t *testing.T) {
	s := open(t)
	kim, room := s.AddInstructor(t, "Kim"), s.AddSpace(t, "Sauna")
	staff := func(id uuid.UUID) error {
		_, err := s.PutStaff(t.Context(), s.System(), catalog.PutLinksInput{ID: id, Links: []uuid.UUID{kim.ID}})
		return err
	}
	spaces := func(id uuid.UUID) error {
		_, err := s.PutSpaces(t.Context(), s.System(), catalog.PutLinksInput{ID: id, Links: []uuid.UUID{room.ID}})
		return err
	}
	publish := func(id uuid.UUID) error { _, err := s.Publish(t.Context(), s.System(), id); return err }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s.dates = false
	a := s.create(t, appointment).ID
	r := s.create(t, rental, func(in *catalog.CreateInput) { in.NeedsMember = true }).ID
	for _, c := range []struct {
		do   func() error
		id   uuid.UUID
		want string
	}{
		{nil, a, "staff"}, {func() error { return staff(a) }, a, "hours"},
		{nil, r, "spaces staff"}, {func() error { return staff(r) }, r, "spaces"}, {func() error { return spaces(r) }, r, "hours"},
	} {
		if c.do != nil {
			must(c.do())
		}
		if err := publish(c.id); apptest.Wrong(err) != c.want {
			t.Errorf("missing are %q, want %q", apptest.Wrong(err), c.want)
		}
	}
	s.dates = true
	must(publish(a))
	must(publish(r))
	for id, put := range map[uuid.UUID]func(catalog.PutLinksInput) error{
		a: func(in catalog.PutLinksInput) error { _, err := s.PutStaff(t.Context(), s.System(), in); return err },
		r: func(in catalog.PutLinksInput) error { _, err := s.PutSpaces(t.Context(), s.System(), in); return err },
	} {
		if err := put(catalog.PutLinksInput{ID: id}); apptest.Wrong(err) != map[uuid.UUID]string{a: "staff", r: "spaces"}[id] {
			t.Errorf("a published one without: %v", err)
		}
	}
}

func TestDuplicate(t *testing.T) {
	s := open(t)
	room, kim := s.AddSpace(t, "Sauna"), s.AddInstructor(t, "Kim")
	was := s.AddRental(t, []uuid.UUID{room.ID}, func(r *apptest.ServiceRow) {
		r.NeedsMember, r.Members, r.Before, r.Durations = true, []uuid.UUID{kim.ID}, 10, []apptest.Duration{{Minutes: 60, PriceAmount: 3000}}
		r.Slug = "sauna"
	})
	for _, state := range []string{"published", "archived"} {
		s.w.SQL(t, "update offerings set state = $2 where id = $1", was.ID, state)
		first, err := s.Get(t.Context(), s.System(), was.ID)
		if err != nil {
			t.Fatal(err)
		}
		made, err := s.Duplicate(t.Context(), s.System(), was.ID)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(t.Context(), s.System(), made.ID)
		if diff := cmp.Diff(made, got, cmpopts.EquateApproxTime(0)); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		diff := cmp.Diff(first, made, cmpopts.IgnoreFields(catalog.Offering{}, "ID", "Slug", "State", "PublishedAt", "CreatedAt", "UpdatedAt"))
		if diff != "" || made.ID == was.ID || made.State != catalog.Draft || made.PublishedAt != nil || !strings.HasPrefix(made.Slug, "sauna-") {
			t.Errorf("%+v %s", made, diff)
		}
	}
	s.w.SQL(t, "update locations set archived_at = now()")
	_, err := s.Duplicate(t.Context(), s.System(), was.ID)
	apptest.Is(t, err, catalog.ErrLocationArchived)
}

// Prices per person are one rule: the price, the pages, the embeds and the search for times all use it.
func TestByTheHead(t *testing.T) {
	for _, k := range catalog.Kind("").All() {
		for _, as := range catalog.SoldAs("").All() {
			want := k == catalog.Rental && as == catalog.PerPerson
			amount := int64(500)
			price, _ := catalog.Lengths{Kind: k, SoldAs: as, Minutes: 60, Amount: &amount}.Price(60, 3)
			if k.ByTheHead(as) != want || (catalog.Listing{Kind: k, SoldAs: as}).PerHead() != want || (price == 1500) != want {
				t.Errorf("%s sold as %s: by the head %v, three cost %d", k, as, k.ByTheHead(as), price)
			}
		}
	}
}
