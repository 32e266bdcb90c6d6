package tenancy

import "net/netip"

// Network returns the network of a visitor's address as one customer of a provider has it, so that a visitor does not
// count as many by changing the address: /64 of IPv6, where each household has 2^64 addresses, and /24 of IPv4. wide
// is true for IPv6. Text that is not an address is its own network.
func Network(visitor string) (network string, wide bool) {
	a, err := netip.ParseAddr(visitor)
	if err != nil {
		return visitor, false
	}
	a = a.Unmap().WithZone("")
	bits := 24
	if wide = a.Is6(); wide {
		bits = 64
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return visitor, false
	}
	return p.String(), wide
}

// WideAllowance is how many times the allowance of one address the network of an IPv6 visitor has.
const WideAllowance = 8
