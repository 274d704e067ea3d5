/** The port between a server's brain and what it drives: intakes, recordings, outputs, real or simulated. */
import type { Duplex } from 'node:stream'
import type { Levels, ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type {
  ServerActual,
  ServerWanted,
  StoredFile,
  StoredFileKey,
} from '@backhaul/contract/gateway/servers'
import type { AdmittedUpload } from '@backhaul/contract/gateway/uploads'
import type { FileMetadata } from '@backhaul/contract/nouns/files'
import type { MetadataFormat } from '@backhaul/contract/nouns/metadata-formats'
import type { Upgrade } from './upgrading.ts'

/** Slow facts: read in full, and again after onChange was called. */
export type ServerFacts = Omit<ServerActual, 'appliedRevision'>

/** Files of the server's channels. A method that throws or rejects has changed nothing; its message is shown to the operator. */
export interface ServerFiles {
  all(): readonly StoredFile[]
  rename(file: StoredFileKey, newFileName: string): void | Promise<void>
  remove(file: StoredFileKey): void | Promise<void>
  /** Absent on a server that accepts no uploads. */
  readonly uploads?: ServerUploads
  /** Plays it out to a channel that admits no sender, after the files that the channel plays already. */
  play(file: StoredFileKey, channelId: string): void | Promise<void>
  /** Ends it, or takes it out of the queue. */
  stopPlaying(file: StoredFileKey, channelId: string): void | Promise<void>
  /** Puts a copy into the hot folder; absent on a server without one. A large copy may come after it has resolved. */
  publish?(file: StoredFileKey): void | Promise<void>
  /** Stores a document of its metadata next to it, in place of one that is there; absent on a server that stores none. */
  describe?(file: StoredFileKey, format: MetadataFormat, metadata: FileMetadata): void | Promise<void>
  /** Called when files changed; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
}

/** Files that units send. The received part of an interrupted one is kept for at least UPLOAD_WAITS_MS. */
export interface ServerUploads {
  /** Number of bytes received; all of them once it is among the files. */
  kept(uploadId: string): Promise<number | 'complete'>
  /** Appends the data to the bytes that are kept, and adds the file to the others once it is complete. */
  receive(incoming: IncomingFile, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Removes the part that is kept; a complete file is not removed. */
  forget(uploadId: string): Promise<void>
}

export interface IncomingFile {
  readonly uploadId: string
  readonly file: StoredFileKey
  /** Number of kept bytes that are valid. */
  readonly from: number
  /** SHA-256 of the whole file, once its bytes have come: one that is stored has it. Absent where it is not known. */
  readonly sum?: () => Promise<string>
}

/** The end of tunnels by which units send files over all their links. */
export interface UploadTunnels {
  /** `onStream` is called for each stream that the unit opens. */
  admit(session: AdmittedUpload, onStream: (stream: Duplex) => void): AdmittedUploadTunnel
}

export interface AdmittedUploadTunnel {
  /** A link of the unit calls at present. */
  isCalled(): boolean
  close(): void
}

/** Graphics for the channels that use them; unused ones are removed. */
export interface ServerOverlays {
  put(id: string, png: Uint8Array): void | Promise<void>
}

/** The tallies among the interfaces that the facts name. */
export interface ServerTallies {
  /** Ids of those that are on. */
  on(): readonly string[]
  /** Called when one was switched on or off; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
}

export interface ServerHardware {
  /** Absent on a server without files. */
  readonly files?: ServerFiles
  /** Absent on a server that gets files of units through core alone. */
  readonly uploadTunnels?: UploadTunnels
  /** Absent on a server that does not support graphics. */
  readonly overlays?: ServerOverlays
  /** Absent on a server without tallies. */
  readonly tallies?: ServerTallies
  facts(): ServerFacts
  /** The load and the channels over the interval that just ended; called once a report interval. */
  sample(): Pick<ServerTelemetry, 'usage' | 'channels' | 'audioSessions' | 'failures'>
  /** Sound levels since the last call, of channels that have sound; called several times a second. */
  levels(): Levels['channels']
  /** Applies the wanted state; never called while an earlier call runs. The signal is aborted when something newer is wanted. */
  apply(wanted: ServerWanted, signal: AbortSignal): void | Promise<void>
  /** Installs other software; absent where the server cannot. */
  readonly upgrade?: Upgrade
  /** Ends the process, to start the version that was installed; absent where `restart` does so. */
  startInstalled?(): void | Promise<void>
  /** Ends everything and starts again, as after a boot of the machine; the wanted state is applied again afterwards. */
  restart(): void | Promise<void>
  /** The recent log lines of a channel, oldest first; absent where nothing is logged. */
  logs?(channelId: string): string
  /** Called when facts changed; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
}
