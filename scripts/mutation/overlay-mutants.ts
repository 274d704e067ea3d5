// Checks of SMPTE, and of graphics: the accepted files, their channels, and the servers that they are sent to.
import { type Rule, rules } from './mutant-rules.ts'

const overlay = rules(/^programme\/overlays\//, ['programme/overlays'])

const smpte = rules(/^\w+\/(smpte|channels|transmissions)\//, ['fleet/smpte'])

const ofSmpte: readonly Rule[] = [
  smpte("if (type !== 'mmh_server') throw new NotFound('server')"),
  smpte("if (configuration && capabilities?.smpte2110 !== true) throw new Conflict('server.noSmpte')"),
  smpte("if (configuration && capabilities.smpte2110 !== true) throw new Conflict('server.noSmpte')"),
  smpte('if (!essence) continue', 'if (!essence || name) continue'),
  smpte("if (channel && smpteRefusal(channel) !== undefined) throw new Conflict('channel.noSmpte')"),
  smpte('requireSmpte(channelOf(channelId))'),
]

export const overlayMutants: readonly Rule[] = [
  ...ofSmpte,
  overlay('if (reason !== undefined || !size)', 'if (!size)'),
  overlay(' ?? (await unpackedFault(file))'),
  overlay("if (name !== undefined) throw new Conflict(because('overlay.inUse', { channel: name }))"),
  overlay('if (closed !== undefined) throw new Conflict(closed)'),
  overlay("if (channel.capabilities.overlay !== true) throw new Conflict('overlay.serverCannot')"),
  overlay(
    "if (reason !== undefined || !size) throw InvalidRequest.at('png', reason ?? 'overlay.type')",
    "if (!size) throw InvalidRequest.at('png', reason ?? 'overlay.type')",
  ),
  overlay("if (name !== undefined) throw new Conflict(because('overlay.inUse', { channel: name }))"),
  overlay('if (closed !== undefined) throw new Conflict(closed)'),
  overlay("if (channel.capabilities.overlay !== true) throw new Conflict('overlay.serverCannot')"),
  overlay(
    "if (!held) throw new NotFound('overlay')",
    'if (!held) return { ref: choice as never, change: undefined }',
  ),
  overlay(
    "inventoryId === id) ? 'inventory.active' : undefined",
    'inventoryId === id) ? undefined : undefined',
  ),
  overlay('if ((await services.inForce([inventoryId])).includes(SERVICE)) continue', 'if (SERVICE) continue'),
  overlay('> OVERLAYS_PER_INVENTORY)', '> Number.POSITIVE_INFINITY)'),
]
