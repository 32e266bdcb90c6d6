package catalog

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/words"
)

// editInputs are the fields of an offering's form, and newInputs those of a new one with its dates.
var (
	editInputs = append(lengthInputs(), "name", "slug", "heading", "description", "price", "durationMinutes", "capacity", "onlineCapacity",
		"position", "taxRateId", "revenueCategoryId", "policyId", "bufferBeforeMinutes", "bufferAfterMinutes",
		"gridMinutes", "lastStart", "approval", "compact",
		"enrolment", "soldAs", "needsMember", "walkins", "memberIds", "spaceIds",
		setupTeach, setupDays, setupFrom, setupUntil, setupRoom, setupRoomSize)
	newInputs = append(slices.Clone(editInputs), seriesInputs...)
)

// moreLengths is the number of further lengths in the form.
const moreLengths = 4

func lengthInputs() []string {
	var names []string
	for i := 1; i <= moreLengths; i++ {
		names = append(names, lengthName(i), lengthPrice(i))
	}
	return names
}

// The fields of a further length are named as the verb names them: the first one is the offering's own length and
// price.
func lengthName(i int) string  { return fmt.Sprintf("durations[%d].minutes", i) }
func lengthPrice(i int) string { return fmt.Sprintf("durations[%d].priceAmount", i) }

// read returns the offering in the form. It refuses text that is no number or no amount, at the fields. The verb
// checks all else.
func read(c *desk.Call, kind catalog.Kind, cur money.Currency) (in catalog.CreateInput, err error) {
	f := reader{Call: c, cur: cur}
	in = catalog.CreateInput{
		Kind: kind, Name: c.Value("name"), Slug: c.Value("slug"), Heading: c.Value("heading"), Description: c.Value("description"),
		DurationMinutes: f.number("durationMinutes"), PriceAmount: f.amount("price"), Capacity: f.number("capacity"),
		OnlineCapacity: f.maybe("onlineCapacity"), Position: f.number("position"), TaxRateID: reference(c, "taxRateId"),
		Settings: catalog.Settings{Approval: c.Ticked("approval"), Enrolment: catalog.Enrolment(c.Value("enrolment")), SoldAs: catalog.SoldAs(c.Value("soldAs"))},
	}
	in.RevenueCategoryID, in.PolicyID = reference(c, "revenueCategoryId").Value, reference(c, "policyId").Value
	if kind != catalog.Class {
		in.BufferBeforeMinutes, in.BufferAfterMinutes = f.number("bufferBeforeMinutes"), f.number("bufferAfterMinutes")
		in.GridMinutes, in.LastStartMinute, in.Compact = f.maybe("gridMinutes"), f.clock("lastStart"), c.Ticked("compact")
		in.Durations = f.lengths(in.DurationMinutes, in.PriceAmount)
	}
	if kind == catalog.Rental {
		in.NeedsMember, in.Walkins = c.Ticked("needsMember"), c.Ticked("walkins")
	}
	return in, f.checks.Err()
}

// changed is the same for an existing offering: an empty slug is unchanged, and a price is not removed.
func changed(in catalog.CreateInput, o catalog.Offering, version int64) catalog.UpdateInput {
	out := catalog.UpdateInput{
		ID: o.ID, Version: version, Name: &in.Name, Description: &in.Description, Heading: &in.Heading, DurationMinutes: &in.DurationMinutes,
		PriceAmount: in.PriceAmount, TaxRateID: in.TaxRateID, Capacity: &in.Capacity, OnlineCapacity: in.OnlineCapacity, Position: &in.Position,
		PolicyID: optional(in.PolicyID), RevenueCategoryID: optional(in.RevenueCategoryID),
		BufferBeforeMinutes: &in.BufferBeforeMinutes, BufferAfterMinutes: &in.BufferAfterMinutes,
		GridMinutes: optional(in.GridMinutes), LastStartMinute: optional(in.LastStartMinute), Compact: &in.Compact, Approval: &in.Approval,
		Durations: &in.Durations, NeedsMember: &in.NeedsMember, Walkins: &in.Walkins,
	}
	if in.Slug != "" {
		out.Slug = &in.Slug
	}
	if in.OnlineCapacity == nil {
		out.OnlineCapacity = &in.Capacity
	}
	if in.Enrolment != "" {
		out.Enrolment = &in.Enrolment
	}
	if in.SoldAs != "" {
		out.SoldAs = &in.SoldAs
	}
	return out
}

