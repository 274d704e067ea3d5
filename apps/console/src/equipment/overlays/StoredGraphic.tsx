// A graphic of a customer as it would lie over a programme; its picture is fetched when it is looked at.
import type { Overlay, OverlayPlace } from '@backhaul/contract/nouns/overlays'
import { Alert } from '@mantine/core'
import { useEffect, useState } from 'react'
import { describeFault, faultWords } from '../../doors/api.ts'
import { GraphicStage } from './GraphicStage.tsx'
import { pictureOf, sourceOf } from './overlays.ts'

interface StoredGraphicProps {
  /** An empty programme is shown without one. */
  graphic: Overlay | undefined
  place: OverlayPlace
  label: string
}

export function StoredGraphic({ graphic, place, label }: StoredGraphicProps) {
  const [fetched, setFetched] = useState<{ id: string; png?: string; fault?: string }>()
  const { id } = graphic ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: a graphic never changes its picture
  useEffect(() => {
    if (!graphic) return
    pictureOf(graphic).then(
      (png) => setFetched({ id: graphic.id, png }),
      (error) => setFetched({ id: graphic.id, fault: faultWords(describeFault(error)) }),
    )
  }, [id])
  const known = fetched?.id === id ? fetched : undefined
  const picture =
    graphic && known?.png !== undefined ? { ...graphic, source: sourceOf(known.png) } : undefined
  return (
    <>
      <GraphicStage label={label} place={place} picture={picture} />
      {known?.fault === undefined ? null : <Alert color="red">{known.fault}</Alert>}
    </>
  )
}
