package operator

import (
	"context"
	"strings"
	"time"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// UploadLink is the address for the file of one call.
type UploadLink struct {
	URL       string    `json:"url" doc:"Address for the file. It authorizes the upload, and is valid once."`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the link expires: after ten minutes."`
	Accepts   []string  `json:"accepts" doc:"Media types that are accepted, by the content of the file."`
	MaxBytes  int       `json:"maxBytes" doc:"Maximum size of the file in bytes."`
	Example   string    `json:"example" doc:"A command that uploads a file. A person can open the address in a browser instead."`
}

type uploadLinkBody struct {
	Operation string        `json:"operation" minLength:"3" maxLength:"64" doc:"Name of the operation." example:"uploadAsset"`
	Fields    []uploadField `json:"fields,omitempty" maxItems:"100" doc:"Path parameters and form fields of the operation, without the file. A list is several fields of one name."`
}

type uploadField struct {
	Name  string `json:"name" minLength:"1" maxLength:"64" example:"title"`
	Value string `json:"value" maxLength:"1000" doc:"Value as text: booleans are true and false." example:"The hall"`
}

// uploadLinks declares the link for operations with a file, which a client that speaks only JSON cannot call. It comes
// after all of these.
func (a *surface) uploadLinks() {
	declare(a, op.Spec{
		ID: "createUploadLink", Method: "POST", Path: "/businesses/{businessId}/upload-links", Tag: "catalog",
		Feature: "catalog.manage", Success: 201, NoReplay: true,
		Summary: "Create an upload link",
		Description: "Returns an address for the file of one call, for clients that cannot send files. A POST or PUT of " +
			"the file there carries out the call, with the permissions of the caller at that moment, and returns its " +
			"response. The same file again gets the same response, another one 409. Operations and their fields: " +
			a.uploadable() + ".",
	}, a.createUploadLink)
}

// uploadable lists the operations with a file and their fields.
func (a *surface) uploadable() string {
	var out []string
	for _, spec := range a.Ops.Uploadable() {
		path, body := a.Ops.UploadParts(spec.ID)
		out = append(out, "`"+spec.ID+"` ("+strings.Join(append(path, body...), ", ")+")")
	}
	return strings.Join(out, "; ")
}

func (a *surface) createUploadLink(
	ctx context.Context, _ tenancy.Scope, in *wire.Body[uploadLinkBody],
) (UploadLink, error) {
	parts := wire.Show(in.Body.Fields, func(f uploadField) op.Part { return op.Part(f) })
	up, token, err := a.Ops.PrepareUpload(ctx, in.Body.Operation, parts)
	if err != nil {
		return UploadLink{}, err
	}
	address, file := a.Base+op.UploadPath+token, "document.pdf"
	if strings.HasPrefix(up.File.Types[0], "image/") {
		file = "photo.jpg"
	}
	return UploadLink{
		URL: address, ExpiresAt: up.ExpiresAt, Accepts: up.File.Types, MaxBytes: up.File.Most,
		Example: "curl -F file=@" + file + " '" + address + "'",
	}, nil
}