func optional[T any](v *T) patch.Field[T] { return patch.Field[T]{Set: true, Value: v} }

// reference returns the value of a select whose empty option means none.
func reference(c *desk.Call, name string) patch.Field[uuid.UUID] {
	if id := c.UUID(name); id != uuid.Nil {
		return patch.Some(id)
	}
	return patch.None[uuid.UUID]()
}

// reader reads fields and collects their errors.
type reader struct {
	*desk.Call
	cur    money.Currency
	checks fault.Checks
}

// number returns a whole number; 0 for an empty field.
func (f *reader) number(name string) int {
	if n := f.maybe(name); n != nil {
		return *n
	}
	return 0
}

func (f *reader) maybe(name string) *int {
	text := f.Value(name)
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	f.checks.That(err == nil, name, f.UI.T("Enter a whole number."))
	return &n
}

func (f *reader) amount(name string) *int64 {
	minor, err := f.Amount(name, f.cur)
	if wrong := fault.From(err); wrong != nil {
		for _, w := range wrong.Fields {
			f.checks.That(false, w.Field, w.Message)
		}
	}
	return minor
}

// clock returns a time of the day in minutes after midnight; nil for an empty field.
func (f *reader) clock(name string) *int {
	text := f.Value(name)
	if text == "" {
		return nil
	}
	at, err := civil.ParseClock(text)
	f.checks.That(err == nil, name, f.UI.T("Enter a time such as 18:30."))
	return new(int(at))
}

// date returns a day; nil for an empty field.
func (f *reader) date(name string) *civil.Date {
	text := f.Value(name)
	if text == "" {
		return nil
	}
	d, err := civil.ParseDate(text)
	f.checks.That(err == nil, name, f.UI.T("This date does not exist."))
	return &d
}

// lengths returns all lengths, if there are more than the first.
func (f *reader) lengths(minutes int, price *int64) []catalog.Duration {
	var more []catalog.Duration
	for i := 1; i <= moreLengths; i++ {
		if f.Value(lengthName(i)) == "" && f.Value(lengthPrice(i)) == "" {
			continue
		}
		d := catalog.Duration{Minutes: f.number(lengthName(i))}
		if amount := f.amount(lengthPrice(i)); amount != nil {
			d.PriceAmount = *amount
		} else {
			f.checks.That(false, lengthPrice(i), f.UI.T("Enter a price for each length. 0 is free."))
		}
		more = append(more, d)
	}
	if len(more) == 0 {
		return nil
	}
	if price == nil {
		f.checks.That(false, "price", f.UI.T("Enter a price for each length. 0 is free."))
		price = new(int64)
	}
	return append([]catalog.Duration{{Minutes: minutes, PriceAmount: *price}}, more...)
}

// choices are the options of an offering's form.
type choices struct {
	Location business.Location
	Members  []business.Member // bookable ones
	Spaces   []business.Space
	Rates    []business.TaxRate
	Policies []catalog.Policy
	Standing catalog.LocationPolicy // the location's own policy
	Setup    setup

	Categories []business.RevenueCategory
}

// everything is a list from its beginning, up to one page.
var everything = paging.In[uuid.UUID]{Limit: paging.Max}

