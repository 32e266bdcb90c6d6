// Runs the conformance suites, which are packages: "conformance-0.1" and "conformance-0.2".
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// suite runs a command of a suite, and fails with all it printed unless the command succeeds.
export const suite = (name, ...args) => run(name, args, () => {})

// run is suite that hands each line of the output to seen, ends the command when signal is aborted, and returns the
// output.
export async function run(name, args, seen, signal) {
	const program = fileURLToPath(new URL(`../node_modules/${name}/dist/index.js`, import.meta.url))
	const folder = await mkdtemp(join(tmpdir(), 'conformance-')) // it writes its results where it stands
	try {
		const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], signal })
		let output = '', line = ''
		child.stderr.on('data', text => { output += text })
		child.stdout.on('data', text => {
			output += text
			const lines = (line + text).split('\n')
			line = lines.pop()
			lines.forEach(seen)
		})
		const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
		if (code !== 0) {
			console.error(output)
			throw new Error(`${name} ${args.join(' ')}: exit code ${code}`)
		}
		const summary = output.match(/^(Total|Passed|Server|.*scored).*$/gm) ?? []
		console.log([`${name} ${args[0]} passes`, ...summary].join('\n  '))
		return output
	} finally {
		await rm(folder, { recursive: true, force: true })
	}
}
