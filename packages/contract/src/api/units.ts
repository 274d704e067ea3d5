/** Reading units and changing what belongs to them. */
import { z } from 'zod'
import type { Action } from '../define/actions.ts'
import { accepted, Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleUnit } from '../examples/units.ts'
import { CommandName } from '../nouns/commands.ts'
import { IpPipeSettings } from '../nouns/ip-pipe.ts'
import { GraphPoint, ModemStatus } from '../nouns/modems.ts'
import { Name } from '../nouns/names.ts'
import { speedTestSeconds } from '../nouns/speed-tests.ts'
import { UnitEvent, unitEvent } from '../nouns/unit-events.ts'
import { LinkShare, SafQualities, SettingName, UnitSettings } from '../nouns/unit-settings.ts'
import { EnhancedUnit, Location, Unit, UnitChanges } from '../nouns/units.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const viewUnits = 'viewUnits' as const
const operateUnits = 'operateUnits' as const
const watchTransmissions = 'watchTransmissions' as const
const transmit = 'transmit' as const

/** The settings of a unit (EP-UREAD-09). */
export const UnitConfiguration = Unit.pick({
  delay: true,
  channelId: true,
  workingMode: true,
  transmissionMode: true,
  multiCameraSelectedMode: true,
  ntp: true,
  filenamePrefix: true,
  metadata: true,
  multiCameraLabels: true,
}).extend({
  delayChoices: z.array(z.number().int()),
  fixedInternetDelay: z.number().int().nullable().describe('null: it has none of its own'),
  storeAndForwardVideoQualityV2: SafQualities,
  settings: UnitSettings.describe(
    'The wanted settings; the unit does not have settings that are missing here',
  ),
  unconfirmed: z.array(SettingName).describe('Settings that the unit has not yet reported as applied'),
  ipPipe: IpPipeSettings.nullable().describe('The settings of its IP pipe; null until they are set'),
  configurationRevision: z
    .number()
    .int()
    .describe('Grows with every change; a new value ends the retries of set-channel'),
})
export type UnitConfiguration = z.infer<typeof UnitConfiguration>

const exampleConfiguration: UnitConfiguration = {
  delay: 1000,
  channelId: 'ch-lon-1',
  workingMode: 'video',
  transmissionMode: 'cellularBonding',
  multiCameraSelectedMode: null,
  ntp: false,
  filenamePrefix: '',
  metadata: {},
  multiCameraLabels: [],
  delayChoices: [800, 1000, 1500],
  fixedInternetDelay: null,
  storeAndForwardVideoQualityV2: { 'H.264/AVC': 'standard', 'H.265/HEVC': 'standard' },
  settings: { videoComplexity: 'medium', audioBitrate: 128, totalLimitKbps: 8000 },
  unconfirmed: ['totalLimitKbps'],
  ipPipe: null,
  configurationRevision: 7,
}

const readUnit = (path: string, summary: string, rows: readonly string[], permission: Action = viewUnits) =>
  endpoint({
    method: 'GET',
    path,
    summary,
    permission,
    params: id,
    response: Unit,
    errors: [404],
    example: exampleUnit,
    rows,
  })

