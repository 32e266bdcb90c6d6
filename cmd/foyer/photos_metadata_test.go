package main

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foyer/media/mediatest"
)

// TestA204_NoVariantTellsAnything: exiftool finds in no variant more than its pixels. One photo of each supported
// file type, and one with every width, are filled with all possible metadata, uploaded, and read as served to the
// public.
func TestA204_NoVariantTellsAnything(t *testing.T) {
	sources := tellingPhotos(t)
	u := photosServer(t)
	answers := u.send(len(sources), func(n int) []byte { return fileOf(t, sources[n]) })
	shown, sizes := t.TempDir(), map[string]bool{}
	for n, a := range answers {
		if a.status != http.StatusCreated {
			t.Fatalf("%s: %d %s", sources[n], a.status, a.body)
		}
		for _, address := range u.waitFor(a) {
			got := u.call(http.MethodGet, strings.TrimPrefix(address, u.server.base), "", nil)
			size := filepath.Base(address)
			err := os.WriteFile(filepath.Join(shown, filepath.Base(sources[n])+"-"+size), []byte(got.body), 0o600)
			if err != nil || got.status != http.StatusOK {
				t.Fatalf("%s: %d, %v", address, got.status, err)
			}
			sizes[size] = true
		}
	}
	for _, width := range []int{160, 320, 640, 1280, 1920} {
		if !sizes[strconv.Itoa(width)+".jpg"] || !sizes[strconv.Itoa(width)+".webp"] {
			t.Errorf("no photo of this test has the width %d: %v", width, slices.Sorted(maps.Keys(sizes)))
		}
	}
	variants := mediatest.Told(t, shown)
	if len(variants) < 2*len(sources) {
		t.Errorf("exiftool has read %d variants of %d photos", len(variants), len(sources))
	}
	for file, told := range variants {
		if len(told) > 0 {
			t.Errorf("%s tells %q", file, told)
		}
	}
}

// tellingPhotos are photos with the name of the photographer, and some with much more metadata.
func tellingPhotos(t *testing.T) (files []string) {
	t.Helper()
	dir := t.TempDir()
	keep := func(name string, data []byte) {
		t.Helper()
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(files[len(files)-1], data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep("every-width.jpg", photoOf(t, 1920, 1440))
	for _, ending := range []string{"jpg", "png", "gif", "webp"} {
		found, err := filepath.Glob("../../media/picture/testdata/*." + ending)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", ending, found, err)
		}
		for _, file := range found {
			if filepath.Base(file) != "arithmetic.jpg" { // which is refused
				keep(filepath.Base(file), fileOf(t, file))
			}
		}
	}
	mediatest.Tell(t, dir)
	var all []string
	for file, told := range mediatest.Told(t, dir) {
		if !slices.Contains(told, "XMP-dc:Creator") {
			t.Errorf("%s tells %q by itself, and not who took it", file, told)
		}
		all = append(all, told...)
	}
	for _, tag := range []string{
		"IFD0:Artist", "IFD1:ThumbnailImage", "ExifIFD:DateTimeOriginal", "GPS:GPSLatitude", "IPTC:City", "XMP-dc:Creator", "ICC_Profile:ProfileDescription",
		"File:Comment", "PNG:Comment", "JFIF:JFIFVersion",
	} {
		if !slices.Contains(all, tag) {
			t.Errorf("no photo of this test has %s", tag)
		}
	}
	return files
}

func fileOf(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
