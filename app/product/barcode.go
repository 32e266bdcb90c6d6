package product

import (
	"slices"
	"strings"
)

// BarcodeKind is the symbology in which a barcode is printed.
type BarcodeKind string

// The kinds.
const (
	EAN13   BarcodeKind = "ean_13"
	UPCA    BarcodeKind = "upc_a"
	EAN8    BarcodeKind = "ean_8"
	Code128 BarcodeKind = "code_128" // any other text
)

// All lists them.
func (BarcodeKind) All() []BarcodeKind { return []BarcodeKind{EAN13, UPCA, EAN8, Code128} }

// Valid reports whether k is one of the kinds.
func (k BarcodeKind) Valid() bool { return slices.Contains(k.All(), k) }

// BarcodeMax is the maximum length of a barcode.
const BarcodeMax = 80

// barcodeKind returns the kind of a barcode: by its number of digits, or Code128 for any other text in printable
// ASCII. ok is false for a wrong check digit, and for text that no barcode has.
func barcodeKind(code string) (k BarcodeKind, ok bool) {
	if strings.Trim(code, "0123456789") != "" {
		other := strings.ContainsFunc(code, func(r rune) bool { return r < ' ' || r > '~' })
		return Code128, !other && len(code) <= BarcodeMax
	}
	switch len(code) {
	case 13:
		k = EAN13
	case 12:
		k = UPCA
	case 8:
		k = EAN8
	default:
		return Code128, code != "" && len(code) <= BarcodeMax
	}
	return k, checkDigit(code[:len(code)-1]) == code[len(code)-1]
}

// checkDigit returns the check digit of a GS1 number: from the right, every other digit counts three times.
func checkDigit(digits string) byte {
	sum, weight := 0, 3
	for i := len(digits) - 1; i >= 0; i-- {
		sum += int(digits[i]-'0') * weight
		weight = 4 - weight
	}
	return byte('0' + (10-sum%10)%10)
}
