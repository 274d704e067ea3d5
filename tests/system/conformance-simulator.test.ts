// The simulator follows the whole contract, or reports that it does not; and it claims what real devices do, but for this list.
import { beforeAll, expect, test } from 'vitest'
import { judgeSimulator, realClaims } from '../conformance/devices.ts'
import { lineOf, type Verdict } from '../conformance/verdicts.ts'

const noMedia = 'no media leaves it'
const noDisk = 'its files are on no disk'
const noSound = 'no sound of rooms and programmes is mixed'

/** The rows that only one of the two has, and the reason. */
const differences: Readonly<Record<string, readonly ['only real' | 'only simulated', why: string]>> = {
  'unit: setting ntp': ['only real', 'no frames that could carry a time'],
  'unit: setting colorDepth': ['only real', 'no picture that could have a depth'],
  'unit: setting xtend': ['only simulated', 'link extenders are hardware'],
  'unit: wanted extenders': ['only simulated', 'link extenders are hardware'],
  'unit: wanted ifb': ['only real', 'its crew has no speaker'],
  'unit: wanted databridge': ['only real', 'nothing is behind its ports'],
  'unit: wanted ipPipe': ['only real', 'its crew has no network'],
  'unit: link data': ['only real', 'no interface of a kernel that counts'],
  'unit: order shutdown': ['only real', 'no owner has allowed it'],
  'server: setting timezone': ['only real', 'no clock of a machine'],
  'server: setting IFBMode': ['only simulated', 'a box for sound is hardware'],
  'server: setting publishingMode': ['only real', noDisk],
  'server: setting hotfolderOutputFormat': ['only real', noDisk],
  'server: setting webrtcPort': ['only real', 'no browser is answered'],
  'server: wanted speech': ['only real', noSound],
  'server: wanted ifbs': ['only real', noSound],
  'server: wanted databridges': ['only real', 'nothing is behind its ports'],
  'server: wanted ipPipe': ['only real', 'nothing is behind a network of it'],
  'server: wanted ipPipes': ['only real', 'nothing is behind a network of it'],
  'server: wanted ingest': ['only real', noDisk],
  'server: channel inputKey': ['only real', 'no encoder reaches it'],
  'server: channel sources': ['only real', 'no media is fetched'],
  'server: output hls': ['only real', 'it has no web server'],
  'server: output lowLatency': ['only real', noMedia],
  'server: output sourcePort': ['only real', noMedia],
  'server: output maxReaders': ['only real', noMedia],
  'server: message uploadProgress': ['only real', 'files come to it through core'],
  'server: order publish_file': ['only real', noDisk],
  'server: order describe_file': ['only real', noDisk],
}

let verdicts: readonly Verdict[]
beforeAll(async () => {
  verdicts = await judgeSimulator({})
}, 900_000)

test('simulated devices do what every setting, order and wanted state of the contract means, or do not claim it', () => {
  expect(verdicts.filter(({ state }) => state === 'wrong').map(lineOf)).toEqual([])
  expect(verdicts.filter(({ state }) => state === 'done').length).toBeGreaterThanOrEqual(100)
})

test('a simulated device claims what a real one does, and nothing else, but for what is listed with its reason', () => {
  const found = verdicts.flatMap(({ row, state }) => {
    const real = realClaims.get(row)
    return real === undefined || real === state
      ? []
      : [`${row}: only ${real === 'done' ? 'real' : 'simulated'}`]
  })
  const listed = Object.entries(differences).map(([row, [only]]) => `${row}: ${only}`)
  expect(found.toSorted()).toEqual(listed.toSorted())
})
