// The work of a studio by tools: list, find a time, hold, confirm, cancel by quote. call(name, arguments) calls a tool
// and returns the result as the client has it.
import assert from 'node:assert/strict'

// done returns what a tool answered.
export function done(result) {
	assert.ok(!result.isError, result.content?.[0]?.text)
	assert.match(result.content[0].text, /^Data of the studio/)
	return result.structuredContent
}

// refused checks the reason for which a tool did nothing.
export function refused(result, ...reasons) {
	assert.ok(result.isError, `it was done: ${result.content?.[0]?.text}`)
	const { details } = result.structuredContent.error
	assert.ok(reasons.includes(details.reason), JSON.stringify(result.structuredContent))
}

// book buys the first date that can be had, and returns what cancels it.
export async function book(base, studio, call) {
	const businesses = done(await call('listBusinesses', {})).items
	assert.ok(businesses.some(({ business }) => business.id === studio.id), 'the studio is not listed')
	const location = studio.locations[0].id
	const schedule = done(await call('getSchedule', { id: location }))
	const dates = schedule.days.flatMap(day => day.slots)
		.filter(slot => slot.spots > 0 && !slot.course && new Date(slot.startsAt) - Date.now() > 2 * 86400e3)
	const cart = await hold(call, location, dates)
	const due = cart.totals.total - cart.totals.credit - cart.totals.dueLater
	if (due > 0) {
		const payment = done(await call('startPayment', { token: cart.token, quotedTotal: due }))
		// The person pays: a card is not an assistant's to enter.
		const form = {
			client_secret: payment.clientSecret, number: '4242424242424242', exp: '12/34', cvc: '123', return_url: `${base}/`,
		}
		const paid = await fetch(`${base}/__sim/pay`, {
			method: 'POST', body: new URLSearchParams(form), redirect: 'manual',
		})
		assert.equal(paid.status, 303)
	}
	const sold = done(await call('confirmCart', { token: cart.token }))
	assert.ok(sold.receiptToken && sold.receipt.lines.length === 1, JSON.stringify(sold))
	const [line] = sold.receipt.lines
	assert.equal(line.state, 'confirmed')
	return { businessId: studio.id, bookingId: line.bookingId, by: 'customer' }
}

// hold returns a cart that holds a seat on one of the dates. One that is taken is no error: the next one is tried.
async function hold(call, location, dates) {
	for (const { occurrenceId } of dates) {
		const { token } = done(await call('createCart', { locationId: location }))
		const added = await call('addCartItem', { token, occurrenceId })
		if (added.isError) {
			refused(added, 'full', 'started', 'cancelled')
			continue
		}
		const cart = done(added)
		if (cart.agreements.length > 0) continue // the person signs those on a page
		const held = await call('holdCart', { token, quotedTotal: cart.totals.total })
		if (held.isError) {
			refused(held, 'duplicate', 'full')
			continue
		}
		assert.ok(done(held).holdId)
		return { ...cart, token }
	}
	throw new Error('no date can be had')
}

// cancel cancels a booking: not without a quote, and with that of a dry run.
export async function cancel(call, which) {
	refused(await call('cancelBooking', which), 'quote_required')
	const { quoteId, effects } = done(await call('cancelBooking', { ...which, dryRun: true }))
	assert.ok(quoteId && effects)
	done(await call('cancelBooking', { ...which, quoteId }))
	const { businessId, bookingId } = which
	assert.equal(done(await call('getBooking', { businessId, bookingId })).state, 'cancelled')
	return quoteId
}

// quotes cancels a booking, and tries what a quote is not good for.
export async function quotes(call, which) {
	const unknown = { ...which, quoteId: '00000000-0000-4000-8000-000000000000' }
	refused(await call('cancelBooking', unknown), 'quote_unknown')
	const quote = done(await call('cancelBooking', { ...which, dryRun: true }))
	refused(await call('cancelBooking', { ...which, by: 'studio', quoteId: quote.quoteId }), 'quote_other')
	const quoteId = await cancel(call, which)
	done(await call('cancelBooking', { ...which, quoteId })) // an answer that was lost is given again
	refused(await call('cancelBooking', { ...which, dryRun: true }), 'state')
}

// tools checks what a client lists.
export function tools(list) {
	const names = list.map(({ name }) => name)
	for (const name of ['listBusinesses', 'getSchedule', 'holdCart', 'confirmCart', 'cancelBooking', 'find_operation']) {
		assert.ok(names.includes(name), `no tool ${name} among ${names.length}`)
	}
	const { annotations, inputSchema } = list.find(({ name }) => name === 'cancelBooking')
	assert.ok(annotations.destructiveHint && !annotations.readOnlyHint)
	assert.equal(inputSchema.additionalProperties, false)
	return names
}
