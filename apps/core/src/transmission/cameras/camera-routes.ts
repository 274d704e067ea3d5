import type { cameras as endpoints } from '@backhaul/contract/api/cameras'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'
import type { Cameras } from './cameras.ts'

const accepted = (commandId: string) => ({ accepted: true as const, commandId })
const switcherModes = ['switcher', 'switcherAndProxy'] as const

export function cameraRoutes(cameras: Cameras, transmissions: Transmissions): Handlers<typeof endpoints> {
  return {
    async setFeeds({ caller, params, body, note }) {
      const commandId = await cameras.setFeeds(caller, params.id, body)
      note({ details: { ...body } })
      return accepted(commandId)
    },
    async setGroupChannel({ caller, params, body, note }) {
      const commandId = await cameras.setGroupChannel(caller, params.id, body.channel)
      note({ details: body })
      return accepted(commandId)
    },
    async setMode({ caller, params, body, note }) {
      const commandId = await cameras.setMode(caller, params.id, body.mode)
      note({ details: body })
      return accepted(commandId)
    },
    leave: async ({ caller, params }) => accepted(await cameras.setMode(caller, params.id, 'single')),
    async setSwitcher({ caller, params, body, note }) {
      const commandId = await cameras.setSwitcher(caller, params.id, body)
      note({ details: body })
      return accepted(commandId)
    },
    async setHighQuality({ caller, params, body, note }) {
      const change = { highQualityChannel: body.channel }
      const commandId = await cameras.changeSwitcher(caller, params.id, change)
      note({ details: change })
      return accepted(commandId)
    },
    async setProxy({ caller, params, body, note }) {
      const change = { proxyChannel: body.channel }
      const commandId = await cameras.changeSwitcher(caller, params.id, change)
      note({ details: change })
      return accepted(commandId)
    },
    async setInput({ caller, params, body, note }) {
      const commandId = await cameras.setInput(caller, params.id, body.sdiPort)
      note({ details: body })
      return accepted(commandId)
    },
    start: async ({ caller, params }) =>
      accepted(await transmissions.startCameras(caller, params.id, ['highQuality'])),
    stop: async ({ caller, params }) =>
      accepted(await transmissions.stopCameras(caller, params.id, ['highQuality'])),
    startSwitcher: async ({ caller, params }) =>
      accepted(await transmissions.startCameras(caller, params.id, switcherModes)),
    stopSwitcher: async ({ caller, params }) =>
      accepted(await transmissions.stopCameras(caller, params.id, switcherModes)),
  }
}
