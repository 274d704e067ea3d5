import type { channelSettings as endpoints } from '@backhaul/contract/api/channel-settings'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Channels } from './channels.ts'

/** The limit is kept by units: it is set where their transmissions are. */
export function channelSettingsRoutes({
  settings,
  sources,
}: Pick<Channels, 'settings' | 'sources'>): Handlers<Omit<typeof endpoints, 'limit'>> {
  const ffmpeg: Handlers<Pick<typeof endpoints, 'ffmpeg'>>['ffmpeg'] = ({ caller, params }) =>
    settings.ffmpeg(caller.scope, params.id)
  const setFfmpeg: Handlers<Pick<typeof endpoints, 'setFfmpeg'>>['setFfmpeg'] = async ({
    caller,
    params,
    body,
    note,
  }) => {
    note({ objectId: params.id, details: body })
    return await settings.setFfmpeg(caller.scope, params.id, body)
  }
  return {
    ffmpeg,
    administeredFfmpeg: ffmpeg,
    setFfmpeg,
    setAdministeredFfmpeg: setFfmpeg,
    async addSource({ caller, params, body, note }) {
      note({ objectId: params.id, details: { name: body.name } })
      return await sources.add(caller.scope, params.id, body)
    },
    async removeSource({ caller, params, query, note }) {
      note({ objectId: params.id, details: query })
      return await sources.remove(caller.scope, params.id, query.source)
    },
    async privateSession({ caller, body, note }) {
      note({ objectId: body.uid, details: body })
      return await settings.setPrivateSession(caller.scope, body.uid, body.privateSession)
    },
  }
}
