// The checkout on openapi-typescript: every call names a path of the document, and what it answers has that path's types.
import createClient from "openapi-fetch";

import { Refused, type Shop, type Sold } from "../shop.js";
import type { components, operations, paths } from "./schema.js";

type HoldRefusal = operations["holdCart"]["responses"][409]["content"]["application/json"];
type Refusal = components["schemas"]["Error"];

export async function checkout(shop: Shop): Promise<Sold> {
  const api = createClient<paths>({ baseUrl: shop.base, headers: { Authorization: `Bearer ${shop.session}` } });

  const schedule = must(await api.GET("/storefront/locations/{id}/schedule", { params: { path: { id: shop.location } } })).data;
  const dates = schedule.days
    .flatMap((day) => day.slots)
    .filter((slot) => slot.spots > 0 && !slot.course && (schedule.offerings[slot.offering]?.price ?? 0) > 0);
  // The customer was told a price a while ago, and it has changed: the hold is refused, and goes through with the new one. What
  // cannot be had is another date's turn.
  const refused: string[] = [];
  for (const date of dates.reverse()) {
    const cart = must(await api.POST("/storefront/carts", { body: { locationId: shop.location } })).data;
    const path = { token: cart.token };
    const filled = must(await api.POST("/storefront/carts/{token}/items", { params: { path }, body: { occurrenceId: date.occurrenceId } })).data;
    let quotedTotal: number | undefined = filled.totals.total - 1;
    while (quotedTotal !== undefined) {
      const hold = await api.POST("/storefront/carts/{token}/hold", { params: { path }, body: { quotedTotal } });
      if (hold.data) break;
      if (hold.response.status !== 409) throw refusal(hold.error);
      const said = hold.error as HoldRefusal;
      refused.push(said.error.details.reason ?? "");
      quotedTotal = newPrice(said);
    }
    if (quotedTotal === undefined) continue;

    // A plan of the customer may pay for the seat. This checkout shows a card: it chooses the price instead.
    const held = must(await api.GET("/storefront/carts/{token}", { params: { path } })).data;
    for (const { itemId } of held.lines.filter((line) => line.plan)) {
      const params = { path: { ...path, itemId } };
      must(await api.PUT("/storefront/carts/{token}/items/{itemId}/plan", { params, body: { paysPrice: true } }));
    }

    const payment = must(await api.POST("/storefront/carts/{token}/payment", { params: { path }, body: { quotedTotal } })).data;
    await shop.payByCard(payment.clientSecret);
    const sold = must(await api.POST("/storefront/carts/{token}/confirm", { params: { path } })).data;
    const receipt = must(await api.GET("/storefront/receipts/{token}", { params: { path: { token: sold.receiptToken } } })).data;
    return { receiptToken: sold.receiptToken, total: receipt.totals.total, currency: receipt.totals.currency, refused };
  }
  throw new Error("nothing on the schedule can be bought");
}

// newPrice is the price to hold for after a refusal; undefined when this date is not to be had. The compiler knows every reason
// that a hold can be refused for.
function newPrice(said: HoldRefusal): number | undefined {
  switch (said.error.details.reason) {
    case "price_changed":
      return said.error.details["amount"] as number;
    case "full":
    case "duplicate":
    case "started":
    case "cancelled":
      return undefined;
    default:
      throw refusal(said);
  }
}

function refusal(said: Refusal): Refused {
  return new Refused(said.error.details.reason ?? said.error.code, said.error.message);
}

// must is the body of a success; a refusal is thrown.
function must<T>(answer: { data?: T; error?: Refusal }): T {
  if (answer.data === undefined) throw answer.error ? refusal(answer.error) : new Error("no answer");
  return answer.data;
}
