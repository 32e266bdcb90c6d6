package growth_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest/growth"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/cssguard"
	"foyer/app/identity"
	"foyer/app/letters"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/walkin"
	"foyer/app/web/op"
	"foyer/app/words"
	"foyer/policy"
)

// How long the texts are.
const (
	head = 16 << 10 // the longest head of a request: an address, a header, a cookie
	form = 64 << 10 // a field may have a megabyte, and this is long enough to see how the time grows
)

// reader reads one text of others.
type reader struct {
	name string
	most int
	read func(s string)
}

// lines are the readers of names, addresses, and other single fields.
var lines = []reader{
	{"Accept-Language", head, func(s string) { words.Best(s) }},
	{"country of Accept-Language", head, func(s string) { words.Region(s) }},
	{"cursor", head, func(s string) { _, _ = op.NewCursors(make([]byte, 32)).Decode("list", uuid.Nil, s, new(time.Time)) }},
	{"listings of the walk-ins embed", head, func(s string) { walkin.Slugs(s) }},
	{"search of customers", form, func(s string) { crm.ParseQuery(s).Fits("Ada", "ada@example.com", "+1 555 0100") }},
	{"phone that is searched", form, func(s string) { crm.ParseQuery("Ada").Fits("Zoe", "zoe@example.com", s) }},
	{"e-mail address", form, func(s string) { identity.ParseEmail(s) }},
	{"domain of an e-mail address", form, func(s string) { identity.ParseEmail("a@" + s) }},
	{"phone", form, func(s string) { identity.KnownPhone(s) }},
	{"time zone", form, func(s string) { identity.KnownZone(s) }},
	{"locale", form, func(s string) { identity.KnownLocale(s) }},
	{"line of text", form, func(s string) { identity.IsLine(s, 100) }},
	{"name as it is kept", form, func(s string) { names.Clean(s) }},
	{"name as it is compared", form, func(s string) { names.Key(s) }},
	{"name as it is searched", form, func(s string) { names.Search(s) }},
	{"name with another in it", form, func(s string) { names.Has(s, s[:len(s)/2]+"z") }},
	{"slug of a name", form, func(s string) { tenancy.Slugify(s, "7f3k") }},
	{"slug", form, func(s string) { _ = tenancy.CheckSlug(s) }},
	{"slug of an offering", form, func(s string) { catalog.ValidSlug(s) }},
	{"names of studio and location", form, func(s string) { business.LocationLabel(s[:len(s)/2]+"z", s) }},
	{"amount", form, func(s string) { _, _ = usd.Parse(s) }},
	{"date", form, func(s string) { _, _ = civil.ParseDate(s) }},
	{"time of day", form, func(s string) { _, _ = civil.ParseClock(s) }},
	{"instant", form, func(s string) { _, _ = schedule.ParseInstant(s) }},
	{"calendar", form, func(s string) { letters.Calendar("x.test", []letters.Event{{Name: s, About: s, Where: s}}) }},
	{"plain text of an agreement", form, func(s string) { view.PlainWords(s) }},
}

var usd, _ = money.Lookup("USD")

// linePieces are hard for readers of lines when they come again and again.
var linePieces = []string{
	"a", "1", " ", "-", ".", ",", "@", "a@", "a.", "a-", "+1", "(0)", "a,", "de-DE-x-a,", "de;q=0.1,", "en-u-ca-", "a/", "/A", "\n", "\r\n\n", "\"", "'",
	"\u0301", "e\u0301", "\u0301\u0323", "\u200d", "👩\u200d", "क\u094d\u200d", "\u1100\u1161\u11a8", "\u3164", "\ufdfa", "İ", "ß", "’", "ø", "瑜", "\x00", "\xff",
}

// sheets are the readers of a stylesheet.
var sheets = []reader{
	{"stylesheet", cssguard.MaxBytes, func(s string) { cssguard.Check(s) }},
	{"selector", cssguard.MaxBytes, func(s string) { cssguard.Check("svc-times " + s + "{}") }},
	{"rule", cssguard.MaxBytes, func(s string) { cssguard.Check("svc-times{" + s + "}") }},
}

