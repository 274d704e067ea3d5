/** The reports and the wanted state of a receiving server. */
import { z } from 'zod'
import { message } from '../define/message.ts'
import { DeviceCause } from '../define/refusals.ts'
import { serverFailures } from '../nouns/alerts.ts'
import {
  AudioLevel,
  ChannelStatus,
  encoderInputs,
  InputFailure,
  InputKey,
  InputProblem,
  InputType,
  PictureHealth,
  ReceivedVideo,
} from '../nouns/channels.ts'
import { DATABRIDGE_PORTS_MAX, DatabridgePort } from '../nouns/databridge.ts'
import { resolutions, videoProfiles } from '../nouns/destinations.ts'
import { FileMedia, FileMetadata, FileName, Labels, RootDirectory } from '../nouns/files.ts'
import { INPUT_SOURCES_MAX, SourceAddress } from '../nouns/input-sources.ts'
import { SERVER_INTERFACES_MAX, ServerInterface } from '../nouns/interfaces.ts'
import { IP_PIPE_NETWORKS_MAX, IpPipeConfiguration, ServerEthernet } from '../nouns/ip-pipe.ts'
import { MetadataFormat } from '../nouns/metadata-formats.ts'
import { OutputStatus } from '../nouns/output-states.ts'
import { OVERLAY_LETTERS_MAX, OverlayPlace } from '../nouns/overlays.ts'
import { BoxState, ServerCapabilities, ServerSettings, ServerSpecifications } from '../nouns/servers.ts'
import { SmpteChannel, SmpteServer } from '../nouns/smpte.ts'
import { UploadId } from '../nouns/unit-files.ts'
import { VrInput, VrInputId, VrPort, VrServerConfiguration, VrSettings } from '../nouns/video-return.ts'
import { AdmittedUpload, UploadSource } from './uploads.ts'

/** A channel's ports; they do not change while the server runs. */
export const ChannelPorts = z.object({
  slot: z.string(),
  ristPort: z.number().int().nullable().describe('UDP, RTCP on the next port'),
  inputAddress: z
    .string()
    .max(255)
    .nullable()
    .describe('For input channels, with {host} for the server address'),
  returnPort: VrPort.optional().describe('Where units fetch the picture of a video return channel'),
  inputs: z.array(VrInput).max(16).optional().describe('Of a video return channel'),
})
export type ChannelPorts = z.infer<typeof ChannelPorts>

export const ServerActual = z.object({
  capabilities: ServerCapabilities,
  addresses: z.array(z.string().max(64)).max(16).describe('At which units reach it'),
  previewPort: z.number().int().nullable(),
  filePort: z
    .number()
    .int()
    .nullish()
    .describe('Where core fetches the files of a server that has them without previews'),
  speechPort: z
    .number()
    .int()
    .nullish()
    .describe('UDP, where units call that speak in its audio rooms; null while it is not open'),
  databridgePort: z
    .number()
    .int()
    .nullish()
    .describe('UDP, where units call whose databridge leads here; null while it is not open'),
  ipPipePort: z
    .number()
    .int()
    .nullish()
    .describe('UDP, where units call whose IP pipe leads here; null while it is not open'),
  uploadPort: z
    .number()
    .int()
    .nullish()
    .describe('UDP, where units call that send files over all their links; null while it is not open'),
  ethernets: z
    .array(ServerEthernet)
    .max(IP_PIPE_NETWORKS_MAX)
    .optional()
    .describe('Networks of the machine that IP pipes may lead to'),
  webAddress: z
    .string()
    .max(255)
    .nullish()
    .describe('Where players fetch HLS, with {host} for the server address; null where it serves none'),
  ports: z.array(ChannelPorts).max(64),
  region: z
    .string()
    .max(64)
    .nullish()
    .describe('Its location as configured by its owner, such as the region of a cloud'),
  loops: z.array(z.string().max(32)).max(16).describe('Generated pictures for channels of simulated servers'),
  overlays: z
    .array(z.string().max(64))
    .max(64)
    .optional()
    .describe('Ids of the graphics that it holds; core sends what is missing by put_overlay'),
  interfaces: z.array(ServerInterface).max(SERVER_INTERFACES_MAX).optional().describe('Tallies and IFBs'),
  bootedAt: z.number(),
  specifications: ServerSpecifications.optional(),
  boxes: z
    .object({ tally: BoxState, audio: BoxState })
    .optional()
    .describe('Connected hardware for tally lights and for sound to crews'),
  appliedRevision: z.number().int().min(0),
})
export type ServerActual = z.infer<typeof ServerActual>

