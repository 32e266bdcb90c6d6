// Package shop has the pages of the products of a location: their list, and each with a form that puts it into the
// cart; and those of its gift cards and plans. A location that sells none has an empty shop, and its schedule does not
// link to it.
package shop

import (
	"context"
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/kit"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/app/view"
	"foyer/app/web/op"
)

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the pages of the shop.
func Register(k *kit.Site) {
	h, a := &site{k}, k.App()
	a.Get("/shop/:slug", kit.StudioOnly(h.at(h.list)))
	a.Get("/shop/:slug/gift-cards", kit.StudioOnly(h.at(h.giftCards)))
	a.Post("/shop/:slug/gift-cards", kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.addGiftCard)))
	a.Get("/shop/:slug/gift-cards/balance", kit.StudioOnly(h.at(h.giftCardBalance)))
	a.Post("/shop/:slug/gift-cards/balance", kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.askBalance)))
	a.Get("/shop/:slug/plans", kit.StudioOnly(h.at(h.plans)))
	a.Post("/shop/:slug/plans", kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.addPlan)))
	a.Get("/shop/:slug/plans/:plan", kit.StudioOnly(h.at(h.membership)))
	a.Post("/shop/:slug/plans/:plan", kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.addMembership)))
	a.Get("/shop/:slug/:product", kit.StudioOnly(h.at(h.product)))
	a.Post("/shop/:slug/:product", kit.StudioOnly(h.Form(op.RateStorefrontWrite, h.add)))
}

// at runs a page at the location of its address. A former address leads to the current one.
func (h *site) at(show func(c *fiber.Ctx, at kit.Location, slug string) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if at, ok := h.SlugLocation(c); ok {
			if err := show(c, at, c.Params("slug")); !errors.Is(err, kit.ErrFormer) {
				return err
			}
		}
		at, moved, err := h.LocationOf(c)
		if err != nil {
			return err
		}
		if moved != "" {
			return kit.MovedPermanently(c, kit.ShopPath(moved))
		}
		return show(c, at, "")
	}
}

// fieldAfter and fieldName are the parameters of further pages of the list: the id and the name of the last product.
const (
	fieldAfter = "after"
	fieldName  = "name"
)

// list is the list of products.
func (h *site) list(c *fiber.Ctx, at kit.Location, slug string) error {
	after, _ := uuid.Parse(c.Query(fieldAfter))
	show := h.ShowPublic
	if after != uuid.Nil {
		show = h.ShowAnew // addresses without number: they are not cached
	}
	return show(c, kit.Public{
		At: at, Slug: slug, Name: []string{"shop"},
		Make: func(ctx context.Context) (kit.Made, error) {
			in := product.ListedInput{LocationID: at.Location, In: paging.In[product.Key]{Limit: paging.Default}}
			if after != uuid.Nil {
				in.After = &product.Key{Name: c.Query(fieldName), ID: after}
			}
			page, err := h.Products.Listed(ctx, at.Tenant, in)
			if err != nil {
				return kit.Made{}, err
			}
			s, err := h.StudioAt(ctx, at)
			if err != nil {
				return kit.Made{}, err
			}
			sh := h.PublicShell(c, s, kit.ShopPath(s.Home()))
			v := Shop{Title: sh.T("Shop"), Home: s.Home()}
			t, err := h.GiftSales.OfferedAt(ctx, at.Tenant, at.Location)
			if err != nil {
				return kit.Made{}, err
			}
			if t.SoldOnline {
				v.GiftCards = giftCardsPath(s.Home())
			}
			plans, err := h.Plans.OnSaleAt(ctx, at.Tenant, at.Location)
			if err != nil {
				return kit.Made{}, err
			}
			if len(plans) > 0 {
				v.Plans = kit.PlansPath(s.Home())
			}
			for _, l := range page.Items {
				v.Products = append(v.Products, cardOf(sh.Words, s, l))
			}
			if page.Next != nil {
				v.More = kit.Query(kit.Query(kit.ShopPath(s.Home()), fieldAfter, page.Next.ID.String()), fieldName, page.Next.Name)
			}
			return kit.Made{Studio: s, Shell: sh, Content: ShopPage(sh, v)}, nil
		},
	})
}

// cardOf is a product in the list.
func cardOf(w view.Words, s *kit.Studio, l product.Listing) Card {
	card := Card{Name: l.Name, Href: kit.ShopPath(s.Home()) + "/" + l.ID.String(), SoldOut: true}
	if len(l.Photos) > 0 {
		card.Photo = new(view.PhotoOf(l.Photos[0]))
	}
	least, most := l.Variants[0].PriceAmount, l.Variants[0].PriceAmount
	for _, v := range l.Variants {
		least, most = min(least, v.PriceAmount), max(most, v.PriceAmount)
		card.SoldOut = card.SoldOut && !v.Available()
	}
	card.Price = w.MoneyShort(view.Shown(least, 1, l.Pricing, l.Currency))
	if most > least {
		card.Price = w.T("from {price}", "price", card.Price)
	}
	return card
}

