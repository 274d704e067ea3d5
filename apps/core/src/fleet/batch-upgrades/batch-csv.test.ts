import { fault } from '@backhaul/contract/define/errors'
import { because, type Reason } from '@backhaul/contract/define/refusals'
import { expect, it } from 'vitest'
import { linesOf } from './batch-csv.ts'

const header = 'serialNumber,targetVersion'

it.each<[string, string, [number, string, string][]]>([
  [
    'lines with either end',
    `${header}\r\nA-1,9.3\nA-2,10.1\n`,
    [
      [2, 'A-1', '9.3'],
      [3, 'A-2', '10.1'],
    ],
  ],
  ['a byte order mark, blanks and quotes', `\uFEFF${header}\n "A-1" , "9.3" `, [[2, 'A-1', '9.3']]],
  ['a quoted comma', `${header}\n"A,1",9.3`, [[2, 'A,1', '9.3']]],
  ['empty lines, which count', `${header}\n\nA-1,9.3\n\n`, [[3, 'A-1', '9.3']]],
  [
    'lines with too few or too many values',
    `${header}\nA-1\nA-2,9.3,x\n,9.3`,
    [
      [2, '', ''],
      [3, '', ''],
      [4, '', '9.3'],
    ],
  ],
])('reads %s', (_, csv, expected) => {
  expect(linesOf(csv).map((one) => [one.line, one.serialNumber, one.targetVersion])).toEqual(expected)
})

it.each<[string, string, Reason]>([
  ['without the header', 'A-1,9.3', 'batch.columns'],
  ['with other columns', 'serial,version\nA-1,9.3', 'batch.columns'],
  ['with the columns of another order', 'targetVersion,serialNumber\n9.3,A-1', 'batch.columns'],
  ['with the header alone', `${header}\n`, 'batch.empty'],
  ['with an open quote', `${header}\nA-1,9.3\n"A-2,9.3`, because('batch.unreadable', { line: 3 })],
  [
    'of 501 devices',
    [header, ...Array.from({ length: 501 }, (_, at) => `A-${at},9.3`)].join('\n'),
    because('batch.tooMany', { most: 500 }),
  ],
])('refuses a file %s', (_, csv, reason) => {
  expect(() => linesOf(csv)).toThrow(expect.objectContaining({ status: 400, fields: [fault('csv', reason)] }))
})

it('reads 500 devices', () => {
  const csv = [header, ...Array.from({ length: 500 }, (_, at) => `A-${at},9.3`)].join('\n')
  expect(linesOf(csv)).toHaveLength(500)
})
