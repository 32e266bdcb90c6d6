package settings

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/audit"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/view"
)

// changes mounts the activity log.
func (s *screens) changes() {
	s.Page("listAudit", "/settings/changes", s.showChanges)
}

// changesAPage is the number of changes on a page.
const changesAPage = 50

// changesFilter holds the filter in the address.
type changesFilter struct {
	Actor, RecordID uuid.UUID
	Assistant       uuid.UUID
	Record          string
	Surface         tenancy.Surface
	From, To        string // days; empty: none
}

func changesFilterOf(c *desk.Call) changesFilter {
	f := changesFilter{
		Actor: c.UUID("actor"), RecordID: c.UUID("recordId"), Assistant: c.UUID("assistant"),
		Surface: tenancy.Surface(c.Value("surface")),
	}
	if recordWords()[c.Value("record")] != "" {
		f.Record = c.Value("record")
	}
	if surfaceWords[f.Surface] == "" {
		f.Surface = ""
	}
	for name, into := range map[string]*string{"from": &f.From, "to": &f.To} {
		if d, err := civil.ParseDate(c.Value(name)); err == nil {
			*into = d.String()
		}
	}
	return f
}

// input returns the verb's input. The days are those of the location's calendar.
func (f changesFilter) input(c *desk.Call, t desk.Turn[int64]) audit.ListInput {
	in := audit.ListInput{
		Actor: f.Actor, Assistant: f.Assistant, Record: f.Record, RecordID: f.RecordID, LocationID: c.LocationID(),
		Surface: f.Surface, Page: t.In(changesAPage),
	}
	if c.Location == nil || len(c.Workspace.Locations) == 1 { // records without a location are shown, too
		in.LocationID = uuid.Nil
	}
	if d, err := civil.ParseDate(f.From); err == nil {
		in.From, _ = civil.DayBounds(d, c.Zone())
	}
	if d, err := civil.ParseDate(f.To); err == nil {
		_, in.To = civil.DayBounds(d, c.Zone())
	}
	return in
}

// ledger is the list with its filter.
type ledger struct {
	desk.Leaf[audit.Event]
	First  string // address of the first page; empty on it
	Filter changesFilter
	Actors []ui.Option
	Tell   teller
}

func (s *screens) showChanges(c *desk.Call) (ui.Screen, error) {
	l := ledger{Filter: changesFilterOf(c), Tell: teller{c: c, names: map[uuid.UUID]string{}}}
	t := desk.TurnOf[int64](c, "changes", c.LocationID(), l.Filter)
	t.Back = false // it is read towards the past only
	var people []business.Member
	var keys []business.APIKey
	var sold []catalog.OfferingName
	err := desk.Together(
		func() error {
			page, err := s.Audit.List(c.Context(), c.Scope, l.Filter.input(c, t))
			if err != nil && c.Refused(err, nil) { // invalid days: the form has an error
				return nil
			}
			l.Leaf = desk.LeafOf(c, t, page, func(e audit.Event) int64 { return e.Seq })
			return err
		},
		func() (err error) { people, err = s.everybody(c); return err },
		func() (err error) {
			if c.May("listApiKeys") {
				keys, err = s.allKeys(c)
			}
			return err
		},
		func() (err error) {
			sold, err = s.Catalog.OfferingNames(c.Context(), c.Scope, catalog.OfferingNamesInput{Limit: paging.Max})
			return err
		},
	)
	for _, o := range sold {
		l.Tell.names[o.ID] = o.Name
	}
	if t.Key != nil {
		l.First = c.With("after", "", "before", "")
	}
	l.known(c, people, keys)
	return ui.Screen{
		Title: c.UI.T("Activity log"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: changesBody(c, l),
		Lead: c.UI.T("Every change with its author and time, newest first. Entries cannot be removed."),
	}, err
}

// known names members, locations and keys, and fills the filter of actors.
func (l *ledger) known(c *desk.Call, people []business.Member, keys []business.APIKey) {
	l.Actors = []ui.Option{{Text: c.UI.T("All authors")}}
	add := func(id uuid.UUID, name string) {
		l.Actors = append(l.Actors, ui.Option{Value: id.String(), Text: name})
	}
	for _, m := range people {
		l.Tell.names[m.ID], l.Tell.names[m.PersonID] = m.Name, m.Name
		add(m.PersonID, m.Name)
	}
	for _, k := range keys {
		l.Tell.names[k.ID] = keyName(c.UI, k)
		add(k.ID, c.UI.T("API key {key}", "key", keyName(c.UI, k)))
	}
	for _, p := range c.Workspace.Locations {
		l.Tell.names[p.ID] = p.Name
	}
	if a := l.Filter.Actor; a != uuid.Nil && !slices.ContainsFunc(l.Actors, func(o ui.Option) bool { return o.Value == a.String() }) {
		add(a, c.UI.T("Former user"))
	}
}

func (f changesFilter) any() bool { return f != changesFilter{} }

func (f changesFilter) actorText() string {
	if f.Actor == uuid.Nil {
		return ""
	}
	return f.Actor.String()
}

// kept returns the parameters of the address without a field in the form.
func (f changesFilter) kept() []view.Param {
	var out []view.Param
	if f.RecordID != uuid.Nil {
		out = append(out, view.Param{Name: "recordId", Value: f.RecordID.String()})
	}
	if f.Assistant != uuid.Nil {
		out = append(out, view.Param{Name: "assistant", Value: f.Assistant.String()})
	}
	return out
}

// recordOptions returns the kinds of record, by name.
func recordOptions(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("All records")}}
	for _, record := range slices.Sorted(maps.Keys(recordWords())) {
		out = append(out, ui.Option{Value: record, Text: recordName(sh, record)})
	}
	slices.SortStableFunc(out[1:], func(a, b ui.Option) int { return cmp.Compare(a.Text, b.Text) })
	return out
}