export const serverReport = message('serverReport', 'device', 'What changed in what the server is', {
  actual: ServerActual.partial(),
})

/** Something that the server was to start and that does not work now. */
export const ServerFailure = z.object({
  type: z.enum(serverFailures),
  name: z.string().max(64).optional().describe('Which of them, where there are several'),
  reason: z.string().max(200).describe('Without secrets'),
  cause: DeviceCause.optional().describe('The code of the reason, where it has one'),
})
export type ServerFailure = z.infer<typeof ServerFailure>

/** One channel over the last interval. */
export const ChannelTelemetry = z.object({
  channelId: z.string(),
  status: ChannelStatus,
  transmissionId: z.string().nullable(),
  kbps: z.number(),
  continuityErrors: z.number().int(),
  recovered: z.number().int(),
  uncorrected: z.number().int(),
  bufferMs: z.number(),
  video: ReceivedVideo.nullable(),
  health: PictureHealth.nullable(),
  source: z.enum(['bonded', ...encoderInputs, 'file']),
  recording: z.boolean(),
  previewOf: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe('The loop of a hub that is shown as this picture'),
  inputProblem: InputProblem.nullish().describe('Of an input channel: why a sender gives no picture'),
  inputFailure: InputFailure.nullish().describe('Of an input channel: why its sources give no picture'),
  input: VrInputId.nullish().describe('The present input of a video return channel'),
  playing: z
    .array(z.string().max(300))
    .max(16)
    .default([])
    .describe('Ids of files: the first is played out, the others wait'),
  outputs: z
    .array(OutputStatus)
    .max(16)
    .default([])
    .describe('The state of each output while there is a picture'),
  failures: z.array(ServerFailure).max(8).optional().describe('Of the channel, such as a recording'),
})
export type ChannelTelemetry = z.infer<typeof ChannelTelemetry>

export const serverTelemetry = message(
  'serverTelemetry',
  'device',
  'The load of the server and its channels, each second',
  {
    ts: z.number(),
    usage: z.object({ cpuPercent: z.number(), memoryPercent: z.number(), storagePercent: z.number() }),
    channels: z.array(ChannelTelemetry).max(64),
    audioSessions: z
      .array(z.string().max(64))
      .max(1000)
      .optional()
      .describe('Participants of audio rooms that the server bridges'),
    failures: z.array(ServerFailure).max(16).optional().describe('Of the server as a whole'),
  },
)

/** The tally is not part of the telemetry, because a lamp that is a second late is of no use. */
export const tallies = message(
  'tallies',
  'device',
  'Which tallies are on: after the welcome, and immediately with every change',
  { on: z.array(ServerInterface.shape.id).max(SERVER_INTERFACES_MAX).describe('Ids of interfaces') },
)

/** Sound levels, several times a second, only of channels that have sound. */
export const levels = message('levels', 'device', 'Sound levels of channels', {
  channels: z.array(z.object({ channelId: z.string(), levels: z.array(AudioLevel).max(16) })).max(64),
})

/** The key of a file on its server; `unitId` is `-` for a standard encoder. */
const fileKey = { channelId: z.string().max(64), unitId: z.string().max(64), fileName: FileName }
export const StoredFileKey = z.object(fileKey)
export type StoredFileKey = z.infer<typeof StoredFileKey>

/** A file of one of the server's channels. */
export const StoredFile = z.object({
  ...fileKey,
  rootDirectory: RootDirectory,
  sizeBytes: z.number().int().min(0),
  modifiedMs: z.number().int().min(0),
  isTransferring: z.boolean().describe('It is still being written'),
  media: FileMedia.nullable().describe('Of a finished file; null when unknown'),
  labels: Labels.optional().describe('Of a file from the ingest folder, which has no unit'),
  document: MetadataFormat.nullish().describe(
    'The format of the document of its metadata that is stored next to it; null where there is none',
  ),
})
export type StoredFile = z.infer<typeof StoredFile>

/** Number of files in one message. */
export const FILES_PER_MESSAGE = 100

/** All files come between a message that begins and one that ends; files that are not named in between no longer exist. */
export const files = message('files', 'device', 'Files that came, changed or went', {
  begins: z.boolean().default(false),
  ends: z.boolean().default(false),
  files: z.array(StoredFile).max(FILES_PER_MESSAGE),
  removed: z.array(StoredFileKey).max(FILES_PER_MESSAGE).default([]),
})

