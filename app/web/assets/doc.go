// Package assets holds the files that browsers load: style sheets, scripts and fonts, built ahead by the command
// foyer/tools/assets from src into dist and embedded. Names contain a hash of the content, so the files can be cached
// for ever.
//
// Files that studios include in pages of their own come from src/embed: their addresses are part of a contract and
// contain no hash, so they are served by Content.
//
// Rebuild after a change in src: cd tools && go run ./assets. A server needs neither that command nor Node.
package assets
