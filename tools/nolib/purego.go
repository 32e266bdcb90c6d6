// Package purego stands in for github.com/ebitengine/purego, by a replace in go.mod. github.com/gen2brain/webp would take a libwebp of
// the machine through it when there is one: another encoder on every machine, loaded into the program that holds the keys, and a
// program that no longer starts in an image without a loader. Here no library is ever found, and the encoder is the one in Go.
package purego

import "errors"

// How a library would be loaded.
const (
	RTLD_NOW    = 0
	RTLD_GLOBAL = 0
)

// Dlopen finds nothing.
func Dlopen(string, int) (uintptr, error) {
	return 0, errors.New("no library is loaded while the program runs")
}

// RegisterLibFunc is never reached, because no library is found.
func RegisterLibFunc(any, uintptr, string) { panic("purego: no library is loaded") }

// NewCallback is asked for at start, for a library that is not there.
func NewCallback(any) uintptr { return 0 }
