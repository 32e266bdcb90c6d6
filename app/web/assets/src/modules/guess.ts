// Fills in what the browser knows about where the studio is: the time zone, and the currency of the visitor's region. Only
// selects that ask for it (data-guess) and that nobody has touched; without script the visitor chooses from the list.
const euro = "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK";
const others: Record<string, string> = {
  AE: "AED", AR: "ARS", AU: "AUD", BG: "BGN", BR: "BRL", CA: "CAD", CH: "CHF", CL: "CLP", CO: "COP", CZ: "CZK", DK: "DKK",
  GB: "GBP", HK: "HKD", HU: "HUF", ID: "IDR", IL: "ILS", IN: "INR", JP: "JPY", KR: "KRW", MX: "MXN", MY: "MYR", NO: "NOK",
  NZ: "NZD", PE: "PEN", PH: "PHP", PL: "PLN", RO: "RON", SE: "SEK", SG: "SGD", TH: "THB", TR: "TRY", US: "USD", ZA: "ZAR",
};

export function guess(): void {
  choose("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  const region = new Intl.Locale(navigator.language).maximize().region ?? "";
  choose("currency", euro.includes(region) ? "EUR" : others[region]);
}

function choose(kind: string, value: string | undefined): void {
  const select = document.querySelector<HTMLSelectElement>(`select[data-guess="${kind}"]`);
  if (!select || !value) return;
  if (Array.from(select.options).some((option) => option.value === value)) select.value = value;
}
