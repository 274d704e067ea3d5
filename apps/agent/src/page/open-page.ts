// The unit's own page, as its owner has set it.
import { systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { AgentSettings } from '../settings.ts'
import { createStills, type StillsOptions } from './stills.ts'
import { openUnitPage, type UnitPage, type UnitPageOptions } from './unit-page.ts'

type ShownUnit = Pick<UnitPageOptions, 'facts' | 'talk' | 'cameras'> &
  Pick<StillsOptions, 'pictureOf'> & { ffmpegPath: string | undefined }

/** Undefined where no port is set; a unit whose page cannot be served works without it. */
export async function openPage(
  settings: AgentSettings,
  log: Log,
  unit: ShownUnit,
): Promise<UnitPage | undefined> {
  const { BACKHAUL_PAGE_PORT: port, BACKHAUL_PAGE_HOST: host } = settings
  if (port === undefined) return undefined
  const { ffmpegPath = '', cameras, pictureOf, facts, talk } = unit
  const common = { clock: systemClock, log }
  const stills = createStills({ ...common, ffmpegPath, cameras: ffmpegPath ? cameras : 0, pictureOf })
  const name = settings.BACKHAUL_UNIT_NAME
  try {
    const password = settings.BACKHAUL_PAGE_PASSWORD
    return await openUnitPage({ ...common, host, port, password, name, facts, talk, cameras, stills })
  } catch (error) {
    log.error(error, "the unit's own page cannot be served")
    return undefined
  }
}
