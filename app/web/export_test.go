package web

// EntryCost is the size of an entry of a PageCache besides its key and its bytes.
const EntryCost = entryCost

// BytesOf returns the bytes that a cache counts.
func BytesOf(p *PageCache) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}
