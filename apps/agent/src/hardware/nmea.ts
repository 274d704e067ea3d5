export interface Coordinates {
  readonly lat: number
  readonly lng: number
  /** Metres, where the receiver reports it. */
  readonly accuracyM?: number
}

/** Position of an NMEA 0183 sentence (GGA or RMC with a fix and a right checksum), else undefined. */
export function parseNmea(sentence: string): Coordinates | undefined {
  const [, body, checksum] = /^\$([^*]+)\*([0-9A-Fa-f]{2})\s*$/.exec(sentence) ?? []
  if (body === undefined || checksum === undefined) return undefined
  let sum = 0
  for (const character of body) sum ^= character.charCodeAt(0)
  if (sum !== Number.parseInt(checksum, 16)) return undefined
  const fields = body.split(',')
  const kind = fields[0]?.slice(2)
  if (kind === 'GGA' && fields[6] !== '0') return accurate(coordinates(fields.slice(2, 6)), Number(fields[8]))
  return kind === 'RMC' && fields[2] === 'A' ? coordinates(fields.slice(3, 7)) : undefined
}

function coordinates([lat = '', north = '', lng = '', east = '']: readonly string[]):
  | Coordinates
  | undefined {
  const position = { lat: degrees(lat, 2, north === 'S'), lng: degrees(lng, 3, east === 'W') }
  return Number.isFinite(position.lat) && Number.isFinite(position.lng) ? position : undefined
}

/** The error of a present-day receiver for each unit of its dilution of precision. */
const metresPerHdop = 5

function accurate(position: Coordinates | undefined, hdop: number): Coordinates | undefined {
  return position && hdop > 0 && hdop < 99
    ? { ...position, accuracyM: wholeTenths(hdop * metresPerHdop) }
    : position
}

const wholeTenths = (metres: number): number => Math.round(metres * 10) / 10

/** `5954.8340` with two digits of degrees is 59° 54.8340′. */
function degrees(text: string, degreeDigits: number, isNegative: boolean): number {
  if (!text) return Number.NaN
  const value = Number(text.slice(0, degreeDigits)) + Number(text.slice(degreeDigits)) / 60
  return Math.round((isNegative ? -value : value) * 1e6) / 1e6
}

/** Position of a JSON line of gpsd (class TPV with a fix), else undefined. */
export function parseGpsd(line: string): Coordinates | undefined {
  try {
    const report = JSON.parse(line) as Partial<Record<'class' | 'mode' | 'lat' | 'lon' | 'eph', unknown>>
    const { class: kind, mode, lat, lon, eph } = report
    if (kind !== 'TPV' || typeof mode !== 'number' || mode < 2) return undefined
    if (typeof lat !== 'number' || typeof lon !== 'number') return undefined
    return { lat, lng: lon, ...(typeof eph === 'number' && eph >= 0 && { accuracyM: wholeTenths(eph) }) }
  } catch {
    return undefined
  }
}