export const units = {
  ofGroup: endpoint({
    method: 'GET',
    path: '/devices/fetch',
    summary: 'All units of a group; a failure inside answers with code 500 in the body',
    permission: watchTransmissions,
    query: z.object({ group: z.string().min(1).max(64) }),
    response: z.array(Unit),
    errors: [404],
    example: [exampleUnit],
    rows: ['EP-UREAD-02', 'EP-NOTIF-03'],
  }),
  byId: readUnit('/devices/fetch_by_id/{id}', 'One unit', ['EP-UREAD-05']),
  one: readUnit('/v2/units/{id}', 'One unit', ['EP-UREAD-12'], watchTransmissions),
  enhanced: endpoint({
    method: 'GET',
    path: '/v2/units/enhanced/{id}',
    summary: 'One unit with the records that belong to it',
    permission: viewUnits,
    params: id,
    response: EnhancedUnit,
    errors: [404],
    example: {
      ...exampleUnit,
      inventory: { id: 'inv-north', name: 'North Broadcasting' },
      groups: [{ uid: 'gr-london', name: 'London-News' }],
      groupFeatures: {},
      sipAccount: null,
      databridgeGateway: null,
      pairingCodeMode: 'off',
      modemGraph: [],
      transceiverGraph: null,
    },
    rows: ['EP-UREAD-11', 'EP-NOTIF-03'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/v2/admin/units/{id}/status',
    summary: 'Status of a unit',
    permission: viewUnits,
    params: id,
    response: Unit.pick({
      status: true,
      state: true,
      applications: true,
      busy: true,
      idle: true,
      offline: true,
      reportedAt: true,
    }),
    errors: [404],
    example: {
      status: 'streaming',
      state: 'streaming',
      applications: { video: { state: 'streaming' } },
      busy: true,
      idle: false,
      offline: false,
      reportedAt: 1_795_000_042_000,
    },
    rows: ['EP-UREAD-01'],
  }),
  modems: endpoint({
    method: 'GET',
    path: '/devices/{id}/modems',
    summary: 'Links of a unit',
    permission: viewUnits,
    params: id,
    response: z.object({ modems: z.array(ModemStatus), offlineModems: z.array(ModemStatus) }),
    errors: [404],
    example: { modems: exampleUnit.modems, offlineModems: [] },
    rows: ['EP-UREAD-08'],
  }),
  graph: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/graph',
    summary: 'The modem graph from the stored time series, oldest point first',
    permission: viewUnits,
    params: id,
    query: z.object({
      points: z.coerce.number().int().min(1).max(2000).default(360),
      intervalMs: z.coerce.number().int().min(1000).max(600_000).default(5000),
      until: z.coerce.number().int().optional().describe('Milliseconds since 1970; now when absent'),
    }),
    response: z.array(GraphPoint),
    errors: [404],
    example: [
      {
        ts: 1_795_000_005_000,
        links: [{ port: 1, kbps: 2140, rttMs: 46, lossPercent: 0.4 }],
        encoderKbps: 3900,
        capacityKbps: 5200,
        droppedPackets: 0,
      },
    ],
    rows: ['CO-UNIT-50', 'CO-UNIT-51'],
  }),
  events: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/events',
    summary: 'Events of a unit, newest first',
    permission: viewUnits,
    params: id,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(500).default(100),
      before: z.coerce.number().int().optional().describe('Milliseconds since 1970'),
    }),
    response: z.array(UnitEvent),
    errors: [404],
    example: [
      {
        id: 'ev-1',
        ts: 1_795_000_000_000,
        kind: 'status',
        text: 'offlineToOnline',
        severity: 'info',
        what: unitEvent('status.offlineToOnline', {}),
      },
    ],
  }),
  location: endpoint({
    method: 'GET',
    path: '/devices/{id}/location',
    summary: 'Position of a unit, null when it is not known',
    permission: viewUnits,
    params: id,
    response: Location.nullable(),
    errors: [404],
    example: exampleUnit.location,
    rows: ['EP-UREAD-06'],
  }),
  coordinates: endpoint({
    method: 'GET',
    path: '/devices/fetch_coords',
    summary: 'Positions of a group’s units',
    permission: viewUnits,
    query: z.object({ group: z.string().min(1).max(64) }),
    response: z.array(z.object({ uid: z.string(), location: Location })),
    errors: [404, 409],
    example: [{ uid: 'u-lon-03', location: { lat: 51.5034, lng: -0.1276, address: 'London' } }],
    rows: ['EP-UREAD-07'],
  }),
  capabilities: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/capabilities',
    summary: 'Capabilities of the unit; a missing name is false',
    permission: viewUnits,
    params: id,
    response: z.record(z.string(), z.boolean()),
    errors: [404],
    example: { hevc: true },
    rows: ['EP-UREAD-10'],
  }),
  configuration: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/configurationV2',
    summary: 'Settings of a unit',
    permission: viewUnits,
    params: id,
    response: UnitConfiguration,
    errors: [404],
    example: exampleConfiguration,
    rows: ['EP-UREAD-09'],
  }),
  services: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/services',
    summary: 'Services enabled on a unit',
    permission: viewUnits,
    params: id,
    response: z.array(z.string()),
    errors: [404],
    example: ['video'],
    rows: ['EP-UWRITE-01'],
  }),
  groups: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/groups',
    summary: 'Groups that a unit belongs to, as far as the caller may know them',
    permission: viewUnits,
    params: id,
    response: z.array(z.object({ uid: z.string(), name: z.string() })),
    errors: [404],
    example: [{ uid: 'gr-london', name: 'London-News' }],
    rows: ['EP-UREAD-14'],
  }),
  rename: endpoint({
    method: 'POST',
    path: '/devices/update',
    summary: 'Renames a unit; the name is unique within its inventory',
    permission: operateUnits,
    body: z.strictObject({ uid: z.string().min(1).max(64), name: Name }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-UWRITE-08'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}',
    summary: 'Changes name and comment of a unit',
    permission: operateUnits,
    params: id,
    body: UnitChanges,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-UWRITE-09'],
  }),
}

