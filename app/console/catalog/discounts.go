package catalog

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/discount"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/plan"
	"foyer/app/view"
	"foyer/billing"
)

const discountsAt = desk.DiscountsAt

// discounts mounts promo codes and automatic discounts. They come before offerings: their addresses would match an
// offering's.
func (s *screens) discounts(d *desk.Desk) {
	d.Page("listDiscounts", discountsAt, s.listDiscounts)
	d.Page("createDiscount", discountsAt+"/new", s.newDiscount)
	d.Form("createDiscount", discountsAt+"/new", desk.Form{Do: s.makeDiscount, Show: s.newDiscount, Inputs: discountInputs})
	d.Page("getDiscount", discountsAt+"/:discount", s.editDiscount)
	d.Form("updateDiscount", discountsAt+"/:discount", desk.Form{Do: s.saveDiscount, Show: s.editDiscount, Inputs: discountInputs})
	d.Form("archiveDiscount", discountsAt+"/:discount/archive", desk.Form{Do: s.archiveDiscount})
	d.Form("restoreDiscount", discountsAt+"/:discount/restore", desk.Form{Do: s.restoreDiscount})
}

// discountInputs are the fields of a discount.
var discountInputs = []string{
	"name", "code", "ppm", "amount", "leastAmount", "currency", "firstDay", "lastDay", "usesMax", "customerUsesMax",
	"position", "appliesTo", "locationIds", "offeringIds", "weekdays", desk.FieldPlans,
}

// offs are the discounts of a list.
type offs struct {
	Rows     []discount.Discount
	Plans    []plan.Plan // see plansOf
	Archived bool
}

func (s *screens) listDiscounts(c *desk.Call) (ui.Screen, error) {
	v := offs{Archived: c.Value("archived") != ""}
	page, err := s.Discount.List(c.Context(), c.Scope, discount.ListInput{In: paging.In[uuid.UUID]{Limit: paging.Max}, Archived: v.Archived})
	if err != nil {
		return ui.Screen{}, err
	}
	v.Rows = page.Items
	if v.Plans, err = s.plansOf(c, v.Rows...); err != nil {
		return ui.Screen{}, err
	}
	all, err := s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{LocationID: c.LocationID()})
	if err != nil {
		return ui.Screen{}, err
	}
	screen := ui.Screen{Title: c.UI.T("Discounts"), Area: "catalog", Tabs: tabs(c, all, "", discountsAt), Body: discountsBody(c, v)}
	if mayRule(c) {
		screen.Acts = ui.Go(c.To(discountsAt+"/new"), ui.Button{Text: c.UI.T("New discount"), Icon: "plus"})
	}
	return screen, nil
}

func (s *screens) newDiscount(c *desk.Call) (ui.Screen, error) {
	d := discount.Discount{Currency: c.Workspace.Business.Currency, AppliesTo: discount.Bookings, Combines: true}
	d.PlanIDs = c.UUIDs(desk.FieldPlans)
	return s.discountScreen(c, c.UI.T("New discount"), d, c.To(discountsAt+"/new"))
}

// discountScreen is the form of a discount.
func (s *screens) discountScreen(c *desk.Call, title string, d discount.Discount, action string) (ui.Screen, error) {
	v := discountSheet{Discount: d}
	err := desk.Together(
		func() (err error) {
			v.Offerings, err = s.Agenda.Offerings(c.Context(), c.Scope, agenda.OfferingsInput{})
			return err
		},
		func() (err error) {
			v.Plans, err = s.plansOf(c, d)
			return err
		},
	)
	if err != nil {
		return ui.Screen{}, err
	}
	up := view.Link{Text: c.UI.T("Discounts"), Href: c.To(discountsAt)}
	return ui.Screen{Title: title, Area: "catalog", Up: &up, Body: discountBody(c, v, action)}, nil
}

// discountSheet is the data of the form of a discount.
type discountSheet struct {
	discount.Discount
	Offerings []agenda.OfferingRow
	Plans     []plan.Plan // see plansOf
}

// plansOf reads the plans that a discount can be for the members of: drafts and published ones, and those that these
// discounts name.
func (s *screens) plansOf(c *desk.Call, named ...discount.Discount) ([]plan.Plan, error) {
	page, err := s.Plans.List(c.Context(), c.Scope, plan.ListInput{In: paging.In[plan.Key]{Limit: paging.Max}})
	list := page.Items
	for _, d := range named {
		for _, id := range d.PlanIDs {
			if err != nil || slices.ContainsFunc(list, func(p plan.Plan) bool { return p.ID == id }) {
				continue
			}
			var p plan.Plan
			if p, err = s.Plans.Get(c.Context(), c.Scope, id); err == nil {
				list = append(list, p)
			}
		}
	}
	return list, err
}

