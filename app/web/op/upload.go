package op

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/tenancy"
)

// UploadPath begins the addresses of uploads. The rest of an address is its token.
const UploadPath = "/upload/"

// UploadLife is the lifetime of the address of an upload.
const UploadLife = 10 * time.Minute

// Upload is a call of an operation that lacks only its file. Its token is the right to add the file and make the call,
// as the caller who prepared it: what the caller may do is checked again then.
type Upload struct {
	Operation string
	Business  uuid.UUID
	Values    []string        // of the parameters of the path, but for that of the business
	Body      json.RawMessage // the parts beside the file
	Bearer    string
	Surface   tenancy.Surface
	Pin       uuid.UUID
	ExpiresAt time.Time // in whole seconds

	// What follows from the above is not in the token.

	Key      string    // the Idempotency-Key: two uploads with one address are one
	Path     string    // of the call
	Location uuid.UUID // of the path, or the pin; uuid.Nil: none
	Method   string
	File     FilePart
}

// ErrUploaded refuses a second file at the address of an upload. The same file gets the first answer again.
var ErrUploaded = fault.New(fault.Conflict, "upload_link_used",
	"Another file was uploaded with this link. Create a new link.")

// Uploads makes and reads the tokens of uploads. A token is the upload itself, encrypted: there is no table. The
// address of an upload can be read by others, such as a chat, and the credential in it must not be.
type Uploads struct {
	aead  cipher.AEAD
	clock clock.Clock
}

// NewUploads derives the key from the secret of the deployment.
func NewUploads(secret []byte, c clock.Clock) *Uploads {
	block, err := aes.NewCipher(Derive(secret, "upload"))
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return &Uploads{aead, c}
}

// uploadMost bounds the parts of an upload beside the file: its address has to fit into the head of a request.
const uploadMost = 4 << 10

// seal returns the token of an upload. It is as short as it can be: an assistant has to repeat it to a person, letter
// by letter.
func (u *Uploads) seal(up Upload) (string, error) {
	text := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	plain := append(up.Business[:], up.Pin[:]...)
	plain = binary.AppendUvarint(plain, uint64(up.ExpiresAt.Unix()))
	for _, s := range []string{up.Operation, string(up.Surface), up.Bearer, string(up.Body)} {
		plain = text(plain, s)
	}
	for _, v := range up.Values {
		if id, err := uuid.Parse(v); err == nil && isUUID(v) && id.String() == v {
			plain = append(append(plain, 0), id[:]...) // no value is empty: 0 marks an id
			continue
		}
		plain = text(plain, v)
	}
	nonce := make([]byte, u.aead.NonceSize(), u.aead.NonceSize()+len(plain)+u.aead.Overhead())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(u.aead.Seal(nonce, nonce, plain, nil)), nil
}

// open reads a token; false for one that this deployment did not make, and for one that has expired.
func (u *Uploads) open(token string) (up Upload, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) < u.aead.NonceSize() {
		return up, false
	}
	nonce := raw[:u.aead.NonceSize()]
	plain, err := u.aead.Open(nil, nonce, raw[len(nonce):], nil)
	if err != nil {
		return up, false
	}
	r := bytes.NewReader(plain) // what was sealed is well-formed
	number := func() uint64 {
		n, err := binary.ReadUvarint(r)
		ok = ok && err == nil
		return n
	}
	take := func(n uint64) []byte {
		b := make([]byte, min(n, uint64(r.Len())))
		_, err := io.ReadFull(r, b)
		ok = ok && err == nil && uint64(len(b)) == n
		return b
	}
	ok = true
	copy(up.Business[:], take(16))
	copy(up.Pin[:], take(16))
	up.ExpiresAt = time.Unix(int64(number()), 0).UTC()
	up.Operation, up.Surface = string(take(number())), tenancy.Surface(take(number()))
	up.Bearer, up.Body = string(take(number())), take(number())
	for ok && r.Len() > 0 {
		if n := number(); n > 0 {
			up.Values = append(up.Values, string(take(n)))
		} else {
			var id uuid.UUID
			copy(id[:], take(16))
			up.Values = append(up.Values, id.String())
		}
	}
	up.Key = base64.RawURLEncoding.EncodeToString(nonce)
	return up, ok && u.clock.Now().Before(up.ExpiresAt)
}

