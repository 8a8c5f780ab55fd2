// The official client of the Agent Client Protocol against a program: a session with a permission, its cancellation, and
// the same session opened again. Prints what happened as one JSON object.
//
//   node client.mjs SDK FOLDER PROGRAM ARGUMENT...
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const [sdk, folder, program, ...args] = process.argv.slice(2)
const acp = await import(pathToFileURL(join(sdk, 'dist/v1/stable/acp.js')))

/** Runs `work` with the program as its agent; gives what it sent meanwhile, too. */
async function withAgent(work) {
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
  const result = await client.connectWith(stream, async (agent) => {
    const initialized = await agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: {},
    })
    return { initialized, ...(await work(agent)) }
  })
  child.stdin.end()
  const code = await new Promise((resolve) => (child.exitCode === null ? child.on('exit', resolve) : resolve(child.exitCode)))
  return { ...result, updates, permissions, code }
}

const prompt = (sessionId, text) => ({ sessionId, prompt: [{ type: 'text', text }] })

const first = await withAgent(async (agent) => {
  const { sessionId } = await agent.request(acp.methods.agent.session.new, { cwd: folder, mcpServers: [] })
  const done = await agent.request(acp.methods.agent.session.prompt, prompt(sessionId, 'Write the file.'))
  const working = agent.request(acp.methods.agent.session.prompt, prompt(sessionId, 'Take your time.'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  await agent.notify(acp.methods.agent.session.cancel, { sessionId })
  const { sessions } = await agent.request(acp.methods.agent.session.list, { cwd: folder })
  return { sessionId, done, cancelled: await working, sessions }
})
const again = await withAgent(async (agent) => {
  const { sessionId } = first
  await agent.request(acp.methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] })
  let refused = null
  try {
    await agent.request(acp.methods.agent.session.prompt, prompt('unknown', 'Hello.'))
  } catch (error) {
    refused = error.message
  }
  return { refused }
})
console.log(JSON.stringify({ first, again }))
