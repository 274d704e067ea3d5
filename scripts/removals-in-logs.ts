// Checks of the logs that devices send.
import { type Rule, rules } from './removal-rules.ts'

const deviceLog = rules(/^features\/device-logs\//, ['features/device-logs'])

export const inLogs: readonly Rule[] = [
  deviceLog('if (refusal !== undefined) throw new Conflict(refusal)'),
  deviceLog('if (one?.deviceId !== deviceId) return', 'if (!one) return'),
  deviceLog('if (one.letters > LOG_BYTES_MAX) {', 'if (Number.isNaN(one.letters)) {'),
  deviceLog("if (one.deviceId === deviceId) end(one, 'failed')", "end(one, 'failed')"),
  deviceLog(
    'if (serverId === undefined) throw new Conflict(deviceLogTexts.channelCannot)',
    'if (!serverId) return',
  ),
]
