// The points of a unit's modem graph, alive while the page is open.
import { units } from '@backhaul/contract/api/units'
import { GRAPH_INTERVAL_MS, GRAPH_POINTS, type GraphPoint } from '@backhaul/contract/nouns/modems'
import { useEffect, useState } from 'react'
import { call } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'
import { beginInterval, endInterval, gather, grown } from './link-graph.ts'
import { coreNowMs, unitStore } from './units-live.ts'

export interface GraphState {
  state: 'loading' | 'ready' | 'error'
  points: readonly GraphPoint[]
}

export function useGraphPoints(uid: string): GraphState {
  const [graph, setGraph] = useState<GraphState>({ state: 'loading', points: [] })
  useEffect(() => {
    let gone = false
    const load = () =>
      call(units.graph, {
        params: { id: uid },
        query: { points: GRAPH_POINTS, intervalMs: GRAPH_INTERVAL_MS },
      })
        .then((points) => {
          if (!gone) setGraph({ state: 'ready', points })
        })
        .catch(() => {
          if (!gone)
            setGraph((before) => ({ ...before, state: before.points.length > 0 ? 'ready' : 'error' }))
        })
    setGraph({ state: 'loading', points: [] })
    void load()
    const stopResumed = push.onResumed(() => void load())
    const dropped = () => unitStore.get(uid)?.uplink?.droppedPackets ?? 0
    let gathered = beginInterval(dropped())
    let heardAt = unitStore.get(uid)?.reportedAt
    const stopUnit = unitStore.subscribeItem(uid, () => {
      const unit = unitStore.get(uid)
      if (!unit || unit.offline || unit.reportedAt === heardAt) return
      heardAt = unit.reportedAt
      gather(gathered, unit)
    })
    const timer = setInterval(() => {
      const point = endInterval(gathered, coreNowMs())
      gathered = beginInterval(dropped())
      if (point) setGraph(({ state, points }) => ({ state, points: grown(points, point) }))
    }, GRAPH_INTERVAL_MS)
    return () => {
      gone = true
      stopResumed()
      stopUnit()
      clearInterval(timer)
    }
  }, [uid])
  return graph
}
