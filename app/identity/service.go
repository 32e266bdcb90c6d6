package identity

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/mail"
	"foyer/app/pg"
)

// Options are the dependencies and settings of the service.
type Options struct {
	DB *pg.DB
	// Pepper is the server's secret behind the mailed codes, at least MinPepper bytes. Changing it invalidates codes
	// in transit and nothing else.
	Pepper []byte
	Mail   mail.Sender
	// CodeMail renders the mail with a code, in the person's language.
	CodeMail func(Code) mail.Message
	// Studio returns the sender of a mail with a code requested on a location's pages; nil: all codes come from the
	// product. Its error is not found for a location that no longer exists.
	Studio func(context.Context, Location) (Studio, error)
	Limits Limits // zero fields take the defaults
}

// MinPepper is the minimum length of a pepper in bytes.
const MinPepper = 32

// Limits bound requests for codes and guesses. A217.
type Limits struct {
	PerAddress int           // codes requested per address, source (Origin) and window: 10
	PerVisitor int           // codes requested per visitor and window: 100
	Window     time.Duration // 15 minutes
	WrongADay  int           // wrong codes per address, source and UTC day: 50
}

func (l Limits) withDefaults() Limits {
	return Limits{
		PerAddress: cmp.Or(l.PerAddress, 10), PerVisitor: cmp.Or(l.PerVisitor, 100),
		Window: cmp.Or(l.Window, 15*time.Minute), WrongADay: cmp.Or(l.WrongADay, 50),
	}
}

// Service has the operations of the package. It is safe for concurrent use.
type Service struct {
	db       *pg.DB
	pepper   []byte
	seal     Seal
	mail     mail.Sender
	codeMail func(Code) mail.Message
	studio   func(context.Context, Location) (Studio, error)
	limits   Limits
}

// New returns a Service. It panics when Options are incomplete, as that is a programming error.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.CodeMail == nil || len(o.Pepper) < MinPepper {
		panic("identity: DB, Mail, CodeMail and a Pepper of at least 32 bytes are needed")
	}
	return &Service{
		db: o.DB, pepper: o.Pepper, seal: NewSeal(o.Pepper), mail: o.Mail, codeMail: o.CodeMail, studio: o.Studio,
		limits: o.Limits.withDefaults(),
	}
}

// noBusiness is the tenant of this package's transactions: none.
var noBusiness = uuid.Nil
