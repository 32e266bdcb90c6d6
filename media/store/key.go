package store

import (
	"fmt"
	"path"
	"strings"
)

// maxKey is far above the length of the product's keys, and below the limits of folders and buckets.
const maxKey = 512

// CheckKey returns an error for an invalid key: one with a character outside of the package's alphabet, a part that
// is empty or begins with a dot, or more than 512 characters. Both stores check keys before any access, so that no
// key leads out of a folder.
func CheckKey(key string) error {
	if key == "" || len(key) > maxKey {
		return fmt.Errorf("store: a key has 1 to %d characters, this one has %d", maxKey, len(key))
	}
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part[0] == '.' || !plain(part) {
			return fmt.Errorf("store: invalid key %q", key)
		}
	}
	return nil
}

// plain reports whether a part is of the alphabet.
func plain(part string) bool {
	for _, c := range []byte(part) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// checkPrefix returns an error for an invalid prefix of List.
func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	whole, ok := strings.CutSuffix(prefix, "/")
	if !ok {
		return fmt.Errorf("store: the prefix %q does not end in a slash", prefix)
	}
	return CheckKey(whole)
}

// typeOf is the content type by the extension of a key; empty if unknown.
func typeOf(key string) string {
	switch path.Ext(key) {
	case ".jpg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".pdf":
		return "application/pdf"
	}
	return ""
}

// CheckName returns an error for an invalid download name: it must be a name and not a path, and fit a header.
func CheckName(name string) error {
	if len(name) > 255 || strings.ContainsAny(name, "/\\\"\r\n\x00") {
		return fmt.Errorf("store: invalid file name %q", name)
	}
	return nil
}
