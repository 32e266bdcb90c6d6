package mediatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Told returns the metadata of the pictures in a folder: the tags of each file by its name, as exiftool calls them
// ("GPS:GPSLatitude"), sorted. exiftool finds every place of metadata written by cameras and programs, reads beyond
// the end of a picture, and reports unknown data too. A file that it cannot read has "ExifTool:Error".
func Told(t testing.TB, dir string) map[string][]string {
	t.Helper()
	var list []map[string]any
	if err := json.Unmarshal(exiftool(t, "-q", "-q", "-json", "-G1", "-a", "-u", "-ee", "-n", "-ext", "*", dir), &list); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, tags := range list {
		told := []string{}
		for tag := range tags {
			if !strings.HasPrefix(tag, "System:") && !slices.Contains(structural, tag) { // of those the folder says the first
				told = append(told, tag)
			}
		}
		slices.Sort(told)
		out[filepath.Base(fmt.Sprint(tags["SourceFile"]))] = told
	}
	return out
}

// structural are the tags of a picture with nothing but its pixels.
var structural = []string{
	"SourceFile", "ExifTool:ExifToolVersion",
	"File:FileType", "File:FileTypeExtension", "File:MIMEType", "File:ImageWidth", "File:ImageHeight", "File:EncodingProcess", "File:BitsPerSample",
	"File:ColorComponents", "File:YCbCrSubSampling", "Composite:ImageSize", "Composite:Megapixels",
	"RIFF:ImageWidth", "RIFF:ImageHeight", "RIFF:VP8Version", "RIFF:HorizontalScale", "RIFF:VerticalScale", "RIFF:WebP_Flags", "RIFF:AlphaPreprocessing",
	"RIFF:AlphaFiltering", "RIFF:AlphaCompression", "RIFF:AlphaIsUsed",
}

// Tell writes metadata into the pictures of a folder: the photographer, the place, the time and the camera, as far as
// the format of each can hold them.
func Tell(t testing.TB, dir string) {
	t.Helper()
	exiftool(t, "-q", "-q", "-m", "-overwrite_original", "-n", "-ext", "*", "-Make=Maker", "-Model=Phone 9", "-SerialNumber=4711", "-Artist=Jane Roe",
		"-DateTimeOriginal=2024:05:06 07:08:09", "-UserComment=my secret", "-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-GPSLongitude=13.4", "-GPSLongitudeRef=E",
		"-GPSAltitude=34", "-XMP-dc:Creator=Jane Roe", "-XMP-exif:GPSLatitude=52.5", "-IPTC:City=Berlin", "-IPTC:By-line=Jane Roe", "-Comment=my secret comment", dir)
}

// exiftool runs it; tools/setup.sh installs it.
func exiftool(t testing.TB, args ...string) []byte {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "exiftool", args...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("exiftool (tools/setup.sh exiftool installs it): %v: %s", err, said.Bytes())
	}
	return out
}
