// The live card form, on the payment page only. <form data-stripe …> names the publishable key, the studio's account, the
// amount and where to come back to. Sending the form asks our server for the payment's client secret (it prices the cart
// again first); the card itself goes from Stripe's frame to Stripe.
import { load, type Elements, type Stripe } from "./modules/stripe";
import { hide } from "./modules/ticket";

const form = document.querySelector<HTMLFormElement>("form[data-stripe]");
if (form) void start(form);

async function start(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]")!;
  const place = form.querySelector("[data-card]")!;
  const { key, account, amount, currency, locale } = form.dataset as Record<string, string>;
  const words = said(form);
  hide();
  try {
    const factory = await load();
    const stripe = factory(key!, { stripeAccount: account!, locale: locale! });
    const elements = stripe.elements({
      mode: "payment",
      amount: Number(amount),
      currency,
      paymentMethodTypes: ["card"],
      ...(form.dataset.held !== undefined && { captureMethod: "manual" }),
      appearance: appearance(button),
    });
    const card = elements.create("payment");
    card.on("ready", () => (button.disabled = false));
    card.on("loaderror", () => trouble(form, words.loading!));
    place.textContent = "";
    card.mount(place);
    // The payment on the server is told the same when the form is sent: the two have to agree.
    const keep = form.querySelector<HTMLInputElement>("[name=keep]");
    keep?.addEventListener("change", () => elements.update({ setupFutureUsage: keep.checked ? "off_session" : null }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void pay(form, button, stripe, elements);
    });
  } catch {
    place.textContent = "";
    trouble(form, words.loading!);
  }
}

// said is what the page has to say, by the processor's code; the empty code is for anything else.
function said(form: HTMLFormElement): Record<string, string> {
  return JSON.parse(form.dataset.words!) as Record<string, string>;
}

let paying = false;

async function pay(form: HTMLFormElement, button: HTMLElement, stripe: Stripe, elements: Elements): Promise<void> {
  if (paying) return;
  paying = true;
  button.setAttribute("aria-busy", "true");
  trouble(form, "");
  try {
    const checked = await elements.submit();
    if (checked.error) throw checked.error;
    const secret = await intent(form);
    const back = form.dataset.return!;
    const paid = await stripe.confirmPayment({
      elements,
      clientSecret: secret,
      confirmParams: { return_url: back },
      redirect: "if_required",
    });
    if (paid.error) throw paid.error;
    location.assign(back);
  } catch (error) {
    paying = false;
    button.removeAttribute("aria-busy");
    const { code, decline_code: finer, message } = error as { code?: string; decline_code?: string; message?: string };
    const words = said(form);
    trouble(form, (finer && words[finer]) || (code && words[code]) || message || words[""]!);
  }
}

// intent sends the form as it stands and returns the client secret; a refusal's own words become the error.
async function intent(form: HTMLFormElement): Promise<string> {
  const body = new URLSearchParams();
  new FormData(form).forEach((value, name) => body.append(name, String(value)));
  const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
  const json = (await answer.json()) as { data?: { clientSecret: string }; error?: { message: string } };
  if (!json.data) throw new Error(json.error?.message ?? "");
  return json.data.clientSecret;
}

function trouble(form: HTMLFormElement, words: string): void {
  const region = form.querySelector<HTMLElement>("[data-trouble]")!;
  region.textContent = words;
  region.hidden = words === "";
}

function appearance(button: HTMLElement): Record<string, unknown> {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const body = getComputedStyle(document.body);
  return {
    theme: dark ? "night" : "stripe",
    variables: {
      colorPrimary: painted(getComputedStyle(button).backgroundColor),
      colorBackground: painted(getComputedStyle(form!).getPropertyValue("--raise").trim()),
      colorText: painted(body.color),
      borderRadius: getComputedStyle(form!).getPropertyValue("--r-1").trim(),
      fontSizeBase: "16px",
    },
  };
}

// painted turns any CSS colour, also oklch(), into the rgb() that Stripe's frame understands.
function painted(colour: string): string {
  const pen = document.createElement("canvas").getContext("2d")!;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${r}, ${g}, ${b})`;
}
