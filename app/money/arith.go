package money

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Million is the denominator of a rate in parts per million.
const Million = 1_000_000

// RoundHalfUp is a*b/d rounded half up: floor((a*b + floor(d/2)) / d). a and b are not negative, d is positive. The
// product may need 128 bits; the result may not.
func RoundHalfUp(a, b, d int64) int64 {
	mustDivide(a, b, d)
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(d)/2, 0)
	return quotient(hi+carry, lo, uint64(d))
}

// RateSQL is RoundHalfUp of an amount and a rate in parts per million, both SQL of bigints that are not negative.
// Their product has to be one, too: amounts of up to nine billion of the smallest currency.
func RateSQL(amount, ppm string) string {
	return fmt.Sprintf("((%s) * (%s) + %d) / %d", amount, ppm, Million/2, Million)
}

// FloorDiv is a*b/d rounded down. Same limits as RoundHalfUp.
func FloorDiv(a, b, d int64) int64 {
	mustDivide(a, b, d)
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return quotient(hi, lo, uint64(d))
}

// Alloc spreads total over the weights without loss: each part is its exact share rounded down or up, the parts add
// up to total, a weight of 0 gets 0, and the remaining units go to the largest remainders (a tie to the lower index,
// so the order of lines is stable). When all weights are 0 the first one gets everything.
//
// Alloc is not monotone in total (Alabama paradox): never subtract two allocations; allocate over the remainder.
func Alloc(total int64, weights []int64) []int64 {
	if total < 0 {
		panic(fmt.Sprintf("money: cannot allocate %d", total))
	}
	parts := make([]int64, len(weights))
	sum := sumWeights(weights)
	if sum == 0 {
		if len(parts) == 0 {
			if total != 0 {
				panic(fmt.Sprintf("money: nothing to allocate %d to", total))
			}
			return parts
		}
		parts[0] = total
		return parts
	}
	left := total
	remainders := make([]uint64, len(weights))
	for i, w := range weights {
		hi, lo := bits.Mul64(uint64(total), uint64(w))
		q, r := bits.Div64(hi, lo, sum) // w <= sum, so the quotient fits
		parts[i], remainders[i] = int64(q), r
		left -= int64(q)
	}
	for _, i := range byRemainder(remainders)[:left] {
		parts[i]++
	}
	return parts
}

// byRemainder returns the indexes, the largest remainder first, equal ones in their order.
func byRemainder(remainders []uint64) []int {
	order := make([]int, len(remainders))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	return order
}

func sumWeights(weights []int64) uint64 {
	var sum int64
	for _, w := range weights {
		if w < 0 {
			panic(fmt.Sprintf("money: negative weight %d", w))
		}
		if sum > math.MaxInt64-w {
			panic("money: weights overflow")
		}
		sum += w
	}
	return uint64(sum)
}

func mustDivide(a, b, d int64) {
	if a < 0 || b < 0 || d <= 0 {
		panic(fmt.Sprintf("money: %d*%d/%d: amounts and rates are not negative, the divisor is positive", a, b, d))
	}
}

func quotient(hi, lo, d uint64) int64 {
	if hi >= d {
		panic("money: overflow")
	}
	q, _ := bits.Div64(hi, lo, d)
	if q > math.MaxInt64 {
		panic("money: overflow")
	}
	return int64(q)
}
