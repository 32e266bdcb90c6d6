package identity

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/mail"
	"foyer/app/pg"
)

// Options are what the service needs.
type Options struct {
	DB *pg.DB
	// Pepper is the server's secret behind the mailed codes, at least MinPepper bytes. Changing it makes codes on their way
	// useless and nothing else.
	Pepper []byte
	Mail   mail.Sender
	// CodeMail writes the mail that carries a code, in the person's language.
	CodeMail func(Code) mail.Message
	// Studio reads whom a mail comes from whose code was asked for on a location's pages; nil: all codes come from the product. Not found
	// for a location that is not there any more.
	Studio func(context.Context, Location) (Studio, error)
	Limits Limits // zero members take the defaults
}

// MinPepper is the least length of a pepper in bytes.
const MinPepper = 32

// Limits bound how often a code is asked for and guessed. A217.
type Limits struct {
	PerAddress int           // codes asked for per address, source (Asker) and window: 10
	PerVisitor int           // codes asked for per visitor and window: 100
	Window     time.Duration // 15 minutes
	WrongADay  int           // wrong codes per address, source and UTC day: 50
}

func (l Limits) withDefaults() Limits {
	return Limits{
		PerAddress: cmp.Or(l.PerAddress, 10), PerVisitor: cmp.Or(l.PerVisitor, 100),
		Window: cmp.Or(l.Window, 15*time.Minute), WrongADay: cmp.Or(l.WrongADay, 50),
	}
}

// Service holds the verbs of the package. It is safe for concurrent use.
type Service struct {
	db       *pg.DB
	pepper   []byte
	seal     Seal
	mail     mail.Sender
	codeMail func(Code) mail.Message
	studio   func(context.Context, Location) (Studio, error)
	limits   Limits
}

// New makes the service. It panics when Options are incomplete: that is a mistake to find at start.
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
