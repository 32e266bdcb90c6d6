package page_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"foyer/app/fault"
	"foyer/app/page"
	"foyer/app/pg"
	"foyer/app/view"
)

var (
	english = view.Words{Locale: "en", Zone: time.UTC}
	taken   = fault.New(fault.Conflict, "taken", "This is taken.")
)

// TestTroubleOf: an error of an input is shown at the input, any other above the form, and an error that is no
// refusal is not the form's.
func TestTroubleOf(t *testing.T) {
	t.Parallel()
	wrong := &fault.Error{Kind: fault.Validation, Fields: []fault.Field{{Field: "name", Message: "is missing"}, {Field: "zone", Message: "is missing"},
		{Field: "price", Message: "is missing"}}}
	named := func(fields ...string) (out []fault.Field) {
		for _, f := range fields {
			out = append(out, fault.Field{Field: f, Message: english.Message("is missing")})
		}
		return out
	}
	missing := english.Message("is missing")
	for name, c := range map[string]struct {
		err    error
		inputs []string
		want   *view.Trouble
	}{
		"all are inputs":        {wrong, nil, &view.Trouble{Fields: named("name", "zone", "price")}},
		"one is an input":       {wrong, []string{"name"}, &view.Trouble{Text: missing + " " + missing, Fields: named("name")}},
		"no input":              {wrong, []string{}, &view.Trouble{Text: missing + " " + missing + " " + missing}},
		"a conflict":            {taken, nil, &view.Trouble{Text: english.Refusal(fault.From(taken))}},
		"nobody is signed in":   {fault.New(fault.Unauthorized, "unauthorized", "Sign in."), nil, nil},
		"nothing":               {nil, nil, nil},
		"a fault on our side":   {errors.New("no disk"), nil, nil},
		"it is not there":       {fault.Missing(), nil, nil},
		"what was promised too": {pg.ErrQuoteChanged, nil, &view.Trouble{Text: english.Refusal(fault.From(pg.ErrQuoteChanged))}},
	} {
		got, ok := page.TroubleOf(english, c.err, c.inputs)
		if ok != (c.want != nil) || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
}

// TestQuoteRefusals: a quote that cannot be honored returns the reason, and that nothing was done.
func TestQuoteRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err   error
		title string
	}{
		{pg.ErrQuoteChanged, "The details have changed"}, {pg.ErrQuoteExpired, "Review and confirm again"},
		{pg.ErrQuoteOther, "Review and confirm again"}, {pg.ErrQuoteUnknown, "Review and confirm again"}, {taken, ""}, {nil, ""},
	} {
		tr, promised := page.QuoteChanged(english, c.err)
		if promised != (c.title != "") || promised && (tr.Title != c.title || tr.Text == "") {
			t.Errorf("%v: %+v, %t", c.err, tr, promised)
		}
	}
}
