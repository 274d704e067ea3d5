// The usual way to show a live table: all rows in React state, TanStack Table over it, virtual rows.
// It reads the same list and the same push as the console.

import { client } from '@backhaul/contract/api/client'
import { units as endpoints } from '@backhaul/contract/api/units'
import { pathOf } from '@backhaul/contract/define/endpoint'
import { PUSH_PATH } from '@backhaul/contract/define/topic'
import { tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const features = tableFeatures({})
const links = (unit) => unit.modems.filter(({ connected }) => connected).length
const column = (id, accessorFn) => ({ id, header: id, accessorFn })
const columns = [
  column('status', (unit) => unit.status),
  column('name', (unit) => unit.name),
  column('channel', (unit) => unit.selectedChannelName || '—'),
  column('bitrate', (unit) => (unit.uplink ? `${(unit.uplink.kbps / 1000).toFixed(1)} Mbps` : '—')),
  column('rtt', (unit) => (unit.uplink ? `${unit.uplink.rttMs} ms` : '—')),
  column('loss', (unit) => (unit.uplink ? `${unit.uplink.lossPercent} %` : '—')),
  column('links', (unit) => `${links(unit)} of ${unit.modems.length}`),
  column('battery', (unit) => (unit.battery ? `${unit.battery.percentage}%` : '—')),
  column('alerts', (unit) => unit.alerts.length),
  column('location', (unit) => unit.location?.lat.toFixed(4) ?? '—'),
  column('delay', (unit) => unit.delay),
  column('type', (unit) => unit.type),
  column('version', (unit) => unit.displayVersion),
  column('comment', (unit) => unit.comment || '—'),
]

async function read(endpoint, query = '') {
  const reply = await fetch(pathOf(endpoint) + query, { headers: { 'application-id': 'bench' } })
  return (await reply.json()).data
}

/** One state update a frame with everything that came, as the console does too. */
function listen(units, setUnits) {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + PUSH_PATH)
  const waiting = new Map()
  const apply = () => {
    const changes = new Map(waiting)
    waiting.clear()
    setUnits((before) =>
      before.map((unit) => (changes.has(unit.uid) ? { ...unit, ...changes.get(unit.uid) } : unit)),
    )
  }
  socket.addEventListener('message', ({ data }) => {
    for (const message of JSON.parse(data)) {
      if (message.uid === undefined) continue
      if (waiting.size === 0) requestAnimationFrame(apply)
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

function PlainList({ first }) {
  const [units, setUnits] = useState(first)
  useEffect(() => listen(first, setUnits), [first])
  const data = useMemo(
    () => [...units].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    [units],
  )
  const table = useTable({ features, columns, data, getRowId: (unit) => unit.uid })
  const { rows } = table.getRowModel()
  const scroll = useRef(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 34,
    overscan: 8,
  })
  return (
    <div ref={scroll} className="rows">
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div key={rows[index].id} className="row" style={{ transform: `translateY(${start}px)` }}>
            {rows[index].getAllCells().map((cell) => (
              <div key={cell.id} className="cell" data-column={cell.column.id}>
                <table.FlexRender cell={cell} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

const groups = await read(client.lightGroups)
const first = await read(endpoints.ofGroup, `?group=${groups[0].uid}`)
createRoot(document.querySelector('#root')).render(<PlainList first={first} />)
document.title = 'ready'
