// What the control of a hub and its media thread tell each other.
import type { Levels } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, ServerWanted } from '@backhaul/contract/gateway/servers'
import type { ProgramCounts } from './bus/program-counts.ts'

/** A place for one channel; its port stays the same while the server runs, unless another program takes it. */
export interface HubSlot {
  readonly slot: string
  readonly name: string
  readonly intake: 'bonded' | 'srt' | 'rtmp'
  readonly port: number
  /** For a channel that people added. */
  readonly isMade?: boolean
}

/** What the media thread may use of ffmpeg. */
export interface UsableFfmpeg {
  readonly path: string
  readonly hasOpus: boolean
  readonly hasDrawtext: boolean
  /** Lays a picture over another and encodes what comes of it. */
  readonly canOverlay: boolean
  /** Reads HEVC and AV1 in RTMP. */
  readonly hasEnhancedFlv: boolean
}

/** Handed to the media thread at its start. */
export interface MediaSettings {
  readonly slots: readonly HubSlot[]
  readonly ffmpeg: UsableFfmpeg | undefined
  readonly dataFolder: string
  /** Where units are received; another address than the one they send to when there is a network in between. */
  readonly unitHost: string
  readonly previewHost: string
  /** 0 at the first start, later the port that was found then. */
  readonly previewPort: number
  /** Addresses of this machine that WebRTC offers. */
  readonly localAddresses: readonly string[]
  readonly loops: number
  /** Whether a streaming destination may lead into the network of the operator. */
  readonly mayStreamToOwnNetwork: boolean
  readonly logFormat: 'json' | 'pretty'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Signs what core asks of this hub. */
export interface PreviewKey {
  readonly secret: string
  /** How far the clock that dates the signatures is ahead of this machine's steady one. */
  readonly coreAheadMs: number
}

/** What core is not told of a channel, and metrics are. */
export interface ChannelCounts extends ProgramCounts {
  readonly slot: string
  readonly channelId: string
  readonly name: string
  /** Moving pictures that are watched; stills are not counted. */
  readonly viewers: number
}

export type ToMedia =
  | { type: 'wanted'; state: ServerWanted; slots: readonly HubSlot[] }
  | { type: 'previewKey'; key: PreviewKey }
  | { type: 'play'; channelId: string; fileId: string; path: string }
  | { type: 'stopPlaying'; channelId: string; fileId: string }
  | { type: 'stop' }

export type FromMedia =
  | { type: 'ready'; previewPort: number }
  | { type: 'moved'; slot: string; port: number }
  | { type: 'loops'; loops: string[] }
  | { type: 'channels'; channels: ChannelTelemetry[]; counts: ChannelCounts[]; audioSessions: string[] }
  | { type: 'levels'; channels: Levels['channels'] }
  | { type: 'logLine'; line: string; slot: string | undefined }
