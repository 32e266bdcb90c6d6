// The checkout on @hey-api/openapi-ts: every operation of the document is a function.
import { createClient } from "./sdk/client/index.js";
import { addCartItem, chooseCartPlan, confirmCart, createCart, getCart, getReceipt, getSchedule, holdCart, startPayment, type Error as Refusal, type HoldCartErrors } from "./sdk/index.js";

import { Refused, type Shop, type Sold } from "../shop.js";

export async function checkout(shop: Shop): Promise<Sold> {
  const client = createClient({ baseUrl: shop.base, headers: { Authorization: `Bearer ${shop.session}` } });

  const schedule = must(await getSchedule({ client, path: { id: shop.location } })).data;
  const dates = schedule.days
    .flatMap((day) => day.slots)
    .filter((slot) => slot.spots > 0 && !slot.course && (schedule.offerings[slot.offering]?.price ?? 0) > 0);
  // As in the other checkout: the price that the customer was told is an old one.
  const refused: string[] = [];
  for (const date of dates.reverse()) {
    const cart = must(await createCart({ client, body: { locationId: shop.location } })).data;
    const path = { token: cart.token };
    const filled = must(await addCartItem({ client, path, body: { occurrenceId: date.occurrenceId } })).data;
    let quotedTotal: number | undefined = filled.totals.total - 1;
    while (quotedTotal !== undefined) {
      const hold = await holdCart({ client, path, body: { quotedTotal } });
      if (hold.data) break;
      if (hold.response?.status !== 409) throw refusal(hold.error);
      const said = hold.error as HoldCartErrors[409];
      refused.push(said.error.details.reason ?? "");
      quotedTotal = newPrice(said);
    }
    if (quotedTotal === undefined) continue;

    const held = must(await getCart({ client, path })).data;
    for (const { itemId } of held.lines.filter((line) => line.plan)) {
      must(await chooseCartPlan({ client, path: { ...path, itemId }, body: { paysPrice: true } }));
    }

    const payment = must(await startPayment({ client, path, body: { quotedTotal } })).data;
    await shop.payByCard(payment.clientSecret);
    const sold = must(await confirmCart({ client, path })).data;
    const receipt = must(await getReceipt({ client, path: { token: sold.receiptToken } })).data;
    return { receiptToken: sold.receiptToken, total: receipt.totals.total, currency: receipt.totals.currency, refused };
  }
  throw new globalThis.Error("nothing on the schedule can be bought");
}

function newPrice(said: HoldCartErrors[409]): number | undefined {
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

function must<T>(answer: { data?: T; error?: Refusal }): T {
  if (answer.data === undefined) throw answer.error ? refusal(answer.error) : new globalThis.Error("no answer");
  return answer.data;
}
