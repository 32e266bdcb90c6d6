package upload

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"foyer/app/view"
)

// Form is the page with the field "file".
type Form struct {
	Action   string
	Business string
	Photo    bool // else a PDF
	Types    []string
	MB       int
	Until    time.Time // when the link expires
	Trouble  *view.Trouble
}

func (v Form) title(w view.Words) string {
	if v.Photo {
		return w.T("Upload a photo")
	}
	return w.T("Upload a PDF")
}

func (v Form) label(w view.Words) string {
	if v.Photo {
		return w.T("Photo")
	}
	return w.T("PDF file")
}

// hint says which files are accepted.
func (v Form) hint(w view.Words) string {
	if v.Photo {
		return w.T("JPEG, PNG, GIF or WebP, up to {n} MB.", "n", v.MB)
	}
	return w.T("Up to {n} MB.", "n", v.MB)
}

// wrong is the error of any other file.
func (v Form) wrong(w view.Words) string {
	if v.Photo {
		return w.T("This file cannot be used. Choose a JPEG, PNG, GIF or WebP photo of up to {n} MB.", "n", v.MB)
	}
	return w.T("This file cannot be used. Choose a PDF of up to {n} MB.", "n", v.MB)
}

func (v Form) field(w view.Words) view.Labelled {
	return view.Labelled{ID: "file", Label: v.label(w), Hint: v.hint(w), Wrong: v.Trouble.About("file")}
}

func (v Form) attributes(w view.Words) templ.Attributes {
	a := templ.Attributes{
		"type": "file", "id": "file", "name": "file", "accept": strings.Join(v.Types, ","), "required": true,
	}
	v.field(w).Describe(a)
	return a
}

// Done is the page after an upload.
type Done struct {
	Business string
	Photo    bool
}

func (v Done) title(w view.Words) string {
	if v.Photo {
		return w.T("The photo is uploaded")
	}
	return w.T("The PDF is uploaded")
}
