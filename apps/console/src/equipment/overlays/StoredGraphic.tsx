// A graphic of a customer as it would lie over a programme; its picture is fetched when it is viewed.
import { overlays as calls } from '@backhaul/contract/api/overlays'
import type { Overlay, OverlayPlace } from '@backhaul/contract/nouns/overlays'
import { Alert } from '@mantine/core'
import { useRead } from '../../doors/reads.ts'
import { GraphicStage } from './GraphicStage.tsx'
import { sourceOf } from './overlays.ts'

interface StoredGraphicProps {
  /** An empty programme is shown without one. */
  graphic: Overlay | undefined
  place: OverlayPlace
  label: string
}

export function StoredGraphic({ graphic, place, label }: StoredGraphicProps) {
  const { inventory = '', id: overlayId = '' } = graphic ?? {}
  const params = { id: inventory, overlayId }
  const { data, errorText } = useRead(calls.picture, { params }, { isAsked: graphic !== undefined })
  const picture = graphic && data ? { ...graphic, source: sourceOf(data.png) } : undefined
  return (
    <>
      <GraphicStage label={label} place={place} picture={picture} />
      {errorText === undefined ? null : <Alert color="red">{errorText}</Alert>}
    </>
  )
}
