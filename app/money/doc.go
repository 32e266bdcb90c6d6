// Package money implements the arithmetic of amounts and the table of currencies.
//
// An amount is an int64 in minor units of its currency (2200 USD = $22.00, A17); the exponent is ISO's. A rate is an
// int64 in parts per million, or an exact fraction. There are no floats. Every rounding happens in one of three
// places: RoundHalfUp (a figure), FloorDiv (a share that must not exceed), Alloc (one figure spread over lines).
//
// Amounts and rates that reach this package were validated before: a negative amount or a product that does not fit
// in 64 bits is a fault of the program, and the functions panic rather than return a wrong sum.
package money
