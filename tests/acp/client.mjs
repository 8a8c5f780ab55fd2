// The official client of the Agent Client Protocol against a program: a session with a permission, its cancellation, and
// the same session opened again. Prints what happened as one JSON object.
//
//   node client.mjs SDK FOLDER PROGRAM ARGUMENT...
import { acp, folder, prompt, withAgent } from './connect.mjs'

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
