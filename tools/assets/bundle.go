package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// output is one file for the browser. name is what the product calls it ("app.css"), file what it is served as
// ("app.5NQ3XK7A.css").
type output struct {
	name, file string
	body       []byte
}

// Browsers from spring 2023 on: the first ones with oklch(), color-mix() and container queries. Nesting is lowered for them.
var browsers = []api.Engine{
	{Name: api.EngineChrome, Version: "111"},
	{Name: api.EngineFirefox, Version: "113"},
	{Name: api.EngineSafari, Version: "16.4"},
}

// room is a folder of entries. Pages load theirs as modules; what strangers paste into pages of their own is a classic
// script that leaves no name behind.
type room struct {
	folder string // below src
	format api.Format
}

var rooms = []room{
	{".", api.FormatESModule},
	{"embed", api.FormatIIFE},
}

// bundle builds every entry of src and returns the outputs sorted by name.
func bundle(src string) ([]output, error) {
	src, err := filepath.Abs(src)
	if err != nil {
		return nil, err
	}
	var outputs []output
	for _, r := range rooms {
		built, err := build(filepath.Join(src, r.folder), r.format)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, built...)
	}
	if len(outputs) == 0 {
		return nil, fmt.Errorf("no entries in %s", src)
	}
	slices.SortFunc(outputs, func(a, b output) int { return strings.Compare(a.name, b.name) })
	outputs = slices.CompactFunc(outputs, func(a, b output) bool { return a.file == b.file }) // a font of two rooms
	for i := 1; i < len(outputs); i++ {
		if outputs[i].name == outputs[i-1].name {
			return nil, fmt.Errorf("two outputs are named %s", outputs[i].name)
		}
	}
	return outputs, nil
}

// build bundles the entries that lie directly in a folder.
func build(folder string, format api.Format) ([]output, error) {
	var entries []string
	for _, pattern := range []string{"*.ts", "*.css", "*.txt", "*.svg"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		entries = append(entries, found...)
	}
	if len(entries) == 0 {
		return nil, nil
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       entries,
		AbsWorkingDir:     folder,
		Outdir:            "dist",
		Outbase:           folder,
		EntryNames:        "[name].[hash]",
		AssetNames:        "[name].[hash]",
		PublicPath:        "/static",
		Bundle:            true,
		Format:            format,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsEndOfFile, // libraries ask that their notices stay
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Engines:           browsers,
		Loader:            map[string]api.Loader{".woff2": api.LoaderFile, ".txt": api.LoaderCopy, ".svg": api.LoaderCopy},
		LogLevel:          api.LogLevelSilent,
	})
	if len(result.Errors)+len(result.Warnings) > 0 {
		return nil, complaint(append(result.Errors, result.Warnings...))
	}
	outputs := make([]output, 0, len(result.OutputFiles))
	for _, f := range result.OutputFiles {
		file := filepath.Base(f.Path)
		outputs = append(outputs, output{name: plainName(file), file: file, body: f.Contents})
	}
	return outputs, nil
}

// complaint names what is wrong with its file and line.
func complaint(messages []api.Message) error {
	var text strings.Builder
	for _, m := range messages {
		if m.Location != nil {
			fmt.Fprintf(&text, "\n%s:%d:%d", m.Location.File, m.Location.Line, m.Location.Column)
		}
		fmt.Fprintf(&text, " %s", m.Text)
	}
	return fmt.Errorf("bundle:%s", text.String())
}

// plainName takes the hash out of a file name: "app.5NQ3XK7A.css" is "app.css".
func plainName(file string) string {
	ext := filepath.Ext(file)
	stem := strings.TrimSuffix(file, ext)
	return strings.TrimSuffix(stem, filepath.Ext(stem)) + ext
}