func surfaceOptions(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("All sources")}}
	for _, s := range tenancy.Surface("").All() {
		out = append(out, ui.Option{Value: string(s), Text: surfaceName(sh, s)})
	}
	return out
}

// entries returns the events for the page.
func (l ledger) entries(c *desk.Call) []ui.Logged {
	sh := c.UI
	out := make([]ui.Logged, 0, len(l.Items))
	for _, e := range l.Items {
		did, tone := actionWords(sh, e.Action)
		one := ui.Logged{
			At: e.At, What: l.Tell.title(e), Href: l.Tell.screen(e), Did: did, Tone: tone, Who: actorWords(sh, e, l.Tell),
			Reason: e.Reason, Changes: l.Tell.changes(e), Whole: e.Action != audit.Update,
			Only: c.With("recordId", e.RecordID.String(), "after", "", "before", ""),
		}
		if e.LocationID != nil && len(c.Workspace.Locations) > 1 {
			one.Where = l.Tell.names[*e.LocationID]
		}
		if l.Filter.RecordID == e.RecordID {
			one.Only = ""
		}
		out = append(out, one)
	}
	return out
}

func actionWords(sh ui.Shell, a audit.Action) (string, ui.Tone) {
	switch a {
	case audit.Create:
		return sh.C("change", "New"), "ok"
	case audit.Delete:
		return sh.C("change", "Removed"), "bad"
	}
	return sh.C("change", "Changed"), ""
}

// actorWords renders the actor of an event, and its surface.
func actorWords(sh ui.Shell, e audit.Event, t teller) string {
	who := cmp.Or(e.Actor.Name, t.names[e.Actor.ID])
	switch {
	case e.Actor.Kind == tenancy.ActorSystem:
		return sh.T("System")
	case e.Actor.Kind == tenancy.ActorKey:
		if who = cmp.Or(who, sh.T("Revoked API key")); t.names[e.Actor.ID] != "" {
			who = sh.T("API key {key}", "key", who)
		}
	case e.Actor.Kind == audit.Visitor:
		who = sh.T("A customer")
	}
	through := surfaceName(sh, e.Surface)
	if e.Actor.Via.Client != "" {
		through = sh.T("via {assistant}", "assistant", e.Actor.Via.Client)
	}
	return view.Joined(" · ", cmp.Or(who, sh.T("Unknown recipient")), through)
}
