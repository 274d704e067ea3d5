// Core as a whole: the features of every area in the written order, and the doors above them; main.ts gives it a process.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api as contract } from '@backhaul/contract/api/api'
import { type Clock, createAgeingClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { Registry } from 'prom-client'
import type { Database } from '../database/schema.ts'
import { createSealing } from '../database/sealing.ts'
import { type ApiOptions, createApi } from '../doors/api/api.ts'
import { createKnownBrowsers } from '../doors/api/known-browser.ts'
import { LoopDelay } from '../doors/loop-delay.ts'
import { createOutwardAddresses } from '../doors/outward-address.ts'
import { createSendOutward } from '../doors/outward-request.ts'
import { People } from '../doors/people.ts'
import { createAddressOf } from '../doors/source-address.ts'
import { edgeFeatures, type Installation } from '../edge/edge.ts'
import { type FleetSettings, fleetFeatures } from '../fleet/fleet.ts'
import { footageFeatures } from '../footage/footage.ts'
import { type PeopleSettings, peopleFeatures, type WithPeople } from '../people/people.ts'
import { type PlatformSettings, platformFeatures } from '../platform/platform.ts'
import { programmeFeatures } from '../programme/programme.ts'
import type { Settings } from '../settings.ts'
import { type TransmissionSettings, transmissionFeatures } from '../transmission/transmission.ts'
import { usageFeatures } from '../usage/usage.ts'
import { createEvents } from '../world/events.ts'
import { type Feature, joined, stopAll } from '../world/feature.ts'
import type { World } from '../world/world.ts'
import { createHealth } from './health.ts'
import { countTrade } from './metrics.ts'
import { createSockets } from './sockets.ts'

export interface CoreOptions {
  /** The key that seals stored secrets; only this installation has it. */
  secretKey: string
  settings: Settings
  db: Database
  clock: Clock
  log: Log
  version: string
}

/** The features by name, the API that they are bound to, and how they start and end. */
export type Core = Awaited<ReturnType<typeof createCore>>

export async function createCore({ secretKey, settings, db, clock, log, version }: CoreOptions) {
  const metrics = new Registry()
  const events = createEvents(log)
  const sealing = createSealing(secretKey)
  const outwardAddresses = createOutwardAddresses(settings)
  const consoleBuild = consoleBuildOf(settings, version)
  const ages = createAgeingClock(clock)
  const { features, faces, routes } = createFeatures({
    ...settings,
    db,
    clock,
    ages,
    log,
    events,
    sealing,
    knownBrowsers: createKnownBrowsers(sealing),
    outwardAddresses,
    sendOutward: createSendOutward(outwardAddresses),
    openidSettings: settings.openid,
    version,
    consoleBuild,
  })
  const people = new People()
  const loopDelay = new LoopDelay()
  const addressOf = createAddressOf(settings.trustedProxies)
  const api = await createApi({
    ...settings,
    log,
    metrics,
    people,
    addressOf,
    callerOf: callerBy(faces),
    record: ({ caller: { userId, username, apiKey, scope }, ...change }) =>
      faces.audit.record({ userId, username, apiKey, scope, ...change }),
    checkHealth: createHealth({ db, clock, log }),
  })
  api.bind(contract, routes)
  for (const feature of features) feature.bind?.(api)
  countTrade(metrics, faces)
  const sockets = createSockets({
    ...faces,
    db,
    api,
    clock,
    ages,
    log,
    events,
    metrics,
    people,
    loopDelay,
    addressOf,
    intakeTurnMs: settings.intakeTurnMs,
    idleMs: settings.idle.subscribeMs,
    wsLibrary: consoleBuild,
  })
  const mounted: readonly Pick<Feature, 'start' | 'stop'>[] = [...features, sockets]
  return {
    ...faces,
    api,
    metrics,
    loopDelay,
    events,
    gateway: sockets.gateway,
    /** Reads the stored state, before any connection is accepted. */
    async start(): Promise<void> {
      loopDelay.start()
      for (const feature of mounted) await feature.start?.()
    },
    /** Disconnects all devices and browsers, then stores what is not yet stored. */
    async close(): Promise<void> {
      loopDelay.stop()
      await stopAll([...mounted.toReversed().map((feature) => () => feature.stop?.()), () => api.close()])
    },
  }
}

/** The areas in the written order, each with what those before it offer. */
function createFeatures(
  world: World & PlatformSettings & PeopleSettings & FleetSettings & TransmissionSettings & Installation,
) {
  const platform = platformFeatures(world)
  const withPlatform = { ...world, ...platform.faces }
  const people = peopleFeatures(withPlatform)
  const withPeople = { ...withPlatform, ...people.faces }
  const fleet = fleetFeatures(withPeople)
  const withFleet = { ...withPeople, ...fleet.faces }
  const transmission = transmissionFeatures(withFleet)
  const withTransmission = { ...withFleet, ...transmission.faces }
  const usage = usageFeatures(withTransmission)
  const withUsage = { ...withTransmission, ...usage.faces }
  const programme = programmeFeatures(withUsage)
  const withProgramme = { ...withUsage, ...programme.faces }
  const footage = footageFeatures(withProgramme)
  const edge = edgeFeatures({ ...withProgramme, ...footage.faces })
  return {
    faces: {
      ...platform.faces,
      ...people.faces,
      ...fleet.faces,
      ...transmission.faces,
      ...usage.faces,
      ...programme.faces,
      ...footage.faces,
      ...edge.faces,
    },
    ...joined([platform, people, fleet, transmission, usage, programme, footage, edge]),
  }
}

/** A key takes precedence; without one the cookie identifies the caller. */
function callerBy({ apiKeys, signIns }: Pick<WithPeople, 'apiKeys' | 'signIns'>): ApiOptions['callerOf'] {
  return async ({ cookie, apiKey, address }) => {
    if (apiKey !== undefined) return await apiKeys.callerOf(apiKey, address)
    return cookie === undefined ? undefined : await signIns.callerOf(cookie)
  }
}

/** The built page names its scripts by the hash of their content, so its text identifies the build. */
function consoleBuildOf({ consoleFolder }: Settings, version: string): string {
  try {
    const page = readFileSync(join(consoleFolder, 'index.html'), 'utf8')
    return (
      [...page.matchAll(/assets\/[\w.-]+/g)].map(([name]) => name.slice('assets/'.length)).join('+') ||
      version
    )
  } catch {
    return version
  }
}
