// The build of the console fails where a first page would wait for what it does not need.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Chunk, faultsOfFirstPages } from './first-pages.ts'

const chunk = (fileName: string, more: Partial<Chunk> = {}): Chunk => ({
  name: fileName,
  fileName,
  isEntry: false,
  code: '',
  imports: [],
  moduleIds: [],
  ...more,
})
const zod = '/b/node_modules/zod/v4/core/core.js'

test('a first page that needs the library of schemas, directly or indirectly, is refused', () => {
  const schemas = chunk('schemas.js', { moduleIds: [zod] })
  const vendor = chunk('vendor.js', { imports: ['schemas.js'] })
  const entry = chunk('index.js', { isEntry: true, imports: ['vendor.js'] })
  expect(faultsOfFirstPages([schemas, vendor, entry])).toEqual([`schemas.js has ${zod}`])
  // A page that is loaded later may need it.
  const later = chunk('UsersPage.js', { imports: ['schemas.js', 'vendor.js'] })
  expect(faultsOfFirstPages([schemas, chunk('vendor.js'), entry, later])).toEqual([])
})

test('a list of units that needs schemas is refused', () => {
  const units = '/b/packages/contract/src/nouns/units.ts'
  const contract = chunk('contract.js', { moduleIds: [`${units}?rules`, `${units}?schemas`] })
  const list = chunk('list.js', { name: 'list', imports: ['contract.js'] })
  expect(faultsOfFirstPages([contract, list])).toEqual([`contract.js has ${units}?schemas`])
  expect(faultsOfFirstPages([contract, chunk('list.js', { name: 'list' })])).toEqual([])
})

test('a first page over the size limit is refused, each with what it needs, regardless of what is loaded later', () => {
  const random = (bytes: number) => randomBytes(bytes).toString('base64')
  const entry = chunk('index.js', { isEntry: true, imports: ['vendor.js'], code: random(300) })
  const vendor = chunk('vendor.js', { code: random(900) })
  const signIn = chunk('sign-in.js', { name: 'sign-in', code: random(400) })
  const list = chunk('list.js', { name: 'list', imports: ['rows.js'], code: random(100) })
  const rows = chunk('rows.js', { code: random(500) })
  const later = chunk('UsersPage.js', { code: random(5000) })
  const all = [entry, vendor, signIn, list, rows, later]
  const fault = (files: string) =>
    expect.stringMatching(new RegExp(`^${files}: \\d+ bytes compressed, \\d+ are allowed$`))
  expect(faultsOfFirstPages(all, 1000)).toEqual([
    fault('index.js, sign-in.js, vendor.js'),
    fault('index.js, list.js, vendor.js, rows.js'),
  ])
  expect(faultsOfFirstPages(all, 1750)).toEqual([fault('index.js, list.js, vendor.js, rows.js')])
  expect(faultsOfFirstPages(all, 2200)).toEqual([])
})

test('a first page that mentions a reason whose text is loaded later is refused', () => {
  const list = (code: string) => chunk('list.js', { name: 'list', code })
  expect(faultsOfFirstPages([list('say(`role.notAllowed`);say("a.b")')])).toEqual([])
  expect(faultsOfFirstPages([list('say(`story.sluglineMissing`)')])).toEqual([
    'list.js mentions story.sluglineMissing, see reasons-at-hand.ts',
  ])
  const later = chunk('UsersPage.js', { code: 'say(`story.sluglineMissing`)' })
  expect(faultsOfFirstPages([list(''), later])).toEqual([])
})