// Part is a parameter of the path of an operation, or a part of its form beside the file. A list is several parts of
// one name; booleans are the words true and false.
type Part struct{ Name, Value string }

// uploadable reports whether the operation can be prepared: it takes a file, and is of people who run a business.
func (d *declared) uploadable() bool { return d.File != nil && d.Access.gated() }

// Uploadable returns the operations that PrepareUpload accepts, in order of declaration.
func (r *Registry) Uploadable() (out []Spec) {
	for _, d := range r.declared {
		if d.uploadable() {
			out = append(out, d.Spec)
		}
	}
	return out
}

// UploadParts returns the names of the parts that an upload of the operation may have, without the parameter of the
// business, which is that of the call.
func (r *Registry) UploadParts(operation string) (path, body []string) {
	for _, d := range r.declared {
		if d.ID != operation {
			continue
		}
		for _, seg := range segments(d.Path) {
			if name, ok := paramName(seg); ok && !d.ofBusiness(name) {
				path = append(path, name)
			}
		}
		for _, name := range sortedKeys(r.resolved(d.body).Properties) {
			if s := r.resolved(r.resolved(d.body).Properties[name]); !d.inJSONOnly(s) {
				body = append(body, name)
			}
		}
	}
	return path, body
}

// ofBusiness reports whether a path parameter names the business itself.
func (d *declared) ofBusiness(name string) bool {
	return d.Target.kind == KindBusiness && d.Target.param == name
}

// inJSONOnly reports whether a form cannot carry a member: a list of objects.
func (d *declared) inJSONOnly(s *huma.Schema) bool {
	if s == nil || s.Type != huma.TypeArray {
		return false
	}
	items := d.registry.resolved(s.Items)
	return items != nil && items.Type == huma.TypeObject
}

// PrepareUpload prepares a call of an operation with a file, for the caller of the call of ctx. It refuses what the
// operation would refuse before it reads the file, and returns the token of the upload. Errors:
//
//   - a validation error on operation, or on fields: the parts
//   - a not found error for a record that is unknown, or of another business than that of the call
//   - ErrFeatureMissing, ErrKeyRefused and ErrOtherLocation
func (r *Registry) PrepareUpload(ctx context.Context, operation string, parts []Part) (Upload, string, error) {
	call := callFrom(ctx)
	i := slices.IndexFunc(r.declared, func(d *declared) bool { return d.ID == operation && d.uploadable() })
	if i < 0 {
		return Upload{}, "", fault.Invalid("operation", "is not an operation that takes a file")
	}
	d := r.declared[i]
	up := Upload{
		Operation: d.ID, Business: call.scope.Tenant, Bearer: call.caller.Bearer, Surface: call.caller.Surface,
		Pin: call.caller.Pin, ExpiresAt: r.uploads.clock.Now().Add(UploadLife).Truncate(time.Second),
	}
	var err error
	var rest map[string][]string
	if up.Values, rest, err = d.uploadValues(call.scope.Tenant, parts); err != nil {
		return up, "", err
	}
	d.complete(&up)
	_, p, _ := r.tree.find(d.Method, up.Path)
	sc, err := r.enter(call, d, &p, nil)
	if err == nil && sc.Tenant != up.Business {
		err = fault.Missing()
	}
	if err != nil {
		return up, "", misplaced(err)
	}
	if up.Body, err = d.uploadBody(rest); err != nil {
		return up, "", err
	}
	token, err := r.uploads.seal(up)
	return up, token, err
}

// complete fills in what follows from the operation.
func (d *declared) complete(up *Upload) {
	up.Method, up.File, up.Path, up.Location = d.Method, *d.File, "", up.Pin
	values := up.Values
	for _, seg := range segments(d.Path) {
		name, ok := paramName(seg)
		value := seg
		switch {
		case ok && d.ofBusiness(name):
			value = up.Business.String()
		case ok && len(values) > 0:
			value, values = values[0], values[1:]
			if id, err := uuid.Parse(value); err == nil && d.Target == InLocation(name) {
				up.Location = id
			}
		}
		up.Path += "/" + url.PathEscape(value)
	}
}

