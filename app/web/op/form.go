package op

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"foyer/app/fault"
)

// FilePart declares that the body of an operation is multipart/form-data: one file, in a part "file", and each member
// of Body as a part of its own. A list is several parts of one name; booleans are the words true and false.
type FilePart struct {
	Most   int      // maximum size of the file, in bytes
	Types  []string // media types that the verb accepts, by the content of the file
	OrJSON bool     // Body is also accepted alone, as JSON or as parts without a file
	Doc    string   // description of the file in the document
}

// File is an uploaded file of a request.
type File struct {
	Name string // file name sent by the client; not validated
	Data []byte
}

// FileOf returns the file that was sent with the call of ctx. It returns nil without one, which happens only if the
// operation also accepts JSON.
func FileOf(ctx context.Context) *File {
	if x := callFrom(ctx); x != nil {
		return x.file
	}
	return nil
}

const (
	// FormType is the media type of a form with a file.
	FormType = "multipart/form-data"
	filePart = "file"
	// mostParts bounds a form, far above any of ours.
	mostParts = 200
)

// isForm reports whether a request has a multipart body.
func isForm(x *exchange) bool {
	return bytes.HasPrefix(x.c.Request().Header.ContentType(), []byte(FormType))
}

// readForm parses a multipart body: it stores the file in the call, and converts the other parts to JSON, which is
// validated like any other.
func readForm(x *exchange, d *declared) error {
	form, err := ReadForm(string(x.c.Request().Header.ContentType()), x.c.Request().Body())
	if err != nil {
		return err
	}
	if form.File == nil && !d.File.OrJSON {
		return fault.Invalid("body."+filePart, "is missing")
	}
	if err := d.take(x, form.File); err != nil {
		return err
	}
	x.c.Request().ResetBody() // a photo in memory once is enough
	members, err := d.members(form.Texts)
	if err == nil {
		x.body, err = json.Marshal(members)
	}
	return err
}

// take stores the file of a call, unless it is too large; nil is none.
func (d *declared) take(x *exchange, f *File) error {
	if f != nil && len(f.Data) > d.File.Most {
		return fault.Invalid("body."+filePart, fmt.Sprintf("has more than %d MB", d.File.Most>>20))
	}
	x.call.file = f
	return nil
}

// members returns the members of the body from the texts of a form.
func (d *declared) members(texts map[string][]string) (_ map[string]any, err error) {
	s := d.registry.resolved(d.body)
	members := make(map[string]any, len(texts))
	for name, list := range texts {
		if members[name], err = d.registry.formValue(name, list, s.Properties[name]); err != nil {
			return nil, err
		}
	}
	return members, nil
}

// formValue returns the JSON value of the parts of one name. A part that does not fit stays text, and is refused as
// such.
func (r *Registry) formValue(name string, texts []string, s *huma.Schema) (any, error) {
	s = r.resolved(s)
	if s != nil && len(s.AnyOf) > 0 {
		s = r.resolved(s.AnyOf[0])
	}
	if s != nil && s.Type == huma.TypeArray {
		list := make([]any, len(texts))
		for i, text := range texts {
			list[i], _ = r.formValue(name, []string{text}, s.Items)
		}
		return list, nil
	}
	if len(texts) > 1 {
		return nil, fault.Invalid("body."+name, "appears more than once")
	}
	text := texts[0]
	switch {
	case s == nil:
	case s.Type == huma.TypeBoolean && (text == "true" || text == "false"):
		return text == "true", nil
	case (s.Type == huma.TypeInteger || s.Type == huma.TypeNumber) && json.Valid([]byte(text)):
		return json.RawMessage(text), nil
	}
	return text, nil
}

// Form is a parsed multipart body.
type Form struct {
	File  *File // nil: no file, or an empty file field
	Texts map[string][]string
}

// ReadForm parses a multipart body with at most one file. Error: Validation, with the name of the part.
func ReadForm(contentType string, body []byte) (Form, error) {
	form := Form{Texts: map[string][]string{}}
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return form, fault.Invalid("header.Content-Type", "has no boundary parameter")
	}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) && n > 0 {
			return form, nil
		}
		if err != nil || n == mostParts || part.FormName() == "" {
			return form, fault.Invalid("body", "is not valid form data")
		}
		var data bytes.Buffer
		if part.FileName() != "" {
			data.Grow(len(body)) // most of it is the file
		}
		if _, err := data.ReadFrom(part); err != nil {
			return form, fault.Invalid("body", "ends in the middle of a part")
		}
		if err := form.take(part, data.Bytes()); err != nil {
			return form, err
		}
	}
}

// take adds one part.
func (f *Form) take(part *multipart.Part, data []byte) error {
	name := part.FormName()
	switch {
	case !storable(name):
		return fault.Invalid("body", "has a part with a name that is not valid text")
	case name == filePart && part.FileName() == "" && len(data) == 0: // nothing was chosen
		return nil
	case name == filePart || part.FileName() != "": // a file is a file, whatever its part is called (A228)
		if f.File != nil {
			return fault.Invalid("body."+name, "is one file more: send one at a time")
		}
		f.File = &File{Name: part.FileName(), Data: data}
		return nil
	case !storableBytes(data):
		return fault.Invalid("body."+name, "is not valid text")
	}
	f.Texts[name] = append(f.Texts[name], string(data))
	return nil
}

// documentFile documents the body of an operation that takes a file. The body found by huma is the JSON body.
func (d *declared) documentFile(op *huma.Operation) {
	if d.File == nil {
		return
	}
	body := d.registry.resolved(d.body)
	shown := &huma.Schema{
		Type: huma.TypeObject, Properties: maps.Clone(body.Properties), Required: slices.Clone(body.Required), AdditionalProperties: false,
	}
	shown.Properties[filePart] = &huma.Schema{Type: huma.TypeString, Format: "binary", Description: d.File.Doc}
	if !d.File.OrJSON {
		shown.Required = append(shown.Required, filePart)
		delete(op.RequestBody.Content, JSONType)
	}
	op.RequestBody.Required = true
	op.RequestBody.Content[FormType] = &huma.MediaType{Schema: shown}
}
