// The points of a unit's modem graph, alive while the page is open.
import { units } from '@backhaul/contract/api/units'
import { GRAPH_INTERVAL_MS, GRAPH_POINTS, type GraphPoint } from '@backhaul/contract/nouns/modems'
import { useEffect, useLayoutEffect, useState } from 'react'
import { push } from '../../doors/push.ts'
import { useRead } from '../../doors/reads.ts'
import { beginInterval, endInterval, gather, grown } from './link-graph.ts'
import { coreNowMs, unitStore } from './units-live.ts'

export interface GraphState {
  state: 'loading' | 'ready' | 'error'
  points: readonly GraphPoint[]
}

export function useGraphPoints(uid: string): GraphState {
  const query = { points: GRAPH_POINTS, intervalMs: GRAPH_INTERVAL_MS }
  const { data: read, error, again } = useRead(units.graph, { params: { id: uid }, query }, { isStart: true })
  const [points, setPoints] = useState<readonly GraphPoint[]>([])
  // The points that were read are the start of the live ones.
  useLayoutEffect(() => setPoints(read ?? []), [read])
  useEffect(() => push.onResumed(() => void again()), [again])
  useEffect(() => {
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
      if (point) setPoints((before) => grown(before, point))
    }, GRAPH_INTERVAL_MS)
    return () => {
      stopUnit()
      clearInterval(timer)
    }
  }, [uid])
  return { state: read ? 'ready' : error ? 'error' : 'loading', points }
}
