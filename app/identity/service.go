package identity

import (
	"cmp"
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
	Limits   Limits // zero members take the defaults
}

// MinPepper is the least length of a pepper in bytes.
const MinPepper = 32

// Limits bound how often a code is asked for and guessed. A217.
type Limits struct {
	PerAddress int           // codes asked for per address and window: 10
	PerVisitor int           // codes asked for per visitor and window: 100
	Window     time.Duration // 15 minutes
	WrongADay  int           // wrong codes per address and UTC day: 50
}

// Service holds the verbs of the package. It is safe for concurrent use.
type Service struct {
	o    Options
	seal Seal
}

// New makes the service. It panics when Options are incomplete: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.CodeMail == nil || len(o.Pepper) < MinPepper {
		panic("identity: DB, Mail, CodeMail and a Pepper of at least 32 bytes are needed")
	}
	o.Limits = Limits{
		PerAddress: cmp.Or(o.Limits.PerAddress, 10), PerVisitor: cmp.Or(o.Limits.PerVisitor, 100),
		Window: cmp.Or(o.Limits.Window, 15*time.Minute), WrongADay: cmp.Or(o.Limits.WrongADay, 50),
	}
	return &Service{o: o, seal: NewSeal(o.Pepper)}
}

// noBusiness is the tenant of this package's transactions: none.
var noBusiness = uuid.Nil
