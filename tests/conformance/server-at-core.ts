/** A server as core sees it: what it reports, and what is wanted of it. */
import type {
  ChannelPorts,
  ChannelTelemetry,
  ServerActual,
  ServerWanted,
  StoredFile,
  WantedChannel,
} from '@backhaul/contract/gateway/servers'
import type { ScriptedCore } from './scripted-core.ts'
import type { UnderTest } from './shared-cases.ts'

export interface ServerAtCore extends UnderTest {
  /** As reported last, with every change. */
  actual(): Partial<ServerActual>
  /** The version of the program that sent the last hello. */
  swVersion(): string | undefined
  channel(channelId: string): ChannelTelemetry | undefined
  ports(slot: string): ChannelPorts | undefined
  /** All that the server holds, as it reports them. */
  files(): readonly StoredFile[]
  /** The wanted state of these channels and of nothing else; resolves when it is applied, rejects with the reason of the server. */
  want(channels: readonly WantedChannel[], more?: Omit<ServerWanted, 'channels'>): Promise<void>
}

export function followServer(core: ScriptedCore): ServerAtCore {
  const actual: Partial<ServerActual> = {}
  let channels: readonly ChannelTelemetry[] = []
  const files = new Map<string, StoredFile>()
  let swVersion: string | undefined
  const keyOf = ({ channelId, unitId, fileName }: Pick<StoredFile, 'channelId' | 'unitId' | 'fileName'>) =>
    [channelId, unitId, fileName].join('/')
  core.listen((message) => {
    if (message.type === 'hello') ({ swVersion } = message)
    if (message.type === 'serverReport') Object.assign(actual, message.actual)
    if (message.type === 'serverTelemetry') ({ channels } = message)
    if (message.type !== 'files') return
    if (message.begins) files.clear()
    for (const file of message.files) files.set(keyOf(file), file)
    for (const file of message.removed) files.delete(keyOf(file))
  })
  return {
    core,
    actual: () => actual,
    swVersion: () => swVersion,
    channel: (id) => channels.find(({ channelId }) => channelId === id),
    ports: (slot) => actual.ports?.find((one) => one.slot === slot),
    files: () => [...files.values()],
    want: (wanted, more = {}) =>
      core.want({ type: 'serverWanted', state: { channels: [...wanted], ...more } }),
  }
}
