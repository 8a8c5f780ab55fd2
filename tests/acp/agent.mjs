// An agent of the official SDK of the Agent Client Protocol: asks for a permission, writes a file through the client, and
// reports it. A prompt with `wait` is worked on until it is cancelled.
//
//   node agent.mjs SDK
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const [sdk] = process.argv.slice(2)
const acp = await import(pathToFileURL(join(sdk, 'dist/v1/stable/acp.js')))
const folders = new Map()

const app = acp
  .agent({ name: 'scripted' })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(acp.methods.agent.session.new, ({ params }) => {
    const sessionId = `s${folders.size + 1}`
    folders.set(sessionId, params.cwd)
    return { sessionId }
  })
  .onNotification(acp.methods.agent.session.cancel, () => process.exit(0))
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId } = params
    const text = params.prompt.map((block) => block.text ?? '').join('')
    const update = (update) => client.notify(acp.methods.client.session.update, { sessionId, update })
    const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
    if (text.includes('wait')) await new Promise(() => setInterval(() => {}, 1000))
    const path = join(folders.get(sessionId), 'written.txt')
    const toolCall = { toolCallId: 'c1', title: 'Write written.txt', kind: 'edit', rawInput: { path } }
    await update({ sessionUpdate: 'tool_call', status: 'pending', ...toolCall })
    const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
      sessionId,
      toolCall,
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    })
    if (outcome.optionId !== 'yes') {
      await update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' })
      await say('It was not allowed.')
      return { stopReason: 'end_turn' }
    }
    await client.request(acp.methods.client.fs.writeTextFile, { sessionId, path, content: `${text}\n` })
    const { content } = await client.request(acp.methods.client.fs.readTextFile, { sessionId, path })
    let outside = 'read'
    try {
      await client.request(acp.methods.client.fs.readTextFile, { sessionId, path: '/etc/passwd' })
    } catch (error) {
      outside = 'refused'
    }
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' })
    await say(`I wrote ${content.trim().length} characters; `)
    await say(`/etc/passwd is ${outside}.`)
    return { stopReason: 'end_turn' }
  })

const connection = app.connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
await connection.closed
