// The map in its frame: it follows the live units, the filter, the selection and the remembered view.
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { preferences, usePreference } from '../../session/preferences/preferences.ts'
import { useSignedIn } from '../../session/sign-ins/sign-ins.ts'
import { decimal } from '../../ui/locale.ts'
import { glyphShapes, StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { createValue, useValue, type Value } from '../../ui/value.ts'
import { knownUnit, type UnitMatches, useFleetIsKnown } from '../units/units.ts'
import { followUnits } from './follow-units.ts'
import { loadGround } from './ground.ts'
import styles from './map.module.css'
import { type MapView, scaleBar, soundView } from './mercator.ts'
import { rememberView, viewOf } from './remembered-view.ts'
import { createUnitMap, type UnitMap } from './unit-map.ts'

interface MapFieldProps {
  matches: UnitMatches
  selectedUid: string | null
  onSelect: (uid: string) => void
  onOpen: (uid: string) => void
}

/** At most this many of several units under the pointer are named. */
const namedAtMost = 6

export function MapField(props: MapFieldProps) {
  const { t } = useTranslation('map')
  const host = useRef<HTMLDivElement>(null)
  const glyphs = useRef<HTMLDivElement>(null)
  const [view] = useState(() => createValue<MapView>(viewOf(preferences.get().mapData)))
  const [shown, setShown] = useState<number>()
  const { map, groundFailed, tilesFailed, loadAgain } = useUnitMap(host, glyphs, view, props, setShown)
  const isKnown = useFleetIsKnown()
  const zoomBy = (by: number) => map.current?.zoomBy(by)
  return (
    <section className={styles.mapField} aria-label={t('label')}>
      <div
        ref={host}
        className={styles.mapHost}
        role="application"
        aria-label={t('canvas')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by its keys
        tabIndex={0}
        data-part="map"
        data-units={shown}
      />
      <div ref={glyphs} hidden>
        {glyphShapes.map((shape) => (
          <span key={shape} data-shape={shape}>
            <StatusGlyph shape={shape} tone="ready" size={28} />
          </span>
        ))}
      </div>
      <div className={styles.mapButtons}>
        <button type="button" aria-label={t('zoomIn')} data-tip={t('zoomIn')} onClick={() => zoomBy(1)}>
          <IconPlus size={16} />
        </button>
        <button type="button" aria-label={t('zoomOut')} data-tip={t('zoomOut')} onClick={() => zoomBy(-1)}>
          <IconMinus size={16} />
        </button>
        <button
          type="button"
          aria-label={t('showAll')}
          data-tip={t('showAll')}
          onClick={() => map.current?.showAll()}
        >
          <IconFocusCentered size={16} />
        </button>
      </div>
      <div className={styles.mapNotices} role="status">
        {isKnown && shown === 0 ? <p>{t(props.matches ? 'hiddenPositions' : 'noPositions')}</p> : null}
        {groundFailed ? (
          <p>
            {t('groundFailed')}{' '}
            <button type="button" className="plain-button" onClick={loadAgain}>
              {t('retry')}
            </button>
          </p>
        ) : null}
        {tilesFailed ? <p>{t('tilesFailed')}</p> : null}
      </div>
      <MapFoot view={view} />
    </section>
  )
}

function useUnitMap(
  host: RefObject<HTMLDivElement | null>,
  glyphs: RefObject<HTMLDivElement | null>,
  view: Value<MapView>,
  { matches, selectedUid, onSelect, onOpen }: MapFieldProps,
  onShown: (units: number) => void,
) {
  const { t } = useTranslation('map')
  const tiles = useSignedIn()?.configuration.mapTiles?.address
  const remembered = usePreference((all) => all.mapData)
  const map = useRef<UnitMap | null>(null)
  const follow = useRef<ReturnType<typeof followUnits> | null>(null)
  const [groundFailed, setGroundFailed] = useState(false)
  const [tilesFailed, setTilesFailed] = useState(false)
  const latest = useRef({ t, onSelect, onOpen, onShown, matches, selectedUid })
  latest.current = { t, onSelect, onOpen, onShown, matches, selectedUid }

  function loadAgain(): void {
    setGroundFailed(false)
    loadGround().then(
      (ground) => map.current?.setGround(ground),
      () => setGroundFailed(true),
    )
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is made once for each tile server; what changes is in latest
  useEffect(() => {
    const nameOf = (uid: string) => knownUnit(uid)?.name ?? ''
    const memory = rememberView()
    const made = createUnitMap(host.current as HTMLElement, {
      view: view.get(),
      glyph: (shape) => {
        const glyph = glyphs.current?.querySelector(`[data-shape="${shape}"] svg`)
        return glyph ? new XMLSerializer().serializeToString(glyph) : undefined
      },
      nameOf,
      wordsOf: (ids) => wordsOf(latest.current.t, ids, nameOf),
      tiles,
      onTiles: (areThere) => setTilesFailed(!areThere),
      onView: (next) => {
        view.set(next)
        memory.keep(next)
      },
      onSelect: (uid) => latest.current.onSelect(uid),
      onOpen: (uid) => latest.current.onOpen(uid),
    })
    map.current = made
    follow.current = followUnits(made, (units) => latest.current.onShown(units))
    follow.current.filter(latest.current.matches)
    made.select(latest.current.selectedUid)
    loadAgain()
    return () => {
      memory.close()
      follow.current?.stop()
      made.close()
      map.current = null
    }
  }, [tiles])

  useEffect(() => follow.current?.filter(matches), [matches])
  useEffect(() => map.current?.select(selectedUid), [selectedUid])
  // Another view was set in the preferences while the map is open.
  useEffect(() => {
    const wanted = viewOf(remembered)
    const now = viewOf(view.get())
    if (wanted.zoom !== now.zoom || wanted.lat !== now.lat || wanted.lng !== now.lng)
      map.current?.show(wanted)
  }, [remembered, view])
  return { map, groundFailed, tilesFailed, loadAgain }
}

type Words = ReturnType<typeof useTranslation<'map'>>['t']

function wordsOf(t: Words, ids: readonly string[], nameOf: (uid: string) => string): string {
  const first = ids.slice(0, namedAtMost).map(nameOf).join(', ')
  const more = ids.length - namedAtMost
  const names = more > 0 ? t('andMore', { names: first, more }) : first
  return t('severalUnits', { count: ids.length, names })
}

/** The scale, and whose data the ground is. */
function MapFoot({ view }: { view: Value<MapView> }) {
  const { t } = useTranslation('map')
  const { metres, px } = scaleBar(soundView(useValue(view)), 110)
  const tiles = useSignedIn()?.configuration.mapTiles
  const length =
    metres >= 1000 ? t('scaleKm', { length: decimal(metres / 1000, 0) }) : t('scaleM', { length: metres })
  return (
    <div className={styles.mapFoot}>
      <span className={styles.mapScale} style={{ width: `${px}px` }}>
        {length}
      </span>
      <span className={styles.mapCredit}>{tiles?.credit || t('credit')}</span>
    </div>
  )
}
