package agree

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/hosted/kit"
	"foyer/app/view"
	"foyer/app/web/op"
)

// inPlace is the parameter of a copy's address that shows a PDF inline; without it the file is saved.
const inPlace = "inline"

// wordPages are the texts of agreements, public to every visitor with their address.
func (h *site) wordPages() { h.Get("/agreements/:business/:copy", h.readAgreement) }

// readAgreement shows one copy: the text on a page of the studio, in the language that the address names, a PDF as a
// file. A159.
func (h *site) readAgreement(c *fiber.Ctx) error {
	business, err := uuid.Parse(c.Params("business"))
	id, err2 := uuid.Parse(c.Params("copy"))
	if err != nil || err2 != nil {
		return fault.Missing()
	}
	said, err := h.Agreement.Read(c.UserContext(), business, id)
	if err != nil {
		return err
	}
	if said.Kind == agreement.KindPDF {
		return h.sendPDF(c, said)
	}
	p, err := h.PageIn(c, kit.Location{Tenant: business, Location: said.LocationID})
	if err != nil {
		return err
	}
	return kit.Show(c, p.Shell, view.AgreementPage(p.Shell, view.Agreement{Name: said.Name, Words: view.CopyWords(said.Copy.In(c.Query(agreement.WordsIn)))}))
}

// sendPDF sends the file of a copy: either as a download, sandboxed so that a browser runs nothing of it, or for the
// browser's own viewer, which does not work in a sandbox. Pages of ours show it, and in the booking frame pages
// around ours. security.md 28.
func (h *site) sendPDF(c *fiber.Ctx, said agreement.Words) error {
	file, err := h.Agreement.File(c.UserContext(), said.Copy)
	if err != nil {
		return err
	}
	how, policy := op.Download(said.Name+".pdf", nil).Disposition, "default-src 'none'; sandbox"
	if c.Query(inPlace) != "" {
		how, policy = "inline"+strings.TrimPrefix(how, "attachment"), view.PolicyOfPDF(kit.Embedded(c))
	}
	c.Set(fiber.HeaderContentType, "application/pdf")
	c.Set(fiber.HeaderContentDisposition, how)
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	return c.Send(file)
}

// pdfOf is the file of a copy for pages of the shell; nil for a text.
func pdfOf(sh view.Shell, business uuid.UUID, k agreement.Copy) *view.PDF {
	if k.Kind != agreement.KindPDF {
		return nil
	}
	at := agreement.Path(business, k.ID)
	return &view.PDF{Show: framedFile(sh, openAt(business, k.ID, k.Kind)), Save: at, Pages: k.PageCount}
}

// framedFile is the address of a file that a page shows inline: in the booking frame it says so, as there are pages
// around it.
func framedFile(sh view.Shell, to string) string {
	if !sh.Embed {
		return to
	}
	return to + "&" + view.FieldEmbed + "=1"
}

// OpenIn returns the address of a copy in a language; empty is the copy's own language.
func OpenIn(business, copy uuid.UUID, kind agreement.Kind, language string) string {
	if kind == agreement.KindPDF {
		return openAt(business, copy, kind)
	}
	return agreement.PathIn(business, copy, language)
}

// openAt is the address of a copy.
func openAt(business, copy uuid.UUID, kind agreement.Kind) string {
	at := agreement.Path(business, copy)
	if kind == agreement.KindPDF {
		at += "?" + inPlace + "=1"
	}
	return at
}
