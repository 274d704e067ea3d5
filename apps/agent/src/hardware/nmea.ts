export interface Coordinates {
  readonly lat: number
  readonly lng: number
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
  if (kind === 'GGA' && fields[6] !== '0') return coordinates(fields.slice(2, 6))
  return kind === 'RMC' && fields[2] === 'A' ? coordinates(fields.slice(3, 7)) : undefined
}

function coordinates([lat = '', north = '', lng = '', east = '']: readonly string[]):
  | Coordinates
  | undefined {
  const position = { lat: degrees(lat, 2, north === 'S'), lng: degrees(lng, 3, east === 'W') }
  return Number.isFinite(position.lat) && Number.isFinite(position.lng) ? position : undefined
}

/** `5954.8340` with two digits of degrees is 59° 54.8340′. */
function degrees(text: string, degreeDigits: number, isNegative: boolean): number {
  if (!text) return Number.NaN
  const value = Number(text.slice(0, degreeDigits)) + Number(text.slice(degreeDigits)) / 60
  return Math.round((isNegative ? -value : value) * 1e6) / 1e6
}

/** Position of a JSON line of gpsd (class TPV with a fix), else undefined. */
export function parseGpsd(line: string): Coordinates | undefined {
  try {
    const report = JSON.parse(line) as { class?: string; mode?: number; lat?: unknown; lon?: unknown }
    if (report.class !== 'TPV' || !report.mode || report.mode < 2) return undefined
    const { lat, lon } = report
    return typeof lat === 'number' && typeof lon === 'number' ? { lat, lng: lon } : undefined
  } catch {
    return undefined
  }
}
