package settings

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
	"foyer/media"
)

// details mounts the details of a location: address, website, language, reminders, tax.
func (s *screens) details() {
	s.Page("getLocation", "/settings/places/:location", s.showDetails)
	s.Form("updateLocation", "/settings/places/:location", desk.Form{Do: s.changePlace, Show: s.showDetails, Inputs: []string{
		"name", "slug", "zone", "currency", "taxMode", "taxRateId", "priceDisplay", "address.street", "address.city", "address.region", "address.postalCode",
		"address.country", "website", "otherSites", "language", "dailyCap", "reminders", "refundCap",
	}})
}

func (s *screens) showDetails(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	rates, err := s.Business.TaxRates(c.Context(), c.Scope, most)
	if err != nil {
		return ui.Screen{}, err
	}
	photos, err := c.Photos(media.OfLocation, l.ID, l.ArchivedAt == nil && c.MayAt("updateLocation", l.ID) && c.MayAt("placeAsset", l.ID))
	screen := aPlace(c, l, "")
	screen.Body = detailsBody(c, l, rates.Items, photos)
	return screen, err
}

func (s *screens) changePlace(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	limit, err := numberOrNone(c, "dailyCap")
	if err != nil {
		return desk.Done{}, err
	}
	reminders, err := hoursBefore(c)
	if err != nil {
		return desk.Done{}, err
	}
	mostBack, err := refundCap(c)
	if err != nil {
		return desk.Done{}, err
	}
	address, sites, others := addressOf(c), lines(c.Value("otherSites")), c.Ticked("otherLanguages")
	l, err := s.Business.UpdateLocation(ctx, c.Scope, business.UpdateLocationInput{
		LocationID: id, Version: c.Version(), Slug: given(c, "slug"), Name: given(c, "name"), Zone: given(c, "zone"),
		Currency: new(money.Currency(c.Value("currency"))), TaxMode: new(business.TaxMode(c.Value("taxMode"))), TaxRateID: recordOrNone(c, "taxRateId"),
		PriceDisplay: patch.Field[business.PriceDisplay]{Set: true, Value: displayOf(c)},
		Address:      &address, Website: given(c, "website"), OtherSites: &sites, Language: given(c, "language"), OtherLanguages: &others,
		Reminders: &reminders, DailyCap: limit, RefundCapAmount: mostBack,
	})
	return desk.Done{Said: c.UI.T("Saved {name}.", "name", l.Name)}, at(err, wholeField)
}

var indexed = regexp.MustCompile(`^(otherSites|reminders)\[\d+\]$`)

// wholeField returns the input of a list that is typed into one.
func wholeField(field string) string { return indexed.ReplaceAllString(field, "$1") }

// lines returns the non-empty lines of a text.
func lines(text string) []string {
	out := []string{}
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// numberOrNone returns an optional whole number.
func numberOrNone(c *desk.Call, name string) (patch.Field[int], error) {
	if c.Value(name) == "" {
		return patch.None[int](), nil
	}
	n, ok := c.Number(name)
	if !ok {
		return patch.Field[int]{}, fault.Invalid(name, "Enter a whole number, or leave it empty.")
	}
	return patch.Some(n), nil
}

// recordOrNone returns an optional choice among records.
func recordOrNone(c *desk.Call, name string) patch.Field[uuid.UUID] {
	if id := c.UUID(name); id != uuid.Nil {
		return patch.Some(id)
	}
	return patch.None[uuid.UUID]()
}

// refundCap returns the front desk's refund limit, 0 when the field is empty; nil without the field.
func refundCap(c *desk.Call) (*int64, error) {
	if !c.May("updateBusiness") {
		return nil, nil
	}
	most, err := c.Amount("refundCap", money.Currency(c.Value("currency")))
	if most == nil && err == nil {
		most = new(int64)
	}
	return most, err
}

// capText is the inverse.
func capText(l business.Location) string {
	if l.RefundCapAmount == 0 {
		return ""
	}
	return ui.Amount(&l.RefundCapAmount, l.Currency)
}

func numberText(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// hoursBefore reads the reminders: "24h, 2h, 30m", in minutes.
func hoursBefore(c *desk.Call) ([]int, error) {
	out := []int{}
	for _, part := range strings.FieldsFunc(c.Value("reminders"), func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.ToLower(strings.ReplaceAll(part, " ", ""))
		if part == "" {
			continue
		}
		unit := 60
		switch {
		case strings.HasSuffix(part, "d"):
			unit = 24 * 60
		case strings.HasSuffix(part, "m"), strings.HasSuffix(part, "min"):
			unit = 1
		}
		n, err := strconv.Atoi(strings.TrimRight(part, "dhmin"))
		if err != nil || n < 0 || n > business.MaxReminderMinutes {
			return nil, fault.Invalid("reminders", "Enter the hours before the start, separated by commas, such as 24h, 2h or 30m.")
		}
		out = append(out, n*unit)
	}
	return out, nil
}

// remindersText is the inverse.
func remindersText(list []int) string {
	var out []string
	for _, m := range list {
		if m%60 == 0 {
			out = append(out, fmt.Sprintf("%dh", m/60))
		} else {
			out = append(out, fmt.Sprintf("%dm", m))
		}
	}
	return strings.Join(out, ", ")
}

// rateOptions returns the tax rates to choose from, and none.
func rateOptions(sh ui.Shell, rates []business.TaxRate) []ui.Option {
	out := []ui.Option{{Value: "", Text: sh.T("No tax")}}
	for _, r := range rates {
		out = append(out, ui.Option{Value: r.ID.String(), Text: r.Name + " · " + sh.Lang().Percent(int64(r.PPM))})
	}
	return out
}

func idText(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

func languageName(tag string) string {
	for _, o := range languages() {
		if o.Value == tag {
			return o.Text
		}
	}
	return tag
}

func rateName(sh ui.Shell, rates []business.TaxRate, id *uuid.UUID) string {
	for _, o := range rateOptions(sh, rates) {
		if o.Value == idText(id) {
			return o.Text
		}
	}
	return ""
}
