/** The definition of a named scenario: data and pure functions over the seconds since it began. */
import type { Fleet, LinkPlan, UnitPlan } from '../fleet/fleet.ts'
import type { Point } from '../fleet/places.ts'
import type { Influence } from './influence.ts'

export type ScenarioName =
  | 'tunnel'
  | 'stadium-congestion'
  | 'carrier-outage'
  | 'battery-death'
  | 'server-crash'
  | 'election-night'

/** The units, servers and carriers that it affects; fields that a scenario does not use are empty. */
export interface Cast {
  units: ReadonlySet<number>
  servers: ReadonlySet<number>
  carrier?: string
  place?: Point
  radiusM?: number
}

export interface Scenario {
  name: ScenarioName
  /** For the operator of the simulator. */
  summary: string
  durationS: number
  /** Chooses by seed; `isLive` prefers units that transmit, `named` is a unit or server that was given by the operator. */
  cast(fleet: Fleet, isLive: (unitIndex: number) => boolean, named: string | undefined): Cast
  influence?(atS: number, unit: UnitPlan, link: LinkPlan, point: Point, cast: Cast): Influence | undefined
  /** Factor on the consumption of a unit. */
  batteryDrain?(atS: number, unit: UnitPlan, cast: Cast): number
  isServerDown?(atS: number, serverIndex: number, cast: Cast): boolean
  /** The share of the fleet that the desks want on air. */
  liveShare?(atS: number): number
}

export const noTargets: Cast = { units: new Set(), servers: new Set() }
