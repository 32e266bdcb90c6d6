package assets

import (
	"embed"
	"path"
	"strings"
	"sync"
)

//go:embed dist
var dist embed.FS

// Prefix is where the files are served from.
const Prefix = "/static/"

// File is one file as it is served. Gzip and Brotli are the same bytes compressed; nil when compressing gains nothing.
type File struct {
	Type               string // value of Content-Type
	Body, Gzip, Brotli []byte
}

// Path is the address of the asset the product calls name: Path("app.css") is "/static/app.5NQ3XK7A.css". A name that
// was not built is a fault of the program and panics.
func Path(name string) string {
	file, ok := served[name]
	if !ok {
		panic("assets: no asset is named " + name)
	}
	return Prefix + file
}

// Content is the asset the product calls name, for addresses of its own that never change: Content("v1.js"). A name
// that was not built is a fault of the program and panics. The bytes are shared: read only.
func Content(name string) File { return Files()[strings.TrimPrefix(Path(name), Prefix)] }

// Files returns every file by its served name ("app.5NQ3XK7A.css"), the last part of its address. The map and the
// bytes are shared: read only.
func Files() map[string]File { return files() }

var files = sync.OnceValue(func() map[string]File {
	all := make(map[string]File, len(served))
	for _, file := range served {
		all[file] = File{Type: types[path.Ext(file)], Body: read(file), Gzip: read(file + ".gz"), Brotli: read(file + ".br")}
	}
	return all
})

// TypeFont is the Content-Type of a font.
const TypeFont = "font/woff2"

// types is our own table: the machine's may lack a format or lie about it.
var types = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".txt":   "text/plain; charset=utf-8",
	".svg":   "image/svg+xml",
	".woff2": TypeFont,
}

// read returns nil for a file that was not built: only the compressed copies of compressed formats are absent.
func read(file string) []byte {
	body, err := dist.ReadFile(path.Join("dist", file))
	if err != nil && !strings.HasSuffix(file, ".gz") && !strings.HasSuffix(file, ".br") {
		panic(err)
	}
	return body
}
