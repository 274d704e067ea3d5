import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@backhaul/runtime/log'
import { expect, test } from 'vitest'
import { openPortAssignments } from './port-assignments.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'backhaul-links-'))

/** The assignments, with the lines that were logged. */
function open(path: string) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ name: 'unit', format: 'json', write: (line) => lines.push(JSON.parse(line)) })
  return { ...openPortAssignments(path, log), lines }
}

test('an interface keeps its port across restarts, and a new one gets the lowest free number', () => {
  const path = join(newFolder(), 'unit', 'links.json')
  const first = open(path)
  expect([first.portOf('eth0'), first.portOf('wwan0'), first.portOf('eth0')]).toEqual([0, 1, 0])
  const second = open(path)
  expect([second.portOf('wlan0'), second.portOf('wwan0')]).toEqual([2, 1])
  expect([...first.lines, ...second.lines]).toEqual([])
})

test('a modem keeps the port of its first interface, whichever it gets later', () => {
  const path = join(newFolder(), 'links.json')
  const first = open(path)
  // The interface is there before its modem is recognised.
  expect([first.portOf('eth0'), first.portOf('wwan0'), first.portOf('wwan0', '111')]).toEqual([0, 1, 1])
  const second = open(path)
  expect(second.portOf('wwan7', '111')).toBe(1)
  expect(second.portOf('wwan0', '222')).toBe(2)
})

test('an interface has its port also where the disk takes no file, which is logged, and keeps it once it does', () => {
  const folder = newFolder()
  const place = join(folder, 'unit')
  const path = join(place, 'links.json')
  writeFileSync(place, '')
  const first = open(path)
  expect([first.portOf('eth0'), first.portOf('wwan0'), first.portOf('eth0')]).toEqual([0, 1, 0])
  const failure = { level: 50, msg: 'port of the interface not stored', path, err: { code: 'EEXIST' } }
  expect(first.lines).toMatchObject([
    { ...failure, interface: 'eth0', port: 0 },
    { ...failure, interface: 'wwan0', port: 1 },
  ])
  rmSync(place)
  expect(first.portOf('wlan0')).toBe(2)
  expect(first.lines).toHaveLength(2)
  expect(open(path).portOf('wwan0')).toBe(1)
})

test('on a full disk a new interface has its port, and the stored file remains complete', () => {
  const path = join(newFolder(), 'links.json')
  const first = open(path)
  expect([first.portOf('eth0'), first.portOf('wwan0')]).toEqual([0, 1])
  // Each write to this device fails as on a full disk.
  symlinkSync('/dev/full', `${path}.new`)
  expect([first.portOf('wlan0'), first.portOf('wlan0')]).toEqual([2, 2])
  expect(first.lines).toMatchObject([{ interface: 'wlan0', port: 2, err: { code: 'ENOSPC' } }])
  rmSync(`${path}.new`)
  expect(open(path).portOf('wwan0')).toBe(1)
  expect(first.portOf('eth1')).toBe(3)
  expect(open(path).portOf('wlan0')).toBe(2)
})

test('a damaged file is replaced, and the 65th interface has no port', () => {
  const path = join(newFolder(), 'links.json')
  writeFileSync(path, '{broken')
  const assignments = open(path)
  for (let index = 0; index < 64; index++) expect(assignments.portOf(`ppp${index}`)).toBe(index)
  expect(assignments.portOf('ppp64')).toBeUndefined()
})