/** The orders about files and their `args`; a server answers each with an outcome and reports the new files itself. */
export const fileOrders = {
  rename_file: z.object({ file: StoredFileKey, newFileName: FileName }),
  remove_file: z.object({ file: StoredFileKey }),
  play_file: z.object({ file: StoredFileKey, channelId: z.string() }),
  stop_file: z.object({ file: StoredFileKey, channelId: z.string() }),
  publish_file: z.object({ file: StoredFileKey }),
  describe_file: z.object({ file: StoredFileKey, format: MetadataFormat, metadata: FileMetadata }),
  receive_file: z.object({
    uploadId: UploadId,
    file: StoredFileKey,
    resume: z.boolean().default(false).describe('The part received before belongs to the same file'),
    tunnel: AdmittedUpload.optional().describe('The unit calls; without it, the file comes through core'),
  }),
  forget_upload: z.object({ uploadId: UploadId }),
} as const

/** The progress of a file that comes through a tunnel; core sees the bytes of the others itself. */
export const uploadProgress = message(
  'uploadProgress',
  'device',
  'How much of a file the server keeps: when the unit has named it, each second while bytes come, and at the end',
  { uploadId: UploadId, ...UploadSource.shape, keptBytes: z.number().int().min(0) },
)

/** The `args` of put_overlay: a graphic for the channels that use it. */
export const OverlayOrder = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  png: z.base64().max(OVERLAY_LETTERS_MAX),
})

/** Admits one transmission. The key is base64 of 32 bytes. */
export const Intake = z.object({
  transmissionId: z.string(),
  unitId: z.string(),
  key: z.string(),
  bufferMs: z.number().int(),
  labels: Labels.optional().describe('Of its recordings: the unit, and the labels of its story'),
})
export type Intake = z.infer<typeof Intake>

export const Output = z.object({
  id: z.string(),
  protocol: z.enum(['srt', 'rtmp', 'mpegts', 'rtsp', 'hls']),
  url: z.string().max(2048).describe('Of HLS hls:// and the key that players have in their address'),
  lowLatency: z.boolean().optional().describe('HLS with parts of segments'),
  encoding: z
    .object({
      profile: z.enum(videoProfiles).optional(),
      videoKbps: z.number().optional(),
      resolution: z.enum(resolutions).optional(),
      maxFrameRate: z.number().optional(),
    })
    .optional()
    .describe('How the picture is encoded again; without it the stream is sent as it comes'),
  ffmpeg: z
    .record(z.string().max(64), z.string().max(64))
    .optional()
    .describe('Options of the encoder that replace those of the server and of `encoding`'),
  muxRateKbps: z.number().optional().describe('A constant rate of the whole stream; MPEG-TS only'),
  sourcePort: z.number().int().optional().describe('The UDP port to send from'),
  maxReaders: z.number().int().optional().describe('Of an SRT listener: how many may read at once'),
  broadcast: z
    .object({ videoKbps: z.number().int(), height: z.number().int(), title: z.string().max(100) })
    .optional()
    .describe('Encoded again, with this title, as every stream provider accepts it: H.264 and AAC'),
})
export type Output = z.infer<typeof Output>

/** A channel, of this server or another one, that gets what this one receives: sent as a unit sends. The key is base64 of 32 bytes. */
export const WantedCopy = z.object({
  channelId: z.string(),
  transmissionId: z.string(),
  key: z.string(),
  targets: z.array(z.object({ host: z.string(), port: z.number().int() })).min(1),
  bufferMs: z.number().int(),
})
export type WantedCopy = z.infer<typeof WantedCopy>

/** The wanted state of a video return channel; the key is base64 of 32 bytes and known to the one unit that may fetch. */
export const WantedReturn = z.object({
  settings: VrSettings.omit({ description: true }).strip(),
  session: z
    .object({
      id: z.string(),
      unitId: z.string(),
      key: z.string(),
      input: VrInputId.nullable().describe('The choice of the unit where users choose'),
    })
    .nullable(),
})
export type WantedReturn = z.infer<typeof WantedReturn>

/** Sizes are in pixels of a programme that is 1920 wide. */
export const WantedOverlay = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  place: OverlayPlace,
})
export type WantedOverlay = z.infer<typeof WantedOverlay>

/** The address that the picture of an input channel is fetched from. */
export const WantedSource = z.object({ id: z.string().max(64), url: SourceAddress })
export type WantedSource = z.infer<typeof WantedSource>

