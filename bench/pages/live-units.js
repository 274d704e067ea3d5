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

/** Calls `apply` with each change as it comes; answers how to stop. */
export function listenToEach(units, apply) {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + PUSH_PATH)
  socket.addEventListener('message', ({ data }) => {
    for (const { uid, data: change } of JSON.parse(data)) if (uid !== undefined) apply(uid, change)
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

/** Calls `apply` with the changes by unit, once a frame, as the console does too; answers how to stop. */
export function listen(units, apply) {
  const waiting = new Map()
  const flush = () => {
    const changes = new Map(waiting)
    waiting.clear()
    apply(changes)
  }
  return listenToEach(units, (uid, change) => {
    if (waiting.size === 0) requestAnimationFrame(flush)
    waiting.set(uid, { ...waiting.get(uid), ...change })
  })
}
