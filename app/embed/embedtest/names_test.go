package embedtest_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/app/web/assets"
)

var update = flag.Bool("update", false, "add what is new to testdata/names.txt")

// TestE136_NamesOnlyGrow: testdata/names.txt lists the names in other people's pages: the tags and their attributes
// as the script defines them, the variables that the shipped sheets read, and the themes, by their sheets. A line may
// be added; a removed one is a /embed/v2.
func TestE136_NamesOnlyGrow(t *testing.T) {
	t.Parallel()
	o := newOrigin(t).usual()
	v := open(t, o, `{v1}<main></main>`)
	v.becomes(`defined.length >= 7`)
	var now []string
	for _, name := range eval[[]string](v, "defined") {
		for _, attribute := range eval[[]string](v, fmt.Sprintf("[...customElements.get(%q).observedAttributes]", name)) {
			now = append(now, "tag "+name+" "+attribute)
		}
	}
	for _, name := range []string{"clean.css", "card.css"} {
		for _, m := range regexp.MustCompile(`var\((--pf-[a-z-]+)`).FindAllStringSubmatch(string(assets.Content(name).Body), -1) {
			now = append(now, "variable "+m[1])
		}
	}
	for theme, worn := range map[string]string{"clean": "themes/clean.css", "card": "themes/card.css", "studio": "harbour/theme.css", "none": ""} {
		page := open(t, o, `{v1}`+tag("svc-schedule", fmt.Sprintf(`location="harbour" theme=%q`, theme)))
		page.shows("svc-schedule", "schedule")
		var want []string
		if worn != "" {
			want = []string{o.URL + v1(worn)}
		}
		if got := eval[[]string](page, `[...document.querySelectorAll("link[rel=stylesheet]")].map(l => l.href)`); slices.Equal(got, want) {
			now = append(now, strings.TrimSpace("theme "+theme+" "+worn))
		}
	}
	slices.Sort(now)
	now = slices.Compact(now)
	const file = "testdata/names.txt"
	old, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	frozen := strings.Split(strings.TrimSpace(string(old)), "\n")
	for _, line := range frozen {
		if line != "" && !slices.Contains(now, line) {
			t.Errorf("%s is gone: that is a /embed/v2", line)
		}
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		frozen = now
	}
	for _, line := range now {
		if !slices.Contains(frozen, line) {
			t.Errorf("%s is new: -update keeps it, for the life of v1", line)
		}
	}
}
