// Buys a date with each of the two clients, from a "foyer dev" that runs at the given address:
//
//   node build/main.js http://127.0.0.1:8080
import { checkout as byFunctions } from "./functions/checkout.js";
import { checkout as byPaths } from "./paths/checkout.js";
import type { Shop } from "./shop.js";

interface Demo {
  businesses: { locations: { id: string }[]; people: Record<string, { token: string }> }[];
}

const base = (process.argv[2] ?? "http://127.0.0.1:8080").replace(/\/$/, "");
const demo = (await (await fetch(`${base}/dev/demo.json`)).json()) as Demo;
const studio = demo.businesses[0];
const location = studio?.locations[0]?.id;
const session = studio?.people["customer"]?.token;
if (!location || !session) throw new Error(`${base} has no demo studio`);

const shop: Shop = {
  base,
  location,
  session,
  async payByCard(clientSecret) {
    const form = { client_secret: clientSecret, number: "4242424242424242", exp: "12/34", cvc: "123", return_url: `${base}/` };
    const answer = await fetch(`${base}/__sim/pay`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
    if (answer.status >= 400) throw new Error(`the card form answers ${answer.status}`);
  },
};

const expected = { byPaths: ["price_changed"], byFunctions: ["duplicate", "price_changed"] }; // the first one has the last date already
for (const [name, checkout] of Object.entries({ byPaths, byFunctions })) {
  const sold = await checkout(shop);
  console.log(`${name}: paid ${sold.total / 100} ${sold.currency}, after ${sold.refused.join(", ")}`);
  for (const reason of expected[name as keyof typeof expected]) {
    if (!sold.refused.includes(reason)) throw new Error(`${name}: nothing was refused with ${reason}`);
  }
}