export const WantedChannel = z.object({
  channelId: z.string(),
  slot: z.string(),
  name: z.string(),
  made: z
    .object({ inputType: InputType.nullable() })
    .optional()
    .describe('For a channel that a user added: the server provides a slot of this name'),
  intake: Intake.nullable(),
  inputKey: InputKey.optional().describe(
    'Senders to an input channel have to show it: SRT passphrase, RTMP stream key',
  ),
  sources: z
    .array(WantedSource)
    .max(INPUT_SOURCES_MAX)
    .optional()
    .describe('Tried in their order; while there are any, no sender is admitted'),
  recording: z.boolean(),
  outputs: z.array(Output).max(16),
  forceOutput: z
    .boolean()
    .optional()
    .describe('Its outputs get a black picture with silence while nothing comes in'),
  overlay: WantedOverlay.optional().describe('Drawn over the picture of every output and preview'),
  copies: z
    .array(WantedCopy)
    .max(32)
    .optional()
    .describe('Point-to-multipoint machines that get its picture'),
  smpte: SmpteChannel.optional().describe('The outputs of the channel, on a server that has `smpte` too'),
  videoReturn: WantedReturn.optional().describe('Of a video return channel'),
})
export type WantedChannel = z.infer<typeof WantedChannel>

/** Admits a unit to an audio room. The key is base64 of 32 bytes and known to that unit alone. */
export const WantedSpeech = z.object({
  id: z.string().max(64),
  roomId: z.string().max(64),
  unitId: z.string().max(64),
  key: z.string(),
})
export type WantedSpeech = z.infer<typeof WantedSpeech>

/** A unit that hears an IFB of the server: its programme, and over it the speech of these audio rooms. */
export const WantedIfbListener = z.object({
  id: z.string().max(64),
  interfaceId: z.string().max(32).describe("The server's own id of the IFB"),
  unitId: z.string().max(64),
  key: z.string(),
  roomIds: z.array(z.string().max(64)).max(64),
})
export type WantedIfbListener = z.infer<typeof WantedIfbListener>

/** A unit whose databridge leads here: where each of its ports leads to. The key is known to that unit alone. */
export const AdmittedDatabridge = z.object({
  id: z.string().max(64),
  unitId: z.string().max(64),
  key: z.string(),
  ports: z
    .array(DatabridgePort.pick({ protocol: true, host: true, hostPort: true }).strip())
    .max(DATABRIDGE_PORTS_MAX),
})
export type AdmittedDatabridge = z.infer<typeof AdmittedDatabridge>

/** A unit whose IP pipe leads here, into this network. The key is known to that unit alone. */
export const AdmittedIpPipe = z.object({
  id: z.string().max(64),
  unitId: z.string().max(64),
  channel: z.string().describe('The channel that carries it'),
  key: z.string(),
  interface: z.string().max(15).describe('The name of one of its Ethernet networks'),
})
export type AdmittedIpPipe = z.infer<typeof AdmittedIpPipe>

export const ServerWanted = z.object({
  channels: z.array(WantedChannel).max(64),
  speech: z.array(WantedSpeech).max(1000).optional().describe('Units that speak in its audio rooms'),
  ifbs: z.array(WantedIfbListener).max(1000).optional().describe('Units that hear its IFBs'),
  databridges: z.array(AdmittedDatabridge).max(1000).optional().describe('Of a databridge gateway'),
  ipPipe: IpPipeConfiguration.strip()
    .optional()
    .describe('Set by users; its port is open where it is enabled'),
  ipPipes: z.array(AdmittedIpPipe).max(64).optional().describe('Units whose IP pipe leads here'),
  settings: ServerSettings.partial().optional().describe('Settings by users; absent ones are not changed'),
  ingest: z
    .array(z.object({ channelId: z.string(), folder: z.string().max(130) }))
    .max(1000)
    .optional()
    .describe(
      'Of an ingest server: the channels of other servers whose files it ingests, each from a folder',
    ),
  returns: VrServerConfiguration.strip().optional().describe('Of a video return server'),
  smpte: SmpteServer.optional().describe('Its addresses in SMPTE 2110 networks'),
})
export type ServerWanted = z.infer<typeof ServerWanted>

export const serverWanted = message(
  'serverWanted',
  'core',
  'What the server should do; the newest revision replaces all earlier ones',
  {
    revision: z.number().int(),
    state: ServerWanted,
  },
)
