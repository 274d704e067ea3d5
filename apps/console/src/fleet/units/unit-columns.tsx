// The columns of the unit list: plain elements, figures at the right, absent values as a dash.

import { batteryColour, batteryLevel } from '@backhaul/contract/nouns/battery'
import { isLowDelay } from '@backhaul/contract/nouns/delays'
import type { ModemStatus } from '@backhaul/contract/nouns/modems'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { isOffline, isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { TFunction } from 'i18next'
import { reasonText } from '../../texts/generic.ts'
import { Age } from '../../ui/Age.tsx'
import { BatteryGauge, type LinkBar, LinkBars } from '../../ui/gauges.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { TallyLamp } from '../previews/TallyLamp.tsx'
import { StartButton } from './StartButton.tsx'
import styles from './unit-columns.module.css'
import {
  alertsOf,
  bitrateText,
  byName,
  byStatus,
  channelName,
  delayText,
  isExternal,
  labelKeys,
  labelOf,
  locationText,
  lookOf,
  lossText,
  nothing,
  rttText,
} from './unit-presentation.ts'
import type { LiveUnit } from './units-live.ts'

type Column = GridColumn<LiveUnit>

/** The tallest bar of the links means this rate. */
const fullBarKbps = 6000

export const linksOf = (unit: LiveUnit): ModemStatus[] =>
  [...unit.modems, ...unit.offlineModems].sort((a, b) => a.port - b.port)

/** While a unit transmits a bar is the share of its link, else what the link promises: its signal. */
function linkBars(links: readonly ModemStatus[], transmitting: boolean): LinkBar[] {
  return links.map((link) => ({
    id: `${link.port}`,
    up: link.connected && link.enabled,
    level: transmitting ? Math.min(1, Math.sqrt(link.uplinkKbps / fullBarKbps)) : signalLevel(link),
  }))
}

/** 0 to 1. A cable, and a radio that names no bars, counts as full. */
const signalLevel = (link: ModemStatus): number => (link.signalQualities.bars ?? mostBars) / mostBars
const mostBars = 5

const byNumber = (value: (unit: LiveUnit) => number | null | undefined) => (a: LiveUnit, b: LiveUnit) =>
  (value(a) ?? -1) - (value(b) ?? -1)

/** A row that is no longer reported fades. */
export const rowClass = (row: Pick<LiveUnit, 'stale'>): string => (row.stale ? `${styles.rowStale}` : '')

export function unitColumns(t: TFunction<'units'>, mayOperate: boolean): readonly Column[] {
  const head = (id: keyof typeof widths, title: string) => ({
    id,
    title,
    width: widths[id],
    roomyWidth: roomyWidths[id],
  })
  return [
    {
      ...head('status', t('column.status')),
      pinned: 'start',
      required: true,
      render: (unit) => <StatusCell unit={unit} t={t} />,
      text: (unit) => t(labelKeys[labelOf(unit)]),
      compare: byStatus,
    },
    {
      ...head('name', t('column.name')),
      pinned: 'start',
      required: true,
      minWidth: 96,
      render: (unit) => <span className={`clip ${styles.unitName}`}>{unit.name}</span>,
      text: (unit) => unit.name,
      compare: byName,
    },
    {
      ...head('channel', t('column.channel')),
      render: (unit) => (
        <span className="clip" data-tip={isExternal(unit) ? reasonText('channelTip.external') : undefined}>
          {channelName(unit) || nothing}
        </span>
      ),
      text: channelName,
    },
    figure(head('bitrate', t('column.bitrate')), bitrateText, (unit) => unit.uplink?.kbps),
    figure(head('rtt', t('column.rtt')), rttText, (unit) => unit.uplink?.rttMs),
    figure(head('loss', t('column.loss')), lossText, (unit) => unit.uplink?.lossPercent),
    linksColumn(head('links', t('column.links')), t),
    batteryColumn(head('battery', t('column.battery'))),
    alertsColumn(head('alerts', t('column.alerts')), t),
    textColumn(head('location', t('column.location')), locationText),
    {
      ...head('delay', t('column.delay')),
      align: 'end',
      render: (unit) => (
        <span
          className={isLowDelay(unit.delay) ? styles.lowDelay : ''}
          data-tip={isLowDelay(unit.delay) ? t('delay.low') : undefined}
        >
          {delayText(unit)}
        </span>
      ),
      text: delayText,
      compare: byNumber((unit) => unit.delay),
    },
    textColumn(head('type', t('column.type')), (unit) => shortProductName(unit.type), 'quiet'),
    textColumn(head('version', t('column.version')), (unit) => unit.displayVersion, 'quiet'),
    textColumn(head('comment', t('column.comment')), (unit) => unit.comment, 'quiet'),
    {
      ...head('action', t('column.action')),
      pinned: 'end',
      actionsOnly: true,
      align: 'center',
      render: (unit) => <StartButton unit={unit} mayOperate={mayOperate} />,
      text: () => '',
    },
  ]
}

const widths = {
  status: 158,
  name: 142,
  channel: 112,
  bitrate: 88,
  rtt: 66,
  loss: 68,
  links: 66,
  battery: 80,
  alerts: 62,
  location: 104,
  delay: 68,
  type: 84,
  version: 74,
  comment: 200,
  action: 102,
} as const

const roomyWidths: Partial<Record<keyof typeof widths, number>> = {
  name: 240,
  location: 240,
  type: 140,
  comment: 320,
}

type Head = Pick<Column, 'id' | 'title' | 'width' | 'roomyWidth'>

function textColumn(head: Head, text: (unit: LiveUnit) => string, tone = ''): Column {
  return { ...head, render: (unit) => <span className={`clip ${tone}`}>{text(unit) || nothing}</span>, text }
}

function figure(
  head: Head,
  text: (unit: LiveUnit) => string,
  value: (unit: LiveUnit) => number | null | undefined,
): Column {
  return {
    ...head,
    align: 'end',
    render: (unit) => <span className="figure">{text(unit)}</span>,
    text: (unit) => text(unit).replace(nothing, ''),
    compare: byNumber(value),
  }
}

function StatusCell({ unit, t }: { unit: LiveUnit; t: TFunction<'units'> }) {
  const { shape, tone } = lookOf(unit)
  const label = t(labelKeys[labelOf(unit)])
  const offline = isOffline(unit)
  const silent = unit.stale && !offline
  return (
    <span className={styles.glyphCell} data-tip={`${label}\n${unit.displayVersion}`}>
      <StatusGlyph shape={silent ? 'questionRing' : shape} tone={silent ? 'offline' : tone} />
      <span className={`${styles.statusWord} ${offline ? 'quiet' : ''}`}>{label}</span>
      <TallyLamp tally={unit.tally} />
      {silent && unit.reportedAt !== null ? (
        <span className="aged-note">
          <Age atMs={unit.reportedAt} />
        </span>
      ) : null}
    </span>
  )
}

function linksColumn(head: Head, t: TFunction<'units'>): Column {
  const words = (unit: LiveUnit) => {
    const links = linksOf(unit)
    return t('links.summary', { up: links.filter((link) => link.connected).length, count: links.length })
  }
  return {
    ...head,
    render: (unit) => {
      const links = linksOf(unit)
      if (isOffline(unit) || links.length === 0) return nothing
      const name = words(unit)
      return (
        <span className={styles.glyphCell} role="img" aria-label={name} data-tip={name}>
          <LinkBars bars={linkBars(links, isStreaming(unit))} />
        </span>
      )
    },
    text: (unit) => (isOffline(unit) ? '' : words(unit)),
    compare: byNumber((unit) => unit.modems.filter((modem) => modem.connected).length),
  }
}

function batteryColumn(head: Head): Column {
  const percent = (unit: LiveUnit) => (unit.battery?.connected ? unit.battery.percentage : null)
  return {
    ...head,
    render: (unit) => {
      const value = percent(unit)
      if (!unit.battery?.connected)
        return <span data-tip={reasonText('battery.notIdentified')}>{nothing}</span>
      return (
        <span
          className={styles.glyphCell}
          data-tip={value === null ? reasonText('battery.notIdentified') : undefined}
        >
          <BatteryGauge
            percent={value}
            level={batteryLevel(unit.battery)}
            tone={batteryColour(unit.battery)}
            charging={unit.battery.charging}
          />
          <span className="figure">{value === null ? nothing : `${Math.round(value)}%`}</span>
        </span>
      )
    },
    text: (unit) => (percent(unit) === null ? '' : `${percent(unit)}`),
    compare: byNumber(percent),
  }
}

/** Number of alerts, in the look of the most urgent. */
export function AlertsCell({ alerts, t }: Pick<LiveUnit, 'alerts'> & { t: TFunction<'units'> }) {
  const [first] = alertsOf({ alerts })
  if (!first) return null
  const critical = first.severity === 'critical'
  return (
    <span className={styles.glyphCell} data-tip={t(critical ? 'filter.critical' : 'filter.warning')}>
      <StatusGlyph shape={critical ? 'octagon' : 'triangle'} tone={first.severity} size={15} />
      <span className={`figure text-${first.severity}`}>{alerts.length}</span>
      <span className="visually-hidden">{t(critical ? 'filter.critical' : 'filter.warning')}</span>
    </span>
  )
}

function alertsColumn(head: Head, t: TFunction<'units'>): Column {
  return {
    ...head,
    render: ({ alerts }) => <AlertsCell alerts={alerts} t={t} />,
    text: (unit) => (unit.alerts.length === 0 ? '' : `${unit.alerts.length}`),
    compare: byNumber((unit) =>
      unit.alerts.reduce((sum, alert) => sum + (alert.severity === 'critical' ? 100 : 1), 0),
    ),
  }
}
