/** The port between a server's brain and what it drives: intakes, recordings, outputs, whether real or pretended. */
import type { Levels, ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type {
  ServerActual,
  ServerWanted,
  StoredFile,
  StoredFileKey,
} from '@backhaul/contract/gateway/servers'
import type { Upgrade } from './upgrading.ts'

/** The slow facts: told in full when asked, and asked for again after onChange was called. */
export type ServerFacts = Omit<ServerActual, 'appliedRevision'>

/** Files of the server's channels. A method that throws or rejects has changed nothing; its message is shown to the operator. */
export interface ServerFiles {
  all(): readonly StoredFile[]
  rename(file: StoredFileKey, newFileName: string): void | Promise<void>
  remove(file: StoredFileKey): void | Promise<void>
  /** Absent on a server that takes nothing. */
  readonly uploads?: ServerUploads
  /** Plays it out to a channel that takes nobody in, behind what that channel plays already. */
  play(file: StoredFileKey, channelId: string): void | Promise<void>
  /** Ends it, or takes it out of the queue. */
  stopPlaying(file: StoredFileKey, channelId: string): void | Promise<void>
  /** Who wants to know that files changed; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
}

/** Files that units send. What came of one is kept when it is interrupted, at least UPLOAD_WAITS_MS long. */
export interface ServerUploads {
  /** So many bytes came of it, or all of them and it is among the files. */
  kept(uploadId: string): Promise<number | 'complete'>
  /** Puts what comes behind the first bytes that are kept, and all of it among the files once it has ended. */
  receive(incoming: IncomingFile, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Removes what is kept of it; a file that is complete stays. */
  forget(uploadId: string): Promise<void>
}

export interface IncomingFile {
  readonly uploadId: string
  readonly file: StoredFileKey
  /** Of what is kept, so many bytes stand. */
  readonly from: number
}

/** Graphics for the channels that want them; what no channel wants any more is forgotten. */
export interface ServerOverlays {
  put(id: string, png: Uint8Array): void | Promise<void>
}

export interface ServerHardware {
  /** Absent on a server that keeps none. */
  readonly files?: ServerFiles
  /** Absent on a server that lays nothing over pictures. */
  readonly overlays?: ServerOverlays
  facts(): ServerFacts
  /** The load and the channels over the interval that just ended; called once a report interval. */
  sample(): Pick<ServerTelemetry, 'usage' | 'channels' | 'tallies' | 'audioSessions'>
  /** Sound levels since the last call, of channels that have sound; called several times a second. */
  levels(): Levels['channels']
  /** Makes it so; never called while an earlier call runs. The signal is aborted when something newer is wanted. */
  apply(wanted: ServerWanted, signal: AbortSignal): void | Promise<void>
  /** Only of servers that can install other software. */
  readonly upgrade?: Upgrade
  /** Ends everything and begins anew, as after a start of the machine; what is wanted is told again afterwards. */
  restart(): void | Promise<void>
  /** What was logged recently of a channel, oldest line first; absent where nothing is. */
  logs?(channelId: string): string
  /** Who wants to know that facts changed; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
}
