// A programme without a picture, and how a graphic would lie over it.
import { OVERLAY_DRAWN_FOR, type OverlayPlace } from '@backhaul/contract/nouns/overlays'
import styles from './overlays.module.css'

interface GraphicStageProps {
  /** It has nothing over it. */
  picture: { source: string; width: number; height: number } | undefined
  place: OverlayPlace
  label: string
}

const lines = (OVERLAY_DRAWN_FOR * 9) / 16

export function GraphicStage({ picture, place, label }: GraphicStageProps) {
  return (
    <figure className={`${styles.graphicStage} ${styles[place]}`} aria-label={label}>
      {picture ? <img src={picture.source} alt={label} style={shareOf(picture)} /> : null}
    </figure>
  )
}

/** Share of the programme that graphics are drawn for; a larger graphic is made to fit. */
function shareOf({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, OVERLAY_DRAWN_FOR / width, lines / height)
  const percent = (pixels: number, of: number) => `${(100 * pixels * scale) / of}%`
  return { width: percent(width, OVERLAY_DRAWN_FOR), height: percent(height, lines) }
}