const ChannelChoice = z.strictObject({
  virtualChannelName: z.string().max(255).nullable().describe('Name or id of the channel; null selects none'),
})
const whileBusy = z.boolean().describe('A reboot also interrupts what the unit does now')
const commandBody = z.union([
  ChannelChoice,
  z.strictObject({ whileBusy: whileBusy.optional() }),
  z.undefined(),
])

/** Commands and settings: the answer confirms that it was accepted, the result comes by push. */
export const unitCommands = {
  command: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/{command}',
    summary:
      'Device command: set_virtual_channel, virtual_channels_updated, stop_streaming, reboot or shutdown; a busy unit is not shut down, and rebooted only with whileBusy',
    permission: transmit,
    params: id.extend({
      command: CommandName.extract([
        'set_virtual_channel',
        'virtual_channels_updated',
        'stop_streaming',
        'reboot',
        'shutdown',
      ]),
    }),
    body: commandBody,
    ...accepted,
    rows: ['EP-UCMD-01', 'EP-UCMD-03', 'EP-UCMD-04', 'EP-UCMD-05', 'EP-UCMD-30', 'GAP-STRM-08'],
  }),
  shutdown: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/shutdown',
    summary: 'Switches off a unit that is not busy, where its owner allows it',
    permission: 'powerUnits',
    params: id,
    ...accepted,
    rows: ['EP-POWER-01', 'GAP-STRM-08'],
  }),
  speedTest: endpoint({
    method: 'POST',
    path: '/devices/{id}/commands/speed_test',
    summary:
      'Measures the capacity of the links of an idle unit to its selected channel; stop_streaming cancels it',
    permission: operateUnits,
    params: id,
    query: z.object({
      timeout: speedTestSeconds.optional().describe('Seconds that it lasts, 10 by default'),
    }),
    ...accepted,
    rows: ['EP-UCMD-31'],
  }),
  retriedCommand: endpoint({
    method: 'POST',
    path: '/devices_retry/{id}/commands/{cmd}/{n}',
    summary: 'The same command, tried up to n times until the device confirms it',
    permission: transmit,
    params: id.extend({
      cmd: CommandName.extract(['set_virtual_channel']),
      n: z.coerce.number().int().min(1).max(7),
    }),
    query: z.object({ timeoutMs: z.coerce.number().int().min(500).max(20_000).optional() }),
    body: commandBody,
    ...accepted,
    rows: ['EP-UCMD-02'],
  }),
  setDelay: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/delay',
    summary: 'Sets the end-to-end delay in milliseconds',
    permission: transmit,
    params: id,
    body: z.strictObject({ delay: z.number().int() }),
    ...accepted,
    rows: ['EP-USET-01'],
  }),
  setFixedInternetDelay: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/fixedInternetDelay',
    summary:
      'Sets the delay over fixed internet: the unit has it from now on in that mode, and returns to its other delay with cellular bonding',
    permission: operateUnits,
    params: id,
    body: z.strictObject({ delay: z.number().int() }),
    ...accepted,
    rows: ['EP-USET-08'],
  }),
  setLinks: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/interfaces/config',
    summary:
      'Enables and disables links of a unit and ranks them; while it transmits at least 2 must remain connected',
    permission: operateUnits,
    params: id,
    body: z
      .array(
        z.strictObject({
          interface: z.number().int(),
          enabled: z.boolean(),
          priority: LinkShare.shape.priority.optional(),
          limit: LinkShare.shape.limitKbps.optional().describe('kbit/s; 0 limits nothing'),
        }),
      )
      .min(1)
      .max(64),
    ...accepted,
    rows: ['EP-USET-37'],
  }),
  start: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/stream',
    summary: 'Starts the transmission to the selected channel, or to the one in the body',
    permission: transmit,
    params: id,
    body: z.union([z.strictObject({ channel: z.string().max(255).optional() }), z.undefined()]),
    ...accepted,
    rows: ['EP-STRM-07'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/stream',
    summary: 'Stops the transmission',
    permission: transmit,
    params: id,
    ...accepted,
    rows: ['GAP-API-12'],
  }),
}
