import type { Unit } from '@backhaul/contract/nouns/units'
import styles from './on-air-warning.module.css'

/** The effect on the programme if a unit that is on air is taken from its channel. */
export function OnAirWarning({ unit, text }: { unit: Pick<Unit, 'tally'> | undefined; text: string }) {
  return unit?.tally.onAir ? <p className={styles.onAirWarning}>{text}</p> : null
}
