/** The state of a command: the outcome of a user's request. */
import { z } from 'zod'
import { ReasonCause } from '../define/refusals.ts'

/**
 * 1. queued: stored, the device is not connected yet;
 * 2. sent: on its way to the device;
 * 3. accepted: the device has acknowledged it;
 * 4. confirmed: the device's own report shows the result (final);
 * 5. refused: by the device or a rule, with a reason (final);
 * 6. timedOut: the deadline passed before 4 or 5 (final);
 * 7. superseded: a newer request of the same kind replaced it (final).
 */
export const CommandState = z.enum([
  'queued',
  'sent',
  'accepted',
  'confirmed',
  'refused',
  'timedOut',
  'superseded',
])
export type CommandState = z.infer<typeof CommandState>

export const isFinal = (state: CommandState): boolean =>
  state === 'confirmed' || state === 'refused' || state === 'timedOut' || state === 'superseded'

/** Names of commands to a unit. Tokens of EP-UCMD rows; the rest are changes of its wanted state. */
export const CommandName = z.enum([
  'start_streaming',
  'stop_streaming',
  'set_virtual_channel',
  'virtual_channels_updated',
  'set_delay',
  'set_enabled_links',
  'set_configuration',
  'start_video_return',
  'stop_video_return',
  'start_databridge',
  'stop_databridge',
  'connect_ip_pipe',
  'disconnect_ip_pipe',
  'start_intercom',
  'stop_intercom',
  'start_intercom2',
  'stop_intercom2',
  'speed_test',
  'reboot',
  'shutdown',
  'send_logs',
  'stop_logs',
  'wifi_query',
  'wifi_connect',
  'wifi_disconnect',
  'network_scan',
  'network_select_manual',
  'network_select_automatic',
  'set_active_sim',
  'set_modem_configuration',
])
export type CommandName = z.infer<typeof CommandName>

export const Command = z.object({
  id: z.string(),
  uid: z.string().describe('The unit'),
  name: CommandName,
  state: CommandState,
  reason: z.string().nullable().default(null),
  cause: ReasonCause,
  by: z.string().describe('User name of the requester'),
  createdAt: z.number(),
  updatedAt: z.number(),
  args: z.record(z.string(), z.unknown()).default({}),
})
export type Command = z.infer<typeof Command>

/** The longest time that a command may be open, in milliseconds. */
export const COMMAND_DEADLINE_MS = 20_000

/** The limit for commands during which an accepting unit disconnects: a machine does not reboot in seconds. */
export const COMMAND_DONE_WITHIN_MS: Readonly<Partial<Record<CommandName, number>>> = {
  reboot: 180_000,
  shutdown: 60_000,
  /** Other addresses may cut the unit off until it returns to the previous ones, as may other networks. */
  set_configuration: 180_000,
  wifi_query: 60_000,
  wifi_connect: 180_000,
  wifi_disconnect: 180_000,
  /** Usually 1 to 2 minutes (CO-UNIT-23). */
  network_scan: 240_000,
  network_select_manual: 180_000,
  network_select_automatic: 180_000,
  set_active_sim: 180_000,
  set_modem_configuration: 180_000,
}

/** Set-channel is retried up to 7 times at the given interval, 2 s by default (ST-CHSEL-02, GAP-STRM-02). */
export const SET_CHANNEL_RETRIES = 7
export const SET_CHANNEL_RETRY_MS = 2000
