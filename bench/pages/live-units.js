// What the plain pages share: the units of the first group, and one call a frame with everything that the push brought.
import { client } from '@backhaul/contract/api/client'
import { units as endpoints } from '@backhaul/contract/api/units'
import { pathOf } from '@backhaul/contract/define/endpoint'
import { PUSH_PATH } from '@backhaul/contract/define/topic'

export async function read(endpoint, query = '') {
  const reply = await fetch(pathOf(endpoint) + query, { headers: { 'application-id': 'bench' } })
  return (await reply.json()).data
}

export async function readUnits() {
  const groups = await read(client.lightGroups)
  return await read(endpoints.ofGroup, `?group=${groups[0].uid}`)
}

/** Calls `apply` with the changes by unit, once a frame, as the console does too; answers how to stop. */
export function listen(units, apply) {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + PUSH_PATH)
  const waiting = new Map()
  const flush = () => {
    const changes = new Map(waiting)
    waiting.clear()
    apply(changes)
  }
  socket.addEventListener('message', ({ data }) => {
    for (const message of JSON.parse(data)) {
      if (message.uid === undefined) continue
      if (waiting.size === 0) requestAnimationFrame(flush)
      waiting.set(message.uid, { ...waiting.get(message.uid), ...message.data })
    }
  })
  socket.addEventListener('open', () => {
    for (let at = 0; at < units.length; at += 50) {
      const some = units.slice(at, at + 50)
      const topics = some.map(({ uid }) => `unit.${uid}`)
      const since = Object.fromEntries(some.map(({ uid, rev }) => [`unit.${uid}`, rev]))
      socket.send(JSON.stringify({ action: 'subscribe', topics, since }))
    }
  })
  return () => socket.close()
}
