package wire

import (
	"github.com/google/uuid"

	"foyer/app/order"
	"foyer/app/product"
)

// ProductOption is a property in which the variants of a product differ.
type ProductOption struct {
	Name    string   `json:"name" minLength:"1" maxLength:"40" doc:"Name of the option." example:"Colour"`
	Choices []string `json:"choices" minItems:"1" maxItems:"100" minLength:"1" maxLength:"60" doc:"Its choices, in their order." example:"[\"Blue\",\"Red\"]"`
}

// Option returns the option as a type of the domain.
func (o ProductOption) Option() product.Option { return product.Option(o) }

// ShowProductOption returns an option of a product.
func ShowProductOption(o product.Option) ProductOption { return ProductOption(o) }

// VariantOf returns what a line of a cart or a receipt sells, if that is a variant of a product.
func VariantOf(kind order.Kind, subject uuid.UUID) *uuid.UUID {
	if kind != order.Product {
		return nil
	}
	return &subject
}
