// The official client of the Agent Client Protocol, connected to a program.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const [sdk, folder, program, ...args] = process.argv.slice(2)
export const acp = await import(pathToFileURL(join(sdk, 'dist/v1/stable/acp.js')))
export { folder }

/**
 * Runs `work` with the program as its agent; gives what it sent meanwhile, too. `capabilities` are the client's, and
 * `serve` adds what answers to the requests that these allow.
 */
export async function withAgent(work, capabilities = {}, serve = (client) => client) {
  const updates = []
  const permissions = []
  const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))
  const client = acp
    .client({ name: 'judge' })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params)
      const option = params.options.find((one) => one.kind === 'allow_once')
      return { outcome: { outcome: 'selected', optionId: option.optionId } }
    })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updates.push(params.update)
    })
  const result = await serve(client).connectWith(stream, async (agent) => {
    const initialized = await agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: capabilities,
    })
    return { initialized, ...(await work(agent)) }
  })
  child.stdin.end()
  const code = await new Promise((resolve) => (child.exitCode === null ? child.on('exit', resolve) : resolve(child.exitCode)))
  return { ...result, updates, permissions, code }
}

export const prompt = (sessionId, text) => ({ sessionId, prompt: [{ type: 'text', text }] })
