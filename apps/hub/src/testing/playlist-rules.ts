// The rules of RFC 8216bis that a live media playlist of fragmented MP4 must follow, alone and from one reading to the next.

export interface ReadSegment {
  readonly number: number
  readonly uri: string
  readonly seconds: number
  readonly map: string | undefined
  readonly isDiscontinuous: boolean
  readonly hasDate: boolean
  readonly parts: readonly ReadPart[]
}

interface ReadPart {
  readonly uri: string
  readonly seconds: number
  readonly isIndependent: boolean
}

export interface ReadPlaylist {
  readonly tags: ReadonlyMap<string, string>
  readonly segments: readonly ReadSegment[]
  /** The parts of the segment that is not complete. */
  readonly openParts: readonly ReadPart[]
  readonly hint: string | undefined
  readonly names: readonly string[]
}

/** The attributes of a tag; quotes are removed. */
export const attributesOf = (text = ''): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([A-Z-]+)=("[^"]*"|[^,]*)/g)].map(([, name, value]) => [
      name,
      value!.replaceAll('"', ''),
    ]),
  )

export function readPlaylist(text: string): ReadPlaylist {
  const tags = new Map<string, string>()
  const segments: ReadSegment[] = []
  const names: string[] = []
  let parts: ReadPart[] = []
  let map: string | undefined
  let seconds = 0
  let isDiscontinuous = false
  let hasDate = false
  for (const line of text.trimEnd().split('\n')) {
    const [, name = '', value = ''] = /^#([A-Z0-9-]+):?(.*)$/.exec(line) ?? []
    if (name !== '') names.push(name)
    const attributes = attributesOf(value)
    if (name === 'EXT-X-MAP') map = attributes.URI
    else if (name === 'EXT-X-PROGRAM-DATE-TIME') hasDate = true
    else if (name === 'EXT-X-DISCONTINUITY') isDiscontinuous = true
    else if (name === 'EXTINF') seconds = Number.parseFloat(value)
    else if (name === 'EXT-X-PART') {
      const isIndependent = attributes.INDEPENDENT === 'YES'
      parts.push({ uri: attributes.URI ?? '', seconds: Number(attributes.DURATION), isIndependent })
    } else if (name !== '') tags.set(name, value)
    else {
      const number = Number(tags.get('EXT-X-MEDIA-SEQUENCE')) + segments.length
      segments.push({ number, uri: line, seconds, map, isDiscontinuous, hasDate, parts })
      parts = []
      isDiscontinuous = false
      hasDate = false
    }
  }
  return { tags, segments, openParts: parts, hint: attributesOf(tags.get('EXT-X-PRELOAD-HINT')).URI, names }
}

const control = ({ tags }: ReadPlaylist) => attributesOf(tags.get('EXT-X-SERVER-CONTROL'))
const targetOf = ({ tags }: ReadPlaylist) => Number(tags.get('EXT-X-TARGETDURATION'))
const partTargetOf = ({ tags }: ReadPlaylist) =>
  Number(attributesOf(tags.get('EXT-X-PART-INF'))['PART-TARGET'])
const sum = (parts: readonly { seconds: number }[]) => parts.reduce((all, { seconds }) => all + seconds, 0)
/** Durations are written with five digits. */
const ROUNDING_S = 0.001

/** Every rule that this reading breaks. */
export function faultsIn(text: string): string[] {
  const list = readPlaylist(text)
  const target = targetOf(list)
  const rules: [string, boolean][] = [
    ['begins with EXTM3U', text.startsWith('#EXTM3U\n')],
    ['EXT-X-VERSION is 6 or more, for EXT-X-MAP', Number(list.tags.get('EXT-X-VERSION')) >= 6],
    ['EXT-X-TARGETDURATION is a whole number', Number.isInteger(target) && target > 0],
    ['EXT-X-MEDIA-SEQUENCE is given', /^\d+$/.test(list.tags.get('EXT-X-MEDIA-SEQUENCE') ?? '')],
    ['no segment is longer than the target', list.segments.every((one) => Math.round(one.seconds) <= target)],
    ['each segment has a header and a date', list.segments.every((one) => one.map && one.hasDate)],
    ['HOLD-BACK is at least three targets', Number(control(list)['HOLD-BACK']) >= 3 * target],
    ['CAN-BLOCK-RELOAD is offered', control(list)['CAN-BLOCK-RELOAD'] === 'YES'],
    ['no name appears twice', new Set(urisOf(list)).size === urisOf(list).length],
    ['another header comes with a discontinuity', hasNoSilentHeader(list)],
    ['it does not end', !list.names.includes('EXT-X-ENDLIST')],
  ]
  const broken = rules.filter(([, holds]) => !holds).map(([rule]) => rule)
  return list.tags.has('EXT-X-PART-INF')
    ? broken.concat(faultsOfParts(list))
    : broken.concat(strayParts(list))
}

