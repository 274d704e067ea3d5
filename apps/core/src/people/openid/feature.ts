import { createOpenid, type OpenidSettings } from './openid.ts'

type Needs = Omit<Parameters<typeof createOpenid>[0], 'settings'> & {
  openidSettings: OpenidSettings | undefined
}

/** Without settings there is no provider. */
export function openidFeature({ openidSettings: settings, ...needs }: Needs) {
  return { face: settings && createOpenid({ ...needs, settings }) }
}
