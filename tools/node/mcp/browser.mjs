// A browser without a screen and without script: it follows addresses, keeps cookies and submits forms, by the names of
// their fields alone.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const decode = text => text.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (all, hex, dec, name) =>
	hex ? String.fromCodePoint(parseInt(hex, 16)) : dec ? String.fromCodePoint(Number(dec)) : entities[name] ?? all)

function attributes(tag) {
	const out = {}
	for (const [, name, a, b, c] of tag.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g)) {
		out[name.toLowerCase()] = decode(a ?? b ?? c ?? '')
	}
	return out
}

// forms returns the forms of a page: where each goes, and its fields with their values and kinds.
function forms(html, at) {
	return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].map(([, head, content]) => {
		const form = attributes(head)
		const fields = [...content.matchAll(/<(input|button)\b([^>]*)>/gi)].map(([, tag, rest]) => {
			const field = attributes(rest)
			const type = field.type?.toLowerCase() ?? (tag.toLowerCase() === 'button' ? 'submit' : 'text')
			return { name: field.name, type, value: field.value ?? '', checked: 'checked' in field }
		}).filter(field => field.name)
		return { action: new URL(form.action || at, at).href, method: (form.method ?? 'get').toUpperCase(), fields }
	})
}

export class Browser {
	#cookies = new Map()

	// open follows an address and its redirects to a page. It does not go to an address that begins with stop: it
	// returns it as the page's left.
	async open(url, stop, init = {}) {
		for (let hops = 0; hops < 10; hops++) {
			if (stop && url.startsWith(stop)) return { left: url }
			const headers = { accept: 'text/html', ...init.headers }
			const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
			if (cookies) headers.cookie = cookies
			const res = await fetch(url, { ...init, headers, redirect: 'manual' })
			for (const cookie of res.headers.getSetCookie()) this.#keep(cookie)
			const location = res.headers.get('location')
			const html = await res.text()
			if (res.status >= 300 && res.status < 400 && location) {
				url = new URL(location, url).href
				init = {}
				continue
			}
			return { url, status: res.status, html, forms: forms(html, url) }
		}
		throw new Error(`${url}: too many redirects`)
	}

	#keep(cookie) {
		const [pair, ...rest] = cookie.split(';')
		const [, name, value] = pair.match(/^\s*([^=]+)=(.*)$/s)
		if (value === '' || rest.some(part => /^\s*max-age=(0|-)/i.test(part))) this.#cookies.delete(name)
		else this.#cookies.set(name, value)
	}

	// submit sends a form with the values given by name, as a browser would: with its hidden fields and its checked boxes,
	// and the one button that is named.
	async submit(page, form, values, stop) {
		const body = new URLSearchParams()
		for (const { name, type, value, checked } of form.fields) {
			if (name in values) continue
			if (type === 'submit' || type === 'button' || ((type === 'radio' || type === 'checkbox') && !checked)) continue
			body.append(name, value)
		}
		for (const [name, value] of Object.entries(values)) body.set(name, value)
		const from = { origin: new URL(page.url).origin, referer: page.url, 'sec-fetch-site': 'same-origin' }
		if (form.method === 'GET') {
			const to = new URL(form.action)
			to.search = body
			return this.open(to.href, stop)
		}
		return this.open(form.action, stop, { method: 'POST', body, headers: from })
	}
}

// Person is somebody of a "foyer dev" at base with an email address: their mails are in its mailbox.
export class Person {
	browser = new Browser()
	pages = [] // what they were shown: the names of the fields they filled in

	constructor(base, email) {
		Object.assign(this, { base, email })
	}

	async #mails() {
		const res = await fetch(`${this.base}/dev/mailbox.json?to=${encodeURIComponent(this.email)}`)
		assert.equal(res.status, 200)
		return (await res.json()).filter(mail => mail.code)
	}

	// code is that of the mail that came after the others.
	async #code(before) {
		for (let tries = 0; tries < 100; tries++) {
			const mail = (await this.#mails()).find(({ id }) => !before.has(id))
			if (mail) return mail.code
			await wait(100)
		}
		throw new Error(`no code for ${this.email}`)
	}

	// authorize goes to an authorization address, signs in, picks the business with that id if there is a choice, and
	// allows or denies. It returns the address that the answer goes to, which begins with redirect.
	async authorize(address, redirect, { business, decision = 'allow' } = {}) {
		this.pages = []
		let page = await this.browser.open(address, redirect)
		let before = new Set()
		for (let steps = 0; steps < 8; steps++) {
			if (page.left) return new URL(page.left)
			assert.equal(page.status, 200, `${page.url}: ${page.html}`)
			const wants = (form, name) => form.fields.some(field => field.name === name && field.type !== 'hidden')
			const form = ['decision', 'business', 'code', 'email'].flatMap(name => page.forms.filter(f => wants(f, name)))[0]
			assert.ok(form, `${page.url} asks nothing: ${page.html}`)
			const values = {}
			if (wants(form, 'email')) {
				before = new Set((await this.#mails()).map(({ id }) => id))
				values.email = this.email
			}
			if (wants(form, 'code')) values.code = await this.#code(before)
			if (wants(form, 'business')) values.business = business ?? form.fields.find(f => f.name === 'business').value
			if (wants(form, 'decision')) {
				assert.ok(form.fields.some(field => field.name === 'decision' && field.value === decision), page.html)
				values.decision = decision
				this.consent = page.html
			}
			this.pages.push(Object.keys(values).join(' '))
			page = await this.browser.submit(page, form, values, redirect)
		}
		throw new Error(`${page.url}: no end after ${this.pages.join(', ')}`)
	}
}

// demo returns the studios of a "foyer dev".
export async function demo(base) {
	const res = await fetch(`${base}/dev/demo.json`)
	assert.equal(res.status, 200)
	return (await res.json()).businesses
}

// freePort returns a port of this machine that nobody listens at.
export const freePort = () => new Promise((resolve, reject) => {
	const probe = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
		const { port } = probe.address()
		probe.close(() => resolve(port))
	})
})
