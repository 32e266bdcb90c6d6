package store

import (
	"fmt"
	"path"
	"strings"
)

// maxKey is far above what the product makes, and below what a folder and a bucket can hold.
const maxKey = 512

// CheckKey says what is wrong with a key: another letter than those of the package's comment, a part that is empty or begins with a
// dot, or more than 512 letters. Both stores refuse such a key before they ask anything, so that no key leads out of a folder.
func CheckKey(key string) error {
	if key == "" || len(key) > maxKey {
		return fmt.Errorf("store: a key has 1 to %d letters, this one has %d", maxKey, len(key))
	}
	for part := range strings.SplitSeq(key, "/") {
		if part == "" || part[0] == '.' || !plain(part) {
			return fmt.Errorf("store: %q is no key", key)
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

// checkPrefix says what is wrong with a prefix of List.
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

// typeOf is what the ending of a key says of its bytes; empty when it says nothing.
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

// CheckName says what is wrong with the name a file is to be saved under: it is a name and not a path, and fits a header.
func CheckName(name string) error {
	if len(name) > 255 || strings.ContainsAny(name, "/\\\"\r\n\x00") {
		return fmt.Errorf("store: %q is no name to save a file under", name)
	}
	return nil
}