// choices reads them in parallel, as each is a trip. The offering's current ones are included.
func (s *screens) choices(c *desk.Call, place business.Location, o catalog.Offering) (out choices, err error) {
	out.Location = place
	ctx, all := c.Context(), everything
	err = desk.Together(
		func() error {
			page, err := s.Business.Members(ctx, c.Scope, all)
			for _, m := range page.Items {
				if m.Active && m.Bookable || slices.Contains(o.MemberIDs, m.ID) {
					out.Members = append(out.Members, m)
				}
			}
			return err
		},
		func() error {
			page, err := s.Business.Spaces(ctx, c.Scope, place.ID, all)
			out.Spaces = page.Items
			return err
		},
		func() error {
			page, err := s.Business.TaxRates(ctx, c.Scope, all)
			out.Rates = page.Items
			return err
		},
		func() error {
			page, err := s.Business.RevenueCategories(ctx, c.Scope, business.RevenueCategoriesInput{In: all})
			out.Categories = page.Items
			return err
		},
		func() error {
			page, err := s.Catalog.Policies(ctx, c.Scope, all)
			out.Policies = page.Items
			return err
		},
		func() (err error) {
			out.Standing, err = s.Catalog.LocationPolicy(ctx, c.Scope, place.ID)
			return err
		},
	)
	if err == nil {
		err = s.readSetup(c, o, &out)
	}
	return out, err
}

// rules returns the rules of an offering.
func (l choices) rules(id *uuid.UUID) catalog.Rules {
	for _, p := range l.Policies {
		if id != nil && p.ID == *id {
			return p.Rules
		}
	}
	return l.Standing.Rules
}

func (l choices) members() []ui.Option {
	var out []ui.Option
	for _, m := range l.Members {
		out = append(out, ui.Option{Value: m.ID.String(), Text: m.Name})
	}
	return out
}

func (l choices) spaces(sh ui.Shell) []ui.Option {
	var out []ui.Option
	for _, sp := range l.Spaces {
		out = append(out, ui.Option{Value: sp.ID.String(), Text: sp.Name, Hint: sh.N(sp.Capacity, "{n} person", "{n} people")})
	}
	return out
}

// rates returns the tax rates to choose from; an archived one stays until another is chosen.
func (l choices) rates(sh ui.Shell, now *uuid.UUID) []ui.Option {
	out := []ui.Option{{Text: sh.T("No tax")}}
	for _, r := range l.Rates {
		out = append(out, ui.Option{Value: r.ID.String(), Text: r.Name + " " + sh.Lang().Percent(int64(r.PPM))})
	}
	if now != nil && !slices.ContainsFunc(l.Rates, func(r business.TaxRate) bool { return r.ID == *now }) {
		out = append(out, ui.Option{Value: now.String(), Text: sh.T("Current rate (archived)")})
	}
	return out
}

// categories returns the revenue categories to choose from; an archived one stays until another is chosen.
func (l choices) categories(sh ui.Shell, o catalog.Offering) []ui.Option {
	out := []ui.Option{{Text: sh.T("By kind: {income}", "income", sh.T(kindIncome[o.Kind]))}}
	for _, x := range l.Categories {
		out = append(out, ui.Option{Value: x.ID.String(), Text: x.Name})
	}
	now := o.RevenueCategoryID
	if now != nil && !slices.ContainsFunc(l.Categories, func(x business.RevenueCategory) bool { return x.ID == *now }) {
		out = append(out, ui.Option{Value: now.String(), Text: sh.T("Current category (archived)")})
	}
	return out
}

// kindIncome are the names of the income of offerings without a revenue category.
var kindIncome = map[catalog.Kind]words.Text{
	catalog.Class: "Class income", catalog.Appointment: "Appointment income", catalog.Rental: "Rental income",
}

func (l choices) policies(sh ui.Shell) []ui.Option {
	out := []ui.Option{{Text: sh.T("Same as {place}: {policy}", "place", l.Location.Name, "policy", l.Standing.Name)}}
	for _, p := range l.Policies {
		out = append(out, ui.Option{Value: p.ID.String(), Text: p.Name})
	}
	return out
}

// oneOf puts "none" before options.
func oneOf(none string, list []ui.Option) []ui.Option {
	return append([]ui.Option{{Text: none}}, list...)
}

// ordered returns the chosen ones of a list: former ones in their order, then new ones.
func ordered(before, chosen []uuid.UUID) []uuid.UUID {
	left := make(map[uuid.UUID]bool, len(chosen))
	for _, id := range chosen {
		left[id] = true
	}
	var out []uuid.UUID
	for _, id := range append(slices.Clone(before), chosen...) {
		if left[id] {
			out, left[id] = append(out, id), false
		}
	}
	return out
}

func texts(ids []uuid.UUID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

func idText(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}
