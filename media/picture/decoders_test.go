package picture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foyer/media/picture"
)

// goPackage is the toolchain's description of a package.
type goPackage struct {
	ImportPath, Dir string
	Standard        bool
	GoFiles         []string
	Imports         []string
	Module          *struct{ Replace *struct{ Path string } }
}

// dependencies are the packages of the program.
func dependencies(t *testing.T) (out []goPackage) {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-json=ImportPath,Dir,Standard,GoFiles,Imports,Module", "foyer/cmd/foyer").Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
}

// TestOnlyOurDecoders: imaging brings decoders of TIFF and BMP into the program, and they register themselves with
// package image. So no part of the program may use package image to detect formats, except functions of imaging that
// are never called; and packages that use imaging call none of its functions that read files. No library is loaded at
// run time. Issue 31, item 12.
func TestOnlyOurDecoders(t *testing.T) {
	const imaging = "github.com/disintegration/imaging"
	asked, uses, nolib := []string{}, []string{}, false
	for _, p := range dependencies(t) {
		if p.ImportPath == "github.com/ebitengine/purego" && p.Module != nil && p.Module.Replace != nil {
			nolib = p.Module.Replace.Path == "./tools/nolib"
		}
		if p.Standard {
			continue
		}
		if slices.Contains(p.Imports, "golang.org/x/image/tiff") || slices.Contains(p.Imports, "golang.org/x/image/bmp") {
			if p.ImportPath != imaging {
				t.Errorf("%s imports a decoder of TIFF or BMP", p.ImportPath)
			}
		}
		if slices.Contains(p.Imports, "image") {
			for _, name := range called(t, p, "image") {
				if (name == "Decode" || name == "DecodeConfig") && !slices.Contains(asked, p.ImportPath) {
					asked = append(asked, p.ImportPath)
				}
			}
		}
		if slices.Contains(p.Imports, imaging) {
			uses = append(uses, p.ImportPath)
			for _, name := range called(t, p, imaging) {
				if slices.Contains([]string{"Decode", "Open", "AutoOrientation"}, name) {
					t.Errorf("%s calls imaging.%s", p.ImportPath, name)
				}
			}
		}
	}
	if !slices.Equal(asked, []string{imaging}) {
		t.Errorf("image.Decode is called by %v", asked)
	}
	if !slices.Equal(uses, []string{"foyer/media/picture"}) || !nolib {
		t.Errorf("imaging is used by %v, purego is replaced: %v", uses, nolib)
	}
}

// called are the names of an imported package that a package uses.
func called(t *testing.T, p goPackage, path string) (out []string) {
	t.Helper()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		short := ""
		for _, i := range f.Imports {
			if strings.Trim(i.Path.Value, `"`) == path {
				if short = filepath.Base(path); i.Name != nil {
					short = i.Name.Name
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && short != "" {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == short {
					out = append(out, s.Sel.Name)
				}
			}
			return true
		})
	}
	return out
}

// TestNoOtherFormat: a TIFF and a BMP are refused as they are, after the signature of any other format, and before
// it.
func TestNoOtherFormat(t *testing.T) {
	signatures := []string{
		"", "\xff\xd8\xff", "\xff\xd8\xff\xe0\x00\x02", "\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "RIFF\xff\x00\x00\x00WEBP",
		"RIFF\xff\x00\x00\x00WEBPVP8 ",
	}
	for _, name := range []string{"tiff.tiff", "bmp.bmp"} {
		file := read(t, name)
		for _, s := range signatures {
			over := append([]byte(s), file[min(len(s), len(file)):]...)
			for kind, data := range map[string][]byte{
				"behind": append([]byte(s), file...), "under": over, "before": append(bytes.Clone(file), s...),
			} {
				if s == "" && kind != "behind" {
					continue
				}
				_, err := picture.Check(t.Context(), data)
				if !errors.Is(err, picture.ErrFormat) && !errors.Is(err, picture.ErrBroken) &&
					!errors.Is(err, picture.ErrTooLarge) {
					t.Errorf("%s %s %q: %v", name, kind, s, err)
				}
				if err := picture.Make(t.Context(), data, nil, func(picture.Variant) error { return nil }); err == nil {
					t.Errorf("%s %s %q: there is a size of it", name, kind, s)
				}
			}
		}
	}
}
