// The part of Stripe.js this product uses. The script itself must come from Stripe and is loaded on the payment page only.
export interface StripeError {
  message?: string;
}

export interface Elements {
  create(type: "payment"): { mount(target: Element): void; on(event: "ready" | "loaderror", then: () => void): void };
  update(options: { setupFutureUsage: "off_session" | null }): void;
  submit(): Promise<{ error?: StripeError }>;
}

export interface Stripe {
  elements(options: Record<string, unknown>): Elements;
  confirmPayment(options: Record<string, unknown>): Promise<{ error?: StripeError }>;
}

type Factory = (key: string, options: { stripeAccount: string; locale: string }) => Stripe;

declare global {
  interface Window {
    Stripe?: Factory;
  }
}

export function load(): Promise<Factory> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "https://js.stripe.com/v3";
    script.onload = () => (window.Stripe ? resolve(window.Stripe) : reject(new Error("no Stripe")));
    script.onerror = () => reject(new Error("Stripe.js did not load"));
    document.head.append(script);
  });
}
