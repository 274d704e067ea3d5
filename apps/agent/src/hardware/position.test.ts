import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseGpsd, parseNmea } from './nmea.ts'
import { followPosition, type PositionSource } from './position.ts'

const gga = '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47'

async function fixOf(position: PositionSource) {
  while (!position.current()) await new Promise((resolve) => setTimeout(resolve, 5))
  position.close()
  return position.current()
}

test('GGA and RMC sentences give a position, damaged ones and those without a fix do not', () => {
  expect(parseNmea(gga)).toEqual({ lat: 48.1173, lng: 11.516667, accuracyM: 4.5 })
  expect(parseNmea('$GPRMC,225446,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E*68')).toEqual({
    lat: 49.274167,
    lng: -123.185333,
  })
  expect(parseNmea(gga.replace('*47', '*48'))).toBeUndefined()
  expect(parseNmea('$GPRMC,225446,V,,,,,,,191194,,*28')).toBeUndefined()
})

test('a gpsd report counts from a two-dimensional fix on', () => {
  expect(parseGpsd('{"class":"TPV","mode":3,"lat":59.9,"lon":10.7}')).toEqual({ lat: 59.9, lng: 10.7 })
  const accurate = '{"class":"TPV","mode":3,"lat":59.9,"lon":10.7,"eph":6.27}'
  expect(parseGpsd(accurate)).toEqual({ lat: 59.9, lng: 10.7, accuracyM: 6.3 })
  expect(parseGpsd('{"class":"TPV","mode":1}')).toBeUndefined()
  expect(parseGpsd('{"class":"SKY"}')).toBeUndefined()
  expect(parseGpsd('not json')).toBeUndefined()
})

test('a file of sentences and a gpsd server are both followed; without a place there is no position', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'backhaul-nmea-')), 'track.nmea')
  writeFileSync(path, `noise\r\n${gga}\r\n`)
  expect(await fixOf(followPosition(path))).toEqual({ lat: 48.1173, lng: 11.516667, accuracyM: 4.5 })

  const server = createServer((socket) => {
    socket.once('data', () => socket.write('{"class":"TPV","mode":3,"lat":1.5,"lon":2.5}\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await fixOf(followPosition(`gpsd://127.0.0.1:${port}`))).toEqual({ lat: 1.5, lng: 2.5 })
  server.close()

  expect(followPosition(undefined).current()).toBeNull()
})
