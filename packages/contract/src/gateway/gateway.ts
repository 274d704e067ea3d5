/** The gateway door: every message in each direction, and how to read one. */
import { z } from 'zod'
import {
  files,
  levels,
  serverReport,
  serverTelemetry,
  serverWanted,
  tallies,
  uploadProgress,
} from './servers.ts'
import {
  hello,
  logPart,
  order,
  outcome,
  queued,
  refused,
  register,
  registered,
  upgradeProgress,
  welcome,
} from './shared.ts'
import { folder, tally, unitReport, unitTelemetry, unitWanted } from './units.ts'

export const fromDevice = [
  register,
  hello,
  unitReport,
  unitTelemetry,
  serverReport,
  serverTelemetry,
  levels,
  tallies,
  files,
  outcome,
  logPart,
  folder,
  upgradeProgress,
  uploadProgress,
] as const

export const FromDevice = z.discriminatedUnion('type', [
  register.schema,
  hello.schema,
  unitReport.schema,
  unitTelemetry.schema,
  serverReport.schema,
  serverTelemetry.schema,
  levels.schema,
  tallies.schema,
  files.schema,
  outcome.schema,
  logPart.schema,
  folder.schema,
  upgradeProgress.schema,
  uploadProgress.schema,
])
export type FromDevice = z.infer<typeof FromDevice>

export const fromCore = [
  registered,
  queued,
  welcome,
  unitWanted,
  serverWanted,
  tally,
  order,
  refused,
] as const

export const FromCore = z.discriminatedUnion('type', [
  registered.schema,
  queued.schema,
  welcome.schema,
  unitWanted.schema,
  serverWanted.schema,
  tally.schema,
  order.schema,
  refused.schema,
])
export type FromCore = z.infer<typeof FromCore>

export type Register = z.infer<typeof register.schema>
export type Hello = z.infer<typeof hello.schema>
export type Welcome = z.infer<typeof welcome.schema>
export type Order = z.infer<typeof order.schema>
export type LogPart = z.infer<typeof logPart.schema>
export type Folder = z.infer<typeof folder.schema>
export type UpgradeProgress = z.infer<typeof upgradeProgress.schema>
export type UploadProgress = z.infer<typeof uploadProgress.schema>
export type Outcome = z.infer<typeof outcome.schema>
export type UnitReport = z.infer<typeof unitReport.schema>
export type UnitTelemetry = z.infer<typeof unitTelemetry.schema>
export type UnitWantedMessage = z.infer<typeof unitWanted.schema>
export type ServerReport = z.infer<typeof serverReport.schema>
export type ServerTelemetry = z.infer<typeof serverTelemetry.schema>
export type ServerWantedMessage = z.infer<typeof serverWanted.schema>
export type Tallies = z.infer<typeof tallies.schema>
export type Levels = z.infer<typeof levels.schema>
export type Files = z.infer<typeof files.schema>
