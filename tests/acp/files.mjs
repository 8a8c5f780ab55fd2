// A client of the Agent Client Protocol with a file open that is not saved. Prints the requests for files, and what the
// file holds at the end, as one JSON object.
//
//   node files.mjs SDK FOLDER PROGRAM ARGUMENT...
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { acp, folder, prompt, withAgent } from './connect.mjs'

const open = join(folder, 'greeting.txt')
let buffer = 'Hello from the buffer.\n'
const requests = []

const result = await withAgent(
  async (agent) => {
    const { sessionId } = await agent.request(acp.methods.agent.session.new, { cwd: folder, mcpServers: [] })
    return { done: await agent.request(acp.methods.agent.session.prompt, prompt(sessionId, 'Greet the world.')) }
  },
  { fs: { readTextFile: true, writeTextFile: true } },
  (client) =>
    client
      .onRequest(acp.methods.client.fs.readTextFile, ({ params }) => {
        requests.push({ read: params.path })
        if (params.path === open) return { content: buffer }
        return { content: readFileSync(params.path, 'utf8') }
      })
      .onRequest(acp.methods.client.fs.writeTextFile, ({ params }) => {
        requests.push({ write: params.path, content: params.content })
        if (params.path === open) buffer = params.content
        writeFileSync(params.path, params.content)
        return {}
      }),
)
console.log(JSON.stringify({ requests, buffer, stored: readFileSync(open, 'utf8'), ...result }))
