// Packages of software: a device that is being upgraded gets the one of its upgrade, with its own token.
import { NotFound, NotSignedIn } from '@backhaul/contract/define/errors'
import { GATEWAY_PACKAGES_PATH } from '@backhaul/contract/gateway/shared'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../../database/secrets.ts'
import type { Devices } from '../devices/devices.ts'

interface Needs {
  /** The folder of the operator's packages; no file outside it is given. */
  folder: string
  deviceOf: Devices['host']['deviceOf']
  /** The path in the folder, while this upgrade of this device runs. */
  pathOf(deviceId: string, upgradeId: string): Promise<string | undefined>
}

export function createPackages({ folder, deviceOf, pathOf }: Needs): { bind(app: FastifyInstance): void } {
  async function give(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const device = deviceOf(hashSecret(bearer ?? ''))
    if (!device) throw new NotSignedIn('device.unknownToken')
    const path = await pathOf(device.id, (request.params as { id: string }).id)
    if (path === undefined) throw new NotFound('package')
    const file = await send(request.raw, path.split('/').map(encodeURIComponent).join('/'), {
      root: folder,
      dotfiles: 'deny',
      index: false,
      cacheControl: false,
      contentType: false,
    })
    if (file.type !== 'file' && file.statusCode !== 416) throw new NotFound('package')
    return reply
      .code(file.statusCode)
      .headers(file.headers)
      .type('application/octet-stream')
      .send(file.stream)
  }
  return { bind: (app) => void app.get(`${GATEWAY_PACKAGES_PATH}/:id`, give) }
}
