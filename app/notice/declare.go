package notice

import "foyer/app/declare"

// Declare declares this package's part of the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/notice",
		Tables: []declare.Table{
			{
				Name: "booking_reminders", Life: declare.Swept(8*declare.Day+14*declare.Day, "true"),
				Readers: []string{"app/sales"},
			},
			{
				Name: "failed_mails", Life: declare.Swept(31*declare.Day, "true"), Record: "Undelivered e-mail",
				Readers: []string{"app/agenda"},
			},
		},
	}
}
