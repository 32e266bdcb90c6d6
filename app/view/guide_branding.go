package view

// GuideBranding is one of the stylesheets that the guide offers to copy: CSS for a website, or for the location's own
// stylesheet, within the rules for it.
type GuideBranding struct {
	Name, Text string
	Tag        string // tag of the preview: "schedule", "classes", "times" or "walkins"
	Theme      string // theme that it extends
	CSS        string
}

// GuideBrandings are the stylesheets of the guide. They use only the hooks of contract v1, and colours for light and
// dark pages.
var GuideBrandings = []GuideBranding{
	{"Your brand in five lines", "The theme card, with nothing but variables.", "schedule", "card", `svc-schedule, svc-classes, svc-times, svc-walkins {
  --pf-accent: #1f5f4a;
  --pf-accent-text: #fff;
  --pf-radius: 14px;
  --pf-gap: 1rem;
}`},
	{"Timetable", "A heavy rule under each day, hairlines between the rows.", "schedule", "clean", `svc-schedule [data-pf=day-name] {
  padding-block-end: .5rem;
  border-block-end: 2px solid;
}
svc-schedule [data-pf=items] { gap: 0; }
svc-schedule [data-pf=item] {
  padding-block: .75rem;
  border-block-end: 1px solid color-mix(in srgb, currentColor 18%, transparent);
}`},
	{"Time first", "Large hours for a page that people read standing.", "schedule", "clean", `svc-schedule [data-pf=time] {
  font-size: 1.25em;
  font-variant-numeric: tabular-nums;
}
svc-schedule [data-pf=link] {
  font-weight: 600;
  text-decoration: none;
}`},
	{"Round buttons", "Book becomes a button in your colour.", "schedule", "clean", `svc-schedule [data-pf=book] {
  padding: .375em 1em;
  border: 2px solid #1f5f4a;
  border-radius: 99px;
  background: #1f5f4a;
  text-decoration: none;
}
svc-schedule [data-pf=book] [data-pf=label] { color: #fff; }
svc-schedule [data-pf-full] [data-pf=book] { background: none; }
svc-schedule [data-pf-full] [data-pf=label] { color: inherit; }`},
	{"Days side by side", "As many columns as there is room for.", "schedule", "card", `svc-schedule [data-pf=schedule] {
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr));
  align-items: start;
}`},
	{"Edge", "A coloured edge instead of a box.", "schedule", "card", `svc-schedule [data-pf=item] {
  border: 0;
  border-inline-start: 4px solid #b4532a;
  border-radius: 0;
  background: none;
}`},
	{"Close rows", "A fortnight at a glance.", "schedule", "clean", `svc-schedule {
  --pf-gap: .375rem;
  font-size: .875rem;
  line-height: 1.3;
}
svc-schedule [data-pf=instructor],
svc-schedule [data-pf=price] { display: none; }`},
	{"Night panel", "A dark panel on any page.", "schedule", "card", `svc-schedule {
  padding: 1.25rem;
  border-radius: 16px;
  background: #17191e;
  color: #f4f2ee;
  color-scheme: dark;
  --pf-accent: #f0a884;
  --pf-accent-text: #1b1512;
}`},
	{"Menu", "Names at one side, prices at the other.", "classes", "clean", `svc-classes [data-pf=item] {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 1.5rem;
  padding-block: .75rem;
  border-block-end: 1px dotted;
}
svc-classes [data-pf=name] { font-family: Georgia, serif; }
svc-classes [data-pf=link] { text-decoration: none; }
svc-classes [data-pf=next],
svc-classes [data-pf=duration] { display: none; }
svc-classes [data-pf=description] { grid-column: 1 / -1; }`},
	{"Posters", "Large names, two or three in a row.", "classes", "card", `svc-classes [data-pf=item] {
  min-block-size: 11rem;
  align-content: end;
}
svc-classes [data-pf=name] {
  font-size: 1.75em;
  letter-spacing: -.02em;
  line-height: 1.1;
}
svc-classes [data-pf=description] { display: none; }`},
	{"Chips", "Times as round chips, full ones faded.", "times", "card", `svc-times [data-pf=item] { border-radius: 99px; }
svc-times [data-pf=item][data-pf-full] { border-style: dashed; }
svc-times [data-pf=book] { padding-inline: 1.25em; }`},
	{"Traffic light", "The whole bar says whether there is room.", "walkins", "card", `svc-walkins [data-pf=walkins] { border-inline-start-width: 8px; }
svc-walkins [data-pf=walkins]:has([data-pf-state=open]) { border-color: #1a7f37; }
svc-walkins [data-pf=walkins]:has([data-pf-state=busy]) { border-color: #9a6700; }
svc-walkins [data-pf=walkins]:has([data-pf-state=full]) { border-color: #cf222e; }`},
}
