package business_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/cssguard"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// wardrobe is a studio with a manager who saves stylesheets.
type wardrobe struct {
	apptest.Studio
	w       *apptest.World
	h       apptest.BusinessService
	manager tenancy.Scope
}

func openWardrobe(t *testing.T) wardrobe {
	w := apptest.Open(t)
	s := w.Studio(t)
	return wardrobe{s, w, w.Businesses(t), s.Join(t, "kim@example.com", apptest.At(policy.Manager, s.Location.ID))}
}

func (d wardrobe) save(t *testing.T, css string, version int64) (business.Stylesheet, error) {
	t.Helper()
	return d.h.SaveStylesheet(t.Context(), d.manager, business.SaveStylesheetInput{LocationID: d.Location.ID, CSS: css, Version: version})
}

// public returns the CSS of the embeds' pages.
func (d wardrobe) public(t *testing.T) (css string, has bool) {
	t.Helper()
	css, err := business.PublicStylesheet(t.Context(), d.w.DB.View(d.Owner.Tenant), d.Location.ID)
	if err != nil {
		t.Fatal(err)
	}
	l, err := business.LocationOf(t.Context(), d.w.DB.View(d.Owner.Tenant), d.Location.ID)
	if err != nil {
		t.Fatal(err)
	}
	return css, l.HasStylesheet
}

// TestStylesheet is the life of a stylesheet: E86 byte for byte, E92k with its warnings, E92l removed by an empty
// one, and E108 nothing before and after.
func TestStylesheet(t *testing.T) {
	d := openWardrobe(t)
	none, err := d.h.Stylesheet(t.Context(), d.manager, d.Location.ID)
	if err != nil || none.CSS != "" || none.Version != 0 || none.UpdatedAt != nil || none.Warnings != nil {
		t.Fatalf("%+v (%v)", none, err)
	}
	if css, has := d.public(t); css != "" || has {
		t.Errorf("%q %v", css, has)
	}
	const css = "\uFEFFsvc-times {\r\n  color: red !important;\r}\f/* été 😀 */  \t\n\n"
	saved, err := d.save(t, css, 0)
	if err != nil || saved.CSS != css || saved.Version != 1 || !saved.UpdatedAt.Equal(apptest.Start) || len(saved.Warnings) != 1 || saved.Warnings[0].Line != 2 ||
		saved.Warnings[0].Rule != cssguard.Important {
		t.Fatalf("%+v (%v)", saved, err)
	}
	read, err := d.h.Stylesheet(t.Context(), d.manager, d.Location.ID)
	if err != nil || !reflect.DeepEqual(read, saved) {
		t.Errorf("%+v is not %+v (%v)", read, saved, err)
	}
	if got, has := d.public(t); got != css || !has {
		t.Errorf("%q %v", got, has)
	}
	page, err := d.h.Locations(t.Context(), d.Owner, paging.In[uuid.UUID]{})
	if err != nil || !page.Items[0].HasStylesheet {
		t.Errorf("%+v (%v)", page, err)
	}
	if _, err := d.save(t, "svc-times{}", 0); !errors.Is(err, fault.ErrStale) || fault.From(err).Details["version"] != int64(1) {
		t.Errorf("stale: %v", err)
	}
	if gone, err := d.save(t, "", 1); err != nil || gone.CSS != "" || gone.Version != 2 || gone.Warnings != nil {
		t.Errorf("%+v (%v)", gone, err)
	}
	if got, has := d.public(t); got != "" || has {
		t.Errorf("%q %v", got, has)
	}
	if again, err := d.save(t, " ", 2); err != nil || again.Version != 3 {
		t.Errorf("%+v (%v)", again, err)
	}
}

// TestStylesheetRefused: 400 about css with its line and rule, and E92m: nothing changes.
func TestStylesheetRefused(t *testing.T) {
	d := openWardrobe(t)
	const good = "svc-times{color:red}"
	if _, err := d.save(t, good, 0); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		css  string
		line int
		rule string
	}{
		"a bare element": {"svc-times{}\n\np{}", 3, cssguard.Tag},
		"NUL":            {"svc-times{}\r\n\x00", 2, cssguard.NotText},
		"no UTF-8":       {"\n\xff", 2, cssguard.NotText},
		"too large":      {"\n" + strings.Repeat("é", cssguard.MaxBytes/2), 2, cssguard.TooLarge}, // E92j: 32,769 bytes
		"unclosed":       {"svc-times{", 1, cssguard.Unmatched},
		"another scheme": {"svc-times{\nbackground:url(//evil.example)}", 2, cssguard.Address},
	} {
		_, err := d.save(t, c.css, 1)
		f := fault.From(err)
		if f == nil || f.Kind != fault.Validation || !slices.Equal(fields(err), []string{"css"}) || f.Details["line"] != c.line || f.Details["rule"] != c.rule {
			t.Errorf("%s: %v, details %v", name, err, f)
		}
	}
	if got, has := d.public(t); got != good || !has {
		t.Errorf("%q %v", got, has)
	}
	fill := good + "\n/*" + strings.Repeat("é", (cssguard.MaxBytes-len(good)-5)/2) + "*/"
	fill = strings.Repeat(" ", cssguard.MaxBytes-len(fill)) + fill
	if saved, err := d.save(t, fill, 1); err != nil || len(saved.CSS) != 32_768 {
		t.Errorf("%d bytes: %v", len(fill), err)
	}
}

