package checkout

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// OpenCartTx begins a cart for an accepted waitlist offer, with that one item, and returns its id:
// waitlist.Ports.OpenCartTx. The caller puts a live hold under it in the same transaction.
func (s *Service) OpenCartTx(ctx context.Context, tx *pg.Tx, in waitlist.OpenCart) (uuid.UUID, error) {
	cart := pg.NewID()
	hash, _ := order.TokenHash(s.CartToken(cart), cartTokenChars)
	return cart, insertPromotion(ctx, tx, cart, hash, in)
}

// FulfilPromotionTx books the cart of an accepted offer if nothing is to pay, and returns its order:
// waitlist.Ports.FulfilPromotionTx. A cart with an amount to pay stays as it is, and so does one with outstanding
// agreements: its customer signs and confirms it.
func (s *Service) FulfilPromotionTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, cart uuid.UUID) (*uuid.UUID, error) {
	l, err := s.lockToOrder(ctx, tx, s.CartToken(cart), sc.Person(), lockToUse)
	if err != nil || l.Totals.TotalAmount > 0 || len(agreement.Open(l.Agreements)) > 0 {
		return nil, err
	}
	orderID, err := s.bookFree(ctx, tx, sc, l)
	return &orderID.ID, err
}

// CartToken returns the token of a cart that was begun by OpenCartTx. It is derived and not stored, so that accepting
// again can name it again. Carts that their customers begin have random tokens.
func (s *Service) CartToken(cart uuid.UUID) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("checkout.cart\x00"))
	mac.Write(cart[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:cartTokenBytes])
}
