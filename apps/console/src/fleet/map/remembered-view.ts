// The view that a user left, and where the map begins for those who have not moved it (SC-MAP-02, CO-UNIT-46, CO-UNIT-47).
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'
import { preferences, setPreferences } from '../../session/preferences/preferences.ts'
import { type MapView, soundView } from './mercator.ts'

type MapData = UserPreferences['mapData']

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** The view as it is kept: more digits cannot be seen. */
export function viewOf(data: MapData): MapView {
  const { zoom, lat, lng } = soundView(data)
  return { zoom: rounded(zoom, 2), lat: rounded(lat, 5), lng: rounded(lng, 5) }
}

/** A hand that is still moving the map has not chosen a view. */
const restMs = 400

export function rememberView() {
  let newest: MapView | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  function save(): void {
    clearTimeout(timer)
    if (!newest) return
    const mapData = viewOf(newest)
    newest = undefined
    const { zoom, lat, lng } = preferences.get().mapData
    if (zoom !== mapData.zoom || lat !== mapData.lat || lng !== mapData.lng) setPreferences({ mapData })
  }
  return {
    keep(view: MapView): void {
      newest = view
      clearTimeout(timer)
      timer = setTimeout(save, restMs)
    },
    close: save,
  }
}
