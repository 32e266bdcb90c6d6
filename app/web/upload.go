package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"foyer/app/fault"
)

// File is the file of an upload. Type is what the client says; look at the bytes before believing it.
type File struct {
	Field string
	Name  string // last element of the client's file name, or ""
	Type  string
	Bytes []byte
}

// FileOf is the file that came with a request to an operation with Spec.Upload.
func FileOf(ctx context.Context) (File, bool) {
	x := callFrom(ctx)
	if x == nil || x.file == nil {
		return File{}, false
	}
	return *x.file, true
}

// maxParts bounds the parts of a form.
const maxParts = 64

// readForm turns a multipart form into the JSON body that the same fields would make, so that both go through one closed
// schema, and keeps the file beside it.
func readForm(x *exchange, d *declared, raw []byte, contentType string) error {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return fault.Invalid("header.Content-Type", "the form has no boundary")
	}
	schema := d.bodySchema()
	fields := map[string]any{}
	form := multipart.NewReader(bytes.NewReader(raw), params["boundary"])
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || n == maxParts {
			return fault.Invalid("body", "is not a valid form of at most 64 parts")
		}
		if err := readPart(x, schema, fields, part); err != nil {
			return err
		}
	}
	if d.Upload.Required && x.call.file == nil {
		return fault.Invalid("body", "send one file")
	}
	if x.body, err = json.Marshal(fields); err != nil {
		return err
	}
	x.asJSON = true
	return nil
}

func readPart(x *exchange, schema *huma.Schema, fields map[string]any, part *multipart.Part) error {
	name := part.FormName()
	if !storable(name) || name == "" {
		return fault.Invalid("body", "has a part without a valid name")
	}
	value, err := io.ReadAll(part)
	if err != nil {
		return fault.Invalid("body", "is not a valid form")
	}
	if isFile, named := isFilePart(part); isFile {
		switch {
		case named && len(value) == 0 && part.FileName() == "":
			return nil // an empty file input of a browser
		case x.call.file != nil:
			return fault.Invalid("body."+name, "send one file only")
		}
		x.call.file = &File{Field: name, Name: part.FileName(), Type: part.Header.Get("Content-Type"), Bytes: value}
		if !storable(x.call.file.Name) {
			x.call.file.Name = ""
		}
		return nil
	}
	if !storableBytes(value) {
		return fault.Invalid("body."+name, "is not valid text")
	}
	return putField(schema, fields, name, string(value))
}

// isFilePart tells whether a part is a file: it has a filename, or a type that is not text.
func isFilePart(part *multipart.Part) (isFile, named bool) {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err == nil {
		_, named = params["filename"]
	}
	media := part.Header.Get("Content-Type")
	return named || (media != "" && !strings.HasPrefix(media, "text/") && !strings.HasPrefix(media, jsonType)), named
}

// putField adds a form field as the JSON value its schema asks for. What does not fit stays text, and the schema refuses
// it.
func putField(schema *huma.Schema, fields map[string]any, name, value string) error {
	member := schema.Properties[name]
	if member != nil && member.Type == huma.TypeArray {
		list, _ := fields[name].([]any)
		fields[name] = append(list, formValue(member.Items, value))
		return nil
	}
	if _, twice := fields[name]; twice {
		return fault.Invalid("body."+name, "appears twice")
	}
	fields[name] = formValue(member, value)
	return nil
}

func formValue(schema *huma.Schema, value string) any {
	if schema == nil {
		return value
	}
	switch schema.Type {
	case huma.TypeBoolean:
		switch value {
		case "true", "1", "on":
			return true
		case "false", "0":
			return false
		}
	case huma.TypeInteger, huma.TypeNumber:
		if v := jsontext.Value(value); v.IsValid() && v.Kind() == '0' && strings.TrimSpace(value) == value {
			return json.Number(value)
		}
	}
	return value
}

// bodySchema is the schema of the operation's JSON body.
func (d *declared) bodySchema() *huma.Schema {
	reg := d.registry.api.OpenAPI().Components.Schemas
	return reg.Schema(deref(d.input.body), false, "")
}

// documentUpload shows the form beside the JSON body: its fields closed, and the file.
func documentUpload(d *declared, op *huma.Operation) {
	body := d.bodySchema()
	form := &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Required: body.Required,
		Properties: map[string]*huma.Schema{
			"file": {Type: huma.TypeString, Format: "binary", Description: d.Upload.Doc + " The part may have any name."},
		},
	}
	for name, member := range body.Properties {
		form.Properties[name] = member
	}
	if d.Upload.Required {
		form.Required = append([]string{"file"}, body.Required...)
		delete(op.RequestBody.Content, jsonType)
	}
	op.RequestBody.Content[formType] = &huma.MediaType{Schema: form}
	op.RequestBody.Required = true
}