// TestStylesheetSeen: permissions to read and to save, by location.
func TestStylesheetSeen(t *testing.T) {
	d := openWardrobe(t)
	second, other := d.AddLocation(t, "Uptown"), d.w.Studio(t)
	viewer := d.Join(t, "vi@example.com", apptest.At(policy.Viewer, d.Location.ID))
	if _, err := d.h.Stylesheet(t.Context(), viewer, d.Location.ID); err != nil {
		t.Errorf("a viewer reads: %v", err)
	}
	if _, err := d.h.SaveStylesheet(t.Context(), viewer, business.SaveStylesheetInput{LocationID: d.Location.ID}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a viewer saves: %v", err)
	}
	for name, c := range map[string]struct {
		id   uuid.UUID
		kind fault.Kind
	}{"outside the role": {second.ID, fault.Forbidden}, "foreign": {other.Location.ID, fault.NotFound}, "unknown": {uuid.New(), fault.NotFound}} {
		_, read := d.h.Stylesheet(t.Context(), d.manager, c.id)
		_, save := d.h.SaveStylesheet(t.Context(), d.manager, business.SaveStylesheetInput{LocationID: c.id, CSS: "svc-times{}"})
		if !fault.IsKind(read, c.kind) || !fault.IsKind(save, c.kind) {
			t.Errorf("%s: %v, %v", name, read, save)
		}
	}
	if css, err := business.PublicStylesheet(t.Context(), d.w.DB.View(d.Owner.Tenant), uuid.New()); css != "" || err != nil {
		t.Errorf("%q (%v)", css, err)
	}
	if _, err := d.save(t, "svc-times{}", 0); err != nil {
		t.Error(err)
	}
	if l, err := business.LocationOf(t.Context(), d.w.DB.View(d.Owner.Tenant), second.ID); err != nil || l.HasStylesheet {
		t.Errorf("the other location: %+v (%v)", l, err)
	}
	reads := d.w.Statements(func() {
		if _, err := business.LocationOf(t.Context(), d.w.DB.View(d.Owner.Tenant), d.Location.ID); err != nil {
			t.Error(err)
		}
	})
	if reads > 1 {
		t.Errorf("a location with its mark takes %d statements", reads)
	}
}

// TestFirstStylesheetsAtOnce: of two first saves at the same time one is stale.
func TestFirstStylesheetsAtOnce(t *testing.T) {
	d := openWardrobe(t)
	errs := make([]error, 4)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = d.save(t, "svc-times{}", 0) })
	}
	all.Wait()
	good := 0
	for _, err := range errs {
		if err == nil {
			good++
		} else if !errors.Is(err, fault.ErrStale) {
			t.Error(err)
		}
	}
	if good != 1 {
		t.Errorf("%d of them saved", good)
	}
}

// TestOtherSites: the further addresses of a studio's own website (E143): each once, in stored form.
func TestOtherSites(t *testing.T) {
	d := openWardrobe(t)
	created, err := d.h.CreateLocation(t.Context(), d.Owner, business.LocationInput{Name: "Uptown", OtherSites: []string{
		" shop.example.com", "HTTP://Studio.example/de", "https://SHOP.example.com",
	}})
	want := []string{"https://shop.example.com", "http://studio.example/de"}
	if err != nil || !slices.Equal(created.OtherSites, want) {
		t.Fatalf("%v (%v)", created.OtherSites, err)
	}
	if read, err := d.h.Location(t.Context(), d.Owner, created.ID); err != nil || !slices.Equal(read.OtherSites, want) {
		t.Errorf("read back: %v (%v)", read.OtherSites, err)
	}
	if l, err := d.h.Location(t.Context(), d.Owner, d.Location.ID); err != nil || l.OtherSites == nil || len(l.OtherSites) != 0 {
		t.Errorf("a location without: %v (%v)", l.OtherSites, err)
	}
	update := func(version int64, sites *[]string) (business.Location, error) {
		return d.h.UpdateLocation(t.Context(), d.Owner, business.UpdateLocationInput{LocationID: created.ID, Version: version, OtherSites: sites})
	}
	if l, err := update(1, nil); err != nil || !slices.Equal(l.OtherSites, want) {
		t.Errorf("left as it is: %v (%v)", l.OtherSites, err)
	}
	if l, err := update(2, &[]string{"blog.example.com"}); err != nil || !slices.Equal(l.OtherSites, []string{"https://blog.example.com"}) {
		t.Errorf("replaced: %v (%v)", l.OtherSites, err)
	}
	if l, err := update(3, &[]string{}); err != nil || l.OtherSites == nil || len(l.OtherSites) != 0 {
		t.Errorf("taken away: %v (%v)", l.OtherSites, err)
	}
	_, err = update(4, &[]string{"https://good.example", "", "  ", "javascript:alert(1)", "https://a@b.example", "https://localhost", "https://a.example\\@b.example"})
	if got := strings.Join(fields(err), " "); got != "otherSites[1] otherSites[2] otherSites[3] otherSites[4] otherSites[5] otherSites[6]" {
		t.Errorf("wrong fields %q", got)
	}
	many := make([]string, business.MaxOtherSites+1)
	for i := range many {
		many[i] = "https://" + strings.Repeat("x", i+1) + ".example"
	}
	if _, err := update(4, &many); strings.Join(fields(err), " ") != "otherSites" {
		t.Errorf("21 of them: %v", err)
	}
	if l, err := update(4, ptr(many[:business.MaxOtherSites])); err != nil || len(l.OtherSites) != business.MaxOtherSites {
		t.Errorf("20 of them: %v", err)
	}
}
