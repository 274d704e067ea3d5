// Checks of what people set on units, and of the logs that devices send.
import { type Rule, rules } from './removal-rules.ts'

const setting = rules(/^features\/unit-settings\//, ['features/unit-settings'])
const deviceLog = rules(/^features\/device-logs\//, ['features/device-logs'])

export const ofUnits: readonly Rule[] = [
  setting('demandKnown(asked, before)\n'),
  setting('demandNow(asked, unit)\n'),
  setting('if (faults.length > 0) throw new InvalidRequest(faults)'),
  setting('isPrefixTaken(unit, changes.filenamePrefix)', 'false'),
  setting('other.inventoryId !== inventoryId || '),
  setting('if (unknown !== undefined)', 'if (unknown === null)'),
  setting('if (isBelow !== isOld) throw new Conflict(texts.featureDisabled)'),
  deviceLog('if (refusal !== undefined) throw new Conflict(refusal)'),
  deviceLog('if (one?.deviceId !== deviceId) return', 'if (!one) return'),
  deviceLog('if (one.letters > LOG_BYTES_MAX) {', 'if (Number.isNaN(one.letters)) {'),
  deviceLog("if (one.deviceId === deviceId) end(one, 'failed')", "end(one, 'failed')"),
  deviceLog(
    'if (serverId === undefined) throw new Conflict(deviceLogTexts.channelCannot)',
    'if (!serverId) return',
  ),
]
