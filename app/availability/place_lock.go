//go:build !nolock

package availability

// keepForMe ends the statements with which whoever places something begins: nobody else places anything with the same
// people and spaces until the transaction ends. It waits for nobody who only refers to them.
const keepForMe = ` for no key update`
