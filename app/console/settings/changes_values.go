package settings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/audit"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/policy"
)

// teller renders the values of an event.
type teller struct {
	c     *desk.Call
	names map[uuid.UUID]string // of locations, members and keys
}

// longest is the maximum number of characters of a value.
const longest = 280

// title renders the record of an event: its kind, and its name or time if the event has them.
func (t teller) title(e audit.Event) string {
	name := t.names[e.RecordID]
	said := map[string]string{}
	for _, ch := range e.Changes {
		if said[ch.Field] = t.value(e, ch.Field, ch.After); said[ch.Field] == "" {
			said[ch.Field] = t.value(e, ch.Field, ch.Before)
		}
	}
	if name == "" {
		name = cmp.Or(said["name"], said["email"])
	}
	if e.Action != audit.Update && name == "" {
		name = view.Joined(" · ", t.said(e, "memberId"), said["role"], t.said(e, "offeringId"), cmp.Or(said["startsAt"], said["startsOn"], said["weekday"]))
	}
	return view.Joined(" · ", recordName(t.c.UI, e.Record), name)
}

// said returns the name of a record in an event; empty when unknown.
func (t teller) said(e audit.Event, field string) string {
	id, _ := uuid.Parse(t.named(e, field))
	return t.names[id]
}

// changes returns the fields of an event, before and after.
func (t teller) changes(e audit.Event) []ui.Change {
	out := make([]ui.Change, 0, len(e.Changes))
	for _, ch := range e.Changes {
		out = append(out, ui.Change{Field: fieldName(t.c.UI, ch.Field), Before: t.value(e, ch.Field, ch.Before), After: t.value(e, ch.Field, ch.After)})
	}
	return out
}

// value renders the value of a field; empty for none.
func (t teller) value(e audit.Event, field string, raw json.RawMessage) string {
	var v any
	if raw == nil || json.Unmarshal(raw, &v) != nil {
		return ""
	}
	text := ""
	switch v := v.(type) {
	case string:
		text = t.word(e, field, v)
	case float64:
		text = t.number(e, field, v)
	default:
		text = t.plain(v)
	}
	if utf8.RuneCountInString(text) > longest {
		text = string([]rune(text)[:longest]) + "…"
	}
	return text
}

// word renders a text: a time, a record, a role, a state, or free text.
func (t teller) word(e audit.Event, field, v string) string {
	sh := t.c.UI
	if at, err := time.Parse(time.RFC3339, v); err == nil && strings.ContainsRune(v, 'T') {
		return sh.ShortDate(at) + ", " + sh.Time(at)
	}
	if day, err := civil.ParseDate(v); err == nil {
		return sh.Date(time.Date(day.Year, day.Month, day.Day, 12, 0, 0, 0, cmp.Or(sh.Zone, time.UTC)))
	}
	if id, err := uuid.Parse(v); err == nil {
		return cmp.Or(t.names[id], "…"+v[len(v)-6:])
	}
	switch {
	case field == "role":
		return roleName(sh, policy.Role(v))
	case field == "state" && e.Record == "bookings":
		text, _ := ui.State(sh, booking.State(v))
		return text
	case field == "state" || field == "status" || field == "kind":
		return strings.ReplaceAll(v, "_", " ")
	}
	return v
}

