package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, environ ...string) (Config, error) {
	t.Helper()
	return readConfig(func(string) string { return "" }, append(environ, "FOYER_DATA_DIR="+t.TempDir()))
}

// TestSettingsAreDocumented: docs/settings.md has a line for every setting, and no line for any other.
func TestSettingsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z0-9_]+)` \\|.*$").FindAllSubmatch(page, -1) {
		documented[string(m[1])] = bytes.Contains(m[0], []byte("**file**"))
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		name := f.Tag.Get("env")
		file, known := documented[name]
		if !known {
			t.Errorf("%s has no line", name)
		}
		asFile := false
		for _, s := range secretNames {
			asFile = asFile || s == name
		}
		if file != asFile {
			t.Errorf("%s: the page says file %v, the program %v", name, file, asFile)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("%s is no setting", name)
	}
}

func TestConfig(t *testing.T) {
	c, err := read(t)
	if err != nil || c.Addr != ":8080" || c.StorefrontRateMax != 480 || c.StorefrontWriteRateMax != 60 || c.rateWindow().Seconds() != 60 {
		t.Errorf("defaults %+v, %v", c, err)
	}
	one, err := c.secret()
	if err != nil || len(one) != 64 {
		t.Fatalf("secret of %d characters, %v", len(one), err)
	}
	if two, err := c.secret(); err != nil || !bytes.Equal(one, two) {
		t.Errorf("the secret is not kept (%v)", err)
	}
	if info, err := os.Stat(filepath.Join(c.DataDir, "secret")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the secret: %v, %v", info.Mode(), err)
	}
	if bytes.Equal(derive(one, "codes"), derive(one, "web")) {
		t.Error("two purposes share a key")
	}
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("sk_test_x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := read(t, "STRIPE_SECRET_KEY_FILE="+file); err != nil || c.StripeKey != "sk_test_x" {
		t.Errorf("from a file: %q, %v", c.StripeKey, err)
	}
	if c, err := read(t, "APPLE_PAY_DOMAIN_FILE="+file); err != nil {
		t.Error(err)
	} else if body, err := c.applePay(); err != nil || string(body) != "sk_test_x\n" {
		t.Errorf("what Apple reads: %q, %v", body, err)
	}
	for want, environ := range map[string][]string{
		"APPLE_PAY_DOMAIN_FILE":      {"APPLE_PAY_DOMAIN_FILE=/nowhere"},
		"both STRIPE_SECRET_KEY":     {"STRIPE_SECRET_KEY=x", "STRIPE_SECRET_KEY_FILE=" + file},
		"SMTP_URL_FILE":              {"SMTP_URL_FILE=/nowhere"},
		"BASE_URL must be":           {"BASE_URL=https://example.com/booking"},
		"TRUSTED_PROXIES":            {"TRUSTED_PROXIES=10.0.0.1"},
		"FOYER_SECRET must be set":   {"DATABASE_URL=postgres://x"},
		"shorter than 32":            {"FOYER_SECRET=short"},
		"STOREFRONT_RATE_LIMIT_MAX":  {"STOREFRONT_RATE_LIMIT_MAX=0"},
		"CHALLENGES_PER_ADDRESS_MAX": {"CHALLENGES_PER_ADDRESS_MAX=-1"},
		"FOYER_S3_BUCKET, ":          {"FOYER_S3_ENDPOINT=https://s3.example.com"},
		"FOYER_S3_ENDPOINT is not":   {"FOYER_S3_BUCKET=photos"},
		"no path":                    {"FOYER_S3_ENDPOINT=s3.example.com", "FOYER_S3_BUCKET=b", "FOYER_S3_ACCESS_KEY=a", "FOYER_S3_SECRET_KEY=s"},
		"both FOYER_PHOTOS_DIR":      {"FOYER_PHOTOS_DIR=/x", "FOYER_S3_ENDPOINT=https://s3.example.com", "FOYER_S3_BUCKET=b", "FOYER_S3_ACCESS_KEY=a", "FOYER_S3_SECRET_KEY=s"},
		"FOYER_PHOTOS_DIRECT":        {"FOYER_PHOTOS_DIRECT=true"},
	} {
		if _, err := read(t, environ...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to say %q", environ, err, want)
		}
	}
}
