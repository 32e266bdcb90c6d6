package main

import "foyer/app/api"

type openapiCommand struct{}

// Run prints the API's description. It needs no database: the operations are declared, not called.
func (openapiCommand) Run(p *program) error {
	doc, err := api.Document(api.DocumentURL)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(doc)
	return err
}
