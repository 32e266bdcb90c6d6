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

// bundle builds every entry of src and returns the outputs sorted by name.
func bundle(src string) ([]output, error) {
	src, err := filepath.Abs(src)
	if err != nil {
		return nil, err
	}
	var entries []string
	for _, pattern := range []string{"*.ts", "*.css", "*.txt", "*.svg"} {
		found, err := filepath.Glob(filepath.Join(src, pattern))
		if err != nil {
			return nil, err
		}
		entries = append(entries, found...)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("no entries in %s", src)
	}

	result := api.Build(api.BuildOptions{
		EntryPoints:       entries,
		AbsWorkingDir:     src,
		Outdir:            "dist",
		Outbase:           src,
		EntryNames:        "[name].[hash]",
		AssetNames:        "[name].[hash]",
		PublicPath:        "/static",
		Bundle:            true,
		Format:            api.FormatESModule,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Engines:           browsers,
		Loader:            map[string]api.Loader{".woff2": api.LoaderFile, ".txt": api.LoaderCopy, ".svg": api.LoaderCopy},
		LogLevel:          api.LogLevelSilent,
	})
	if len(result.Errors)+len(result.Warnings) > 0 {
		var text strings.Builder
		for _, m := range append(result.Errors, result.Warnings...) {
			if m.Location != nil {
				fmt.Fprintf(&text, "\n%s:%d:%d", m.Location.File, m.Location.Line, m.Location.Column)
			}
			fmt.Fprintf(&text, " %s", m.Text)
		}
		return nil, fmt.Errorf("bundle:%s", text.String())
	}

	outputs := make([]output, 0, len(result.OutputFiles))
	for _, f := range result.OutputFiles {
		file := filepath.Base(f.Path)
		outputs = append(outputs, output{name: plainName(file), file: file, body: f.Contents})
	}
	slices.SortFunc(outputs, func(a, b output) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(outputs); i++ {
		if outputs[i].name == outputs[i-1].name {
			return nil, fmt.Errorf("two outputs are named %s", outputs[i].name)
		}
	}
	return outputs, nil
}

// plainName takes the hash out of a file name: "app.5NQ3XK7A.css" is "app.css".
func plainName(file string) string {
	ext := filepath.Ext(file)
	stem := strings.TrimSuffix(file, ext)
	return strings.TrimSuffix(stem, filepath.Ext(stem)) + ext
}