// planOptions are the plans to choose from.
func (v discountSheet) planOptions() (out []ui.Option) {
	for _, p := range v.Plans {
		out = append(out, ui.Option{Value: p.ID.String(), Text: p.Name})
	}
	return out
}

func (s *screens) makeDiscount(c *desk.Call, ctx context.Context) (desk.Done, error) {
	d, err := readDiscount(c, c.Workspace.Business.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	made, err := s.Discount.Create(ctx, c.Scope, discount.CreateInput{
		Name: d.Name, Code: d.Code, PPM: d.PPM, Amount: d.Amount, LeastAmount: d.LeastAmount, Currency: d.Currency,
		AppliesTo: d.AppliesTo, LocationIDs: d.LocationIDs, OfferingIDs: d.OfferingIDs, PlanIDs: d.PlanIDs,
		Weekdays: d.Weekdays, FirstDay: d.FirstDay, LastDay: d.LastDay, UsesMax: d.UsesMax,
		CustomerUsesMax: d.CustomerUsesMax, FirstTime: d.FirstTime, Position: d.Position, Combines: d.Combines,
	})
	return desk.Done{To: c.To(discountsAt), Said: c.UI.T("Added {name}. It applies from now on.", "name", made.Name)}, err
}

func (s *screens) theDiscount(c *desk.Call) (discount.Discount, error) {
	id, err := c.ID("discount")
	if err != nil {
		return discount.Discount{}, err
	}
	return s.Discount.Get(c.Context(), c.Scope, id)
}

func (s *screens) editDiscount(c *desk.Call) (ui.Screen, error) {
	d, err := s.theDiscount(c)
	if err != nil {
		return ui.Screen{}, err
	}
	at := c.To(discountsAt + "/" + d.ID.String())
	if d.ArchivedAt == nil && mayRule(c) {
		screen, err := s.discountScreen(c, d.Name, d, at)
		screen.Acts = ui.Press(c.UI, at+"/archive", ui.Button{Text: c.UI.T("Archive"), Kind: "quiet", Small: true})
		return screen, err
	}
	plans, err := s.plansOf(c, d)
	up := view.Link{Text: c.UI.T("Discounts"), Href: c.To(discountsAt)}
	screen := ui.Screen{Title: d.Name, Area: "catalog", Up: &up, Body: lines(about(c.UI, d, plans))}
	if mayRule(c) {
		screen.Acts = ui.Press(c.UI, at+"/restore", ui.Button{Text: c.UI.T("Restore"), Kind: "quiet", Small: true})
	}
	return screen, err
}

func (s *screens) saveDiscount(c *desk.Call, ctx context.Context) (desk.Done, error) {
	was, err := s.theDiscount(c)
	if err != nil {
		return desk.Done{}, err
	}
	d, err := readDiscount(c, was.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	saved, err := s.Discount.Update(ctx, c.Scope, discount.UpdateInput{
		ID: was.ID, Version: c.Version(), Name: &d.Name, Code: &d.Code, PPM: &d.PPM, Amount: &d.Amount, LeastAmount: &d.LeastAmount,
		AppliesTo: &d.AppliesTo, LocationIDs: &d.LocationIDs, OfferingIDs: &d.OfferingIDs,
		PlanIDs: &d.PlanIDs, Weekdays: &d.Weekdays,
		FirstDay: optional(d.FirstDay), LastDay: optional(d.LastDay),
		UsesMax: &d.UsesMax, CustomerUsesMax: &d.CustomerUsesMax, FirstTime: &d.FirstTime, Position: &d.Position, Combines: &d.Combines,
	})
	return desk.Done{To: c.To(discountsAt), Said: c.UI.T("Saved {name}. Existing orders do not change.", "name", saved.Name)}, err
}

func (s *screens) archiveDiscount(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("discount")
	if err != nil {
		return desk.Done{}, err
	}
	d, err := s.Discount.Archive(ctx, c.Scope, id)
	return desk.Done{
		To: c.To(discountsAt), Said: c.UI.T("Archived {name}.", "name", d.Name),
		Undo: &ui.Undo{Action: c.To(discountsAt + "/" + id.String() + "/restore")},
	}, err
}

func (s *screens) restoreDiscount(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("discount")
	if err != nil {
		return desk.Done{}, err
	}
	d, err := s.Discount.Restore(ctx, c.Scope, id)
	return desk.Done{To: c.To(discountsAt), Said: c.UI.T("Restored {name}. It applies from now on.", "name", d.Name)}, err
}

// readDiscount returns the discount in the form.
func readDiscount(c *desk.Call, cur money.Currency) (discount.Discount, error) {
	f := reader{Call: c, cur: cur}
	d := discount.Discount{
		Name: c.Value("name"), Code: c.Value("code"), PPM: f.percent("ppm"), Amount: f.fee("amount"), Currency: cur, LeastAmount: f.fee("leastAmount"),
		AppliesTo: discount.AppliesTo(c.Value("appliesTo")), LocationIDs: c.UUIDs("locationIds"),
		OfferingIDs: c.UUIDs("offeringIds"), PlanIDs: c.UUIDs(desk.FieldPlans),
		FirstDay: f.date("firstDay"), LastDay: f.date("lastDay"),
		UsesMax: f.number("usesMax"), CustomerUsesMax: f.number("customerUsesMax"), FirstTime: c.Ticked("firstTime"), Position: f.number("position"),
		Combines: c.Ticked("combines"),
	}
	for _, day := range c.Values("weekdays") {
		n, err := strconv.Atoi(day)
		f.checks.That(err == nil, "weekdays", f.UI.T("Enter a whole number."))
		d.Weekdays = append(d.Weekdays, time.Weekday(n))
	}
	return d, f.checks.Err()
}

// percent returns a percentage in parts per million; 0 for an empty field.
func (f *reader) percent(name string) int64 {
	text := f.Value(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(strings.Replace(strings.TrimSuffix(text, "%"), ",", ".", 1), 64)
	ok := err == nil && n >= 0 && n <= 100
	f.checks.That(ok, name, f.UI.T("Enter a percentage from 0 to 100, such as 8.25."))
	if !ok {
		return 0
	}
	return int64(math.Round(n * 10_000))
}

// percentOf is the inverse; empty for none.
func percentOf(ppm int64) string {
	if ppm == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(ppm)/10_000, 'f', -1, 64)
}

// example returns the price of a class or a product with a discount: of a typical price, or the minimum of the
// discount.
func example(d discount.Discount) (price, costs view.Price) {
	listed := int64(22)
	if info, ok := money.Lookup(d.Currency); ok {
		for range info.Digits {
			listed *= 10
		}
	}
	listed = max(listed, d.LeastAmount)
	off := order.Off{ID: d.ID, Name: d.Name, PPM: d.PPM, Amount: d.Amount, Combines: true, Lines: []bool{true}}
	q := order.Price([]order.Item{{ListedAmount: listed}}, []order.Off{off}, order.Terms{Currency: d.Currency, Tender: billing.TenderCash})
	return view.Price{Minor: listed, Currency: d.Currency}, view.Price{Minor: listed - q.Totals.DiscountAmount, Currency: d.Currency}
}

// about describes a discount: its value, its validity, and its number of uses. plans are those of plansOf.
func about(sh ui.Shell, d discount.Discount, plans []plan.Plan) []string {
	price, costs := example(d)
	out := []string{sh.T("Applied automatically.")}
	if d.Code != "" {
		out[0] = sh.T("With promo code {code}.", "code", d.Code)
	}
	text := sh.T("A {price} class costs {less}.", "price", sh.Money(price), "less", sh.Money(costs))
	if d.AppliesTo == discount.Goods {
		text = sh.T("A {price} product costs {less}.", "price", sh.Money(price), "less", sh.Money(costs))
	}
	out = append(out, text)
	if d.AppliesTo == discount.All {
		out = append(out, sh.T("Applies to bookings and products."))
	}
	if len(d.PlanIDs) > 0 {
		var names []string
		for _, p := range plans {
			if slices.Contains(d.PlanIDs, p.ID) {
				names = append(names, p.Name)
			}
		}
		out = append(out, sh.T("Only for members of {plans}.", "plans", sh.And(names)))
	}
	if d.FirstDay != nil {
		out = append(out, sh.T("From {date}.", "date", sh.Date(view.Noon(*d.FirstDay, sh.Zone))))
	}
	if d.LastDay != nil {
		out = append(out, sh.T("Until {date}.", "date", sh.Date(view.Noon(*d.LastDay, sh.Zone))))
	}
	used := sh.N(d.Uses, "Used once.", "Used {n} times.")
	switch {
	case d.Uses == 0:
		used = sh.T("Not used yet.")
	case d.UsesMax > 0:
		used = sh.T("Used {n} of {most} times.", "n", d.Uses, "most", d.UsesMax)
	}
	return append(out, used)
}

// offered returns the offerings to choose from: active ones, and those named by the discount.
func offered(all []agenda.OfferingRow, d discount.Discount) []ui.Option {
	var out []ui.Option
	for _, o := range all {
		if o.State != catalog.Archived || slices.Contains(d.OfferingIDs, o.ID) {
			out = append(out, ui.Option{Value: o.ID.String(), Text: o.Name})
		}
	}
	return out
}

func placesOf(list []business.Location) []ui.Option {
	var out []ui.Option
	for _, l := range list {
		out = append(out, ui.Option{Value: l.ID.String(), Text: l.Name})
	}
	return out
}

func idTexts(ids []uuid.UUID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