// misplaced returns a refusal of a parameter of a prepared path as one of its part.
func misplaced(err error) error {
	if f := fault.From(err); f != nil && f.Kind == fault.Validation {
		return inParts(f.Fields)
	}
	return err
}

// inParts returns errors of the fields of an operation as errors of the parts of its upload.
func inParts(fields []fault.Field) *fault.Error {
	f := *ErrInvalid
	for _, wrong := range fields {
		f.Fields = append(f.Fields, fault.Field{Field: "fields", Message: subject(wrong.Field, wrong.Message) +
			wrong.Message})
	}
	return &f
}

// uploadValues returns the values of the parameters of the path, but for that of the business, and the other parts.
func (d *declared) uploadValues(tenant uuid.UUID, parts []Part) (values []string, rest map[string][]string, err error) {
	rest = map[string][]string{}
	for _, part := range parts {
		if !storable(part.Name) || !storable(part.Value) {
			return nil, nil, fault.Invalid("fields", "is not valid text")
		}
		rest[part.Name] = append(rest[part.Name], part.Value)
	}
	for _, seg := range segments(d.Path) {
		name, ok := paramName(seg)
		if !ok {
			continue
		}
		given := rest[name]
		delete(rest, name)
		wrong := ""
		switch {
		case d.ofBusiness(name) && len(given) == 0:
			continue
		case d.ofBusiness(name) && given[0] != tenant.String():
			return nil, nil, fault.Missing()
		case len(given) == 0:
			wrong = "is missing"
		case len(given) > 1:
			wrong = "appears more than once"
		case given[0] == "", slices.Contains(d.input.ids, name) && !isUUID(given[0]):
			wrong = notID
		}
		if wrong != "" {
			return nil, nil, inParts([]fault.Field{{Field: name, Message: wrong}})
		}
		if !d.ofBusiness(name) {
			values = append(values, given[0])
		}
	}
	return values, rest, nil
}

// uploadBody returns the parts of a form as JSON, checked as the operation checks its body.
func (d *declared) uploadBody(parts map[string][]string) (json.RawMessage, error) {
	members, err := d.members(parts)
	if err != nil {
		return nil, misplaced(err)
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	if len(raw) > uploadMost {
		return nil, fault.Invalid("fields", "have more than 4,000 characters: set the others after the upload")
	}
	if err := refuseHazards(raw, d); err != nil {
		return nil, misplaced(err)
	}
	var plain any // as the schema is checked against: without json.RawMessage
	if err := json.Unmarshal(raw, &plain); err != nil {
		return nil, err
	}
	var found huma.ValidateResult
	huma.Validate(d.registry.api.OpenAPI().Components.Schemas, d.registry.resolved(d.body),
		huma.NewPathBuffer([]byte("body"), len("body")), huma.ModeWriteToServer, plain, &found)
	var wrong []fault.Field
	for _, err := range found.Errors {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) {
			wrong = append(wrong, d.unfit(detail)...)
		}
	}
	if len(wrong) > 0 {
		return nil, inParts(wrong)
	}
	return raw, nil
}

// Upload returns the upload of a token; false for a token that is unknown, changed or expired, and for one of an
// operation that the program no longer has.
func (r *Registry) Upload(token string) (Upload, bool) {
	up, ok := r.uploads.open(token)
	i := slices.IndexFunc(r.declared, func(d *declared) bool { return d.ID == up.Operation && d.uploadable() })
	if !ok || i < 0 {
		return Upload{}, false
	}
	r.declared[i].complete(&up)
	return up, true
}

// Call returns the caller and the request of an upload with its file.
func (up *Upload) Call(ctx context.Context, visitor string, f File) (*Insider, Sent) {
	in := &Insider{Context: ctx, Bearer: up.Bearer, Visitor: visitor, Surface: up.Surface, Pin: up.Pin}
	return in, Sent{Method: up.Method, Target: up.Path, Body: up.Body, Key: up.Key, File: &f}
}

// UploadMost returns the maximum size of the file at an address, in bytes; 0 if it is no valid address of an upload.
func (r *Registry) UploadMost(method, path string) int {
	token, ok := strings.CutPrefix(path, UploadPath)
	if !ok || method != http.MethodPost && method != http.MethodPut {
		return 0
	}
	up, ok := r.Upload(token)
	if !ok {
		return 0
	}
	return up.File.Most
}
