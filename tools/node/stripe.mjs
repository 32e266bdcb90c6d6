// Stripe's own client for Node against the simulator: what it sends is understood, and it understands what comes back. The simulator is ours
// and so is the adapter that the product uses; this client is neither. Run by tools/foreign, in make verify.
import assert from 'node:assert/strict'
import Stripe from 'stripe'

const { SIM_URL, SIM_KEY, SIM_WEBHOOK_SECRET, SIM_VERSION } = process.env
const at = new URL(SIM_URL)
const stripe = new Stripe(SIM_KEY, {
	host: at.hostname, port: at.port, protocol: 'http', apiVersion: SIM_VERSION, maxNetworkRetries: 0, telemetry: false,
})
assert.equal(stripe.getApiField('version'), '2024-06-20', 'the client speaks another version')

const post = (path, fields) =>
	fetch(SIM_URL + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const advance = async by => assert.equal((await post('/tool/advance', { by })).status, 200)
const control = async (verb, fields) => {
	const res = await post('/__sim/control/' + verb, { account, ...fields })
	const answer = await res.json()
	assert.equal(res.status, 200, `${verb}: ${answer.error}`)
	return answer.ids[0]
}
const refused = async (what, promise, wants) => {
	const error = await promise.then(() => assert.fail(`${what} was done`), e => e)
	for (const [field, value] of Object.entries(wants)) assert.equal(error[field], value, `${what}: ${field}: ${error.message}`)
	return error
}

// An account, its onboarding, and whose it is.
const { id: account } = await stripe.accounts.create({
	country: 'US', email: 'owner@example.com', metadata: { business_id: 'b' },
	controller: {
		fees: { payer: 'account' }, losses: { payments: 'stripe' }, stripe_dashboard: { type: 'full' }, requirement_collection: 'stripe',
	},
})
const on = { stripeAccount: account }
const link = await stripe.accountLinks.create({
	account, type: 'account_onboarding', return_url: SIM_URL + '/back', refresh_url: SIM_URL + '/again',
})
assert.equal((await fetch(link.url)).status, 200)
const done = await post(new URL(link.url).pathname, { link: new URL(link.url).searchParams.get('link') })
assert.equal(done.headers.get('location'), SIM_URL + '/back')
const ready = await stripe.accounts.retrieve(account)
assert.ok(ready.charges_enabled && ready.payouts_enabled && ready.details_submitted)
assert.equal(ready.capabilities.card_payments, 'active')
assert.equal(ready.metadata.business_id, 'b')

// Wallets: a domain is registered once, and looked at again.
const site = await stripe.paymentMethodDomains.create({ domain_name: 'book.example.com' }, on)
assert.deepEqual([site.enabled, site.apple_pay.status, site.google_pay.status], [true, 'active', 'active'])
assert.equal((await stripe.paymentMethodDomains.list({ domain_name: 'book.example.com' }, on)).data[0].id, site.id)
assert.equal((await stripe.paymentMethodDomains.update(site.id, { enabled: false }, on)).enabled, false)
const unseen = await stripe.paymentMethodDomains.create({ domain_name: 'book.invalid' }, on)
assert.equal((await stripe.paymentMethodDomains.validate(unseen.id, {}, on)).apple_pay.status, 'inactive')
assert.match((await stripe.paymentMethodDomains.retrieve(unseen.id, on)).apple_pay.status_details.error_message, /association file/)
await refused('no domain', stripe.paymentMethodDomains.create({ domain_name: 'no domain' }, on), { param: 'domain_name' })

// A payment with the platform's fee, by a card that is typed; the same key is the same payment.
const wanted = {
	amount: 2200, currency: 'usd', application_fee_amount: 44, payment_method_types: ['card'], metadata: { order_id: 'o' },
}
const pay = async (secret, number) => {
	const res = await post('/__sim/pay', { client_secret: secret, number, exp: '12/34', cvc: '123', return_url: SIM_URL + '/back' })
	assert.equal(res.status, 303)
	return res.headers.get('location')
}
const first = await stripe.paymentIntents.create(wanted, { ...on, idempotencyKey: 'pi:1' })
const again = await stripe.paymentIntents.create(wanted, { ...on, idempotencyKey: 'pi:1' })
assert.equal(again.id, first.id)
assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
await refused('the key with another amount', stripe.paymentIntents.create({ ...wanted, amount: 2300 }, { ...on, idempotencyKey: 'pi:1' }),
	{ type: 'StripeIdempotencyError' })
await refused('a fee above the amount', stripe.paymentIntents.create({ ...wanted, application_fee_amount: 2201 }, on),
	{ type: 'StripeInvalidRequestError', param: 'application_fee_amount' })
await refused('too little', stripe.paymentIntents.create({ ...wanted, amount: 49 }, on), { code: 'amount_too_small' })
await refused('a parameter that does not exist', stripe.paymentIntents.create({ ...wanted, nonsense: 1 }, on), { code: 'parameter_unknown' })
await refused('another account', stripe.paymentIntents.retrieve(first.id, { stripeAccount: 'acct_sim_x' }),
	{ type: 'StripePermissionError' })
assert.match(await pay(first.client_secret, '4000000000000002'), /redirect_status=failed/)
const declined = await stripe.paymentIntents.retrieve(first.id, on)
assert.equal(declined.status, 'requires_payment_method')
assert.equal(declined.last_payment_error.decline_code, 'generic_decline')
assert.match(await pay(first.client_secret, '4242424242424242'), /redirect_status=succeeded/)
const soon = await stripe.paymentIntents.retrieve(first.id, { expand: ['latest_charge.balance_transaction'] }, on)
assert.equal(soon.status, 'succeeded')
assert.equal(soon.latest_charge.balance_transaction, null, 'fees are known at once')
await advance('3s')
const paid = await stripe.paymentIntents.retrieve(first.id, { expand: ['latest_charge.balance_transaction'] }, on)
const cost = paid.latest_charge.balance_transaction
assert.deepEqual([cost.amount, cost.fee, cost.net], [2200, 138, 2062])
assert.deepEqual(cost.fee_details.map(d => [d.type, d.amount]), [['stripe_fee', 94], ['application_fee', 44]])

// The bank asks the customer.
const asked = await stripe.paymentIntents.create(wanted, on)
const bank = await pay(asked.client_secret, '4000002760003184')
const waits = await stripe.paymentIntents.retrieve(asked.id, on)
assert.equal(waits.status, 'requires_action')
assert.equal(waits.next_action.redirect_to_url.url, bank)
const yes = await post(new URL(bank).pathname, { key: new URL(bank).searchParams.get('key'), result: 'authorise' })
assert.match(yes.headers.get('location'), /redirect_status=succeeded/)
assert.equal((await stripe.paymentIntents.retrieve(asked.id, on)).status, 'succeeded')

// One that nobody pays is given up, and one that was paid cannot be.
const unpaid = await stripe.paymentIntents.create(wanted, on)
assert.equal((await stripe.paymentIntents.cancel(unpaid.id, on)).status, 'canceled')
await refused('giving up what is paid', stripe.paymentIntents.cancel(first.id, on), { code: 'payment_intent_unexpected_state' })

// Money that is held on a card: taken once, or let go.
const hold = { ...wanted, capture_method: 'manual' }
const held = await stripe.paymentIntents.create(hold, on)
await pay(held.client_secret, '4242424242424242')
const holding = await stripe.paymentIntents.retrieve(held.id, on)
assert.deepEqual([holding.status, holding.amount_capturable, holding.amount_received], ['requires_capture', wanted.amount, 0])
assert.equal((await stripe.paymentIntents.capture(held.id, on)).status, 'succeeded')
await refused('taking it twice', stripe.paymentIntents.capture(held.id, on), { code: 'payment_intent_unexpected_state' })
const dropped = await stripe.paymentIntents.create(hold, on)
await pay(dropped.client_secret, '4242424242424242')
assert.equal((await stripe.paymentIntents.cancel(dropped.id, on)).status, 'canceled')

// A card that is kept, charged without its customer, and forgotten.
const customer = await stripe.customers.create({ metadata: { customer_id: 'c' } }, on)
const keeping = await stripe.paymentIntents.create({ ...wanted, customer: customer.id }, on)
await stripe.paymentIntents.update(keeping.id, { setup_future_usage: 'off_session' }, on)
await pay(keeping.client_secret, '4242424242424242')
const [card] = (await stripe.paymentMethods.list({ customer: customer.id, type: 'card' }, on)).data
assert.deepEqual([card.card.brand, card.card.last4, card.customer], ['visa', '4242', customer.id])
assert.equal((await stripe.paymentMethods.retrieve(card.id, on)).id, card.id)
const fee = await stripe.paymentIntents.create({ ...wanted, amount: 500, application_fee_amount: 10, customer: customer.id }, on)
const charged = await stripe.paymentIntents.confirm(fee.id, { payment_method: card.id, off_session: true }, on)
assert.equal(charged.status, 'succeeded')
assert.equal((await stripe.paymentMethods.detach(card.id, on)).customer, null)
assert.equal((await stripe.paymentMethods.list({ customer: customer.id, type: 'card' }, on)).data.length, 0)

// Half goes back with its share of the platform's fee, and then the rest, and then nothing.
await advance('3s')
const half = await stripe.refunds.create({ payment_intent: first.id, amount: 1100, refund_application_fee: true, metadata: { refund_id: 'r' } }, on)
assert.equal(half.status, 'succeeded')
const back = await stripe.refunds.retrieve(half.id, { expand: ['balance_transaction'] }, on)
assert.deepEqual([back.balance_transaction.amount, back.balance_transaction.net], [-1100, -1078])
await refused('more than is left', stripe.refunds.create({ payment_intent: first.id, amount: 1101 }, on), { param: 'amount' })
await stripe.refunds.create({ payment_intent: first.id, amount: 1100, refund_application_fee: true }, on)
await refused('what went back', stripe.refunds.create({ payment_intent: first.id, amount: 1 }, on), { code: 'charge_already_refunded' })
assert.equal((await stripe.refunds.list({ payment_intent: first.id }, on)).data.length, 2)

// A bank asks about a payment, takes it, and gives it again.
const dispute = await control('inquire', { id: asked.id, reason: 'fraudulent' })
const inquiry = await stripe.disputes.retrieve(dispute, on)
assert.deepEqual([inquiry.status, inquiry.is_charge_refundable, inquiry.balance_transactions.length], ['warning_needs_response', true, 0])
await control('escalate', { id: dispute })
const open = (await stripe.disputes.list({ payment_intent: asked.id }, on)).data[0]
assert.deepEqual([open.id, open.status, open.amount, open.balance_transactions[0].net], [dispute, 'needs_response', 2200, -3700])
await refused('a refund of it', stripe.refunds.create({ payment_intent: asked.id, amount: 1 }, on), { code: 'charge_disputed' })
// What the studio says to the bank is kept until it is handed in, and then said for good.
const draft = await stripe.disputes.update(dispute, { evidence: { product_description: 'A class' } }, on)
assert.deepEqual([draft.status, draft.evidence_details.submission_count, draft.evidence.product_description], ['needs_response', 0, 'A class'])
const said = { product_description: 'Evening Flow: a class', customer_email_address: 'ada@example.com', service_date: '2026-06-12', access_activity_log: 'Ada was there' }
const handed = await stripe.disputes.update(dispute, { evidence: said, submit: true }, on)
assert.deepEqual([handed.id, handed.status, handed.evidence_details.submission_count], [dispute, 'under_review', 1])
const seen = await stripe.disputes.retrieve(dispute, on)
for (const [name, text] of Object.entries(said)) assert.equal(seen.evidence[name], text)
await refused('a second answer', stripe.disputes.update(dispute, { evidence: { service_date: '2026-06-13' }, submit: true }, on), { type: 'StripeInvalidRequestError' })
assert.equal((await stripe.disputes.retrieve(dispute, on)).evidence.service_date, '2026-06-12')
await control('win', { id: dispute })
assert.equal((await stripe.disputes.retrieve(dispute, on)).status, 'won')

// What is available is paid out, arrives, and comes back; the balance is what its transactions add up to.
await advance('49h')
const sent = await control('pay-out', {})
assert.equal((await stripe.payouts.retrieve(sent, on)).status, 'in_transit')
await advance('25h')
const arrived = await stripe.payouts.retrieve(sent, on)
assert.deepEqual([arrived.status, arrived.reconciliation_status], ['paid', 'completed'])
const rows = []
for await (const row of stripe.balanceTransactions.list({ payout: sent, limit: 3 }, on)) rows.push(row)
assert.ok(rows.length > 3, 'the list has one page only')
assert.equal(rows.reduce((sum, row) => sum + row.net, 0), 0)
await control('fail-payout', { id: sent })
assert.equal((await stripe.payouts.list({ limit: 1 }, on)).data[0].status, 'failed')
let sum = 0
for await (const row of stripe.balanceTransactions.list({}, on)) sum += row.net
const balance = await stripe.balance.retrieve(on)
assert.equal(balance.available[0].amount + balance.pending[0].amount, sum)

// Events: signed as Stripe signs them, once each, and the same when they are read.
const arrivals = await (await fetch(SIM_URL + '/tool/events')).json()
const kinds = new Set()
const ids = new Set()
for (const { body, signature } of arrivals) {
	const event = stripe.webhooks.constructEvent(body, signature, SIM_WEBHOOK_SECRET, 10 * 24 * 3600)
	assert.equal(event.api_version, SIM_VERSION)
	assert.equal(event.account, account)
	kinds.add(event.type)
	ids.add(event.id)
}
assert.equal(ids.size, arrivals.length)
for (const kind of ['account.updated', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.requires_action',
	'payment_intent.canceled', 'charge.succeeded', 'charge.failed', 'charge.updated', 'charge.refunded', 'refund.created',
	'payment_method.attached', 'payment_method.detached', 'charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed',
	'charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated', 'payout.created', 'payout.paid',
	'payout.reconciliation_completed', 'payout.failed'])
	assert.ok(kinds.has(kind), `no event ${kind}`)
const { body, signature } = arrivals.at(-1)
const stamp = Number(/t=(\d+)/.exec(signature)[1])
const checked = (payload, secret, late) => () => stripe.webhooks.constructEvent(payload, signature, secret, 300, undefined, (stamp + late) * 1000)
assert.doesNotThrow(checked(body, SIM_WEBHOOK_SECRET, 299))
for (const [what, check] of Object.entries({
	'another body': checked(body + ' ', SIM_WEBHOOK_SECRET, 0), 'another secret': checked(body, 'whsec_x', 0), 'an old one': checked(body, SIM_WEBHOOK_SECRET, 301),
})) assert.throws(check, { type: 'StripeSignatureVerificationError' }, what)
const event = JSON.parse(body)
assert.equal((await stripe.events.retrieve(event.id, on)).type, event.type)
assert.equal((await stripe.events.list({ limit: 1 }, on)).data[0].id, event.id)
await control('replay', { id: event.id })
assert.equal((await (await fetch(SIM_URL + '/tool/events')).json()).at(-1).body, body)

console.log(`the simulator and Stripe's client for Node understand each other: ${arrivals.length} events of ${kinds.size} kinds`)
