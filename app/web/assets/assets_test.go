package assets_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"foyer/app/web/assets"
)

func TestEveryAssetHasATypeAndTrueCopies(t *testing.T) {
	for name, f := range assets.Files() {
		if f.Type == "" || len(f.Body) == 0 {
			t.Errorf("%s: type %q, %d bytes", name, f.Type, len(f.Body))
		}
		if strings.HasSuffix(name, ".woff2") {
			continue
		}
		zr, err := gzip.NewReader(bytes.NewReader(f.Gzip))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if body, err := io.ReadAll(zr); err != nil || !bytes.Equal(body, f.Body) {
			t.Errorf("%s: the gzip copy is another file (%v)", name, err)
		}
		if len(f.Brotli) == 0 {
			t.Errorf("%s: no brotli copy", name)
		}
	}
}

func TestAddressesCarryAHashAndAreServed(t *testing.T) {
	for _, name := range []string{"app.css", "app.js", "pay.js", "figtree.woff2", "icon.svg"} {
		path := assets.Path(name)
		served, ok := strings.CutPrefix(path, assets.Prefix)
		if !ok || served == name {
			t.Errorf("%s is served at %s", name, path)
		}
		if _, ok := assets.Files()[served]; !ok {
			t.Errorf("%s points at %s, which is not served", name, path)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown name must not become an address")
		}
	}()
	assets.Path("nothing.css")
}
