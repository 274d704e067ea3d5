// The sockets of browsers and devices, above all features: opened last, closed first.
import { PUSH_PATH, PUSH_PATH_ALIAS } from '@backhaul/contract/define/topic'
import { GATEWAY_PATH } from '@backhaul/contract/gateway/shared'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../database/schema.ts'
import type { Api } from '../doors/api/api.ts'
import { createFailureLimit } from '../doors/failure-limit.ts'
import { createGateway, type GatewayOptions } from '../doors/gateway/gateway.ts'
import { watchLateness } from '../doors/lateness.ts'
import { createPush, type PushOptions } from '../doors/push/push.ts'
import type { Devices } from '../fleet/devices/devices.ts'
import type { Live } from '../platform/live/live.ts'
import type { Events } from '../world/events.ts'

interface Needs extends Omit<GatewayOptions, 'host' | 'failures'>, Pick<PushOptions, 'idleMs' | 'wsLibrary'> {
  db: Database
  ages: Clock
  api: Api
  events: Events
  live: Live
  devices: Devices
}

export function createSockets(needs: Needs) {
  const { api, events, live, devices } = needs
  const failures = createFailureLimit({ db: needs.db, clock: needs.ages }, 'registration')
  const gateway = createGateway({ ...needs, failures, host: devices.host })
  const push = createPush({
    ...needs,
    source: live,
    rightsOf: (request) => api.callerOfUpgrade(request),
  })
  api.upgrades.on(GATEWAY_PATH, gateway.upgrade)
  for (const path of [PUSH_PATH, PUSH_PATH_ALIAS]) api.upgrades.on(path, push.upgrade)
  events.on('signInEnded', ({ signInId }) => push.endSignIn(signInId))
  events.on('userScopeChanged', ({ userId }) => void push.recheck(userId))
  events.on('membersLeft', () => void push.recheck())
  events.on('groupsChanged', () => void push.recheck())
  events.on('deviceMoved', () => void push.recheck())
  let endWatch = () => {}
  return {
    gateway,
    start(): void {
      live.start(push.deliver, push.collectMs)
      endWatch = watchLateness({ ...needs, gateway }, push.sendBehind)
    },
    stop(): void {
      devices.stopListening()
      live.stop()
      endWatch()
      push.close()
      gateway.close()
    },
  }
}
