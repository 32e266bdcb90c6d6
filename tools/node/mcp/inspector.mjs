// The command line of @modelcontextprotocol/inspector, from a bare 401 to a cancelled booking, against a "foyer dev" at
// the given address. Its first command prints the address that a person goes to, and listens for the answer; the next
// ones use the token that it keeps.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demo, freePort, Person } from './browser.mjs'
import { book, cancel, tools } from './studio.mjs'

const base = process.argv[2]
const [studio] = await demo(base)
const program = fileURLToPath(
	new URL('../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))
const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
const home = await mkdtemp(join(tmpdir(), 'inspector-'))

// inspect runs a command and returns what it printed. ask goes to the address that it prints.
async function inspect(ask, ...args) {
	const child = spawn(process.execPath, [
		program, '--cli', '--server-url', `${base}/mcp`, '--transport', 'http', '--protocol-era', 'auto',
		'--callback-url', callback, '--format', 'json', ...(ask ? [] : ['--stored-auth-only']), ...args,
	], {
		stdio: ['ignore', 'pipe', 'pipe'],
		// It asks people only, so it is told that there is one; the browser that it opens is "true". A keychain would stay.
		env: {
			...process.env, HOME: home, MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true', MCP_INSPECTOR_SECRET_STORE: 'file',
		},
	})
	let out = '', said = '', walk
	child.stdout.on('data', text => { out += text })
	child.stderr.on('data', text => {
		said += text
		const address = said.match(new RegExp(`${base}/oauth/authorize\\?\\S+(?=\\s)`))?.[0]
		if (!address || !ask || walk) return
		walk = ask(address)
		walk.catch(() => child.kill())
	})
	const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
	await walk
	assert.ok(!ask || walk, `it asked nobody: ${said}`)
	if (code === 0 || out.includes('"isError"')) return JSON.parse(out).result // a refusal of a tool has an exit code of its own
	throw new Error(`inspector ${args.join(' ')}: exit code ${code}\n${said}${out}`)
}

const person = new Person(base, studio.people.manager.email)
const authorize = address => person.authorize(address, callback, { business: studio.id }).then(answer => fetch(answer))
try {
	const names = tools((await inspect(authorize, '--method', 'tools/list')).tools)
	const call = (name, args) =>
		inspect(undefined, '--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))
	await cancel(call, await book(base, studio, call))
	console.log(`@modelcontextprotocol/inspector: ${names.length} tools, booked and cancelled`)
} finally {
	await rm(home, { recursive: true, force: true })
}
