package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"foyer/app/sealed"
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
		"FOYER_SECRET must be set":   {"DATABASE_URL=postgres://x", "FOYER_SEAL_KEYS=" + killSealKeys},
		"FOYER_SEAL_KEYS must be":    {"DATABASE_URL=postgres://x", "FOYER_SECRET=" + killSecret},
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

// TestSealKeys: the keys come from the setting, from the file that the setting names, or from the data directory, where
// one is made once. An error names its source and shows no part of a key.
func TestSealKeys(t *testing.T) {
	at := sealed.Cell{Business: uuid.New(), Table: "t", Row: uuid.New(), Column: "c"}
	seal := func(setting string) []byte {
		t.Helper()
		keys, err := sealed.Parse(setting)
		if err != nil {
			t.Fatal(err)
		}
		value, err := keys.Seal(at, []byte("token"))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	file := func(dir, name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, now := sealed.NewKey(), sealed.NewKey()
	dir := t.TempDir()
	set, both := "FOYER_SEAL_KEYS="+now, "FOYER_SEAL_KEYS="+now+","+old
	named := "FOYER_SEAL_KEYS_FILE=" + file(dir, "named", now+","+old+"\n")
	external := []string{"DATABASE_URL=postgres://x", "FOYER_SECRET=" + killSecret}
	for name, c := range map[string]struct {
		environ []string
		stored  string // content of the file in the data directory
		fault   string // what the error says; else the keys open values of:
		opens   []string
		refuses []string
	}{
		"made":                     {},
		"of the data directory":    {stored: now + "\n", opens: []string{now}, refuses: []string{old}},
		"rotated there":            {stored: now + "," + old, opens: []string{now, old}},
		"set":                      {environ: []string{set}, opens: []string{now}, refuses: []string{old}},
		"set before the directory": {environ: []string{set}, stored: old, opens: []string{now}, refuses: []string{old}},
		"rotated":                  {environ: []string{both}, opens: []string{now, old}},
		"of a named file":          {environ: []string{named}, opens: []string{now, old}},
		"external database":        {environ: append(external, set), opens: []string{now}},
		"external, none":           {environ: external, stored: now, fault: "FOYER_SEAL_KEYS must be set"},
		"set twice":                {environ: []string{set, named}, fault: "both FOYER_SEAL_KEYS and"},
		"no file":                  {environ: []string{"FOYER_SEAL_KEYS_FILE=/nowhere"}, fault: "FOYER_SEAL_KEYS_FILE: open"},
		"too short":                {environ: []string{both + "," + now[:60]}, fault: "FOYER_SEAL_KEYS: key 3 of 3 is not"},
		"listed twice":             {environ: []string{both + "," + old}, fault: "FOYER_SEAL_KEYS: key 3 of 3 is the same"},
		"blank":                    {environ: []string{"FOYER_SEAL_KEYS= "}, fault: "FOYER_SEAL_KEYS: sealed: no keys"},
		"stored too short":         {stored: now[:62], fault: "seal-keys: key 1 of 1 is not 64 hex"},
		"stored empty":             {stored: " ", fault: "seal-keys: sealed: no keys"},
	} {
		t.Run(name, func(t *testing.T) {
			config, err := read(t, c.environ...)
			if c.stored != "" {
				file(config.DataDir, "seal-keys", c.stored)
			}
			var keys *sealed.Keys
			if err == nil {
				keys, err = config.sealKeys()
			}
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Fatalf("%v, want it to say %q", err, c.fault)
				}
				if text := err.Error(); strings.Contains(text, now[:6]) || strings.Contains(text, old[:6]) {
					t.Errorf("a key shows: %s", text)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range c.opens {
				if _, err := keys.Open(at, seal(key)); err != nil {
					t.Error(err)
				}
			}
			for _, key := range c.refuses {
				if _, err := keys.Open(at, seal(key)); err == nil {
					t.Error("a key opens that is not listed")
				}
			}
			if len(c.opens) > 0 && !keys.Current(seal(c.opens[0])) {
				t.Error("the first key does not seal")
			}
			info, err := os.Stat(config.sealKeysFile())
			if made := err == nil; made != (len(c.environ) == 0 || c.stored != "") {
				t.Errorf("a file in the data directory: %v", made)
			} else if made && info.Mode().Perm() != 0o600 {
				t.Errorf("others may read the keys: %v", info.Mode())
			}
			value, err := keys.Seal(at, []byte("token"))
			if err != nil {
				t.Fatal(err)
			}
			if again, err := config.sealKeys(); err != nil || !again.Current(value) {
				t.Errorf("the keys are not kept (%v)", err)
			}
		})
	}
}

// TestMakeOnce: processes that start together agree on what one of them made.
func TestMakeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "key")
	var made [8][]byte
	var group sync.WaitGroup
	for i := range made {
		group.Go(func() {
			var err error
			if made[i], err = makeOnce(path, sealed.NewKey()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, body := range made {
		if len(body) != 64 || !bytes.Equal(body, made[0]) {
			t.Errorf("%d bytes, and not those of all", len(body))
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("files left: %v, %v", left, err)
	}
}