// product is the page of a product. It has a form, so that it is made for each visitor.
func (h *site) product(c *fiber.Ctx, at kit.Location, slug string) error {
	return h.show(c, at, slug, choice{Quantity: 1}, nil)
}

// choice is what was chosen on the page.
type choice struct {
	Variant  uuid.UUID
	Quantity int
}

// show is the page of a product with a choice, after a form with a problem.
func (h *site) show(c *fiber.Ctx, at kit.Location, slug string, chosen choice, tr kit.Trouble) error {
	id, err := uuid.Parse(c.Params("product"))
	if err != nil {
		return fault.Missing()
	}
	return h.ShowAnew(c, kit.Public{At: at, Slug: slug, Make: func(ctx context.Context) (kit.Made, error) {
		l, err := h.Products.ListedProduct(ctx, at.Tenant, at.Location, id)
		if err != nil {
			return kit.Made{}, err
		}
		s, err := h.StudioAt(ctx, at)
		if err != nil {
			return kit.Made{}, err
		}
		path := kit.ShopPath(s.Home()) + "/" + id.String()
		sh := h.PublicShell(c, s, path)
		if _, sh.Bar, err = h.CartBar(c, s, sh.Words); err != nil {
			return kit.Made{}, err
		}
		v := itemOf(sh.Words, l, chosen)
		v.Shop, v.Trouble = kit.ShopPath(s.Home()), tr.In(sh.Words)
		if v.Available {
			sh.CSRF = h.TokenOf(c)
			v.Form = kit.FormTo(path)
		}
		return kit.Made{Studio: s, Shell: sh, Content: ProductPage(sh, v), ForOne: true}, nil
	}})
}

// itemOf is a product with its variants to choose from: those that are sold out cannot be chosen.
func itemOf(w view.Words, l product.Listing, chosen choice) Item {
	v := Item{
		Card: Card{Name: l.Name}, Text: l.Description, Photos: view.PhotosOf(l.Photos),
		Quantity: strconv.Itoa(chosen.Quantity),
	}
	for _, o := range l.Options {
		v.Options = append(v.Options, o.Name)
	}
	for _, x := range l.Variants {
		price := w.MoneyShort(view.Shown(x.PriceAmount, 1, l.Pricing, l.Currency))
		row := Variant{ID: x.ID.String(), Name: view.Joined(" · ", x.Choices...), Price: price, SoldOut: !x.Available()}
		if left := x.Left(); left != nil && *left > 0 {
			row.Left = w.N(*left, "{n} left", "{n} left")
		}
		row.Chosen = x.ID == chosen.Variant || chosen.Variant == uuid.Nil && !v.Available && x.Available()
		v.Available = v.Available || x.Available()
		v.Variants = append(v.Variants, row)
	}
	v.SoldOut = !v.Available
	return v
}

// add puts a variant into this browser's cart at the location, and shows the cart.
func (h *site) add(c *fiber.Ctx) error {
	at, err := h.formLocation(c)
	if err != nil {
		return err
	}
	variant, _ := uuid.Parse(c.FormValue(fieldVariant))
	quantity, err := strconv.Atoi(c.FormValue(fieldQuantity))
	if err != nil {
		quantity = 0 // refused by name
	}
	is := func(l checkout.Line) bool { return l.Kind == order.Product && l.Subject == variant }
	item := order.CartItem{Kind: order.Product, Subject: variant, Quantity: quantity}
	add := func(ctx context.Context, sc tenancy.Scope, token string) (checkout.Cart, error) {
		return h.Checkout.AddNonSeat(ctx, sc, token, item)
	}
	b, err := cart.Put(h.Site, c, at, is, add)
	if f := fault.From(err); f != nil && f.Kind != fault.Internal {
		return h.show(c, at, "", choice{variant, max(1, quantity)}, refusedAs(f))
	}
	if err != nil {
		return err
	}
	return b.Show(c)
}

// refusedAs says why a product was not added.
func refusedAs(f *fault.Error) kit.Trouble {
	return func(w view.Words) *view.Trouble {
		t := &view.Trouble{Title: w.T("This was not added to your cart"), Text: w.Message(f.Message)}
		for _, x := range f.Fields {
			t.Text = w.Message(x.Message)
		}
		if f.Kind == fault.NotFound {
			t.Text = w.T("This product is no longer available.")
		}
		return t
	}
}
