import { expect, test } from 'vitest'
import { exampleUnit } from '../examples/units.ts'
import { ratesOf } from './cameras.ts'
import { unlimitedServices } from './gates.ts'
import { camerasAllowed, multiCameraRefusal, multiCameraService } from './multi-camera.ts'

const unit = { ...exampleUnit, services: [...unlimitedServices], capabilities: { switcher: true } }

test('several cameras are open to a unit that has one of the modes, its licence and its sockets', () => {
  expect(multiCameraRefusal(unit)).toBeUndefined()
  expect(multiCameraRefusal({ ...unit, capabilities: {} })).toBe('camera.noMode')
  const camera = { ...exampleUnit.camera, connected: true, quadLink: true } as typeof exampleUnit.camera
  const able = { ...unit, capabilities: { multiCamera: true } }
  expect(multiCameraRefusal({ ...able, services: ['video'] })).toBe('camera.noLicence')
  expect(multiCameraRefusal({ ...able, camera })).toBe('camera.quadLink')
})

test.each([
  [[], 'none', 1],
  [['pro4'], 'none', 1],
  [['multiCamera'], 'pro4', 4],
  [['multiCamera', 'pro2'], 'pro2', 2],
  [['multiCamera', 'pro4'], 'pro4', 4],
] as const)(
  'a unit with the services %j has the level %s and sends %i cameras',
  (services, level, cameras) => {
    expect(multiCameraService({ services: [...services] })).toBe(level)
    expect(camerasAllowed({ services: [...services] })).toBe(cameras)
  },
)

test('the lowest priority is cut first, and no camera goes below a tenth while the rate allows it', () => {
  const two = [
    { priority: 9, wantedKbps: 4000 },
    { priority: 1, wantedKbps: 4000 },
  ]
  expect(ratesOf(8000, two)).toEqual([4000, 4000])
  expect(ratesOf(5000, two)).toEqual([1000, 4000])
  expect(ratesOf(2000, two)).toEqual([400, 1600])
  expect(ratesOf(400, two)).toEqual([200, 200])
  expect(
    ratesOf(
      5000,
      two.map((one) => ({ ...one, priority: 3 })),
    ),
  ).toEqual([2500, 2500])
  expect(ratesOf(0, two)).toEqual([0, 0])
})