// number renders an amount, a share, a time of day, or a plain number.
func (t teller) number(e audit.Event, field string, v float64) string {
	sh := t.c.UI
	switch n := int64(v); {
	case field == "amount" || strings.HasSuffix(field, "Amount"):
		if cur := t.currency(e); cur != "" {
			return sh.Money(view.Price{Minor: n, Currency: cur})
		}
	case field == "ppm" || strings.HasSuffix(field, "Ppm"):
		return sh.Lang().Percent(n)
	case field == "opens" || field == "closes" || field == "startsAtMinute" || field == "lastStartMinute":
		return wall(int(n))
	case field == "weekday":
		return weekday(sh, time.Weekday(n))
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// currency returns that of the amounts of an event: its own, else its location's.
func (t teller) currency(e audit.Event) money.Currency {
	for _, ch := range e.Changes {
		var cur money.Currency
		if ch.Field == "currency" && json.Unmarshal(ch.After, &cur) == nil {
			return cur
		}
	}
	for _, l := range t.c.Workspace.Locations {
		if e.LocationID != nil && l.ID == *e.LocationID {
			return l.Currency
		}
	}
	return ""
}

// plain renders a value without a special meaning.
func (t teller) plain(v any) string {
	sh := t.c.UI
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return sh.T("Yes")
		}
		return sh.T("No")
	case []any:
		list := make([]string, len(v))
		for i, one := range v {
			list[i] = t.plain(one)
		}
		return strings.Join(list, ", ")
	case map[string]any:
		list := make([]string, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			list = append(list, spaced(strings.ReplaceAll(key, "_", " "))+": "+t.plain(v[key]))
		}
		return strings.Join(list, " · ")
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// screen returns the address of a record; empty without a screen, or if it no longer exists.
func (t teller) screen(e audit.Event) string {
	id := e.RecordID.String()
	if e.Action == audit.Delete {
		return t.around(e)
	}
	switch e.Record {
	case "bookings":
		return t.to("listBookings", "/bookings/"+id)
	case "customers":
		return t.to("listCustomers", "/customers/"+id)
	case "offerings":
		return t.to("getOffering", "/catalog/"+id)
	case "occurrences":
		return t.to("listBookings", "/dates/"+id)
	case "policies":
		return t.to("getPolicy", "/settings/policies/"+id)
	case "assets":
		return t.to("getAsset", "/catalog/photos/"+id)
	case "discounts":
		return t.to("getDiscount", "/catalog/discounts/"+id)
	case "tax_rates":
		return t.to("updateTaxRate", "/settings/taxes/"+id)
	case "revenue_categories":
		return t.to("updateRevenueCategory", categoriesAt+"/"+id)
	case "members":
		return t.to("getTeamMember", "/settings/team/"+id)
	case "locations":
		return t.to("getLocation", "/settings/places/"+id)
	case "businesses":
		return t.to("getBusiness", "/settings/business")
	case "api_keys":
		return t.to("listApiKeys", "/settings/keys")
	case "processor_accounts":
		return t.to("getProcessor", "/settings/payments")
	case "fees":
		return t.to("listFees", "/bookings/fees")
	}
	return t.around(e)
}

// around returns the screen of the parent of a record without one of its own: its member, its room, its location.
func (t teller) around(e audit.Event) string {
	person, room, place, offering := t.named(e, "memberId"), t.named(e, "spaceId"), "", t.named(e, "offeringId")
	if e.LocationID != nil {
		place = e.LocationID.String()
	}
	switch {
	case person != "" && e.Record == "member_roles":
		return t.to("updateTeamMember", "/settings/team/"+person+"/roles")
	case person != "" && e.Record == "member_hours":
		return t.to("getMemberHours", "/settings/team/"+person+"/hours")
	case person != "" && e.Record == "time_off":
		return t.to("listTimeOff", "/settings/team/"+person+"/away")
	case place != "" && e.Record == "spaces" && e.Action != audit.Delete:
		return t.to("getSpace", "/settings/places/"+place+"/rooms/"+e.RecordID.String())
	case place != "" && room != "" && e.Record == "space_blocks":
		return t.to("listBlocks", "/settings/places/"+place+"/rooms/"+room+"/blocks")
	case place != "" && room != "" && e.Record == "space_hours":
		return t.to("getSpaceHours", "/settings/places/"+place+"/rooms/"+room+"/hours")
	case place != "" && e.Record == "location_hours":
		return t.to("getHours", "/settings/places/"+place+"/hours")
	case place != "" && e.Record == "closures":
		return t.to("listClosures", "/settings/places/"+place+"/closures")
	case place != "" && e.Record == "stylesheets":
		return t.to("getTheme", "/settings/places/"+place+"/look")
	case offering != "" && (e.Record == "offering_members" || e.Record == "offering_spaces"):
		return t.to("getOffering", "/catalog/"+offering)
	}
	return ""
}

// named returns an id in an event.
func (t teller) named(e audit.Event, field string) string {
	for _, ch := range e.Changes {
		var id uuid.UUID
		for _, half := range []json.RawMessage{ch.After, ch.Before} {
			if ch.Field == field && json.Unmarshal(half, &id) == nil && id != uuid.Nil {
				return id.String()
			}
		}
	}
	return ""
}

// to returns an address if the caller may open it; empty otherwise.
func (t teller) to(op, path string) string {
	if !t.c.May(op) {
		return ""
	}
	return t.c.To(path)
}
