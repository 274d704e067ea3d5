import type { deviceLogs as endpoints } from '@backhaul/contract/api/device-logs'
import type { Handlers } from '../../doors/api/bind.ts'
import type { DeviceLogs } from './device-logs.ts'

export function deviceLogRoutes(logs: DeviceLogs): Handlers<typeof endpoints> {
  return {
    async sendOfUnit({ caller, params, body, note }) {
      const commandId = await logs.sendOfUnit(caller, params.id, body)
      note({ objectId: params.id, details: body })
      return { accepted: true, commandId }
    },
    stopOfUnit: async ({ caller, params }) => ({
      accepted: true,
      commandId: await logs.stopOfUnit(caller, params.id),
    }),
    async sendOfChannel({ caller, params, body, note }) {
      await logs.sendOfChannel(caller, params.id, body.description)
      note({ objectId: params.id, details: body })
      return { done: true }
    },
    async stopOfChannel({ caller, params }) {
      await logs.stopOfChannel(caller, params.id)
      return { done: true }
    },
    ofUnit: ({ caller, params }) => logs.ofUnit(caller, params.id),
    ofChannel: ({ caller, params }) => logs.ofChannel(caller, params.id),
    text: ({ caller, params }) => logs.text(caller, params.id),
  }
}
