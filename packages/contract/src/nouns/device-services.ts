/** Services that vendor staff give to one device for a time, in addition to what it has (EN-MISC-05, RT-PSG-26, GAP-SCR-11). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { SLA, unitLicences } from './gates.ts'

/** The service of a server that is in a cloud: it is no field server. */
export const CLOUD = 'cloud'

/** The services with an effect here, by the kind of device that they are for. */
const deviceServiceNames = {
  unit: [...unitLicences, SLA, 'pro4'],
  server: [CLOUD],
} as const

export const DeviceServiceName = z.enum([...deviceServiceNames.unit, ...deviceServiceNames.server])
export type DeviceServiceName = z.infer<typeof DeviceServiceName>

export const DeviceService = z.strictObject({
  device: z.string().min(1).max(64).describe('A unit or a server by its id'),
  service: DeviceServiceName.describe('cloud for servers, the others for units'),
  expiration: IsoTime.nullable().describe('null: it does not expire'),
})
export type DeviceService = z.infer<typeof DeviceService>

export const isServiceOf = (kind: 'unit' | 'server', service: DeviceServiceName): boolean =>
  (deviceServiceNames[kind] as readonly string[]).includes(service)

/** The services of a device, its own and those given by device services; a level of cameras replaces the lower one. */
export function withDeviceServices(own: readonly string[], given: readonly string[] = []): string[] {
  const all = [...new Set([...own, ...given])]
  return given.includes('pro4') ? all.filter((service) => service !== 'pro2') : all
}
