package tenancy_test

import (
	"strings"
	"testing"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

func TestCheckSlugAccepts(t *testing.T) {
	for _, s := range []string{
		"abc", "harbour-yoga", "studio-54", "24-7-gym", "108", "a-b", strings.Repeat("a", 60), "my-studio", "admin-yoga",
		"api-of-movement", "deadbeef", "xn-1",
	} {
		if err := tenancy.CheckSlug(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestCheckSlugRefuses(t *testing.T) {
	for name, slugs := range map[string][]string{
		"length":     {"", "a", "ab", strings.Repeat("a", 61)},
		"characters": {"Harbour", "har bour", "har_bour", "har.bour", "café", "har/bour", "har%2fbour", "abc\x00", "abc\n", "ⅸⅸⅸ"},
		"hyphens":    {"-abc", "abc-", "a--b", "---", "xn--caf-dma"},
		"ids": {"0190a8f2-7c1e-7d3a-9b5c-1f2e3d4c5b6a", "00000000-0000-0000-0000-000000000000",
			"0190a8f27c1e7d3a9b5c1f2e3d4c5b6a", "0190A8F2-7C1E-7D3A-9B5C-1F2E3D4C5B6A"},
		// E153, and every first part of a path the program serves.
		"reserved": {"businesses", "offerings", "locations", "assets", "products", "storefront", "me", "auth", "oauth",
			"mcp", "embed", "themes", "cart", "receipt", "my", "invite", "webhooks", "accounting", "openapi.json",
			"llms.txt", ".well-known", "well-known", "static", "dev", "health", "metrics", "admin", "api", "www", "docs",
			"setup", "console", "feeds", "robots.txt", "favicon.ico", "__sim", "sitemap", "support", "login", "signin",
			"signout", "logout", "account", "help", "about", "legal", "terms", "privacy"},
	} {
		for _, s := range slugs {
			err := fault.From(tenancy.CheckSlug(s))
			if err == nil || err.Kind != fault.Validation || len(err.Fields) != 1 || err.Fields[0].Field != "slug" {
				t.Errorf("%s %q: %+v", name, s, err)
			}
		}
	}
}

func TestSlugify(t *testing.T) {
	for name, want := range map[string]string{
		"Harbour Yoga":                         "harbour-yoga",
		"  Café Zoë & Friends ":                "cafe-zoe-and-friends",
		"Kim's Studio":                         "kims-studio",
		"Kim’s Studio":                         "kims-studio",
		"Łódź Ruch":                            "lodz-ruch",
		"Straße 9":                             "strasse-9",
		"STRAẞE":                               "strasse",
		"Ærø Ørsted Þór":                       "aero-orsted-thor",
		"İstanbul Işık":                        "istanbul-isik",
		"Việt Nam":                             "viet-nam",
		"Ｆｕｌｌ　Ｗｉｄｔｈ":                           "full-width",
		"ﬁt & ﬂow":                             "fit-and-flow",
		"Yoga--/--Flow...":                     "yoga-flow",
		"東京ヨガ":                                 "dong-jing-yoga",
		"瑜伽":                                   "yu-jia",
		"瑜伽 101":                               "yu-jia-101",
		"요가":                                   "yoga",
		"योग":                                  "yog",
		"יוגה":                                 "yvgh",
		"Γιόγκα":                               "giogka",
		"東京 Yoga":                              "dong-jing-yoga",
		"Студия":                               "studiia",
		"🧘":                                    "studio-7f3k",
		"":                                     "studio-7f3k",
		"\xff\xfe":                             "studio-7f3k",
		"Q":                                    "q-7f3k",
		"Admin":                                "admin-7f3k",
		"0190a8f2-7c1e-7d3a-9b5c-1f2e3d4c5b6a": "0190a8f2-7c1e-7d3a-9b5c-1f2e3d4c5b6a-7f3k",
		strings.Repeat("x", 70):                strings.Repeat("x", 60),
		strings.Repeat("x", 50) + " and the longer": strings.Repeat("x", 50) + "-and-the",
	} {
		got := tenancy.Slugify(name, "7f3k")
		if got != want {
			t.Errorf("Slugify(%q) = %q, want %q", name, got, want)
		}
		if err := tenancy.CheckSlug(got); err != nil {
			t.Errorf("Slugify(%q) = %q: %v", name, got, err)
		}
	}
	if got := tenancy.Slugify("Api", "keys"); got != "studio-keys" {
		t.Errorf("a suffix that makes another reserved word: %q", got)
	}
}

func FuzzSlugify(f *testing.F) {
	for _, s := range []string{"Harbour Yoga", "東京", "-", "api", "0190a8f27c1e7d3a9b5c1f2e3d4c5b6a", "a\u0300\u0301-", "ﷺ"} {
		f.Add(s, "7f3k")
	}
	f.Fuzz(func(t *testing.T, name, suffix string) {
		slug := tenancy.Slugify(name, "7f3k")
		if err := tenancy.CheckSlug(slug); err != nil {
			t.Fatalf("Slugify(%q) = %q: %v", name, slug, err)
		}
		if again := tenancy.Slugify(slug, "7f3k"); again != slug {
			t.Fatalf("Slugify(%q) = %q, then %q", name, slug, again)
		}
		tenancy.Slugify(name, suffix) // no input panics
	})
}

func FuzzCheckSlug(f *testing.F) {
	for _, s := range []string{"harbour-yoga", "a--b", "-a-", "00000000-0000-0000-0000-000000000000", "Ⅸ", "abc\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if tenancy.CheckSlug(s) != nil {
			return
		}
		for _, c := range []byte(s) {
			if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", rune(c)) {
				t.Fatalf("%q accepted with %q", s, c)
			}
		}
		if len(s) < 3 || len(s) > 60 || strings.Contains(s, "--") || s[0] == '-' || s[len(s)-1] == '-' {
			t.Fatalf("%q accepted", s)
		}
	})
}
