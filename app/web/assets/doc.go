// Package assets holds what browsers load: style sheets, scripts and fonts, built ahead by the command foyer/tools/assets
// from src into dist and compiled in. Names carry a hash of the content, so the files can be cached for ever.
//
// What studios paste into pages of their own comes from src/embed: its addresses are part of a contract and carry no hash, so
// it is served by Content.
//
// Rebuild after a change in src: cd tools && go run ./assets. A server needs neither that command nor Node.
package assets