var sheetPieces = []string{
	"a", "\\", "\\61 ", "/*", "*/", "/**/", "\"", "'", "(", ")", "()", ":is(", ":is()", ":not(:is(", "a,", "a b ", "a:is(b,c)", ":has(+ a)", ":nth-child(2n of a)", "{", "}", "{}",
	"a{b:c}", "a{b{c:d}}", "&", "& a{}", "a:b;", ";", "url(", "url(x)", "url(https://x.test)", "@media{", "@media a{}", "@import 'x';", "a:b !important;", "+ ", "~a", "[", "[a]",
	"\n", "\r\n", "<!--", "svc-times{a:b}", "svc-times a,", "é", "\u0301", "\x00", "\xff",
}

// many is text in which no character comes twice for long, as no piece is.
func many(size int) string {
	var b strings.Builder
	for r := rune(0x4e00); b.Len() < size; r++ {
		b.WriteRune(0x4e00 + (r*7919)%20_000)
	}
	return b.String()
}

// TestReadersOfText: the time of reading untrusted text grows no faster than its length.
func TestReadersOfText(t *testing.T) {
	check := func(readers []reader, pieces []string) {
		for _, r := range readers {
			row := func(name string, input func(size int) string) growth.Row {
				return growth.Row{Name: r.name + " of " + name, Most: r.most, Read: func(size int) func() {
					s := input(size)
					return func() { r.read(s) }
				}}
			}
			rows := []growth.Row{row("many characters", many)}
			for _, piece := range pieces {
				rows = append(rows, row(strconv.Quote(piece), func(size int) string { return growth.Repeated(piece, size) }))
			}
			growth.Check(t, rows...)
		}
	}
	check(lines, linePieces)
	check(sheets, sheetPieces)
}

// TestReadersOfLists: the time of reading untrusted lists grows no faster than their length. The sizes are numbers of
// entries.
func TestReadersOfLists(t *testing.T) {
	start := civil.Date{Year: 2026, Month: time.March, Day: 1}
	growth.Check(t,
		growth.Row{Name: "dates that a rule leaves out", Most: schedule.ExceptMax, Read: func(size int) func() {
			r := schedule.Rule{Freq: schedule.Daily, Start: start, At: 9 * 60, Minutes: 60, Count: &size}
			for n := range size {
				r.Except = append(r.Except, start.AddDays(size-n))
			}
			return func() { schedule.Occurrences(r, time.UTC, start, start.AddDays(2*size)) }
		}},
		growth.Row{Name: "names of a party", Most: 400, Read: func(size int) func() {
			in := checkout.AddItemInput{People: size}
			for n := range size {
				in.Others = append(in.Others, strings.Repeat("Zoë ", 20)+strconv.Itoa(n))
			}
			return func() { in := in; _ = in.Validate() }
		}},
		growth.Row{Name: "events of a calendar", Most: 4000, Read: func(size int) func() {
			events := make([]letters.Event, size)
			for n := range events {
				events[n] = letters.Event{Name: "Vinyasa", Zone: berlin, Start: time.Date(2026, 3, 1+n%365, 9, 0, 0, 0, time.UTC), End: time.Date(2026, 3, 1+n%365, 10, 0, 0, 0, time.UTC)}
			}
			return func() { letters.Calendar("x.test", events) }
		}},
		growth.Row{Name: "features of a key", Most: 2000, Read: func(size int) func() {
			list := make([]tenancy.Feature, size)
			for n := range list {
				list[n] = tenancy.Feature("booking.manage" + strconv.Itoa(n%7))
			}
			return func() { _, _ = policy.KeyGrants(tenancy.Grants{}, list) }
		}},
		growth.Row{Name: "lines of a refund", Most: 2000, Read: func(size int) func() {
			in := sales.RefundInput{}
			for range size {
				in.Lines = append(in.Lines, uuid.New())
			}
			return func() { in := in; _ = in.Validate() }
		}},
	)
}

var berlin, _ = time.LoadLocation("Europe/Berlin")