const urisOf = ({ segments, openParts, hint }: ReadPlaylist): string[] => [
  ...segments.flatMap(({ uri, parts }) => [uri, ...parts.map((part) => part.uri)]),
  ...openParts.map(({ uri }) => uri),
  ...(hint === undefined ? [] : [hint]),
]

const hasNoSilentHeader = ({ segments }: ReadPlaylist): boolean =>
  segments.every(
    ({ map, isDiscontinuous }, at) => at === 0 || map === segments[at - 1]?.map || isDiscontinuous,
  )

const strayParts = ({ names }: ReadPlaylist): string[] =>
  ['EXT-X-PART', 'EXT-X-PRELOAD-HINT']
    .filter((name) => names.includes(name))
    .map((name) => `${name} without PART-INF`)

function faultsOfParts(list: ReadPlaylist): string[] {
  const partTarget = partTargetOf(list)
  const withParts = list.segments.filter(({ parts }) => parts.length > 0)
  const all = [...withParts.flatMap(({ parts }) => parts), ...list.openParts]
  const inner = [...withParts.flatMap(({ parts }) => parts.slice(0, -1)), ...list.openParts]
  const partless = list.segments.findLastIndex(({ parts }) => parts.length === 0)
  const recent = list.segments.slice(partless + 1)
  const toEnd = sum(recent) + sum(list.openParts)
  const rules: [string, boolean][] = [
    ['PART-HOLD-BACK is at least three parts', Number(control(list)['PART-HOLD-BACK']) >= 3 * partTarget],
    ['no part is longer than the target', all.every(({ seconds }) => seconds <= partTarget + ROUNDING_S)],
    [
      'parts have 85 % of the target',
      inner.every(({ seconds }) => seconds >= 0.85 * partTarget - ROUNDING_S),
    ],
    [
      'parts make up their segment',
      withParts.every(({ parts, seconds }) => Math.abs(sum(parts) - seconds) < ROUNDING_S * parts.length),
    ],
    ['parts are listed without a gap up to the end', recent.length === withParts.length],
    ['old parts are removed', toEnd <= 3 * targetOf(list) + ROUNDING_S || recent.length === 0],
    [
      'the next part is announced, last',
      list.hint !== undefined && list.names.at(-1) === 'EXT-X-PRELOAD-HINT',
    ],
  ]
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule)
}

/** Every rule that the change from one reading to a later one breaks. */
export function faultsBetween(before: string, after: string): string[] {
  const [old, next] = [readPlaylist(before), readPlaylist(after)]
  const sequence = ({ tags }: ReadPlaylist, name: string) => Number(tags.get(name))
  const first = (list: ReadPlaylist) => sequence(list, 'EXT-X-MEDIA-SEQUENCE')
  const removed = old.segments.filter(({ number }) => number < first(next))
  const both = old.segments.flatMap((one) => {
    const same = next.segments.find(({ number }) => number === one.number)
    return same ? [[one, same] as const] : []
  })
  const rules: [string, boolean][] = [
    ['the target is kept', targetOf(old) === targetOf(next)],
    ['the sequence does not go back', first(next) >= first(old)],
    [
      'a segment is not changed',
      both.every(([a, b]) => a.uri === b.uri && a.seconds === b.seconds && a.map === b.map),
    ],
    [
      'removed discontinuities are counted',
      sequence(next, 'EXT-X-DISCONTINUITY-SEQUENCE') - sequence(old, 'EXT-X-DISCONTINUITY-SEQUENCE') ===
        removed.filter(({ isDiscontinuous }) => isDiscontinuous).length,
    ],
    ['what is left covers three targets', removed.length === 0 || sum(next.segments) >= 3 * targetOf(next)],
  ]
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule)
}
