/** Services of a unit by name: its licences, its maintenance contract, and how many cameras it may send (EN-MISC-01, -02). */
import { z } from 'zod'
import { SLA, unitLicences } from './gates.ts'
import { MultiCameraService } from './multi-camera.ts'

/** Levels of the multi-camera service: a unit has one of them, and without one as many cameras as it has (CO-UNIT-33). */
export const cameraLevels = MultiCameraService.exclude(['none']).options
export type CameraLevel = (typeof cameraLevels)[number]

export const unitServiceNames = [...unitLicences, SLA, ...cameraLevels] as const
export const UnitServiceName = z.enum(unitServiceNames)
export type UnitServiceName = z.infer<typeof UnitServiceName>

export const UnitService = z.object({ name: UnitServiceName, enabled: z.boolean() })
export type UnitService = z.infer<typeof UnitService>

/** The services of a unit with one level of cameras, or with none. */
export function withCameraLevel(services: readonly string[], level: CameraLevel | undefined): string[] {
  const others = services.filter((service) => !cameraLevels.some((one) => one === service))
  return level === undefined ? others : [...others, level]
}
