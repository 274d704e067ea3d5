import { expect, test } from 'vitest'
import { addReading, interfacesOf, type Reading } from './data-counters.ts'

const reading = (sentBytes: number, receivedBytes: number, of: Partial<Reading> = {}): Reading => ({
  bootId: 'boot-1',
  ifindex: 4,
  sentBytes,
  receivedBytes,
  ...of,
})

/** The count after these readings. */
function countedOf(readings: readonly Reading[]) {
  const [first, ...rest] = readings
  const start = addReading(undefined, first!, 1000)
  const { sentBytes, receivedBytes, sinceMs } = rest.reduce((sum, now) => addReading(sum, now, 9000), start)
  return { sentBytes, receivedBytes, sinceMs }
}

test('counts begin with the first reading, and what the kernel adds is added', () => {
  expect(countedOf([reading(5000, 70)])).toEqual({ sentBytes: 0, receivedBytes: 0, sinceMs: 1000 })
  expect(countedOf([reading(5000, 70), reading(5600, 70), reading(9000, 100)])).toEqual({
    sentBytes: 4000,
    receivedBytes: 30,
    sinceMs: 1000,
  })
})

test.each([
  ['a start of the machine', reading(6000, 80, { bootId: 'boot-2' })],
  ['an interface that was made again', reading(6000, 80, { ifindex: 9 })],
])('after %s everything that the kernel has counted is added, however much it is', (_, now) => {
  expect(countedOf([reading(5000, 70), now])).toMatchObject({ sentBytes: 6000, receivedBytes: 80 })
})

test.each([
  ['sent', reading(200, 90)],
  ['received', reading(5100, 8)],
])('fewer bytes %s than before are those of a counter that began again', (_, now) => {
  expect(countedOf([reading(5000, 70), now])).toMatchObject({
    sentBytes: now.sentBytes,
    receivedBytes: now.receivedBytes,
  })
})

test('a link is counted by its interface, by name or by address, unless another one shares it', () => {
  const addresses = {
    lo: [{ address: '127.0.0.1' }],
    wwan0: [{ address: '10.0.0.2' }, { address: 'fe80::1' }],
    eth0: [{ address: '10.1.0.2' }, { address: '10.1.0.3' }],
  }
  const links = [
    { port: 0, id: 'wwan0', address: '10.0.0.2' },
    { port: 1, id: 'Modem 1', address: '10.1.0.2' },
    { port: 2, id: 'gone', address: '10.9.0.2' },
  ]
  expect(interfacesOf(links, addresses)).toEqual(
    new Map([
      [0, 'wwan0'],
      [1, 'eth0'],
    ]),
  )
  const shared = [...links, { port: 3, id: 'Modem 2', address: '10.1.0.3' }]
  expect(interfacesOf(shared, addresses)).toEqual(new Map([[0, 'wwan0']]))
})
