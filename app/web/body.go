package web

import (
	"bytes"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
)

const (
	jsonType = "application/json"
	formType = "multipart/form-data"
)

// checkText refuses identifiers that are none, and text that Postgres could not store, in the parts of path, query and
// headers that the operation takes. One that does not list 400 answers 404 for these: see settle. A20.
func checkText(x *exchange, d *declared) error {
	for _, name := range d.input.ids {
		if !isUUID(x.params.get(name)) {
			return fault.Invalid("path."+name, "is not a UUID")
		}
	}
	for i, name := range x.params.names {
		if !storable(x.params.values[i]) {
			return fault.Invalid("path."+name, "is not valid text")
		}
	}
	for _, name := range d.input.queries {
		for _, v := range x.c.Context().QueryArgs().PeekMulti(name) {
			if !storableBytes(v) {
				return fault.Invalid("query."+name, "is not valid text")
			}
		}
	}
	for _, name := range d.input.headers {
		if !storableBytes(x.c.Request().Header.Peek(name)) {
			return fault.Invalid("header."+name, "is not valid text")
		}
	}
	return nil
}

// storable tells whether Postgres can keep a text: valid UTF-8 without NUL.
func storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

func storableBytes(text []byte) bool { return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 }

// isUUID tells whether s is a UUID as the product writes it: 36 characters with hyphens. uuid.Validate takes other forms.
func isUUID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

// readBody puts the checked body where huma reads it. An operation without a body ignores one.
func readBody(x *exchange, d *declared) error {
	if d.input.body == nil {
		return nil
	}
	raw := x.c.Request().Body()
	if limit := d.bodyLimit(); int64(len(raw)) > limit {
		return tooLarge(limit)
	}
	if enc := x.c.Request().Header.ContentEncoding(); len(enc) > 0 && string(enc) != "identity" {
		return fault.Invalid("header.Content-Encoding", "send the body as it is")
	}
	contentType := x.c.Request().Header.ContentType()
	if d.Upload != nil && bytes.HasPrefix(contentType, []byte(formType)) {
		return readForm(x, d, raw, string(contentType))
	}
	switch {
	case d.Upload != nil && d.Upload.Required:
		return fault.Invalid("header.Content-Type", "send "+formType+" with one file")
	case int64(len(raw)) > d.MaxBody:
		return tooLarge(d.MaxBody)
	case len(raw) == 0 && d.input.optional:
		return nil
	case len(raw) == 0:
		return fault.Invalid("body", "a JSON body is required")
	case !isJSONType(contentType):
		return fault.Invalid("header.Content-Type", "send "+jsonType)
	}
	if err := strictJSON(raw); err != nil {
		return err
	}
	if err := refuseNulls(raw, d.input.body); err != nil {
		return err
	}
	x.body = raw
	return nil
}

func tooLarge(limit int64) error {
	return fault.Invalid("body", "is larger than "+strconv.FormatInt(limit, 10)+" bytes")
}

// isJSONType takes application/json, with no other charset than UTF-8.
func isJSONType(contentType []byte) bool {
	if string(contentType) == jsonType {
		return true
	}
	media, params, err := mime.ParseMediaType(string(contentType))
	if err != nil || media != jsonType {
		return false
	}
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

// bearer is the token of the Authorization header. present is true for any Authorization header; a token is "" when it is
// of another scheme, or when the header came twice and names two callers.
func bearer(c *fiber.Ctx) (token string, present bool) {
	all := c.Request().Header.PeekAll(fiber.HeaderAuthorization)
	if len(all) == 0 {
		return "", false
	}
	const scheme = "bearer "
	v := all[0]
	if len(all) > 1 || len(v) <= len(scheme) || len(v) > maxToken || !bytes.EqualFold(v[:len(scheme)], []byte(scheme)) {
		return "", true
	}
	return string(bytes.TrimSpace(v[len(scheme):])), true
}

// maxToken bounds the Authorization header, far above any token of ours.
const maxToken = 512
