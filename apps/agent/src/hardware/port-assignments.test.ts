import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPortAssignments } from './port-assignments.ts'

test('an interface keeps its port across restarts, and a new one gets the lowest free number', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'backhaul-links-')), 'unit', 'links.json')
  const first = openPortAssignments(path)
  expect([first.portOf('eth0'), first.portOf('wwan0'), first.portOf('eth0')]).toEqual([0, 1, 0])
  const second = openPortAssignments(path)
  expect([second.portOf('wlan0'), second.portOf('wwan0')]).toEqual([2, 1])
})

test('a modem keeps the port of its first interface, whichever it gets later', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'backhaul-links-')), 'links.json')
  const first = openPortAssignments(path)
  // The interface is there before its modem is recognised.
  expect([first.portOf('eth0'), first.portOf('wwan0'), first.portOf('wwan0', '111')]).toEqual([0, 1, 1])
  const second = openPortAssignments(path)
  expect(second.portOf('wwan7', '111')).toBe(1)
  expect(second.portOf('wwan0', '222')).toBe(2)
})

test('an interface has its port also where the disk takes no file, and keeps it once it does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-links-'))
  const place = join(folder, 'unit')
  const path = join(place, 'links.json')
  writeFileSync(place, '')
  const first = openPortAssignments(path)
  expect([first.portOf('eth0'), first.portOf('wwan0'), first.portOf('eth0')]).toEqual([0, 1, 0])
  rmSync(place)
  expect(first.portOf('wlan0')).toBe(2)
  expect(openPortAssignments(path).portOf('wwan0')).toBe(1)
})

test('a damaged file is replaced, and the 65th interface has no port', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'backhaul-links-')), 'links.json')
  writeFileSync(path, '{broken')
  const assignments = openPortAssignments(path)
  for (let index = 0; index < 64; index++) expect(assignments.portOf(`ppp${index}`)).toBe(index)
  expect(assignments.portOf('ppp64')).toBeUndefined()
})
