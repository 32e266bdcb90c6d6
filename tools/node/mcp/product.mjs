// The scenarios of both conformance suites that need no tools of their own, against POST /mcp of a "foyer dev" at the
// given address. The suites send no credential, so a proxy adds the studio's API key; it changes nothing else but the
// name and the origin of the server, where they are its own.
import { createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { demo } from './browser.mjs'
import { suite } from './suite.mjs'

const product = new URL(process.argv[2])
const [{ apiKey }] = await demo(product.origin)
const proxy = createServer((req, res) => {
	const own = `localhost:${proxy.address().port}`
	const headers = { ...req.headers, authorization: `Bearer ${apiKey}` }
	if (headers.host === own) headers.host = product.host
	if (headers.origin === `http://${own}`) headers.origin = product.origin
	const onward = request(new URL(req.url, product), { method: req.method, headers }, answer => {
		res.writeHead(answer.statusCode, answer.rawHeaders)
		answer.pipe(res)
	})
	onward.on('error', error => res.destroy(error))
	res.on('close', () => onward.destroy())
	req.pipe(onward)
})
await new Promise(resolve => proxy.listen(0, '127.0.0.1', resolve))
const url = `http://localhost:${proxy.address().port}/mcp`

for (const name of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
	await suite('conformance-0.1', 'server', '--url', url, '--scenario', name)
}
for (const name of ['tools-list', 'caching', 'dns-rebinding-protection', 'http-header-validation', 'server-stateless']) {
	await suite('conformance-0.2', 'server', '--url', url, '--spec-version', '2026-07-28', '--scenario', name,
		'--expected-failures', fileURLToPath(new URL('product.yaml', import.meta.url)))
}
proxy.close()
