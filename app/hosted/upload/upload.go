package upload

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/web/op"
)

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the address. It is never framed: it is registered before kit.Site.Framed, which would also parse the
// form for the file.
func Register(k *kit.Site) {
	h := &site{k}
	const path = op.UploadPath + ":token"
	h.Get(path, h.prepared(h.show))
	h.App().Post(path, h.prepared(h.take))
	h.App().Put(path, h.prepared(h.take))
}

// prepared runs a handler for a valid token. The referrer of what the page links to has no address: it is a secret.
func (h *site) prepared(run func(c *fiber.Ctx, up op.Upload) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if err := h.Limiter.Allow(c.UserContext(), rateOf(c), h.Visitor(c)); err != nil {
			return err
		}
		up, ok := h.Operations.Upload(c.Params("token"))
		if !ok {
			return fault.Missing()
		}
		c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
		return run(c, up)
	}
}

func rateOf(c *fiber.Ctx) op.Rate {
	if c.Method() == fiber.MethodPost || c.Method() == fiber.MethodPut {
		return op.RateStorefrontWrite
	}
	return op.RateStorefront
}

// show is the page. Opening it changes nothing: programs that preview links open them.
func (h *site) show(c *fiber.Ctx, up op.Upload) error { return h.page(c, up, false) }

// page shows the form; wrong reports that the operation refused the file. The refusal itself is for programs.
func (h *site) page(c *fiber.Ctx, up op.Upload, wrong bool) error {
	sh, name, err := h.shell(c, up)
	if err != nil {
		return err
	}
	v := Form{
		Action: op.UploadPath + c.Params("token"), Business: name, Photo: isPhoto(up), Types: up.File.Types,
		MB: up.File.Most >> 20, Until: up.ExpiresAt,
	}
	if wrong {
		v.Trouble = kit.FieldTrouble("file", v.wrong(sh.Words))
	}
	return kit.Show(kit.Troubled(c, v.Trouble), sh, FormPage(sh, v))
}

// shell is the shell of the page, in the branding of the location of the upload, or of the first one.
func (h *site) shell(c *fiber.Ctx, up op.Upload) (sh view.Shell, name string, err error) {
	at := kit.Location{Tenant: up.Business, Location: up.Location}
	if at.Location == uuid.Nil {
		open, err := h.Locations(c, up.Business)
		if err != nil {
			return sh, "", err
		}
		if len(open) == 0 {
			return sh, "", fault.Missing()
		}
		at.Location = open[0].ID
	}
	s, err := h.StudioOf(c, at)
	if err != nil {
		return sh, "", err
	}
	sh = h.ShellOf(c, s, "")
	sh.Back, sh.Ref, sh.Mine = nil, "", "" // the page is for the team
	return sh, s.Business.Name, nil
}

func isPhoto(up op.Upload) bool {
	return slices.ContainsFunc(up.File.Types, func(t string) bool { return strings.HasPrefix(t, "image/") })
}

// take makes the call with the file of the request: the only file of a form, or the whole body.
func (h *site) take(c *fiber.Ctx, up op.Upload) error {
	f, err := fileOf(c)
	if err == nil && (f == nil || len(f.Data) == 0) {
		err = fault.Invalid("body.file", "is missing")
	}
	if err != nil {
		return h.refuse(c, up, err)
	}
	c.Request().ResetBody() // a photo in memory once is enough
	in, sent := up.Call(c.UserContext(), h.Visitor(c), *f)
	status, body := h.Inside(in, sent)
	if status >= http.StatusBadRequest && isBrowser(c) {
		return h.refuse(c, up, refusalOf(status, body))
	}
	c.Status(status)
	if !isBrowser(c) {
		c.Response().Header.SetContentType(op.JSONType)
		return c.Send(body)
	}
	sh, name, err := h.shell(c, up)
	if err != nil {
		return err
	}
	return kit.Show(c.Status(http.StatusOK), sh, DonePage(sh, Done{Business: name, Photo: isPhoto(up)}))
}

// fileOf returns the file of a request.
func fileOf(c *fiber.Ctx) (*op.File, error) {
	if strings.HasPrefix(c.Get(fiber.HeaderContentType), op.FormType) {
		return web.ParseUpload(c)
	}
	return &op.File{Data: bytes.Clone(c.Request().Body())}, nil
}

// isBrowser reports whether a person sent the form of the page.
func isBrowser(c *fiber.Ctx) bool {
	return strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMETextHTML)
}

// refuse answers a program with the envelope, and a person with the form again, or with the reason that the link is of
// no more use.
func (h *site) refuse(c *fiber.Ctx, up op.Upload, err error) error {
	f := fault.From(err)
	if f == nil {
		return err
	}
	if !isBrowser(c) {
		op.Refuse(f).Send(c)
		return nil
	}
	switch f.Kind {
	case fault.Validation:
		return h.page(c, up, true)
	case fault.Conflict, fault.Unauthorized, fault.Forbidden, fault.NotFound:
		return h.gone(c)
	}
	return err
}

// gone is the page of a link that was used for another file, or whose maker may not do this any more.
func (h *site) gone(c *fiber.Ctx) error {
	sh := h.PlatformShell(c)
	c.Status(fiber.StatusConflict)
	return kit.Show(c, sh, kit.ProblemPage(sh, kit.Problem{
		Title: sh.T("This link no longer works"), Text: sh.T("It has already been used, or has expired. Ask for a new one."),
	}))
}

// refusalOf returns the refusal of an operation from its answer.
func refusalOf(status int, body []byte) error {
	var said struct {
		Error struct {
			Code    fault.Kind `json:"code"`
			Message string     `json:"message"`
		} `json:"error"`
	}
	if status >= http.StatusInternalServerError || json.Unmarshal(body, &said) != nil {
		return op.ErrInternal
	}
	return fault.New(said.Error.Code, "", said.Error.Message)
}
