// The messages between the control of a hub and its media thread.
import type { Levels } from '@backhaul/contract/gateway/gateway'
import type {
  ChannelPorts,
  ChannelTelemetry,
  ServerFailure,
  ServerWanted,
} from '@backhaul/contract/gateway/servers'
import type { ProgramCounts } from './bus/program-counts.ts'

export type InputProtocol = 'srt' | 'rist' | 'rtmp' | 'webrtc'

/** A place for one channel; its port is the same while the server runs, unless another program has taken it. */
export interface HubSlot {
  readonly slot: string
  readonly name: string
  readonly intake: 'bonded' | InputProtocol
  /** 0 for WebRTC, which comes by the door for the public. */
  readonly port: number
  /** Whether a user added the channel. */
  readonly isMade?: boolean
}

/** Where an input of the video return takes its picture: a channel of the hub, a file, the test picture. */
export type ReturnSource =
  | { readonly kind: 'slot'; readonly slot: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'testPattern' }

/** The functions of ffmpeg that the media thread may use. */
export interface UsableFfmpeg {
  readonly path: string
  readonly hasOpus: boolean
  readonly hasDrawtext: boolean
  /** Draws a picture over another and encodes the result. */
  readonly canOverlay: boolean
  /** Writes uncompressed pictures of 10 bit as RTP, where the owner wants that. */
  readonly canSendSmpte: boolean
  /** Reads HEVC and AV1 in RTMP. */
  readonly hasEnhancedFlv: boolean
}

/** Given to the media thread at its start. */
export interface MediaSettings {
  readonly slots: readonly HubSlot[]
  /** Inputs of the video return; none where the hub returns no video. */
  readonly returnSources: readonly ReturnSource[]
  /** The programme of each IFB. */
  readonly ifbSources: readonly ReturnSource[]
  readonly ffmpeg: UsableFfmpeg | undefined
  readonly dataFolder: string
  /** The address that receives units; it differs from the one they send to when there is a network in between. */
  readonly unitHost: string
  readonly previewHost: string
  /** 0 at the first start, later the port that was found then. */
  readonly previewPort: number
  /** The port for speech of units in audio rooms; 0 takes any free one. */
  readonly speechPort: number
  /** The door for the public; the port is 0 at the first start, later the one that was found then. */
  readonly web: { readonly host: string; readonly port: number } | undefined
  /** Addresses of this machine that WebRTC offers. */
  readonly localAddresses: readonly string[]
  readonly loops: number
  /** Whether a streaming destination may lead into the network of the operator. */
  readonly mayStreamToOwnNetwork: boolean
  readonly logFormat: 'json' | 'pretty'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Key of the signatures of core's requests to this hub. */
export interface PreviewKey {
  readonly secret: string
  /** The offset of the clock that dates the signatures against this machine's steady one. */
  readonly coreAheadMs: number
}

/** Core has a key for each of the servers that a hub is. */
export type PreviewKeyOf = 'channels' | 'returns'

/** Figures of a channel for metrics alone: core does not get them. */
export interface ChannelCounts extends ProgramCounts {
  readonly slot: string
  readonly channelId: string
  readonly name: string
  /** Moving pictures that are watched; stills are not counted. */
  readonly viewers: number
}

export type ToMedia =
  | { type: 'wanted'; state: ServerWanted; slots: readonly HubSlot[] }
  | { type: 'returns'; state: ServerWanted }
  | { type: 'previewKey'; of: PreviewKeyOf; key: PreviewKey }
  | { type: 'play'; channelId: string; fileId: string; path: string }
  | { type: 'stopPlaying'; channelId: string; fileId: string }
  | { type: 'stop' }

export type FromMedia =
  | { type: 'ready'; previewPort: number; speechPort: number; webPort: number | undefined }
  | { type: 'moved'; slot: string; port: number }
  | { type: 'loops'; loops: string[] }
  | {
      type: 'channels'
      channels: ChannelTelemetry[]
      counts: ChannelCounts[]
      audioSessions: string[]
      failures: ServerFailure[]
    }
  | { type: 'returns'; ports: ChannelPorts[]; channels: ChannelTelemetry[] }
  | { type: 'levels'; channels: Levels['channels'] }
  | { type: 'logLine'; line: string; slot: string | undefined }
